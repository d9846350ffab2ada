"""SELU: its two constants, and what ``torch.nn.init.calculate_gain`` says of its gain of 3/4."""

from __future__ import annotations

import mpmath
from sympy import Integer, Rational

from montecarlo import mean
from montecarlo.kernels.signal_propagation import units
from paper_checks import WRONG, AtPoints, Kind, Rounds, claim
from paper_checks.papers.constants.gains import AT, SOURCE, made_up_for, normal_mean
from paper_checks.papers.constants.wide import chi, kept, selu, selu_slope, variance_slope
from theory import Formula
from theory.signal_propagation import exponentials, fixed_points

SELU = 7
NOTE = "torch.nn.init.calculate_gain, warning"
# As torch.nn.SELU documents them.
ALPHA, SCALE = "1.6732632423543772848170429916717", "1.0507009873554804934193349852946"


def digits_hold() -> bool:
    """Both numbers, rounded to as many digits as are printed."""
    found = ((ALPHA, exponentials.selu_alpha), (SCALE, exponentials.selu_scale))
    return all(mpmath.nstr(form.mp(dps=45), len(printed) - 1) == printed for printed, form in found)


claim(
    "constants/torch.selu.digits",
    at="torch.nn.SELU",
    says="alpha = 1.6732... and scale = 1.0507..., right to all 32 digits",
    evidence=[AtPoints("both numbers from error functions, to 32 digits", digits_hold)],
    assumptions="alpha and scale are what makes mean 0 and variance 1 a fixed point",
)


claim(
    "constants/torch.selu.mean",
    at="torch.nn.SELU",
    says="of a standard normal value the mean of SELU is 0",
    printed=Formula("mean of SELU", Integer(0), [], source=SOURCE),
    points=[{"kind": SELU, "variance": 1}],
    integral=lambda: normal_mean(selu),
    measured=mean(units.moments, 0),
    scale=lambda: 1,
    scale_says="1, its standard deviation",
    slips={"the mean of ELU": Rational(4, 25)},
)

claim(
    "constants/torch.selu.variance",
    at="torch.nn.SELU",
    says="of a standard normal value the second moment of SELU is 1: weights of variance 1/N, a gain of 1, keep it",
    printed=Formula("second moment of SELU", Integer(1), [], source=SOURCE),
    points=[{"kind": SELU, "variance": 1}],
    integral=lambda: normal_mean(lambda u: selu(u) ** 2),
    measured=mean(units.moments, 1),
    slips={"what 3/4 makes up for": Rational(16, 9)},
)

claim(
    "constants/torch.gain.selu",
    at=AT,
    says="3/4 keeps the second moment behind SELU",
    printed=made_up_for("the gain 3/4", Rational(16, 9)),
    corrected=Formula("second moment of SELU", Integer(1), [], source=SOURCE),
    points=[{"kind": SELU, "variance": 1}],
    integral=lambda: normal_mean(lambda u: selu(u) ** 2),
    measured=mean(units.moments, 1),
    same_samples_as="constants/torch.selu.variance",
    kind=Kind.ALTERNATIVE,
    note="the documentation says itself that it does not: see the next three",
)

claim(
    "constants/torch.selu.stable",
    at=NOTE,
    says="with weights of variance 1/N, variance 1 is a stable fixed point of the forward pass: a distance from it is "
    "multiplied by 0.783 in a layer",
    quote="This gives the initial weights a variance of ``1 / N``",
    relation=Rounds(3),
    printed=Formula("slope of the variance map at 1", Rational("0.783"), [], source=SOURCE),
    points=[{}],
    integral=lambda: variance_slope(selu, 1, 1),
    slips={"chi": Rational("1.072"), "with 3/4": Rational("0.440")},
    assumptions="wide layers",
    note="that 1 is kept is constants/torch.selu.variance; it is the only fixed point in [1e-12, 1e3]",
)


def also_stable_with_three_quarters() -> bool:
    """Whether variance 1/N is the only one of the two with a stable fixed point."""
    return not any(p.variance > 0 and p.slope < 1 for p in fixed_points("selu", 9 / 16))


claim(
    "constants/torch.selu.necessary",
    at=NOTE,
    says="only a variance of 1/N has a stable fixed point above 0",
    quote="which is necessary to induce a stable fixed point in the forward pass",
    evidence=[AtPoints("the variance map with a gain of 3/4 on [1e-12, 1e3]", also_stable_with_three_quarters)],
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="with 3/4 the variance 0.0230 is kept, and stably: its slope is 0.924. It is the variance 1 that needs 1/N",
)


THREE_QUARTERS = mpmath.mpf(9) / 16


def kept_with_three_quarters():
    return kept(selu, THREE_QUARTERS, 0, 0.023)


claim(
    "constants/torch.selu.other-variance",
    at=NOTE + ", beyond",
    says="the gain 3/4 keeps the variance 0.0230",
    relation=Rounds(3),
    printed=Formula("variance that is kept", Rational("0.0230"), [], source=SOURCE),
    points=[{}],
    integral=kept_with_three_quarters,
    slips={"nothing": Integer(0), "of deviation": Rational("0.152")},
    assumptions="wide layers",
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/torch.selu.other-slope",
    at=NOTE + ", beyond",
    says="and it is stable: a distance from it is multiplied by 0.924 in a layer",
    relation=Rounds(3),
    printed=Formula("slope of the variance map", Rational("0.924"), [], source=SOURCE),
    points=[{}],
    integral=lambda: variance_slope(selu, THREE_QUARTERS, kept_with_three_quarters()),
    slips={"of variance 1": Rational("0.440"), "chi": Rational("1.004")},
    assumptions="wide layers",
    kind=Kind.ADDITIONAL,
)


def steadier_gradients() -> bool:
    """Whether gradients change by less with 3/4 than with 1, each at its own fixed point."""
    return bool(1 < growth_with_three_quarters() < growth_with_one())


def growth_with_three_quarters():
    return chi(selu_slope, THREE_QUARTERS, kept_with_three_quarters()) ** 50


def growth_with_one():
    return chi(selu_slope, 1, 1) ** 50


claim(
    "constants/torch.selu.gradients",
    at=NOTE,
    says="the gain 3/4 gives up variance 1 and has the steadier gradients, at the variance that it keeps, in layers of "
    "one width",
    quote="sacrifices the normalization effect for more stable gradient flow in rectangular layers",
    evidence=[AtPoints("chi at both fixed points, to the power 50", steadier_gradients)],
    assumptions="wide layers of one width; where widths differ fan_in and fan_out add a factor of their own",
    kind=Kind.ALTERNATIVE,
    note="of rectangular layers, of which the sentence speaks, this says nothing: their factor is the same for both "
    "gains. Chi is 1.0037 at the variance 0.0230 and 1.0716 at 1. The signal with 3/4 has a standard deviation of "
    "0.15, where SELU is nearly two straight lines of slope 1.76 and 1.05",
)

claim(
    "constants/torch.selu.growth",
    at=NOTE + ", beyond",
    says="over fifty layers their mean square grows 1.2 times with the gain 3/4",
    relation=Rounds(2),
    printed=Formula("growth over fifty layers", Rational("1.2"), [], source=SOURCE),
    points=[{}],
    integral=growth_with_three_quarters,
    slips={"of the gain 1": Integer(32), "kept": Integer(1)},
    assumptions="wide layers of one width",
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/torch.selu.growth-of-1",
    at=NOTE + ", beyond",
    says="and 32 times with the gain 1",
    relation=Rounds(2),
    printed=Formula("growth over fifty layers", Integer(32), [], source=SOURCE),
    points=[{}],
    integral=growth_with_one,
    slips={"over 25 layers": Rational("5.6")},
    assumptions="wide layers of one width",
    kind=Kind.ADDITIONAL,
)
