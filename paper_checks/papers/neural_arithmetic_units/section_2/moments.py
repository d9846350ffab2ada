"""Section 2: what the main text says of the moments, equations (10) and (11)."""

import sympy

from montecarlo import mean
from montecarlo.kernels.nac_mul import outputs as nac_mul_kernels
from montecarlo.kernels.nmu import outputs as nmu_kernels
from paper_checks import Always, Bounds, Equals, Kind, claim, grid, wrong
from paper_checks.papers.neural_arithmetic_units.quantities import NAC_MUL, NMU, NMU_HALF_MEAN, TAYLOR_MEAN, nmu_mean
from theory.nac_mul import taylor as nac_mul
from theory.nmu import moments as nmu

claim(
    "nau/eq10.mean",
    at="eq. (10)",
    says="the mean of a NAC multiplication unit by a second-order Taylor expansion, for inputs of one sign",
    **TAYLOR_MEAN,
)

claim(
    "nau/eq10.strict",
    at="eq. (10), arrow",
    says="from the Taylor form of (10) follows E[z] > 1: the form is always above 1",
    quote=r"\Rightarrow E[z_{h_{\ell}}] > 1",
    printed=nac_mul.taylor_mean,
    relation=Always("it is above 1", lambda value: value > 1),
    points=grid(r_w="1/2", a=0, b=2, eps=0, fan_in=2) + grid(r_w="1/2", a="1/2", b="3/2", eps=0, fan_in=[1, 2]),
    derived=NAC_MUL,
    kind=Kind.ALTERNATIVE,
    expects=wrong(correct="nau/eq10.bound"),
    note="E[z] > 1 is true: nau/eq10.bound. The arrow can refer to the mean and not to the form, which (10) calls an "
    "approximation. The form itself is at least 1, as B.1.3 says; it is 1 if |E[z]| + eps = 1",
)


def exponential_is_above_its_tangent() -> bool:
    """e^S >= 1 + S, with equality at S = 0 alone; S = sum W_h log(|z_h| + eps) has mean 0 given z, as E[W_h] = 0.

    e^S - 1 - S is 0 at S = 0 with slope 0, and its second derivative e^S is positive everywhere.
    """
    s = sympy.Symbol("S", real=True)
    gap = sympy.exp(s) - 1 - s
    touches = gap.subs(s, 0) == 0 and sympy.diff(gap, s).subs(s, 0) == 0
    w, logs = sympy.symbols("w1:4", real=True), sympy.symbols("l1:4", real=True)
    exponent = sum(a * b for a, b in zip(w, logs, strict=True))
    centred = exponent.subs(dict.fromkeys(w, 0)) == 0 and sympy.Poly(exponent, *w).total_degree() == 1
    return bool(touches and sympy.diff(gap, s, 2).is_positive and centred)


claim(
    "nau/eq10.bound",
    at="eq. (10), consequence",
    says="the mean of a NAC multiplication unit is above 1, so that it cannot be 0",
    printed=nac_mul.mean_lower_bound,
    relation=Bounds("below"),
    proof=exponential_is_above_its_tangent,
    points=grid(r_w="1/2", a=1, b=2, eps=0, fan_in=2) + grid(r_w=1, a="1/2", b="3/2", eps=0, fan_in=[1, 3]),
    derived=NAC_MUL,
    measured=mean(nac_mul_kernels.equal_inputs),
    slips={"above 1 by twice the leading excess": 2 * nac_mul.symmetric_mean_lower_bound.expr - 1},
    assumptions="E[W] = 0; weights are independent of the inputs, and inputs may depend on each other; the sum of "
    "W_h log(|z_h| + eps) is not almost surely 0",
    note="Jensen's inequality proves it. The Taylor form alone gives only >= 1, as B.1.3 says: nau/eq10.strict. A "
    "larger lower bound: nau/beyond.mean_bound",
)

claim(
    "nau/eq11.mean",
    relation=Equals(r"\approx"),
    at="eq. (11)",
    says="the mean of an NMU with E[W] = 1/2 is (1/2)^H if E[z] = 0",
    **NMU_HALF_MEAN,
    note="E[z] = 0 is assumed at (53) in B.4, to which the sentence refers. Other inputs: nau/eq11.any-input",
)

claim(
    "nau/eq11.any-input",
    relation=Equals(r"\approx"),
    at="eq. (11), as stated",
    says="with E[W] = 1/2 the mean of an NMU is (1/2)^H, whatever the mean of its inputs",
    quote="Our proposed NMU when initialized with $E[W_{h_{\\ell}, h_{\\ell-1}}] = 1/2$ has an expectation of",
    kind=Kind.ALTERNATIVE,
    expects=wrong(correct="nau/eq11.mean"),
    printed=nmu.half_mean,
    corrected=nmu.mean,
    points=grid(mean_w="1/2", half_w="1/4", mean_z="3/2", half_z="1/2", fan_in=[1, 2, 10]),
    derived=NMU,
    integral=nmu_mean,
    measured=mean(nmu_kernels.unit),
    note="for inputs of mean 3/2, as those of Table 1, the mean of an NMU is (5/4)^H, which grows with H. The sentence "
    "refers to B.4, which assumes E[z] = 0 at (53); then (11) is correct: nau/eq11.mean. In the networks of the paper "
    "the NMU is behind a NAU, whose outputs have mean zero at the start",
)

claim(
    "nau/eq11.limit",
    at="eq. (11), consequence",
    says="(1/2)^H approaches zero as H grows",
    quote="which approaches zero for $H_{\\ell-1} \\rightarrow \\infty$",
    proof=lambda: sympy.limit(nmu.half_mean.expr.subs(nmu.fan_in, sympy.Symbol("H", positive=True)),
                              sympy.Symbol("H", positive=True), sympy.oo) == 0,
)  # fmt: skip


def no_weights_keep_the_variance() -> bool:
    """Of inputs that all are c > 1 the unit is c^S, S = sum W_h. S' has the same distribution and is independent of S.

    Var[c^S] = E[(c^S - c^S')^2]/2, which is 0 only if S is constant, as c^s increases in s. A sum of independent
    weights is constant only if all weights are; with E[W] = 0 they are 0 then, and the unit is 1 for all inputs.
    """
    s, c = sympy.Symbol("s", real=True), 1 + sympy.Symbol("over", positive=True)
    mean, square = sympy.symbols("mean square")  # E[c^S] and E[c^(2S)]
    spread = sympy.expand((square - 2 * mean * mean + square) / 2 - (square - mean**2)) == 0
    z = sympy.symbols("z1:4", positive=True)
    of_zeros = sympy.exp(sum(0 * sympy.log(h) for h in z))
    return spread and sympy.diff(c**s, s).is_positive is True and of_zeros == 1


claim(
    "nau/text.nac-mul-depends",
    at="2.1.3, last paragraph",
    says="no distribution of the weights gives Var[z_out] = Var[z] for all inputs of a NAC multiplication unit",
    quote="The $\\text{NAC}_{\\bullet}$ can not be input-independent initialization",
    proof=no_weights_keep_the_variance,
    assumptions="the weights are independent, with E[W] = 0 as in B.3; eps = 0. The inputs may be without variance",
    note="nor can E[z_out] = 0 be reached: nau/eq10.bound. For the logarithms there is such an initialisation: "
    "Var[W] = 1/H keeps E[log(z)^2] for all inputs (nau/beyond.nac-mul-depth.log-square)",
)
