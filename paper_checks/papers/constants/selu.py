"""SELU: its two constants, and what ``torch.nn.init.calculate_gain`` says of its gain of 3/4."""

import mpmath
from sympy import Integer, Rational

from montecarlo import mean
from montecarlo.kernels.signal_propagation import units
from paper_checks import AtPoints, Form, Kind, Rounds, alternative, claim, common, wrong
from paper_checks.papers.constants.gains import AT, formula, made_up_for
from paper_checks.papers.constants.wide import WIDE, chi, kept, selu, selu_slope, variance_slope
from paper_checks.values.integrals import normal_mean
from theory.signal_propagation import closed, fixed_points

SELU = 7
NOTE = "torch.nn.init.calculate_gain, warning"
# As torch.nn.SELU documents them.
ALPHA, SCALE = "1.6732632423543772848170429916717", "1.0507009873554804934193349852946"


def digits_hold() -> bool:
    """Both numbers, rounded to as many digits as are printed."""
    found = ((ALPHA, closed.selu_alpha), (SCALE, closed.selu_scale))
    return all(mpmath.nstr(form.mp(dps=45), len(printed) - 1) == printed for printed, form in found)


claim(
    "constants/torch.selu.digits",
    at="torch.nn.SELU",
    says="alpha = 1.6732... and scale = 1.0507... are correct to all 32 digits",
    evidence=[AtPoints("both numbers from error functions, to 32 digits", digits_hold)],
    assumptions="alpha and scale are the values for which mean 0 and variance 1 are a fixed point",
)

of_normal = common(at="torch.nn.SELU", points=[{"kind": SELU, "variance": 1}], kind=Kind.ADDITIONAL)

of_normal(
    "constants/torch.selu.mean",
    says="the mean of SELU is 0 for standard normal inputs",
    printed=formula("mean of SELU", r"E[\mathrm{SELU}(u)]", 0),
    integral=lambda: normal_mean(selu),
    measured=mean(units.moments, 0),
    scale=(lambda: 1, "1, its standard deviation"),
    slips={"the mean of ELU": Rational(4, 25)},
)

of_normal(
    "constants/torch.selu.variance",
    says="the second moment of SELU is 1 for standard normal inputs. Weights of variance 1/N, which is a gain of 1, "
    "therefore keep it",
    printed=formula("second moment of SELU", r"E\left[\mathrm{SELU}(u)^2\right]", 1),
    integral=lambda: normal_mean(lambda u: selu(u) ** 2),
    measured=mean(units.moments, 1),
    slips={"what 3/4 makes up for": Rational(16, 9)},
)

of_normal.alternative(
    "constants/torch.gain.selu",
    at=AT,
    says="the gain 3/4 keeps the second moment of the outputs of SELU",
    printed=made_up_for("the gain 3/4", Rational(16, 9), r"\mathrm{SELU}(u)"),
    corrected=formula("second moment of SELU", r"E\left[\mathrm{SELU}(u)^2\right]", 1),
    integral=lambda: normal_mean(lambda u: selu(u) ** 2),
    measured=mean(units.moments, 1),
    same_samples_as="constants/torch.selu.variance",
    note="the documentation itself says that this gain gives up the fixed point: constants/torch.selu.stable, "
    "constants/torch.selu.necessary, constants/torch.selu.gradients",
)

claim(
    "constants/torch.selu.stable",
    form=Form.OURS,
    at=NOTE,
    says="with weights of variance 1/N the variance 1 is a stable fixed point of the forward pass. Each layer "
    "multiplies the distance from it by 0.783",
    quote="This gives the initial weights a variance of ``1 / N``",
    relation=Rounds(3),
    printed=formula("slope of the variance map at 1", r"\frac{d q_{\ell+1}}{d q_\ell}(1)", "0.783"),
    points=[{}],
    integral=lambda: variance_slope(selu, 1, 1),
    slips={"chi": Rational("1.072"), "with 3/4": Rational("0.440")},
    assumptions="wide layers",
    note="constants/torch.selu.variance shows that the variance 1 is kept. It is the only fixed point in [1e-12, "
    "1e3]. Other weight variances also have a stable fixed point: constants/torch.selu.necessary",
)

# In the range [0.95, 1.1] of theorem 1 of Self-Normalizing Neural Networks.
LARGER = 1.05


claim(
    "constants/torch.selu.necessary",
    at=NOTE,
    says="in self-normalizing networks, initial weights of variance 1/N are necessary for a stable fixed point of the "
    "variance",
    quote="This gives the initial weights a variance of ``1 / N``, which is necessary to induce a stable fixed point "
    "in the forward pass.",
    evidence=[
        AtPoints(
            f"with weights of variance {LARGER}/N the variance 1.25 of preactivations is a fixed point with the slope "
            "0.783",
            # That no fixed point above 0 is stable.
            lambda: not any(p.variance > 0 and p.slope < 1 for p in fixed_points("selu", LARGER)),
        )
    ],
    expects=wrong("general", correct="constants/torch.selu.stable constants/torch.selu.other-slope"),
    note="theorem 1 of Self-Normalizing Neural Networks has stable fixed points for variances from 0.95/N to 1.1/N. "
    "1/N is necessary only for a fixed point at variance 1 (constants/torch.selu.stable). The gain 3/4 has one at "
    "0.0230, as a variance of preactivations (constants/torch.selu.other-slope)",
)

THREE_QUARTERS = mpmath.mpf(9) / 16


def kept_with_three_quarters():
    return kept(selu, THREE_QUARTERS, 0, 0.023)


kept_by = common(
    at=NOTE + ", additional result", relation=Rounds(3), points=[{}], assumptions=WIDE, kind=Kind.ADDITIONAL
)

kept_by(
    "constants/torch.selu.other-variance",
    says="SELU networks with the gain 3/4 keep the variance 0.0230",
    printed=formula("variance that is kept", r"q^*", "0.0230"),
    integral=kept_with_three_quarters,
    slips={"nothing": Integer(0), "the standard deviation": Rational("0.152")},
)

kept_by(
    "constants/torch.selu.other-slope",
    says="the variance that SELU networks keep with the gain 3/4 is stable. Each layer multiplies the distance from "
    "it by 0.924",
    printed=formula("slope of the variance map", r"\frac{d q_{\ell+1}}{d q_\ell}(q^*)", "0.924"),
    integral=lambda: variance_slope(selu, THREE_QUARTERS, kept_with_three_quarters()),
    slips={"of variance 1": Rational("0.440"), "chi": Rational("1.004")},
    note="for the variance see constants/torch.selu.other-variance",
)


def growth_with_three_quarters():
    return chi(selu_slope, THREE_QUARTERS, kept_with_three_quarters()) ** 50


def growth_with_one():
    return chi(selu_slope, 1, 1) ** 50


# Up to so many layers the gain 1 multiplies gradients by a number nearer to 1, from inputs of variance 1.
EVEN = 39

alternative(
    "constants/torch.selu.gradients",
    at=NOTE,
    says="the gain 3/4 gives up the variance 1 and has more stable gradients, in layers of one width",
    quote="sacrifices the normalization effect for more stable gradient flow in rectangular layers",
    evidence=[
        AtPoints(
            "chi at both fixed points, to the power 50",
            lambda: bool(1 < growth_with_three_quarters() < growth_with_one()),
        )
    ],
    assumptions="wide layers of one width, each network at the variance that it keeps",
    note="the documentation's sentence is about rectangular layers, which we do not test. Their widths add a factor "
    "that is the same for both gains, so that either gain can be the more stable one. In layers of one width each "
    "layer multiplies the mean square of a gradient by chi = 1.0037 with the gain 3/4, and by 1.0716 with the gain 1. "
    "With the gain 3/4 the preactivations have a standard deviation of 0.15, where SELU is close to two straight lines "
    f"of slope 1.76 and 1.05. From inputs of variance 1 the gain 1 has the more stable gradients in up to {EVEN} "
    "layers. Ten layers multiply their mean square by 2.0 with the gain 1 and by 0.13 with the gain 3/4, fifty layers "
    "by 32 and by 0.064",
)

kept_by(
    "constants/torch.selu.growth",
    relation=Rounds(2),
    assumptions="wide layers of one width",
    says="over fifty SELU layers at the variance that they keep, the mean square of a gradient grows 1.2 times with "
    "the gain 3/4",
    printed=formula("growth over fifty layers", r"\chi^{50}", "1.2"),
    integral=growth_with_three_quarters,
    slips={"of the gain 1": Integer(32), "kept": Integer(1)},
    note="from inputs of variance 1, whose first preactivations have the variance 9/16, fifty such layers multiply the "
    "mean square of a gradient by 0.064. From preactivations of variance 1, as in the table by activation function, "
    "they multiply it by 0.038",
)

kept_by(
    "constants/torch.selu.growth-of-1",
    relation=Rounds(2),
    assumptions="wide layers of one width",
    says="over fifty SELU layers at the variance that they keep, the mean square of a gradient grows 32 times with the "
    "gain 1",
    printed=formula("growth over fifty layers", r"\chi^{50}", 32),
    integral=growth_with_one,
    slips={"over 25 layers": Rational("5.6")},
)
