"""Appendix B.3.1: expectation and variance of the NAC multiplication unit, equations (36)-(45) and Figure 8."""

from __future__ import annotations

import mpmath
import numpy as np
import sympy

from montecarlo import mean, moment, variance
from montecarlo.kernels import nac_mul as kernels
from paper_checks.claim import grid, registry
from paper_checks.neural_arithmetic_units.figure_8 import experiment as figure_8
from paper_checks.neural_arithmetic_units.quantities import (
    EPS_FIG8,
    NAC_EQUAL_INPUTS_PRICE,
    NAC_MEAN_POINTS,
    NAC_MUL,
    NAC_NETWORK_PRICE,
    NAC_VARIANCE_POINTS,
    TAYLOR_MEAN,
    TAYLOR_VARIANCE,
    factor_moment,
    mean_of_unit,
    shrinking,
    variance_of_unit,
)
from paper_checks.relations import Approximates, Bounds, Defines, Reproduces
from theory import dependent_inputs, nac_mul

claim = registry.claim
SHARED_POINTS = grid(r_w=["1/2", 1], c=4, fan_in=[2, 4])

claim(
    "nau/eq36",
    at="eq. (36)",
    says="the mean of the unit is the mean of one factor to the power H",
    printed=nac_mul.exact_mean,
    points=NAC_MEAN_POINTS,
    integral=mean_of_unit,
    measured=mean(kernels.unit),
    assumptions="inputs and weights all independent, identically distributed",
    price=NAC_EQUAL_INPUTS_PRICE,
)

claim(
    "nau/eq36.uncorrelated",
    at="eq. (36), assumption",
    says="it is enough for the factorisation that the inputs are uncorrelated",
    printed=dependent_inputs.nac_mul_mean_independent,
    corrected=dependent_inputs.nac_mul_mean_shared,
    points=SHARED_POINTS,
    integral=lambda r_w, c, fan_in: (
        1 + (mpmath.quad(lambda w: c**w, [-r_w, 0, r_w]) / (2 * r_w)) ** fan_in
    ) / 2,
    measured=mean(kernels.shared_magnitude),
    note="inputs of random sign and one common magnitude, 1 or c, are uncorrelated; independence is needed",
)  # fmt: skip


def factor_by_numpy(draws, r_w, a, b, eps):
    """(|z| + eps)^W from the two uniforms of draw 0."""
    u, v = draws(0)
    return (np.abs(a + (b - a) * v) + eps) ** (r_w * (2 * u - 1))


claim(
    "nau/eq37",
    at="eq. (37)",
    says="one factor is (|z| + eps) to the power W",
    relation=Defines(factor_by_numpy),
    points=grid(r_w="1/2", a=0, b=[1, 50], eps=EPS_FIG8),
    measured=mean(kernels.factor),
    slips={"eps outside the power": lambda draws, r_w, a, b, eps: factor_by_numpy(draws, r_w, a, b, 0.0) + eps},
    note="the text calls this function f and g by turns",
)


def expansion_has_second_order() -> bool:
    """Whether (38) matches value, first and second derivatives of the factor along every direction."""
    z, w, dz, dw, t, eps = sympy.symbols("z w dz dw t epsilon", positive=True)
    g = (z + eps) ** w
    step = sympy.Matrix([dz, dw])
    gradient = sympy.Matrix([sympy.diff(g, z), sympy.diff(g, w)])
    printed = g + (step.T * gradient)[0] + (step.T * sympy.hessian(g, (z, w)) * step)[0] / 2
    along = g.subs({z: z + t * dz, w: w + t * dw}, simultaneous=True)
    printed = printed.subs({dz: t * dz, dw: t * dw}, simultaneous=True)
    return all(sympy.simplify((sympy.diff(along, t, k) - sympy.diff(printed, t, k)).subs(t, 0)) == 0 for k in range(3))


claim(
    "nau/eq38",
    at="eq. (38)",
    says="the second-order Taylor expansion of the factor around the means",
    proof=expansion_has_second_order,
)


def expected_expansion() -> sympy.Expr:
    """The expectation of the expansion: uncorrelated deviations leave the two pure second derivatives."""
    z, w = sympy.symbols("z w", positive=True)
    g = (z + nac_mul.eps) ** w
    pure = g + nac_mul.var_z * sympy.diff(g, z, 2) / 2 + nac_mul.var_w * sympy.diff(g, w, 2) / 2
    return pure.subs({z: sympy.Abs(nac_mul.mean_z), w: nac_mul.mean_w}, simultaneous=True)


for _id, _at in (("nau/eq39", "eq. (39)"), ("nau/eq40.expansion", "eq. (40), first member")):
    claim(
        _id,
        at=_at,
        says="the expectation of the expansion, with the two pure second derivatives",
        printed=nac_mul.taylor_factor,
        derivation=expected_expansion,
        slips={"1/2 forgotten": 2 * nac_mul.taylor_factor.expr},
        assumptions="z and W uncorrelated",
    )

for _id, _at in (("nau/eq40.result", "eq. (40), last member"), ("nau/eq43", "eq. (43)")):
    claim(
        _id,
        at=_at,
        says="with E[W] = 0 the mean of a factor is about 1 + Var[W] log(|E[z]| + eps)^2 / 2",
        **{
            **TAYLOR_MEAN,
            "printed": nac_mul.taylor_factor_centred,
            "exact": nac_mul.factor_moment(1),
            "derivation": lambda: expected_expansion().subs(nac_mul.mean_w, 0),
            "points": [p for p in NAC_MEAN_POINTS if p["fan_in"] == 1],
            "integral": lambda r_w, a, b, eps: factor_moment(1, r_w, a, b, eps),
            "measured": mean(kernels.factor),
        },
    )

claim(
    "nau/eq41",
    at="eq. (41)",
    says="the mean of the unit by a second-order Taylor expansion",
    **TAYLOR_MEAN,
    price=NAC_NETWORK_PRICE,
)

claim(
    "nau/eq42",
    at="eq. (42)",
    says="the variance of the unit from the second and first moments of one factor",
    printed=nac_mul.exact_variance,
    points=NAC_VARIANCE_POINTS,
    integral=variance_of_unit,
    measured=variance(kernels.unit),
    assumptions="inputs and weights all independent, identically distributed",
)

claim(
    "nau/eq44",
    at="eq. (44)",
    says="the mean of a squared factor is about 1 + 2 Var[W] log(|E[z]| + eps)^2",
    printed=nac_mul.taylor_square_factor,
    exact=nac_mul.factor_moment(2),
    relation=Approximates(order=2, along=shrinking),
    points=[p for p in NAC_VARIANCE_POINTS if p["fan_in"] == 1],
    derived=NAC_MUL,
    derivation=lambda: nac_mul.taylor_factor_centred.expr.subs(nac_mul.var_w, 4 * nac_mul.var_w),
    integral=lambda r_w, a, b, eps: factor_moment(2, r_w, a, b, eps),
    measured=moment(kernels.factor, 2),
)

claim(
    "nau/eq45",
    at="eq. (45)",
    says="the variance of the unit by a second-order Taylor expansion",
    # Measured at all points for (27).
    **{**TAYLOR_VARIANCE, "points": TAYLOR_VARIANCE["points"][:3]},
)

claim(
    "nau/fig8",
    at="Figure 8",
    says="the error of the Taylor form of the mean over r_w and r_z, from 100,000 observations per cell",
    relation=Reproduces(),
    experiment=figure_8,
)

claim(
    "nau/fig8.distributions",
    at="B.3.1, text",
    says="W ~ U[-r_w, r_w] and z ~ U[0, r_z] are the distributions of the simple function task",
    unchecked="the paper contradicts it: Table 1 has inputs from U[1, 2], which a NAC addition layer sums before "
    "they reach the unit, and a NAC weight is a product of tanh and sigmoid, not uniform",
)

for _order in range(1, 5):
    claim(
        f"nau/beyond.factor_moment{_order}",
        at="beyond B.3.1",
        says=f"E[(z + eps)^({_order} W)] by exponential integrals",
        printed=nac_mul.factor_moment(_order),
        points=[
            *grid(r_w="1/2", a=1, b=2, eps=0),
            *grid(r_w=sympy.Rational(1, 4 * _order), a=0, b=3, eps=[0, EPS_FIG8]),
            *grid(r_w=sympy.Rational(3, 2 * _order), a="1/2", b=2, eps="1/100"),
        ],
        integral=lambda r_w, a, b, eps, order=_order: factor_moment(order, r_w, a, b, eps),
        measured=moment(kernels.factor, _order),
        beyond=True,
    )


def lognormal_moment(order, r_w, location, scale):
    """E[z^(order W)]: the mean over the weight for each log z, then by quadrature over log z."""

    def over_weights(y):
        c = order * r_w * y
        return mpmath.sinh(c) / c if c else mpmath.mpf(1)

    def integrand(u):
        return over_weights(location + scale * u) * mpmath.npdf(u)

    return mpmath.quad(integrand, [-40, -20, -10, -5, 0, 5, 10, 20, 40])


LOGNORMAL_POINTS = [
    *grid(r_w="1/2", location=[0, 1], scale="1/2", fan_in=2),
    *grid(r_w="1/4", location=-2, scale=1, fan_in=1),
]

claim(
    "nau/beyond.lognormal_mean",
    at="beyond B.3.1",
    says="the mean of the unit for lognormal inputs",
    printed=nac_mul.lognormal_mean,
    points=LOGNORMAL_POINTS,
    integral=lambda r_w, location, scale, fan_in: lognormal_moment(1, r_w, location, scale) ** fan_in,
    measured=mean(kernels.lognormal_unit),
    beyond=True,
)

claim(
    "nau/beyond.lognormal_variance",
    at="beyond B.3.1",
    says="the variance of the unit for lognormal inputs",
    printed=nac_mul.lognormal_variance,
    points=LOGNORMAL_POINTS,
    integral=lambda r_w, location, scale, fan_in: (
        lognormal_moment(2, r_w, location, scale) ** fan_in - lognormal_moment(1, r_w, location, scale) ** (2 * fan_in)
    ),
    measured=variance(kernels.lognormal_unit),
    beyond=True,
)

claim(
    "nau/beyond.mean_bound",
    at="beyond B.3.1",
    says="for symmetric weights the mean is above 1 + H Var[W] E[log(|z| + eps)^2] / 2, however inputs depend",
    printed=nac_mul.symmetric_mean_lower_bound,
    relation=Bounds("below"),
    proof=lambda: nac_mul.jensen_remainder_is_positive(),
    points=[*grid(r_w=1, a=1, b=3, eps=0, fan_in=[2, 4]), *grid(r_w="1/4", a=0, b=1, eps=EPS_FIG8, fan_in=2)],
    derived=NAC_MUL,
    measured=mean(kernels.equal_inputs),
    slips={"1/2 forgotten": 2 * nac_mul.symmetric_mean_lower_bound.expr - 1},
    beyond=True,
)
