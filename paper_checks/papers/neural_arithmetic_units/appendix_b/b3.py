"""Appendix B.3.1: expectation and variance of the NAC multiplication unit, equations (36)-(45)."""

from __future__ import annotations

import mpmath
import numpy as np
import sympy

from montecarlo import mean, moment, variance
from montecarlo.kernels.nac_mul import outputs as kernels
from paper_checks import WRONG, Always, Approximates, Defines, Kind, claim, grid
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.quantities import (
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
from theory.arithmetic import dependent_inputs
from theory.nac_mul import exact as nac_mul_exact
from theory.nac_mul import taylor as nac_mul

ZERO_MEAN_ERRORS = grid(r_w=["1/100", "1/2"], a=0, b=1, eps="1e-7", fan_in=2)
SHARED_POINTS = grid(r_w=["1/2", 1], c=4, fan_in=[2, 4])

claim(
    "nau/eq36",
    at="eq. (36)",
    says="the mean of the unit is the mean of one factor to the power H",
    printed=nac_mul_exact.exact_mean,
    points=NAC_MEAN_POINTS,
    integral=mean_of_unit,
    measured=mean(kernels.unit),
    same_samples_as="nau/eq10.mean",
    assumptions="inputs and weights all independent, identically distributed",
    price=NAC_EQUAL_INPUTS_PRICE,
)

claim(
    "nau/eq36.uncorrelated",
    at="eq. (36), assumption, read as enough",
    quote="Assuming that each $z_{h_{\\ell-1}}$ are uncorrelated the expectation can be simplified to:",
    says="the mean of the unit is that of one factor to the power H for inputs that are merely uncorrelated",
    printed=dependent_inputs.nac_mul_mean_independent,
    corrected=dependent_inputs.nac_mul_mean_shared,
    points=SHARED_POINTS,
    integral=lambda r_w, c, fan_in: (
        1 + (mpmath.quad(lambda w: c**w, [-r_w, 0, r_w]) / (2 * r_w)) ** fan_in
    ) / 2,
    measured=mean(kernels.shared_magnitude),
    kind=Kind.ALTERNATIVE,
    note="the step is printed with an approximation sign. Inputs of random sign and one common magnitude, 1 or c, are "
    "uncorrelated; independence is needed",
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
    z, eps = sympy.symbols("z epsilon", positive=True)
    w, dz, dw, t = sympy.symbols("w dz dw t", real=True)
    g = (z + eps) ** w
    step = sympy.Matrix([dz, dw])
    gradient = sympy.Matrix([sympy.diff(g, z), sympy.diff(g, w)])
    printed = g + (step.T * gradient)[0] + (step.T * sympy.hessian(g, (z, w)) * step)[0] / 2
    along = g.subs({z: z + t * dz, w: w + t * dw}, simultaneous=True)
    printed = printed.subs({dz: t * dz, dw: t * dw}, simultaneous=True)
    return all(vanishes((sympy.diff(along, t, k) - sympy.diff(printed, t, k)).subs(t, 0)) for k in range(3))


def no_expansion_at_zero() -> bool:
    """The factor is even in z, with the slope W eps^(W - 1) on the right of z = 0: no slope but for W = 0.

    There the slope by W, log(|z| + eps), even as well, has the slope 1/eps on the right: no mixed derivative.
    """
    z, w, eps = sympy.Symbol("z", real=True), sympy.Symbol("w", real=True), sympy.Symbol("epsilon", positive=True)
    g = (sympy.Abs(z) + eps) ** w
    by_weight = sympy.diff(g, w).subs(w, 0)
    even = g.subs(z, -z) == g
    right = [sympy.diff(f.subs(sympy.Abs(z), z), z).subs(z, 0) for f in (g, by_weight)]
    return even and vanishes(right[0] - w * eps ** (w - 1)) and right[1] == 1 / eps


claim(
    "nau/eq38",
    at="eq. (38)",
    says="the second-order Taylor expansion of the factor around the means exists where E[z] is not 0, and only there",
    proof=lambda: expansion_has_second_order() and no_expansion_at_zero(),
    assumptions="eps > 0; by symmetry for E[z] < 0 what it is for E[z] > 0",
    note="at E[z] = 0, which the paper wants of its inputs, |z| has no derivative: at E[W] = 0 the mixed derivative of "
    "(38) is 1/eps on one side and -1/eps on the other",
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
            "exact": nac_mul_exact.factor_moment(1),
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
    same_samples_as="nau/eq10.mean",
    **TAYLOR_MEAN,
    price=NAC_NETWORK_PRICE,
)

claim(
    "nau/eq41.zero-mean",
    at="eq. (41), read at E[z] = 0",
    says="the Taylor form approximates the mean of the unit where E[z] = 0, as the paper wants of its inputs",
    **{
        **TAYLOR_MEAN,
        "relation": Approximates(
            order=2, along=lambda t: {"r_w": t, "a": 0, "b": 1, "eps": "1/100", "fan_in": 2}, at=ZERO_MEAN_ERRORS
        ),
        "points": grid(r_w="1/4", a=0, b=[1, "99/100", 2], eps="1/100", fan_in=2),
        "derived": {**NAC_MUL, "mean_z": lambda: 0},
        "assumptions": "z uniform on [-b, b], so that |z| is uniform on [0, b]; W uniform on [-r_w, r_w]",
    },
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="the step is printed with an approximation sign, and for no E[z]. The excess over 1 is Var[W] log(eps)^2/2 "
    "per factor in place of Var[W] E[log(|z| + eps)^2]/2: at b = 1 and "
    "eps = 1e-7 it is 130 times too large, however small the weights are",
)

claim(
    "nau/eq41.wide-inputs",
    at="eq. (41), Figure 8",
    says="the Taylor form approximates the mean of the unit for small weights, whatever the spread of the inputs",
    **{
        **TAYLOR_MEAN,
        "relation": Approximates(order=2, along=lambda t: {"r_w": t, "a": 0, "b": 2, "eps": 0, "fan_in": 2}),
        "points": [
            *grid(r_w="1/8", a=0, b=[2, 3], eps=0, fan_in=2),
            *grid(r_w="1/8", a="1/4", b=2, eps="1/8", fan_in=2),
        ],
    },
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="for z ~ U[0, 2] the form has no excess over 1 at all, as log(E[z]) = 0; the excess is 0.547 Var[W] per "
    "factor. For U[0, 1] it has a quarter of it, for U[1, 2] 87 %",
)

claim(
    "nau/eq45.zero",
    at="eq. (45)",
    says="the approximation of the variance is above 0",
    printed=nac_mul.taylor_variance,
    relation=Always("the output is not constant: its variance is above 0", lambda value: value > 0),
    points=[*grid(r_w="1/2", a=0, b=2, eps=0, fan_in=[1, 2]), *grid(r_w=1, a="1/2", b="3/2", eps=0, fan_in=2)],
    derived=NAC_MUL,
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="the paper does not say so; an approximation of a variance is hardly meant to be 0. It is where |E[z]| + "
    "eps = 1, for weights of any variance: for U[1/2, 3/2], r_w = 1 and two inputs the variance is 0.0726. Below 0 "
    "it falls for E[z] near 0: nau/eq27.variance-sign",
)

claim(
    "nau/eq42",
    at="eq. (42)",
    says="the variance of the unit from the second and first moments of one factor",
    printed=nac_mul_exact.exact_variance,
    points=NAC_VARIANCE_POINTS,
    integral=variance_of_unit,
    measured=variance(kernels.unit),
    same_samples_as="nau/eq27.variance",
    assumptions="inputs and weights all independent, identically distributed",
)

claim(
    "nau/eq44",
    at="eq. (44)",
    says="the form 1 + 2 Var[W] log(|E[z]| + eps)^2 follows from (43), and is right to second order in the spreads",
    printed=nac_mul.taylor_square_factor,
    exact=nac_mul_exact.factor_moment(2),
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
    same_samples_as="nau/eq27.variance",
    **{**TAYLOR_VARIANCE, "points": TAYLOR_VARIANCE["points"][:5]},
)
