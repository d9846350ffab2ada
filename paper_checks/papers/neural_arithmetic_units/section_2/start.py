"""Section 2.1.3: how units are initialised, regularisers of an initial layer, and the moments of (10) and (11)."""

import mpmath
import sympy

from montecarlo import mean, variance
from montecarlo.kernels.arithmetic import units as kernels
from montecarlo.kernels.nac_mul import outputs as nac_mul_kernels
from montecarlo.kernels.nmu import outputs as nmu_kernels
from paper_checks import Always, Bounds, Equals, additional, alternative, claim, common, grid, wrong
from paper_checks.papers.neural_arithmetic_units.quantities import NAC_MUL, NMU, NMU_HALF_MEAN, TAYLOR_MEAN, nmu_mean
from paper_checks.papers.neural_arithmetic_units.section_2.clamped_layers import LAYERS_OF_ONE
from theory.arithmetic import regularisers
from theory.initialisation import glorot
from theory.nac import moments as nac
from theory.nac_mul import taylor as nac_mul
from theory.nmu import moments as nmu

glorot_nau = common(
    at="2.1.3, first sentence on the NAU",
    quote="Our proposed NAU, can be initialize using Glorot initialization as it is a linear layer.",
    printed=glorot.weight_variance,
    derived={"r": lambda fan_in, fan_out: sympy.sqrt(sympy.Rational(6) / (fan_in + fan_out))},
    measured=variance(kernels.nau, 1),
    assumptions="Glorot's uniform initialisation: W_hat ~ U[-r, r] with r = sqrt(6/(H_{l-1} + H_l))",
)

glorot_nau(
    "nau/text.nau-glorot",
    says="with Glorot initialisation the weights of an NAU have Glorot's variance 2/(H_{l-1} + H_l)",
    corrected=regularisers.nau_weight_variance,
    expects=wrong("general", correct="nau/text.nau-glorot.wide"),
    points=grid(fan_in=[1, 2], fan_out=[1, 3], a=1, b=2) + grid(fan_in=5, fan_out=3, a=1, b=2),
    integral=lambda r: mpmath.quad(lambda u: min(u, 1) ** 2, [0, 1, r] if r > 1 else [0, r]) / r,
    slips={"no clamp": regularisers.r**2 / 3},
    note="an NAU clamps its weights to [-1, 1], and r is above 1 if H_{l-1} + H_l < 6. For the paper's layer of two "
    f"inputs and one output the variance is {regularisers.nau_weight_variance(2**0.5):.3f}, while Glorot's is "
    f"{glorot.weight_variance(2, 1):.3f}. For larger layers the sentence is correct: nau/text.nau-glorot.wide",
)

glorot_nau(
    "nau/text.nau-glorot.wide",
    says="if H_{l-1} + H_l >= 6, the weights of an NAU with Glorot initialisation have Glorot's variance",
    points=grid(fan_in=4, fan_out=2, a=1, b=2) + grid(fan_in=[2, 30], fan_out=100, a=1, b=2),
    integral=lambda r: mpmath.quad(lambda u: min(u, 1) ** 2, [0, r]) / r,
    note="smaller layers: nau/text.nau-glorot",
)

ideal_addition = common(
    at="2.1.3, second sentence on addition",
    quote="The $\\text{NAC}_{+}$ unit can also achieve an ideal initialization, although it is less trivial (details "
    "in Appendix B.2).",
)


def every_variance_below_one() -> bool:
    """Var[W] = sigmoid(m)^2 (1 - tanh(r)/r) for M_hat = m and W_hat ~ U[-r, r]: continuous, from 0 to 1."""
    m, r = sympy.Symbol("m", real=True), nac.r
    variance = nac.tanh_second_moment.expr / (1 + sympy.exp(-m)) ** 2
    ends = [sympy.limit(sympy.limit(variance, r, end), m, sympy.oo) for end in (0, sympy.oo)]
    return ends == [0, 1] and max(glorot.weight_variance(1, 2), glorot.weight_variance(2, 1)) < 1


ideal_addition(
    "nau/text.nac-add-ideal.any",
    says="if H_{l-1} + H_l >= 3, some constant M_hat and some uniform W_hat give the weights of NAC addition the "
    "variance 2/(H_{l-1} + H_l)",
    proof=every_variance_below_one,
    note="with both parameters on the same [-r, r], as in appendix B.2, this fails for small layers: "
    "nau/text.nac-add-ideal and nau/text.solve-for-r",
)

ideal_addition.alternative(
    "nau/text.nac-add-ideal",
    says="with both parameters uniform on [-r, r], as in appendix B.2, every layer of NAC addition can have the weight "
    "variance 2/(H_{l-1} + H_l)",
    printed=glorot.weight_variance,
    relation=Always("needed is less than 1/2, as Var[W] < 1/2 for every r", lambda value: value < sympy.Rational(1, 2)),
    points=grid(fan_in=2, fan_out=1) + grid(fan_in=[1, 2], fan_out=2) + grid(fan_in=100, fan_out=2),
    expects=wrong(correct="nau/beyond.solve-for-r"),
    note="a layer of two inputs and one output, as in the paper's networks, needs the variance 2/3. This is correct if "
    "H_{l-1} + H_l >= 5. The paper states it in B.1.2: nau/text.solve-for-r",
)


def start_claim(id, says, formula, points, measured, penalty, kinks=(), note=""):
    """The mean over the entries of a regulariser, against its integral between the kinks of the penalty."""

    def integral(**values):
        low, high = (-values["r"], values["r"]) if "r" in values else (0.5 - values["half_w"], 0.5 + values["half_w"])
        inside = [k for k in kinks if low < k < high]
        return mpmath.quad(penalty, [low, *inside, high]) / (high - low)

    additional(
        id,
        at="additional to eqs. (6) and (8)",
        says=f"expected {says}, divided by the number of entries",
        printed=formula,
        points=points,
        integral=integral,
        measured=measured,
        note=note,
    )


start_claim(
    "nau/beyond.nau-bias-start", "bias regulariser of an NAU initialised on [-r, r]", regularisers.nau_bias_mean,
    [*grid(r=["1/4", "1/2", "3/2"], fan_in=4, fan_out=2), *grid(r=1, fan_in=1, fan_out=1)],
    mean(kernels.nau_regularisers, 2), lambda v: v**2 * (1 - abs(v)) ** 2, [0],
)  # fmt: skip
start_claim(
    "nau/beyond.nau-oob-start", "out-of-bounds regulariser of an NAU initialised on [-r, r], r > 1",
    regularisers.nau_oob_mean,
    grid(r=["3/2", 3], fan_in=4, fan_out=2),
    mean(kernels.nau_regularisers, 3), lambda v: max(abs(v) - 1, 0) ** 2, [-1, 1],
)  # fmt: skip
start_claim(
    "nau/beyond.nmu-bias-start", "bias regulariser of an NMU initialised on 1/2 +- half_w", regularisers.nmu_bias_mean,
    grid(half_w=["1/4", "1/2", 1], fan_in=2, fan_out=1),
    mean(kernels.nmu_regularisers, 2), lambda v: v**2 * (1 - v) ** 2,
    note=f"{regularisers.nmu_bias_mean(0.25):.3g} for U[1/4, 3/4]; the maximum for one weight is 1/16, at 1/2",
)  # fmt: skip
start_claim(
    "nau/beyond.nmu-oob-start", "out-of-bounds regulariser of an NMU initialised on 1/2 +- half_w, half_w > 1/2",
    regularisers.nmu_oob_mean, grid(half_w=[1, 2], fan_in=2, fan_out=1),
    mean(kernels.nmu_regularisers, 3), lambda v: max(abs(v - 0.5) - 0.5, 0) ** 2, [0, 1],
)  # fmt: skip

additional(
    "nau/beyond.normalisation",
    at="additional to eqs. (6) and (8)",
    says="the published bias regulariser is H_l H_{l-1} / (H_l + H_{l-1}) times the mean over the entries of a layer",
    printed=regularisers.entries_over_fans,
    functional=lambda form, values: form() * regularisers.nau_bias_mean.mp(values["r"], dps=30),
    points=grid(r="1/2", fan_in=[1, 2, 5], fan_out=[1, 2]),
    measured=mean(kernels.nau_regularisers, 0),
    slips={"the mean itself": sympy.Integer(1)},
    note="the authors' public code takes the mean (nau/eq6.divisor). The published "
    f"regulariser is {LAYERS_OF_ONE[0]:.2f} times as large for the 2 x 100 layer of the default task and "
    f"{LAYERS_OF_ONE[1]:.2f} times as large for its 1 x 2 layer",
)

# --- moments, equations (10) and (11) ---------------------------------------------------------------------------

claim(
    "nau/eq10.mean",
    at="eq. (10)",
    says="the mean of a NAC multiplication unit by a second-order Taylor expansion, for inputs of one sign",
    **TAYLOR_MEAN,
)

alternative(
    "nau/eq10.strict",
    at="eq. (10), arrow",
    says="from the Taylor form of (10) follows E[z] > 1: the form is always above 1",
    quote=r"\Rightarrow E[z_{h_{\ell}}] > 1",
    printed=nac_mul.taylor_mean,
    relation=Always("it is above 1", lambda value: value > 1),
    points=grid(r_w="1/2", a=0, b=2, eps=0, fan_in=2) + grid(r_w="1/2", a="1/2", b="3/2", eps=0, fan_in=[1, 2]),
    derived=NAC_MUL,
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

alternative(
    "nau/eq11.any-input",
    relation=Equals(r"\approx"),
    at="eq. (11), as stated",
    says="with E[W] = 1/2 the mean of an NMU is (1/2)^H, whatever the mean of its inputs",
    quote="Our proposed NMU when initialized with $E[W_{h_{\\ell}, h_{\\ell-1}}] = 1/2$ has an expectation of",
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
