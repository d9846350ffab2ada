"""Appendix B.1: overview of the moments, equation (26) and the forward halves of (27) and (28)."""

from __future__ import annotations

import sympy

from montecarlo import variance
from montecarlo.kernels.nmu import outputs as nmu_kernels
from paper_checks import WRONG, Always, Kind, claim, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.quantities import (
    EPS_FIG8,
    NAC_MUL,
    NMU,
    NMU_CENTRED_POINTS,
    NMU_HALF_MEAN,
    TAYLOR_MEAN,
    TAYLOR_VARIANCE,
    WEIGHT_VARIANCE,
    nmu_variance,
)
from theory.initialisation import glorot
from theory.nac import moments as nac
from theory.nac_mul import taylor as nac_mul
from theory.nmu import moments as nmu

claim(
    "nau/text.solve-for-r",
    at="B.1.2, after eq. (26)",
    expects=wrong("general"),
    says="there is an r for the desired variance 2/(H_{l-1} + H_l), which must then be below 1/2",
    quote="One can then solve for $r$ , given the desired variance",
    printed=glorot.weight_variance,
    relation=Always("below 1/2, which no r reaches", lambda value: value < sympy.Rational(1, 2)),
    points=[*grid(fan_in=2, fan_out=1), *grid(fan_in=[1, 2], fan_out=2), *grid(fan_in=100, fan_out=2)],
    note="the second layer of the paper's own networks has two inputs and one output and wants 2/3; as r grows the "
    "variance tends to 1/2 and stays below. From H_{l-1} + H_l = 5 on there is exactly one r: nau/beyond.solve-for-r. "
    "The authors' code takes 5 for a smaller sum",
)


def variance_increases_to_one_half() -> bool:
    """Var[W] = (1 - T(r)) (1 - T(r/2)/2)/2 with T(x) = tanh(x)/x, which decreases from 1 to 0.

    The slope of T is (2 x - sinh(2x))/(2 x^2 cosh(x)^2), and sinh(2x) - 2x has value 0 and slope 4 sinh(x)^2 > 0.
    """
    x = sympy.Symbol("x", positive=True)
    t = sympy.tanh(x) / x
    product = (1 - t) * (1 - t.subs(x, x / 2) / 2) / 2
    same = vanishes((nac.weight_variance.expr.subs(nac.r, x) - product).rewrite(sympy.exp))
    slope = (2 * x - sympy.sinh(2 * x)) / (2 * x**2 * sympy.cosh(x) ** 2)
    declared = vanishes((sympy.diff(t, x) - slope).rewrite(sympy.exp))
    gap = sympy.sinh(2 * x) - 2 * x
    falls = gap.subs(x, 0) == 0 and vanishes((sympy.diff(gap, x) - 4 * sympy.sinh(x) ** 2).rewrite(sympy.exp))
    ends = sympy.limit(t, x, 0) == 1 and sympy.limit(t, x, sympy.oo) == 0
    return bool(same and declared and falls and ends)


claim(
    "nau/beyond.solve-for-r",
    at="beyond B.1.2",
    says="the variance of the weight increases with r from 0 to 1/2: every variance below 1/2 has exactly one r",
    proof=variance_increases_to_one_half,
    kind=Kind.ADDITIONAL,
)

claim(
    "nau/eq26",
    at="eq. (26)",
    says="the variance of the NAC weight when both its parameters are uniform on [-r, r]",
    # Measured at all points for (35).
    **{**WEIGHT_VARIANCE, "points": WEIGHT_VARIANCE["points"][1::3]},
)

claim(
    "nau/eq27.mean",
    at="eq. (27), expectation",
    says="the mean of a NAC multiplication unit is about f(1, 1)",
    same_samples_as="nau/eq10.mean",
    **TAYLOR_MEAN,
)

claim(
    "nau/eq27.variance",
    at="eq. (27), variance",
    says="the variance of a NAC multiplication unit is about f(4, 1) - f(1, 2)",
    **TAYLOR_VARIANCE,
)


def edges_of_negativity() -> list[sympy.Expr]:
    """Where (1 + 2q)^H = (1 + q/2)^(2H), q = Var[W] log(x)^2, beside q = 0: (1 + q/2)^2 - (1 + 2q) = q (q - 4)/4.

    No edges, where that is not positive for all larger q and negative for all smaller ones.
    """
    q, level, step = *sympy.symbols("q level", real=True), sympy.Symbol("step", positive=True)
    gap = sympy.factor((1 + q / 2) ** 2 - (1 + 2 * q))
    (edge,) = sympy.solve(gap / q, q)
    if not (gap.subs(q, edge + step).is_positive and sympy.factor(gap.subs(q, edge / (1 + step))).is_negative):
        return [sympy.nan, sympy.nan]
    return [sympy.exp(x) for x in sorted(sympy.solve(nac_mul.some_var_w * level**2 - edge, level), key=str)]


claim(
    "nau/eq27.variance-sign",
    at="eq. (27), variance, read as a variance",
    says="the approximation of the variance is a variance: it is not negative",
    quote=r"\text{Var}[z_{h_\ell}] &\approx f(4, 1) - f(1, 2)",
    printed=nac_mul.taylor_variance,
    relation=Always("a variance is at least 0", lambda value: value >= 0),
    points=[
        *grid(r_w="1/2", a=1, b=2, eps=EPS_FIG8, fan_in=[1, 2]),
        *grid(r_w="1/2", a="-1", b=1, eps=EPS_FIG8, fan_in=[1, 2]),
        *grid(r_w="1/2", a="-1", b=1, eps="1e-7", fan_in=1),
    ],
    derived=NAC_MUL,
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="the paper prints an approximation, whose error is nau/eq27.variance, and not that it is above 0; for every "
    "number of inputs it is negative wherever Var[W] log(|E[z]| + eps)^2 > 4, which zero-mean "
    "inputs with a small eps reach at once",
)

claim(
    "nau/beyond.taylor-variance-negative-below",
    at="beyond eq. (27)",
    says="the |E[z]| + eps below which the approximate variance is negative, for every number of inputs",
    printed=nac_mul.taylor_variance_negative_below,
    derivation=lambda: edges_of_negativity()[0],
    kind=Kind.ADDITIONAL,
)

claim(
    "nau/beyond.taylor-variance-negative-above",
    at="beyond eq. (27)",
    says="the |E[z]| + eps above which the approximate variance is negative, for every number of inputs",
    printed=nac_mul.taylor_variance_negative_above,
    derivation=lambda: edges_of_negativity()[1],
    kind=Kind.ADDITIONAL,
)

claim(
    "nau/eq28.mean",
    at="eq. (28), expectation",
    says="the mean of an NMU with E[W] = 1/2 and inputs of mean zero is (1/2)^H",
    same_samples_as="nau/eq11.mean",
    **NMU_HALF_MEAN,
    note="printed as an approximation; under its assumptions it is exact",
)

claim(
    "nau/eq28.variance",
    at="eq. (28), variance",
    says="the variance of an NMU with E[W] = 1/2 and inputs of mean zero",
    printed=nmu.centred_variance,
    points=NMU_CENTRED_POINTS,
    derived=NMU,
    integral=nmu_variance,
    measured=variance(nmu_kernels.unit),
    assumptions="E[W] = 1/2, E[z] = 0, all independent",
    note="printed as an approximation; under its assumptions it is exact",
)
