"""SELU: its two constants, and what ``torch.nn.init.calculate_gain`` says of its gain of 3/4."""

from __future__ import annotations

import mpmath
from sympy import Integer, Rational

from montecarlo import mean
from montecarlo.kernels.signal_propagation import units
from paper_checks import AtPoints, claim
from paper_checks.papers.constants.gains import AT, SOURCE, made_up_for, normal_mean
from theory import Formula
from theory.signal_propagation import exponentials, fixed_points, propagate

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


def selu(u):
    alpha, scale = exponentials.selu_alpha.mp(), exponentials.selu_scale.mp()
    return scale * (u if u > 0 else alpha * mpmath.expm1(u))


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
    reading=True,
    note="the documentation says itself that it does not: see the next three",
)

DEPTH = 50


def stable() -> bool:
    """One fixed point, at 1, with a slope below 1."""
    [point] = fixed_points("selu", 1.0)
    return abs(point.variance - 1) < 1e-12 and point.slope < 1


claim(
    "constants/torch.selu.stable",
    at=NOTE,
    says="with weights of variance 1/N, variance 1 is a stable fixed point of the forward pass",
    quote="This gives the initial weights a variance of ``1 / N``",
    evidence=[AtPoints("the variance map's fixed point in [1e-12, 1e3] and its slope, 0.783", stable)],
    assumptions="wide layers",
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
    reading=True,
    refuted=True,
    note="with 3/4 the variance 0.0230 is kept, and stably: its slope is 0.924. It is the variance 1 that needs 1/N",
)


def steadier_gradients() -> bool:
    """Growth of gradients over fifty layers, each at its own fixed point."""
    growth = {}
    for gain in (0.75, 1.0):
        [point] = fixed_points("selu", gain**2)
        growth[gain] = propagate("selu", DEPTH, gain**2, variance=point.variance).gradient[0]
    return bool(1 < growth[0.75] < 1.21 and growth[1.0] > 31)


claim(
    "constants/torch.selu.gradients",
    at=NOTE,
    says="the gain 3/4 gives up variance 1 and has the steadier gradients: over 50 layers their mean square grows by "
    "1.2 with it and by 32 with 1",
    quote="sacrifices the normalization effect for more stable gradient flow in rectangular layers",
    evidence=[AtPoints("chi at both fixed points, to the power 50", steadier_gradients)],
    assumptions="wide layers of one width; where widths differ fan_in and fan_out add a factor of their own",
    note="chi is 1.0037 at the variance 0.0230 and 1.0716 at 1. The signal with 3/4 has a standard deviation of 0.15, "
    "where SELU is nearly two straight lines of slope 1.76 and 1.05",
)
