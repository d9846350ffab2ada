"""Appendix B.3.2: variance of the gradient of a NAC multiplication unit, equations (49)-(51)."""

from __future__ import annotations

import mpmath
from sympy import sqrt

from montecarlo import moment, variance
from montecarlo.kernels.nac_mul import backward as kernels
from paper_checks import WRONG, Approximates, Kind, Price, claim, grid, wrong
from paper_checks.papers.neural_arithmetic_units import as_printed
from paper_checks.papers.neural_arithmetic_units.appendix_b.backward_quantities import (
    BACKWARD_TAYLOR,
    DERIVED,
    EPS,
    ERROR_POINTS,
    LAYER,
    LAYER_PRICE_POINTS,
    VARIANCE_POINTS,
    inverse_square_integral,
    mean_inverse_square,
    output_moment,
    shrinking,
)
from paper_checks.papers.neural_arithmetic_units.quantities import NAC_MUL, factor_moment
from theory.nac_mul import backward as form

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
    expects=wrong("misprint"),
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
    says="the Taylor form of the mean of 1/(|z| + eps)^2 at E[z] = 0, for z uniform on [-b, b]",
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
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="the step is printed with an approximation sign, and for no E[z]. 1/(|z| + eps)^2 has a kink at 0: the "
    "first-order term does not vanish there, and the exact value falls with "
    "the spread where the expansion rises. At b = 1 and eps = 1e-7 it is 1e7, and by the expansion 1e28",
)

claim(
    "nau/eq51",
    at="eq. (51)",
    says="the variance of the gradient by an input of a NAC multiplication layer, by Taylor expansions",
    same_samples_as="nau/eq27.input-gradient-variance",
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
    kind=Kind.ALTERNATIVE,
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
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    assumptions="weights uniform on [-r_w, r_w], inputs on [a, b], all independent; E[dL/dz_out] = 0",
    note="the relative error is of second order in the spreads: W is a factor of the derivative and an exponent in "
    "z_out",
    **LAYER,
)
