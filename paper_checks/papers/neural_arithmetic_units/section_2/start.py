"""Section 2.1.3, how addition units are initialised; additional results on the regularisers of an initial layer."""

import mpmath
import sympy

from montecarlo import mean, variance
from montecarlo.kernels.arithmetic import units as kernels
from paper_checks import Always, Kind, claim, common, grid, wrong
from paper_checks.papers.neural_arithmetic_units.section_2.clamped_layers import LAYERS_OF_ONE
from theory.arithmetic import regularisers
from theory.initialisation import glorot
from theory.nac import factors
from theory.nac import moments as nac

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
    variance = factors.tanh_second_moment.expr / (1 + sympy.exp(-m)) ** 2
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

ideal_addition(
    "nau/text.nac-add-ideal",
    says="with both parameters uniform on [-r, r], as in appendix B.2, every layer of NAC addition can have the weight "
    "variance 2/(H_{l-1} + H_l)",
    printed=glorot.weight_variance,
    relation=Always("needed is less than 1/2, as Var[W] < 1/2 for every r", lambda value: value < sympy.Rational(1, 2)),
    points=grid(fan_in=2, fan_out=1) + grid(fan_in=[1, 2], fan_out=2) + grid(fan_in=100, fan_out=2),
    kind=Kind.ALTERNATIVE,
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

    claim(
        id,
        at="additional to eqs. (6) and (8)",
        says=f"expected {says}, divided by the number of entries",
        printed=formula,
        points=points,
        integral=integral,
        measured=measured,
        note=note,
        kind=Kind.ADDITIONAL,
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

claim(
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
    kind=Kind.ADDITIONAL,
)
