"""Appendix B.3.2: the backward pass of the NAC multiplication unit, equations (46)-(51), and what holds exactly."""

from __future__ import annotations

import mpmath
import numpy as np
from sympy import Integer, sqrt

from montecarlo import mean, moment, variance
from montecarlo.kernels.nac_mul import backward as kernels
from paper_checks import Approximates, Defines, Price, claim, grid
from paper_checks.papers.neural_arithmetic_units import as_printed
from paper_checks.papers.neural_arithmetic_units.backward_quantities import (
    BACKWARD_TAYLOR,
    DERIVED,
    EPS,
    ERROR_POINTS,
    INDEPENDENT_MEAN,
    LAYER,
    LAYER_PRICE_POINTS,
    UNIT_DERIVATIVE,
    VARIANCE_POINTS,
    at_point,
    derivative_mean,
    inverse_square_integral,
    mean_inverse,
    mean_inverse_square,
    output_moment,
    shrinking,
    spread,
)
from paper_checks.papers.neural_arithmetic_units.quantities import NAC_MUL, factor_moment
from theory import Formula, Source
from theory.nac_mul import backward as nac_mul_backward
from theory.nac_mul import backward_exact as nac_mul_backward_exact

form = nac_mul_backward
exact = nac_mul_backward_exact

zero_derivative_mean = Formula(
    "mean of dz_out/dz of a NAC multiplication unit, as if z_out, W and z were uncorrelated",
    Integer(0),
    list(exact.jacobian_mean.arguments),
    source=Source("nau", "eq. (47)"),
)

LAYER_POINTS = [
    *grid(r_w=1, a=2, b=6, eps=EPS, mean_delta=1, sd_delta="1/2", fan_in=1, fan_out=2),
    *grid(r_w="3/2", a="1/4", b=1, eps="1/10", mean_delta=-1, sd_delta=1, fan_in=2, fan_out=1),
]

claim(
    "nau/eq46",
    at="eq. (46)",
    says="the mean of dL/dz is the number of outputs times E[dL/dz_out] E[dz_out/dz]",
    printed=form.chain_mean,
    points=LAYER_POINTS,
    derived={"mean_jacobian": lambda r_w, a, b, eps, fan_in: at_point(
        exact.jacobian_mean, r_w=r_w, a=a, b=b, eps=eps, fan_in=fan_in)},
    integral=lambda r_w, a, b, eps, fan_in, fan_out, mean_delta: (
        fan_out * mean_delta * derivative_mean(1, r_w, a, b, eps) * factor_moment(1, r_w, a, b, eps) ** (fan_in - 1)
    ),
    measured=mean(kernels.layer, 0),
    slips={
        "squared number of outputs": form.chain_mean.expr * form.fan_out,
        "E[dL/dz_out] forgotten": form.fan_out * form.mean_jacobian,
    },
    scale=spread,
    scale_says="the root mean square of the gradient",
    assumptions="dL/dz_out uncorrelated with dz_out/dz; nothing about z_out, W and z",
    note="printed as an approximation; under its assumption it is exact",
    price=Price(
        "loss (z_out - t)^2/2, in which dL/dz_out depends on the layer",
        mean(kernels.squared_loss, 0),
        [p | {"target": 1} for p in LAYER_POINTS],
        {"mean_delta": lambda r_w, a, b, eps, fan_in, target: output_moment(1)(r_w, a, b, eps, fan_in) - target},
    ),
)  # fmt: skip

INDEPENDENT_POINTS = [
    *grid(r_w="1/2", mean_w="1/2", a=1, b=2, eps=EPS, mean_delta=1, sd_delta=0, fan_in=2, fan_out=1),
    *grid(r_w=1, mean_w=-1, a=2, b=6, eps=EPS, mean_delta=1, sd_delta=0, fan_in=1, fan_out=1),
]

claim(
    "nau/eq47.product",
    at="eq. (47), first step",
    says="the mean of dz_out/dz is E[z_out] E[W] E[abs'(z)/(|z| + eps)]",
    printed=form.jacobian_mean_independent,
    points=INDEPENDENT_POINTS,
    derived={"mean_out": output_moment(1), "mean_q": mean_inverse},
    integral=lambda r_w, mean_w, a, b, eps, fan_in: (
        factor_moment(1, r_w, a, b, eps) ** fan_in * mean_w
        * mpmath.quad(lambda z: 1 / (z + eps), [a, (a + b) / 2, b]) / (b - a)
    ),
    measured=mean(kernels.independent, 2),
    slips={"E[W] forgotten": form.mean_out * form.mean_q},
    assumptions="z_out, W and z independent",
)  # fmt: skip

claim(
    "nau/eq47",
    at="eq. (47)",
    says="the mean of dz_out/dz is zero, as E[W] is, if z_out, W and z were independent",
    **{**INDEPENDENT_MEAN, "measured": mean(kernels.independent, 2),
       "points": grid(r_w=["1/2", 1], a=1, b=2, eps=EPS, mean_w=0, mean_delta=1, sd_delta=0, fan_in=2, fan_out=1)},
    derivation=lambda: form.jacobian_mean_independent.expr.subs(form.mean_w, 0),
    price=Price(
        "the unit itself, in which z_out contains W and z",
        mean(kernels.layer, 2),
        [p | {"mean_delta": 1, "sd_delta": 0, "fan_out": 1} for p in LAYER_PRICE_POINTS],
    ),
)  # fmt: skip


claim(
    "nau/eq47.layer",
    at="eqs. (27) and (47), of the unit itself",
    says="z_out, W and z of a unit are as good as uncorrelated: the mean of dz_out/dz, and so of dL/dz, is zero",
    reading=True,
    printed=zero_derivative_mean,
    corrected=exact.jacobian_mean,
    points=[
        *grid(r_w="3/5", a=2, b=4, eps=EPS, fan_in=2),
        *grid(r_w="3/4", a="1/4", b="3/4", eps="1/4", fan_in=2),
        *grid(r_w="3/4", a="3/4", b=2, eps="1/4", fan_in=3),
    ],
    **UNIT_DERIVATIVE,
    note="z_out contains W and z: the mean has the sign of log((a + eps)(b + eps)), and is -195 for z ~ U[0, 1], r_w "
    "= 1/2, one input and eps = 1e-7. The paper assumes for (47) that they are uncorrelated, and marks the step as "
    "an approximation; (27) has the mean as an equality, behind 'some assumptions of uncorrelated stochastic "
    "variables'",
)


def derivative_by_numpy(draws, r_w, a, b, eps, fan_in, **_):
    """z_out W abs'(z)/(|z| + eps); draw h has the uniforms of W_h and z_h."""
    total = 0.0
    for h in range(int(fan_in)):
        u, v = draws(h)
        total = total + r_w * (2 * u - 1) * np.log(np.abs(a + (b - a) * v) + eps)
    u, v = draws(0)
    z = a + (b - a) * v
    return np.exp(total) * r_w * (2 * u - 1) * np.sign(z) / (np.abs(z) + eps)


claim(
    "nau/eq48",
    at="eq. (48)",
    says="what is to be averaged is z_out W abs'(z)/(|z| + eps)",
    relation=Defines(derivative_by_numpy),
    points=grid(r_w="1/2", a=["1/10", 1], b=4, eps="1/10", mean_delta=1, sd_delta=0, fan_in=3, fan_out=1),
    measured=mean(kernels.layer, 2),
    slips={"without W": lambda draws, r_w, **p: derivative_by_numpy(draws, r_w, **p) / r_w},
)

_PRODUCT = {
    "points": [
        *grid(mean_out=2, half_out=1, mean_w="1/2", half_w=1, mean_q=1, half_q="1/2"),
        *grid(mean_out=1, half_out="1/2", mean_w=-2, half_w="3/4", mean_q="1/2", half_q="1/2"),
    ],
    "derived": {
        f"var_{name}": lambda name=name, **values: values[f"half_{name}"] ** 2 / 3 for name in ("out", "w", "q")
    },
}


def uniform_square(middle, half):
    """E[X^2] of a uniform variable, by quadrature."""
    return mpmath.quad(lambda t: t**2, [middle - half, middle + half]) / (2 * half)


claim(
    "nau/eq49.factors",
    at="eq. (49), first step",
    says="the variance of a product of three independent variables, from first and second moments",
    printed=as_printed.three_factors_variance,
    corrected=form.product_variance,
    integral=lambda mean_out, half_out, mean_w, half_w, mean_q, half_q: (
        uniform_square(mean_out, half_out) * uniform_square(mean_w, half_w) * uniform_square(mean_q, half_q)
        - (mean_out * mean_w * mean_q) ** 2
    ),
    measured=variance(kernels.three_factors),
    assumptions="z_out, W and q = abs'(z)/(|z| + eps) independent, of any means",
    note="the subtracted term has the mean of q^2 for the squared mean of q, in two lines. It is multiplied "
    "by E[W]^2 = 0, and the result is not affected: nau/eq49",
    **_PRODUCT,
)

claim(
    "nau/eq49",
    at="eq. (49), result",
    says="the variance of dz_out/dz is E[z_out^2] Var[W] E[abs'(z)^2/(|z| + eps)^2]",
    printed=form.jacobian_variance_independent,
    points=VARIANCE_POINTS,
    derived={"square_out": output_moment(2), "square_q": mean_inverse_square, "var_w": NAC_MUL["var_w"]},
    integral=lambda r_w, a, b, eps, fan_in: (
        factor_moment(2, r_w, a, b, eps) ** fan_in * r_w**2 / 3 * inverse_square_integral(a, b, eps)
    ),
    measured=variance(kernels.independent, 2),
    slips={"standard deviation of W": form.square_out * sqrt(form.var_w) * form.square_q},
    assumptions="z_out, W and z independent, E[W] = 0",
    price=Price(
        "the unit itself, in which z_out contains W and z",
        variance(kernels.layer, 2),
        [p | {"mean_delta": 1, "sd_delta": 0, "fan_out": 1} for p in LAYER_PRICE_POINTS],
    ),
)

claim(
    "nau/eq50",
    at="eq. (50)",
    says="the mean of 1/(|z| + eps)^2 by a second-order Taylor expansion around E[z]",
    printed=form.inverse_square_taylor,
    exact=form.inverse_square,
    relation=Approximates(
        order=2, along=shrinking, at=[*grid(a=[2, 10], b=[6, 20], eps=EPS)[::3], *grid(a=0, b=1, eps=["1/100", EPS])]
    ),
    points=[*grid(a=1, b=2, eps=EPS), *grid(a="1/10", b="1/5", eps="1/100")],
    derived={"mean_z": NAC_MUL["mean_z"], "var_z": NAC_MUL["var_z"], "low": lambda a: a, "high": lambda b: b},
    integral=inverse_square_integral,
    measured=moment(kernels.inverse, 2),
    assumptions="z uniform on [a, b]; E[z] away from zero",
)

claim(
    "nau/eq50.zero-mean",
    at="eq. (50), read at E[z] = 0",
    says="the same at E[z] = 0, for z uniform on [-b, b]",
    printed=form.inverse_square_taylor,
    exact=form.inverse_square_from_zero,
    relation=Approximates(order=2, along=lambda t: {"b": t, "eps": 1}, at=grid(b=1, eps=["1/100", EPS])),
    points=grid(b=1, eps=["1/4", 1]),
    derived={
        "mean_z": lambda: 0,
        "var_z": lambda b: b**2 / 3,
        "low": lambda b: -b,
        "high": lambda b: b,
    },
    integral=lambda b, eps: inverse_square_integral(0, b, eps),
    measured=moment(kernels.inverse, 2),
    refuted=True,
    reading=True,
    note="the step is printed with an approximation sign, and for no E[z]. 1/(|z| + eps)^2 has a kink at 0: the "
    "first-order term does not vanish there, and the exact value falls with "
    "the spread where the expansion rises. At b = 1 and eps = 1e-7 it is 1e7, and by the expansion 1e28",
)

claim(
    "nau/eq51",
    at="eq. (51)",
    says="the variance of the gradient by an input of a NAC multiplication layer, by Taylor expansions",
    **BACKWARD_TAYLOR,
    price=Price(
        "loss (z_out - t)^2/2 with t = 1, in which dL/dz_out and dz_out/dz are of one and the same layer",
        variance(kernels.squared_loss, 0),
        [p | {"target": 1, "fan_out": 2} for p in LAYER_PRICE_POINTS[:2]],
        {"var_delta": lambda r_w, a, b, eps, fan_in: (
            output_moment(2)(r_w, a, b, eps, fan_in) - output_moment(1)(r_w, a, b, eps, fan_in) ** 2)},
    ),
)  # fmt: skip

claim(
    "nau/eq51.any-delta",
    at="eq. (51), first factors",
    says="the variance of dL/dz is the number of outputs times Var[dL/dz_out] Var[dz_out/dz], whatever E[dL/dz_out]",
    reading=True,
    printed=as_printed.nac_mul_gradient_variance,
    corrected=form.input_gradient_variance_with_mean,
    points=[
        *grid(r_w="1/2", a=1, b=2, eps=EPS, mean_w=0, mean_delta="3/2", sd_delta=1, fan_in=1, fan_out=2),
        *grid(r_w="2/5", a=2, b=4, eps="1/10", mean_w=0, mean_delta=-1, sd_delta=2, fan_in=2, fan_out=3),
    ],
    derived={**DERIVED, "var_jacobian": lambda square_out, var_w, square_q: square_out * var_w * square_q},
    integral=lambda r_w, a, b, eps, fan_in, fan_out, mean_delta, sd_delta: (
        fan_out * (mean_delta**2 + sd_delta**2) * factor_moment(2, r_w, a, b, eps) ** fan_in
        * r_w**2 / 3 * inverse_square_integral(a, b, eps)
    ),
    measured=variance(kernels.independent, 0),
    assumptions="z_out, W and z independent of each other and of dL/dz_out, E[W] = 0",
    note="B.3.2 does not say that it needs E[dL/dz_out] = 0; B.4.2 does, for the NMU. In general the mean square of "
    "dL/dz_out stands in place of its variance",
)  # fmt: skip

claim(
    "nau/eq51.layer",
    at="eq. (51), of the layer itself",
    says="(51) is an approximation of second order to the variance of dL/dz",
    printed=form.input_gradient_variance_taylor,
    relation=Approximates(order=2, along=shrinking, at=ERROR_POINTS),
    points=[
        *({k: v for k, v in p.items() if k != "mean_w"} for p in VARIANCE_POINTS),
        *grid(r_w="1/3", a="1/4", b="3/4", eps="1/4", mean_delta=0, sd_delta=1, fan_in=2, fan_out=3),
    ],
    reading=True,
    refuted=True,
    assumptions="weights uniform on [-r_w, r_w], inputs on [a, b], all independent; E[dL/dz_out] = 0",
    note="the relative error is of second order in the spreads: W is a factor of the derivative and an exponent in "
    "z_out",
    **LAYER,
)
