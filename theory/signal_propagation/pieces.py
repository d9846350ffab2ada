r"""Piecewise linear activation functions: E[phi(u)], E[phi(u)^2] and E[phi'(u)^2] for u ~ N(0, variance).

Everything comes from the clipped value, c(u) = max(-cut, min(u, cut)), and from moments inside the cut:

* ``hardtanh`` is c with cut 1; ``relu6`` is max(c, 0) with cut 6, which has half its second moment;
* ``hardsigmoid`` is 1/2 + c/6 with cut 3, as frameworks define it today, and ``hardswish`` is u times that.
"""

from functools import partial

from sympy import Rational, erf, erfc, exp, pi, sqrt

from theory.formula import Formula, Interval, Source
from theory.symbols import positive, real

variance, cut, slope = positive("variance"), positive("cut"), real("slope")
SOURCE = Source("constants", "maps of moments")
# Of what is clipped nothing is lost to rounding before the variance is 1e4 cuts.
MODERATE = {variance: Interval(1e-12, 1e4), cut: Interval(0.5, 10)}
WIDE = {variance: Interval(1e-100, 1e100), slope: Interval(-1e3, 1e3)}

_formula = partial(Formula, arguments=[variance], source=SOURCE, domain=MODERATE)
_clip = partial(Formula, arguments=[variance, cut], source=SOURCE, domain=MODERATE)
_leaky_relu = partial(Formula, source=SOURCE, domain=WIDE)

leaky_relu_mean = _leaky_relu(
    "mean of a leaky rectified linear unit with this slope below 0; slope 0 is ReLU",
    (1 - slope) * sqrt(variance / (2 * pi)),
    [variance, slope],
)
leaky_relu_second_moment = _leaky_relu(
    "second moment of a leaky rectified linear unit with this slope below 0; slope 0 is ReLU",
    variance * (1 + slope**2) / 2,
    [variance, slope],
)
leaky_relu_slope_second_moment = _leaky_relu(
    "mean square of the derivative of a leaky rectified linear unit with this slope below 0",
    (1 + slope**2) / 2,
)


def within(cut):
    """P(|u| < cut)."""
    return erf(cut / sqrt(2 * variance))


def _density(cut):
    """2 t phi(t), t = cut/sqrt(variance)."""
    return sqrt(2 / (pi * variance)) * cut * exp(-(cut**2) / (2 * variance))


def second_within(cut):
    """E[u^2; |u| < cut]."""
    return variance * (within(cut) - _density(cut))


def fourth_within(cut):
    """E[u^4; |u| < cut]."""
    return 3 * variance**2 * (within(cut) - _density(cut) * (1 + cut**2 / (3 * variance)))


def _clipped(cut):
    return second_within(cut) + cut**2 * erfc(cut / sqrt(2 * variance))


inside = _clip("P(|u| < cut), the mean square of the derivative of a clipped value", within(cut))
clipped_second_moment = _clip("second moment of u clipped to [-cut, cut]", _clipped(cut))

relu6_mean = _formula(
    "mean of ReLU6", sqrt(variance / (2 * pi)) * (1 - exp(-18 / variance)) + 3 * erfc(6 / sqrt(2 * variance))
)
relu6_second_moment = _formula("second moment of ReLU6", _clipped(6) / 2)
relu6_slope_second_moment = _formula("mean square of the derivative of ReLU6", within(6) / 2)

hardsigmoid_second_moment = _formula(
    "second moment of the hard logistic function max(0, min(1, 1/2 + u/6)), whose mean is 1/2",
    Rational(1, 4) + _clipped(3) / 36,
)
hardsigmoid_slope_second_moment = _formula(
    "mean square of the derivative of the hard logistic function", within(3) / 36
)

# u (u + 3)/6 inside, u beyond 3: of a square only even powers count.
hardswish_mean = _formula(
    "mean of hard swish, u max(0, min(1, 1/2 + u/6))",
    second_within(3) / 6 + sqrt(variance / (2 * pi)) * exp(-9 / (2 * variance)),
)
hardswish_second_moment = _formula(
    "second moment of hard swish", (fourth_within(3) + 9 * second_within(3)) / 36 + (variance - second_within(3)) / 2
)
hardswish_slope_second_moment = _formula(
    "mean square of the derivative of hard swish",
    (4 * second_within(3) + 9 * within(3)) / 36 + erfc(3 / sqrt(2 * variance)) / 2,
)
