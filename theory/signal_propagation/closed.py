r"""Activation functions with closed forms of E[phi(u)], E[phi(u)^2] and E[phi'(u)^2] for u ~ N(0, variance).

**Piecewise linear ones.** Everything comes from the clipped value, c(u) = max(-cut, min(u, cut)), and from moments
inside the cut:

* ``hardtanh`` is c with cut 1; ``relu6`` is max(c, 0) with cut 6, which has half its second moment;
* ``hardsigmoid`` is 1/2 + c/6 with cut 3, as frameworks define it today, and ``hardswish`` is u times that.

**ELU and SELU.** ELU is u above 0 and alpha (e^u - 1) below; SELU is lambda times that, with the alpha and lambda for
which mean 0 and variance 1 are a fixed point (Klambauer et al., "Self-normalizing neural networks", 2017). Below 0
everything comes from

.. math:: E[e^{k u}; u < 0] = \tfrac12 e^{k^2 v / 2} \operatorname{erfc}(k \sqrt{v/2}),

which is half of the scaled complementary error function. The terms cancel for a small variance v, and few points with
many digits stand in there.

**GELU**, u Phi(u). Phi(u) is the probability that a further normal value lies below u, so that E[Phi(u)^2] is an
orthant probability, 1/4 + arcsin(v/(1 + v))/(2 pi); Stein's lemma brings the powers of u down to it.
"""

from functools import partial

import numpy as np
from scipy.special import erfcx
from sympy import Rational, asin, erf, erfc, exp, pi, sqrt

from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import refined
from theory.symbols import positive, real

variance, cut, alpha = positive("variance cut alpha")
slope = real("slope")
SOURCE = Source("constants", "maps of moments")
# Of what is clipped nothing is lost to rounding before the variance is 1e4 cuts.
MODERATE = {variance: Interval(1e-12, 1e4), cut: Interval(0.5, 10)}
WIDE = {variance: Interval(1e-100, 1e100), slope: Interval(-1e3, 1e3)}

# --- pieces -----------------------------------------------------------------------------------------------------

_of = partial(Formula, source=SOURCE)
_formula = partial(_of, domain=MODERATE)
_leaky_relu = partial(_of, domain=WIDE)

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
    "mean square of the derivative of a leaky rectified linear unit with this slope below 0", (1 + slope**2) / 2
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


inside = _formula("P(|u| < cut), the mean square of the derivative of a clipped value", within(cut), [variance, cut])
clipped_second_moment = _formula("second moment of u clipped to [-cut, cut]", _clipped(cut), [variance, cut])

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

# --- exponentials -----------------------------------------------------------------------------------------------


def _below(k):
    """E[e^(k u); u < 0]."""
    return exp(k**2 * variance / 2) * erfc(k * sqrt(variance / 2)) / 2


def _half(k, v):
    return erfcx(k * np.sqrt(v / 2)) / 2


_elu = partial(_of, arguments=[variance, alpha], domain={variance: MODERATE[variance], alpha: Interval(0.1, 10)})

elu_mean = _elu(
    "mean of ELU",
    sqrt(variance / (2 * pi)) + alpha * (_below(1) - Rational(1, 2)),
    numeric=refined(lambda v, a: [np.sqrt(v / (2 * np.pi)), a * _half(1, v), np.broadcast_to(-a / 2, v.shape)]),
)

elu_second_moment = _elu(
    "second moment of ELU",
    variance / 2 + alpha**2 * (_below(2) - 2 * _below(1) + Rational(1, 2)),
    numeric=refined(lambda v, a: [v / 2, a**2 * _half(2, v), -2 * a**2 * _half(1, v), a**2 / 2 + 0 * v]),
)

elu_slope_second_moment = _elu(
    "mean square of the derivative of ELU",
    Rational(1, 2) + alpha**2 * _below(2),
    numeric=lambda v, a: 0.5 + a**2 * _half(2, v),
)

# E[SELU] = 0 at variance 1 fixes alpha, E[SELU^2] = 1 then lambda.
_FIRST, _SECOND = exp(Rational(1, 2)) * erfc(1 / sqrt(2)), exp(2) * erfc(sqrt(2))

selu_alpha = _of("the alpha of SELU", sqrt(2 / pi) / (1 - _FIRST))
selu_scale = _of(
    "the lambda of SELU", 1 / sqrt(Rational(1, 2) + selu_alpha.expr**2 * (_SECOND / 2 - _FIRST + Rational(1, 2)))
)

# --- GELU -------------------------------------------------------------------------------------------------------

_gelu = partial(_of, domain={variance: Interval(1e-100, 1e4)})
_ARC = asin(variance / (1 + variance))
_ROOT = (1 + variance) * sqrt(1 + 2 * variance)


def _arc(v):
    return np.arctan2(v, np.sqrt(1 + 2 * v))


gelu_mean = _gelu("mean of GELU", variance / sqrt(2 * pi * (1 + variance)))
gelu_second_moment = _gelu(
    "second moment of GELU",
    variance / 4 + variance / (2 * pi) * (_ARC + 2 * variance / _ROOT),
    numeric=lambda v: v / 4 + v / (2 * np.pi) * (_arc(v) + 2 * v / ((1 + v) * np.sqrt(1 + 2 * v))),
)
gelu_slope_second_moment = _gelu(
    "mean square of the derivative of GELU",
    Rational(1, 4) + _ARC / (2 * pi) + variance / (pi * _ROOT) + variance / (2 * pi * sqrt(1 + 2 * variance) ** 3),
    numeric=lambda v: (
        0.25
        + _arc(v) / (2 * np.pi)
        + v / (np.pi * (1 + v) * np.sqrt(1 + 2 * v))
        + v / (2 * np.pi * np.sqrt(1 + 2 * v) ** 3)
    ),
)
