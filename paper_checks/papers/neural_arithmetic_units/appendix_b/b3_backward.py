"""Appendix B.3.2: mean of the gradient of a NAC multiplication unit, equations (46)-(48)."""

import mpmath
import numpy as np

from montecarlo import mean
from montecarlo.kernels.nac_mul import backward as kernels
from paper_checks import Defines, Equals, Price, alternative, claim, grid
from paper_checks.papers.neural_arithmetic_units.appendix_b import backward_quantities as shared
from paper_checks.papers.neural_arithmetic_units.quantities import factor_moment, zero
from theory.nac_mul import backward as form, backward_exact as exact

LAYER_POINTS = [
    *grid(r_w=1, a=2, b=6, eps=shared.EPS, mean_delta=1, sd_delta="1/2", fan_in=1, fan_out=2),
    *grid(r_w="3/2", a="1/4", b=1, eps="1/10", mean_delta=-1, sd_delta=1, fan_in=2, fan_out=1),
]

claim(
    "nau/eq46",
    relation=Equals(r"\approx"),
    at="eq. (46)",
    says="the mean of dL/dz is H E[dL/dz_out] E[dz_out/dz], where H is the number of outputs",
    printed=form.chain_mean,
    points=LAYER_POINTS,
    derived={"mean_jacobian": lambda r_w, a, b, eps, fan_in: shared.at_point(
        exact.jacobian_mean, r_w=r_w, a=a, b=b, eps=eps, fan_in=fan_in)},
    integral=lambda r_w, a, b, eps, fan_in, fan_out, mean_delta: (
        fan_out * mean_delta * shared.unit_derivative_mean(r_w, a, b, eps, fan_in)
    ),
    measured=mean(kernels.layer, 0),
    slips={
        "the number of outputs squared": form.chain_mean.expr * form.fan_out,
        "E[dL/dz_out] is missing": form.fan_out * form.mean_jacobian,
    },
    scale=(shared.spread, "the root mean square of the gradient"),
    assumptions="dL/dz_out uncorrelated with dz_out/dz",
    note="published as an approximation. Under its assumption it is exact",
    price=Price(
        "the loss is (z_out - t)^2/2, so that dL/dz_out depends on the layer",
        mean(kernels.squared_loss, 0),
        [p | {"target": 1} for p in LAYER_POINTS],
        {"mean_delta": lambda r_w, a, b, eps, fan_in, target: shared.output_moment(1)(r_w, a, b, eps, fan_in) - target},
    ),
)  # fmt: skip

ONE = {"mean_delta": 1, "sd_delta": 0}

claim(
    "nau/eq47.product",
    relation=Equals(r"\approx"),
    at="eq. (47), first step",
    says="the mean of dz_out/dz is E[z_out] E[W] E[abs'(z)/(|z| + eps)]",
    printed=form.jacobian_mean_independent,
    points=grid(r_w="1/2", mean_w="1/2", a=1, b=2, eps=shared.EPS, **ONE, fan_in=2, fan_out=1)
    + grid(r_w=1, mean_w=-1, a=2, b=6, eps=shared.EPS, **ONE, fan_in=1, fan_out=1),
    derived={"mean_out": shared.output_moment(1), "mean_q": shared.mean_inverse},
    integral=lambda r_w, mean_w, a, b, eps, fan_in: (
        factor_moment(1, r_w, a, b, eps) ** fan_in * mean_w
        * mpmath.quad(lambda z: 1 / (z + eps), [a, (a + b) / 2, b]) / (b - a)
    ),
    measured=mean(kernels.independent, 2),
    slips={"E[W] is missing": form.mean_out * form.mean_q},
    assumptions="z_out, W and z independent",
)  # fmt: skip

claim(
    "nau/eq47",
    relation=Equals(r"\approx"),
    at="eq. (47)",
    says="the mean of dz_out/dz is zero because E[W] is zero, under the paper's assumption that z_out, W and z are "
    "independent",
    **{**shared.INDEPENDENT_MEAN, "measured": mean(kernels.independent, 2),
       "points": grid(r_w=["1/2", 1], a=1, b=2, eps=shared.EPS, mean_w=0, **ONE, fan_in=2, fan_out=1)},
    derivation=lambda: form.jacobian_mean_independent.expr.subs(form.mean_w, 0),
    price=Price(
        "the real unit, in which z_out contains W and z",
        mean(kernels.layer, 2),
        [p | ONE | {"fan_out": 1} for p in shared.LAYER_PRICE_POINTS],
    ),
)  # fmt: skip

alternative(
    "nau/eq47.layer",
    at="eqs. (27) and (47), in the real unit",
    says="in the real unit the mean of dz_out/dz is zero, and so is the mean of dL/dz",
    printed=zero(
        exact.jacobian_mean,
        "mean of dz_out/dz of a NAC multiplication unit, if z_out, W and z are uncorrelated",
        "eq. (47)",
    ),
    corrected=exact.jacobian_mean,
    points=shared.EXACT_POINTS,
    **shared.UNIT_DERIVATIVE,
    note="z_out contains W and z, so that the three are not independent. The mean of dz_out/dz has the sign of log((a "
    "+ eps)(b + eps)). It is -195 for z ~ U[0, 1], r_w = 1/2, one input and eps = 1e-7. The paper assumes for (47) "
    'that they are uncorrelated and marks the step as an approximation. (27) has the mean as an equality, after "some '
    'assumptions of uncorrelated stochastic variables"',
)


def derivative_by_numpy(draws, r_w, a, b, eps, fan_in, **_):
    """z_out W abs'(z)/(|z| + eps); inputs are two by a draw, then weights four by a draw."""
    inputs, weights = range(0, int(fan_in), 2), range(int(fan_in) + 1, 2 * int(fan_in) + 1, 4)
    z = a + (b - a) * np.concatenate([draws(h) for h in inputs])[: int(fan_in)]
    w = r_w * (2 * np.concatenate([draws.four(h) for h in weights])[: int(fan_in)] - 1)
    total = np.sum(w * np.log(np.abs(z) + eps), axis=0)
    return np.exp(total) * w[0] * np.sign(z[0]) / (np.abs(z[0]) + eps)


claim(
    "nau/eq48",
    at="eq. (48)",
    says="dz_out/dz, whose variance is derived, is z_out W abs'(z)/(|z| + eps)",
    relation=Defines(derivative_by_numpy),
    points=grid(r_w="1/2", a=["1/10", 1], b=4, eps="1/10", mean_delta=1, sd_delta=0, fan_in=3, fan_out=1),
    measured=mean(kernels.layer, 2),
    slips={"the factor W is missing": lambda draws, r_w, **p: derivative_by_numpy(draws, r_w, **p) / r_w},
)
