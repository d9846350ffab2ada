r"""The gradient that a neural multiplication unit hands back to its inputs.

With f_j = W_j z_j + 1 - W_j, the derivative of an output by its input h is g = W_h prod_{j != h} f_j, and the gradient
is the sum of delta_o g_o over the H_l outputs, which share the inputs z and have weights of their own. With all W and z
independent, d = E[z] - 1, m = E[f] = 1 + E[W] d, q = E[f^2] and s = m^2 + E[W]^2 Var[z],

.. math:: E[g] = E[W] m^{H-1}, \qquad E[g^2] = E[W^2] q^{H-1}, \qquad E[g_1 g_2] = E[W]^2 s^{H-1},

without approximation. If the deltas are independent of the layer, with mean mu, variance sigma^2 and correlation rho
between any two of them, then

.. math:: \operatorname{Var} = H_l (\sigma^2 + \mu^2) E[g^2] + H_l (H_l - 1) (\rho \sigma^2 + \mu^2) E[g_1 g_2]
          - H_l^2 \mu^2 E[g]^2.

Eqs. (60)-(65) are the case mu = rho = 0, E[W] = 1/2, E[z] = 0. **Eq. (59) is stated for any mu, and is wrong for
mu != 0 and more than one output**: the products delta_o g_o share the inputs, and the variance of their sum is not the
sum of their variances. That the deltas of different outputs are uncorrelated is needed as well, and not said.

**A real loss.** The squared error (z_out - t)^2/2 on the outputs makes delta = z_out - t, which is independent of
nothing here. With the weights that the paper recommends, 0 or 1 with probability 1/2, and inputs +-1, the gradient has
variance H_l/2 + H_l (H_l - 1)/4 for t = 0, where eq. (65) has H_l/2 (1 - 4^-H).
"""

from __future__ import annotations

import numpy as np
from sympy import Integer, Rational

from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair, refine
from theory.symbols import count, nonnegative, real

__all__ = [
    "centred_derivative_variance",
    "centred_rest_square",
    "centred_variance",
    "centred_variance_from_derivative",
    "derivative_covariance",
    "derivative_mean",
    "derivative_second_moment",
    "derivative_variance",
    "derivative_variance_from_rest",
    "derivative_variance_from_squares",
    "half_mean",
    "mean",
    "signed_output_variance",
    "squared_loss_mean",
    "squared_loss_variance",
    "variance",
    "variance_from_derivative",
    "zero_mean",
]

mean_delta, mean_w, mean_z = real("mean_delta"), real("mean_w"), real("mean_z")
var_delta, var_w, var_z = nonnegative("var_delta"), nonnegative("var_w"), nonnegative("var_z")
corr_delta = nonnegative("corr_delta")
fan_in, fan_out = count("fan_in"), count("fan_out")
mean_derivative = real("mean_derivative")
# Of two outputs, which is never negative: they share their inputs.
var_derivative, cov_derivative = nonnegative("var_derivative"), nonnegative("cov_derivative")
square_w, rest_square = nonnegative("square_w"), nonnegative("rest_square")
target, fourth_z = real("target"), nonnegative("fourth_z")

# Products of a few such numbers stay in float64.
MEAN = Interval(-1e50, 1e50)
VARIANCE = Interval(0, 1e50)
FAN = Interval(1, 10**6, integer=True)
SHARE = Interval(0, 1)
ALL = {
    **dict.fromkeys((mean_delta, mean_w, mean_z, mean_derivative, target), MEAN),
    **dict.fromkeys((var_delta, var_w, var_z, var_derivative, cov_derivative), VARIANCE),
    **dict.fromkeys((square_w, rest_square, fourth_z), VARIANCE),
    **dict.fromkeys((fan_in, fan_out), FAN),
    corr_delta: SHARE,
}
QUARTER = Rational(1, 4)
LOG_2 = np.log(2)
TINY = 1e-100
# Products of this size have full precision.
SMALLEST = 1e-280


def _formula(says, expr, arguments, place, **options) -> Formula:
    return Formula(
        says, expr, arguments, source=Source("nau", place), domain={s: ALL[s] for s in arguments}, **options
    )  # fmt: skip


# Float64: every product is a sum of logarithms, so that one factor may overflow or vanish where the product does not;
# bases of powers are carried as pairs, because a power with exponent H multiplies a relative error by H.


def _log(x) -> np.ndarray:
    """log|x|, -inf at zero."""
    return Pair.of(x).log_abs()


def _log_power(base: Pair, exponent: np.ndarray) -> np.ndarray:
    """log|base**exponent|, with 0**0 = 1."""
    with np.errstate(invalid="ignore"):
        return np.where(exponent == 0, 0.0, exponent * base.log_abs())


def _log_gap(
    larger: Pair, smaller: Pair, difference: Pair, log_difference: np.ndarray, exponent: np.ndarray
) -> np.ndarray:
    """log(larger**n - smaller**n) for nonnegative bases and their difference, whose log is given too: it may vanish."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        ratio = difference.high / smaller.high
        small = np.where(difference.high > SMALLEST, np.log(difference.high), log_difference)
        factor = np.where(
            ratio > TINY,
            np.log(-np.expm1(-exponent * np.log1p(ratio))),
            np.log(exponent) + small - smaller.log_abs(),
        )
        return np.where((exponent == 0) | np.isneginf(small), -np.inf, exponent * larger.log_abs() + factor)


def _sign(x: Pair, exponent=1) -> np.ndarray:
    return np.where((x.high < 0) & (exponent % 2 == 1), -1.0, 1.0)


class _Moments:
    """Of a weight and of a factor f, as pairs: m = E[f], q = E[f^2], s = E[f_1 f_2] of two outputs."""

    def __init__(self, mean_w, var_w, mean_z, var_z):
        shifted = Pair(mean_z) - 1.0
        self.w, self.w_square = Pair(mean_w), Pair(mean_w) * mean_w
        self.w_second = self.w_square + var_w
        self.m = self.w * shifted + 1.0
        self.m_square = self.m * self.m
        self.shared = self.w_square * var_z
        self.spread = Pair(var_w) * (shifted * shifted + var_z) + self.shared
        self.q, self.s = self.m_square + self.spread, self.m_square + self.shared
        self.log_shared = 2 * _log(mean_w) + _log(var_z)
        self.log_spread = np.logaddexp(_log(var_w) + _log(shifted * shifted + var_z), self.log_shared)
        self.w_times_f = self.w + self.w_second * shifted

    def derivative_variance(self, var_w, n) -> np.ndarray:
        """Var[W] q^n + E[W]^2 (q^n - m^2n), which has no cancellation."""
        first = _log(var_w) + _log_power(self.q, n)
        return np.logaddexp(
            first, _log(self.w_square) + _log_gap(self.q, self.m_square, self.spread, self.log_spread, n)
        )

    def derivative_covariance(self, n) -> np.ndarray:
        """log of E[W]^2 (s^n - m^2n)."""
        return _log(self.w_square) + _log_gap(self.s, self.m_square, self.shared, self.log_shared, n)


_factor = 1 + mean_w * (mean_z - 1)
_factor_square = _factor**2 + var_w * var_z + var_w * (mean_z - 1) ** 2 + mean_w**2 * var_z
_shared_square = _factor**2 + mean_w**2 * var_z
_second_w = var_w + mean_w**2
_centred_square = (var_w + QUARTER) * (var_z + 1)
_LAYER = [mean_w, var_w, mean_z, var_z, fan_in]

derivative_mean = _formula(
    "mean of the derivative of an NMU by an input",
    mean_w * _factor ** (fan_in - 1),
    [mean_w, mean_z, fan_in],
    "eq. (56)",
    numeric=lambda mean_w, mean_z, fan_in: _mean(1.0, mean_w, mean_z, fan_in, 1.0),
)

derivative_second_moment = _formula(
    "second moment of the derivative of an NMU by an input",
    _second_w * _factor_square ** (fan_in - 1),
    _LAYER,
    "eq. (61), first term",
    numeric=lambda *c: (lambda x: np.exp(_log(x.w_second) + _log_power(x.q, c[4] - 1)))(_Moments(*c[:4])),
)

derivative_variance = _formula(
    "variance of the derivative of an NMU by an input",
    derivative_second_moment.expr - derivative_mean.expr**2,
    _LAYER,
    "eq. (61)",
    numeric=lambda *c: np.exp(_Moments(*c[:4]).derivative_variance(c[1], c[4] - 1)),
)

derivative_covariance = _formula(
    "covariance of the derivatives of two outputs of an NMU layer by the same input",
    mean_w**2 * _shared_square ** (fan_in - 1) - derivative_mean.expr**2,
    [mean_w, mean_z, var_z, fan_in],
    "eq. (59), outputs that share their inputs",
    numeric=lambda mean_w, mean_z, var_z, fan_in: np.exp(
        _Moments(mean_w, 0.0, mean_z, var_z).derivative_covariance(fan_in - 1)
    ),
)


def _mean(mean_delta, mean_w, mean_z, fan_in, fan_out):
    x = _Moments(mean_w, 0.0, mean_z, 0.0)
    size = np.exp(_log(mean_delta) + np.log(fan_out) + _log(x.w) + _log_power(x.m, fan_in - 1))
    return np.sign(mean_delta) * _sign(x.w) * _sign(x.m, fan_in - 1) * size


mean = _formula(
    "mean of the gradient by an input of an NMU",
    fan_out * mean_delta * _factor ** (fan_in - 1) * mean_w,
    [mean_delta, mean_w, mean_z, fan_in, fan_out],
    "eq. (56)",
    numeric=_mean,
)

half_mean = _formula(
    "mean of the gradient by an input of an NMU with E[W] = 1/2 and E[z] = 0",
    mean_delta * fan_out * Rational(1, 2) ** fan_in,
    [mean_delta, fan_in, fan_out],
    "eq. (57)",
    numeric=lambda mean_delta, fan_in, fan_out: np.ldexp(mean_delta * fan_out, -fan_in.astype(np.int64)),
)

zero_mean = _formula(
    "mean of the gradient by an input of an NMU, for deltas of mean zero", Integer(0), [fan_in, fan_out], "eq. (58)"
)

_FROM_DERIVATIVE = [mean_delta, var_delta, mean_derivative, var_derivative, fan_out]


def _from_derivative(mean_delta, var_delta, mean_derivative, var_derivative, fan_out, cov_derivative):
    """Squares are multiplied in one factor at a time: alone they could vanish."""
    own = (var_delta * mean_derivative) * mean_derivative + (var_derivative * mean_delta) * mean_delta
    shared = ((fan_out - 1) * cov_derivative * mean_delta) * mean_delta
    return fan_out * (own + var_delta * var_derivative + shared)


variance_from_derivative = _formula(
    "variance of the gradient, with the covariances of its terms",
    fan_out * (var_delta * mean_derivative**2 + mean_delta**2 * var_derivative + var_delta * var_derivative)
    + fan_out * (fan_out - 1) * mean_delta**2 * cov_derivative,
    [*_FROM_DERIVATIVE, cov_derivative],
    "eq. (59), corrected",
    numeric=_from_derivative,
)

centred_variance_from_derivative = _formula(
    "variance of the gradient for deltas of mean zero, E[W] = 1/2 and E[z] = 0",
    var_delta * fan_out * (Rational(1, 2) ** (2 * fan_in) + var_derivative),
    [var_delta, var_derivative, fan_in, fan_out],
    "eq. (60)",
)

derivative_variance_from_squares = _formula(
    "variance of the derivative with E[W] = 1/2 and E[z] = 0, from second moments",
    rest_square * square_w - Rational(1, 2) ** (2 * fan_in),
    [rest_square, square_w, fan_in],
    "eq. (62)",
    numeric=lambda rest_square, square_w, fan_in: _from_rest(rest_square, Pair(square_w), fan_in),
)

derivative_variance_from_rest = _formula(
    "variance of the derivative with E[W] = 1/2 and E[z] = 0, from the second moment of the other factors",
    rest_square * (var_w + QUARTER) - Rational(1, 2) ** (2 * fan_in),
    [rest_square, var_w, fan_in],
    "eq. (63)",
    numeric=lambda rest_square, var_w, fan_in: _from_rest(rest_square, Pair(var_w) + 0.25, fan_in),
)


def _from_rest(rest_square, square_w, fan_in):
    return (square_w * rest_square - np.exp2(-2 * fan_in)).high


_CENTRED = [var_w, var_z, fan_in]

centred_rest_square = _formula(
    "second moment of all factors of an NMU but one, with E[W] = 1/2 and E[z] = 0",
    (var_w + QUARTER) ** (fan_in - 1) * (var_z + 1) ** (fan_in - 1),
    _CENTRED,
    "eq. (64), inserted",
    numeric=lambda var_w, var_z, fan_in: np.exp(_log_power(_Moments(0.5, var_w, 0.0, var_z).q, fan_in - 1)),
)

centred_derivative_variance = _formula(
    "variance of the derivative of an NMU with E[W] = 1/2 and E[z] = 0",
    (var_w + QUARTER) ** fan_in * (var_z + 1) ** (fan_in - 1) - Rational(1, 2) ** (2 * fan_in),
    _CENTRED,
    "eq. (64)",
    numeric=lambda var_w, var_z, fan_in: np.exp(
        _Moments(0.5, var_w, 0.0, var_z).derivative_variance(var_w, fan_in - 1)
    ),
)

centred_variance = _formula(
    "variance of the gradient by an input of an NMU with E[W] = 1/2, E[z] = 0 and deltas of mean zero",
    var_delta * fan_out * ((var_w + QUARTER) ** fan_in * (var_z + 1) ** (fan_in - 1)),
    [var_delta, var_w, var_z, fan_in, fan_out],
    "eq. (65)",
    numeric=lambda var_delta, var_w, var_z, fan_in, fan_out: np.exp(
        _log(var_delta)
        + np.log(fan_out)
        + _log(Pair(var_w) + 0.25)
        + _log_power(_Moments(0.5, var_w, 0.0, var_z).q, fan_in - 1)
    ),
)


def _variance(mean_delta, var_delta, corr_delta, mean_w, var_w, mean_z, var_z, fan_in, fan_out):
    """Four terms of one sign: of sigma^2 and of mu^2, for each output and for each pair of outputs."""
    x, n = _Moments(mean_w, var_w, mean_z, var_z), fan_in - 1
    log_outputs, log_pairs = np.log(fan_out), np.log(fan_out) + _log(fan_out - 1)
    log_square = 2 * _log(mean_delta)
    terms = [
        log_outputs + _log(var_delta) + _log(x.w_second) + _log_power(x.q, n),
        log_pairs + _log(corr_delta) + _log(var_delta) + _log(x.w_square) + _log_power(x.s, n),
        log_outputs + log_square + x.derivative_variance(var_w, n),
        log_pairs + log_square + x.derivative_covariance(n),
    ]
    return sum(np.exp(t) for t in terms)


variance = _formula(
    "variance of the gradient by an input of an NMU, for any means and for deltas that are correlated",
    fan_out * (var_delta + mean_delta**2) * derivative_second_moment.expr
    + fan_out * (fan_out - 1) * (corr_delta * var_delta + mean_delta**2) * mean_w**2 * _shared_square ** (fan_in - 1)
    - fan_out**2 * mean_delta**2 * derivative_mean.expr**2,
    [mean_delta, var_delta, corr_delta, *_LAYER, fan_out],
    "beyond eq. (65)",
    numeric=_variance,
)

# A loss on the outputs themselves. The weights are 0 or 1 with probability 1/2, so that W f = W z; the inputs have a
# symmetric law with variance var_z and fourth moment fourth_z.
_FOURTH = ((1 + fourth_z) / 2) ** (fan_in - 1)  # E[f^4], of each other input
_SQUARE = ((1 + var_z) / 2) ** (fan_in - 1)  # E[f^2]
_TWO_SQUARES = ((1 + 2 * var_z + fourth_z) / 4) ** (fan_in - 1)  # E[f_1^2 f_2^2] of two outputs
_TWO = ((1 + var_z) / 4) ** (fan_in - 1)  # E[f_1 f_2]
_BINARY = [var_z, fourth_z, target, fan_in, fan_out]

signed_output_variance = _formula(
    "variance of delta g for delta = +-z_out, which is uncorrelated with g; weights 0 or 1, inputs symmetric",
    var_z / 2 * _FOURTH,
    [var_z, fourth_z, fan_in],
    "eq. (59), uncorrelated, corrected",
    numeric=lambda var_z, fourth_z, fan_in: np.exp(
        _log(var_z) - LOG_2 + _log_power((Pair(fourth_z) + 1.0) * 0.5, fan_in - 1)
    ),
)


def _squared_loss_mean(mean_w, var_w, mean_z, var_z, target, fan_in, fan_out):
    x, n = _Moments(mean_w, var_w, mean_z, var_z), fan_in - 1
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        first = _sign(x.w_times_f) * np.exp(np.log(fan_out) + _log(x.w_times_f) + _log_power(x.q, n))
        second = np.sign(target) * _sign(x.w) * _sign(x.m, n)
        second = second * np.exp(np.log(fan_out) + _log(target) + _log(x.w) + _log_power(x.m, n))
        result = first - second
        # A difference that cancels, or of two infinities.
        larger = np.maximum(np.abs(first), np.abs(second))
        near = ~(np.abs(result) > 0.25 * larger) & (larger > 0)
    return refine(result, near, squared_loss_mean.mp, mean_w, var_w, mean_z, var_z, target, fan_in, fan_out)


squared_loss_mean = _formula(
    "mean of the gradient by an input of an NMU for the loss sum of (z_out - target)^2/2",
    fan_out
    * (
        (mean_w + _second_w * (mean_z - 1)) * _factor_square ** (fan_in - 1) - target * mean_w * _factor ** (fan_in - 1)
    ),
    [*_LAYER[:4], target, fan_in, fan_out],
    "beyond eq. (57)",
    numeric=_squared_loss_mean,
)


def _squared_loss_variance(var_z, fourth_z, target, fan_in, fan_out):
    n = fan_in - 1
    one = Pair(var_z) + 1.0
    log_outputs, log_pairs, log_target = np.log(fan_out), np.log(fan_out) + _log(fan_out - 1), 2 * _log(target)
    log_quarter = _log(var_z) - 2 * LOG_2
    quarter = Pair(np.full_like(n, 0.25))
    log_half = _log_power(one * 0.5, n) - LOG_2
    # E[g^2] - E[g]^2 = E[g^2] (1 - 4^-H / E[g^2]), where the ratio is at most 1/2.
    log_spread = log_half + np.log1p(-np.exp(-2 * LOG_2 * fan_in - log_half))
    two_squares = (Pair(var_z) * 2.0 + fourth_z + 1.0) * 0.25
    terms = [
        log_outputs + _log(var_z) - LOG_2 + _log_power((Pair(fourth_z) + 1.0) * 0.5, n),
        log_pairs + log_quarter + _log_power(two_squares, n),
        log_outputs + log_target + log_spread,
        log_pairs + log_target - 2 * LOG_2 + _log_gap(one * 0.25, quarter, Pair(var_z / 4), log_quarter, n),
    ]
    return sum(np.exp(t) for t in terms)


squared_loss_variance = _formula(
    "variance of the gradient by an input of an NMU for the loss sum of (z_out - target)^2/2; weights 0 or 1",
    fan_out * (var_z / 2 * _FOURTH + target**2 / 2 * _SQUARE)
    + fan_out * (fan_out - 1) * (var_z / 4 * _TWO_SQUARES + target**2 / 4 * _TWO)
    - (fan_out * target * Rational(1, 2) ** fan_in) ** 2,
    _BINARY,
    "beyond eq. (65)",
    numeric=_squared_loss_variance,
)
