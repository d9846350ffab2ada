"""Appendix B.3.1: expectation and variance of the NAC multiplication unit, equations (36)-(45)."""

import mpmath
import numpy as np
import sympy

from montecarlo import mean, moment, variance
from montecarlo.kernels.nac_mul import outputs as kernels
from paper_checks import Always, Approximates, Defines, Equals, Form, alternative, claim, common, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units import quantities as shared
from theory.arithmetic import dependent_inputs
from theory.nac_mul import exact as nac_mul_exact, taylor as nac_mul

taylor_mean = common(**shared.TAYLOR_MEAN)

claim(
    "nau/eq36",
    at="eq. (36)",
    says="the mean of the unit is the mean of one factor (|z| + eps)^W to the power H",
    form=Form.OURS,
    printed=nac_mul_exact.exact_mean,
    points=shared.NAC_MEAN_POINTS,
    integral=shared.mean_of_unit,
    measured=mean(kernels.unit),
    same_samples_as="nau/eq10.mean",
    assumptions="inputs and weights all independent, identically distributed",
    price=shared.NAC_EQUAL_INPUTS_PRICE,
)

ONE_MAGNITUDE = (
    "W uniform on [-r_w, r_w]; inputs with independent random signs and one common magnitude, which is 1 or c with "
    "probability 1/2; eps = 0"
)
UNCORRELATED = (
    'by "uncorrelated" the paper can mean "independent": B.4.1 has "independent" at (52) and refers to it as "again" '
    '"uncorrelated" at (54). For independent inputs the step is exact. Inputs of one magnitude with random signs are '
    "uncorrelated, not independent."
)


def _power_mean(c, r_w):
    """E[c^W] for W ~ U[-r_w, r_w]."""
    return mpmath.quad(lambda w: c**w, [-r_w, 0, r_w]) / (2 * r_w)


alternative(
    "nau/eq36.uncorrelated",
    says="the mean of the unit is the mean of one factor to the power H for all inputs that are uncorrelated",
    printed=dependent_inputs.nac_mul_mean_independent,
    corrected=dependent_inputs.nac_mul_mean_shared,
    points=grid(r_w=["1/2", 1], c=4, fan_in=[2, 4]),
    integral=lambda r_w, c, fan_in: (1 + _power_mean(c, r_w) ** fan_in) / 2,
    measured=mean(kernels.shared_magnitude),
    at="eqs. (36) and (41), assumption",
    quote="Assuming that each $z_{h_{\\ell-1}}$ are uncorrelated the expectation can be simplified to:",
    assumptions=ONE_MAGNITUDE,
    note=f"{UNCORRELATED} (36) marks the step as an approximation; the first line of (41) repeats it with the sign of "
    "equality",
)


def factor_by_numpy(draws, r_w, a, b, eps):
    """(|z| + eps)^W from the two uniforms of draw 0."""
    u, v = draws(0)
    return (np.abs(a + (b - a) * v) + eps) ** (r_w * (2 * u - 1))


claim(
    "nau/eq37",
    at="eq. (37)",
    says="one factor of the unit is (|z| + eps)^W",
    relation=Defines(factor_by_numpy),
    points=grid(r_w="1/2", a=0, b=[1, 50], eps=shared.EPS_FIG8),
    measured=mean(kernels.factor),
    slips={"eps added outside the power": lambda draws, r_w, a, b, eps: factor_by_numpy(draws, r_w, a, b, 0.0) + eps},
    note="(37) calls the function f, the text around it g: nau/eq37.name",
)

_z, _w, _eps = sympy.Symbol("z", real=True), sympy.Symbol("w", real=True), sympy.Symbol("eps", positive=True)
_g, FACTOR = sympy.Symbol("g", positive=True), (sympy.Abs(_z) + _eps) ** _w

claim(
    "nau/eq37.name",
    at="eq. (37) and the sentences around it",
    expects=wrong("misprint"),
    says="one factor is g(z, W), a function that the paper announces and does not define",
    quote="Here we define $g$ as a non-linear transformation function of two independent stocastic variables:",
    printed=shared.formula(
        "a factor as (38) to (45) call it",
        _g,
        [_g, _z, _w, _eps],
        "g(z, W)",
        "eq. (38)",
        symbols={"g": "a function that the paper does not define"},
    ),
    corrected=shared.formula("a factor (|z| + eps)^W", FACTOR, [_z, _w, _eps], "g(z, W)", "eq. (37)"),
    derivation=lambda: sympy.exp(_w * sympy.log(sympy.Abs(_z) + _eps)),
    points=grid(g=1, z=[2, -3], w="1/2", eps="1/10"),
    integral=lambda z, w, eps: mpmath.exp(w * mpmath.log(abs(z) + eps)),
    note="(37) defines f. (36) and the left-hand side of (38) use f; all later lines use g. (36) shows that f and g "
    "are one function, with which the equations are judged here: nau/eq37. The counterexample has g = 1",
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


JUMP = r"\left.\frac{\partial^2 g}{\partial z \partial W}\right|_{z = 0^-}^{z = 0^+}"


def jump_of_mixed_derivative() -> sympy.Expr:
    """Of d^2/(dz dW) of the factor: its value on the right of z = 0 less that on the left."""
    sides = [sympy.diff(FACTOR.subs(sympy.Abs(_z), side * _z), _z, _w).subs(_z, 0) for side in (1, -1)]
    return sides[0] - sides[1]


claim(
    "nau/eq38",
    at="eq. (38)",
    says="(38) is the second-order Taylor expansion of the factor around the means, if E[z] is not 0",
    proof=expansion_has_second_order,
    assumptions="eps > 0, E[z] > 0. The factor depends on |z| only, so that the same holds for E[z] < 0",
    note="at E[z] = 0 the factor has no such expansion: nau/eq38.zero-mean. (38) and (39) write the second derivative "
    "as d^2 g/d^2 z, where d^2 g/dz^2 is customary",
)

alternative(
    "nau/eq38.zero-mean",
    at="eq. (38), at E[z] = 0",
    says="the mixed derivative in (38) exists at every mean of z: at z = 0 its values from the right and from the left "
    "agree",
    quote="We then take the second order taylor approximation of $g$ , around $(E[z_{h_{\\ell-1}}], E[W_{h_{\\ell}, "
    "h_{\\ell-1}}])$ .",
    printed=shared.formula(
        "jump of the mixed derivative of a factor at z = 0, if the derivative exists there",
        sympy.Integer(0), [_w, _eps], JUMP, "eq. (38)",
    ),
    corrected=shared.formula(
        "jump of the mixed derivative of a factor at z = 0",
        2 * _eps ** (_w - 1) * (1 + _w * sympy.log(_eps)), [_w, _eps], JUMP, "additional to eq. (38)",
    ),
    derivation=jump_of_mixed_derivative,
    points=grid(w=[0, "1/2"], eps=["1/10", "1/2"]),
    integral=lambda w, eps: 2 * mpmath.diff(lambda z: (z + eps) ** w * mpmath.log(z + eps), 0),
    note="the paper does not say this, and A.2 says that abs'(0) is undefined. It does evaluate (27) at E[z] = 0: "
    "nau/text.variance-explodes.form. At W = 0 the derivative is 1/eps from the right and -1/eps from the left",
)  # fmt: skip


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
        says="the expectation of the expansion keeps the value and the two pure second derivatives of the factor",
        printed=nac_mul.taylor_factor,
        form=Form.OURS if _id == "nau/eq39" else Form.PUBLISHED,
        derivation=expected_expansion,
        slips={"the factor 1/2 is missing": 2 * nac_mul.taylor_factor.expr},
        assumptions="z and W uncorrelated; E[z] is not 0, where |z| has no derivative",
        relation=Equals(r"\approx"),
    )

for _id, _at in (("nau/eq40.result", "eq. (40), last member"), ("nau/eq43", "eq. (43)")):
    taylor_mean(
        _id,
        at=_at,
        says="with E[W] = 0 the mean of a factor is approximately 1 + Var[W] log(|E[z]| + eps)^2/2 for an input of one "
        "sign",
        printed=nac_mul.taylor_factor_centred,
        exact=nac_mul_exact.factor_moment(1),
        derivation=lambda: expected_expansion().subs(nac_mul.mean_w, 0),
        points=[p for p in shared.NAC_MEAN_POINTS if p["fan_in"] == 1],
        integral=lambda r_w, a, b, eps: shared.factor_moment(1, r_w, a, b, eps),
        measured=mean(kernels.factor),
    )

taylor_mean(
    "nau/eq41",
    at="eq. (41)",
    says="the mean of the unit is approximately (1 + Var[W] log(|E[z]| + eps)^2/2)^H for inputs of one sign",
    same_samples_as="nau/eq10.mean",
    price=shared.NAC_NETWORK_PRICE,
)

taylor_mean.alternative(
    "nau/eq41.zero-mean",
    at="eq. (41), at E[z] = 0",
    says="(41) approximates the mean of the unit for inputs with E[z] = 0",
    relation=Approximates(
        order=2,
        along=lambda t: {"r_w": t, "a": 0, "b": 1, "eps": "1/100", "fan_in": 2},
        at=grid(r_w=["1/100", "1/2"], a=0, b=1, eps="1e-7", fan_in=2),
    ),
    points=grid(r_w="1/4", a=0, b=[1, "99/100", 2], eps="1/100", fan_in=2),
    derived={**shared.NAC_MUL, "mean_z": lambda: 0},
    assumptions="z uniform on [-b, b], so that |z| is uniform on [0, b]; W uniform on [-r_w, r_w]",
    expects=wrong(correct="nau/beyond.small-weights-mean"),
    note="the paper marks the step as an approximation and names no E[z]. The excess over 1 of a factor's mean is "
    "approximately Var[W] E[log(|z| + eps)^2]/2. (41) has log(eps)^2 in place of this expectation. At b = 1 and eps = "
    "1e-7 its excess is 130 times too large, however small the weights are",
)

taylor_mean.alternative(
    "nau/eq41.wide-inputs",
    at="eq. (41), Figure 8",
    says="(41) approximates the mean of the unit for small weights, for any spread of the inputs",
    relation=Approximates(order=2, along=lambda t: {"r_w": t, "a": 0, "b": 2, "eps": 0, "fan_in": 2}),
    points=grid(r_w="1/8", a=0, b=[2, 3], eps=0, fan_in=2) + grid(r_w="1/8", a="1/4", b=2, eps="1/8", fan_in=2),
    expects=wrong(correct="nau/beyond.small-weights-mean"),
    note="for z ~ U[0, 2] the excess of (41) over 1 is zero, because log(E[z]) = 0. The true excess is 0.547 Var[W] "
    "per factor. For U[0, 1] the excess of (41) is a quarter of the true one, for U[1, 2] it is 87 %",
)

alternative(
    "nau/eq45.zero",
    at="eq. (45)",
    says="the approximate variance (45) is above 0",
    printed=nac_mul.taylor_variance,
    relation=Always("a variance of an output that is not constant is above 0", lambda value: value > 0),
    points=grid(r_w="1/2", a=0, b=2, eps=0, fan_in=[1, 2]) + grid(r_w=1, a="1/2", b="3/2", eps=0, fan_in=2),
    derived=shared.NAC_MUL,
    expects=wrong(correct="nau/eq42"),
    note="the paper does not say this. (45) is 0 where |E[z]| + eps = 1, for weights of any variance. For U[1/2, 3/2], "
    "r_w = 1 and two inputs the exact variance is 0.0726. For E[z] near 0 it is negative: nau/eq27.variance-sign",
)

claim(
    "nau/eq42",
    at="eq. (42)",
    says="the variance of the unit is E[g(z, 2 W)]^H - E[g(z, W)]^(2 H)",
    form=Form.OURS,
    printed=nac_mul_exact.exact_variance,
    points=shared.NAC_VARIANCE_POINTS,
    integral=shared.variance_of_unit,
    measured=variance(kernels.unit),
    same_samples_as="nau/eq27.variance",
    assumptions="inputs and weights all independent, identically distributed",
)

alternative(
    "nau/eq42.uncorrelated",
    at="eq. (42), last line, and eq. (45), first line",
    quote="The variance can be derived using the same assumptions for expectation, that all $z_{h_{\\ell-1}}$  are "
    "uncorrelated.",
    says="the variance of the unit is E[g(z, 2 W)]^H - E[g(z, W)]^(2 H) for all inputs that are uncorrelated",
    printed=dependent_inputs.nac_mul_variance_independent,
    corrected=dependent_inputs.nac_mul_variance_shared,
    points=grid(r_w="1/2", c=4, fan_in=[2, 4]),
    integral=lambda r_w, c, fan_in: (
        (1 + _power_mean(c**2, r_w) ** fan_in) / 2 - ((1 + _power_mean(c, r_w) ** fan_in) / 2) ** 2
    ),
    measured=variance(kernels.shared_magnitude),
    assumptions=ONE_MAGNITUDE,
    note=f"{UNCORRELATED} (42) and (45) have the sign of equality. With independent inputs they are correct: nau/eq42",
)

claim(
    "nau/eq44",
    at="eq. (44)",
    says="the mean of a squared factor is approximately 1 + 2 Var[W] log(|E[z]| + eps)^2, to second order in the "
    "spreads, for an input of one sign",
    printed=nac_mul.taylor_square_factor,
    exact=nac_mul_exact.factor_moment(2),
    relation=Approximates(order=2, along=shared.shrinking),
    points=[p for p in shared.NAC_VARIANCE_POINTS if p["fan_in"] == 1],
    derived=shared.NAC_MUL,
    derivation=lambda: nac_mul.taylor_factor_centred.expr.subs(nac_mul.var_w, 4 * nac_mul.var_w),
    integral=lambda r_w, a, b, eps: shared.factor_moment(2, r_w, a, b, eps),
    measured=moment(kernels.factor, 2),
    assumptions=shared.ONE_SIGN,
    note=f"{shared.NOT_AT_ZERO}. The second line has two signs, '= \u2248', on page 16 of {shared.AUTHORS_PDF}. Our "
    "text copy has the second alone",
)

claim(
    "nau/eq45",
    at="eq. (45)",
    says="the variance of the unit is approximately (1 + 2 Var[W] log(|E[z]| + eps)^2)^H - (1 + Var[W] log(|E[z]| + "
    "eps)^2/2)^(2 H) for inputs of one sign",
    # Measured at all points for (27).
    same_samples_as="nau/eq27.variance",
    **{**shared.TAYLOR_VARIANCE, "points": shared.TAYLOR_VARIANCE["points"][:5]},
)
