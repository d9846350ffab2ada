r"""Moments of the gradient by the inputs of a neural multiplication unit.

With f_j = W_j z_j + 1 - W_j, the derivative of an output by its input h is g = W_h prod_{j != h} f_j, and the gradient
is the sum of delta_o g_o over the H_l outputs, which share the inputs z and have weights of their own. With all W and z
independent, d = E[z] - 1, m = E[f] = 1 + E[W] d, q = E[f^2] and s = m^2 + E[W]^2 Var[z],

.. math:: E[g] = E[W] m^{H-1}, \qquad E[g^2] = E[W^2] q^{H-1}, \qquad E[g_1 g_2] = E[W]^2 s^{H-1},

without approximation. If the back-propagated gradients are independent of the layer, with mean mu, variance sigma^2 and
correlation rho between any two of them, then

.. math:: \operatorname{Var} = H_l (\sigma^2 + \mu^2) E[g^2] + H_l (H_l - 1) (\rho \sigma^2 + \mu^2) E[g_1 g_2]
          - H_l^2 \mu^2 E[g]^2.

Eqs. (60)-(65) are the case mu = rho = 0, E[W] = 1/2, E[z] = 0. **Eq. (59) is stated for any mu, and is wrong for mu !=
0 and more than one output**: the products delta_o g_o share the inputs, and the variance of their sum is not the sum of
their variances. That the back-propagated gradients of different outputs are uncorrelated is needed as well, and not
said.

**The loss sum (z_out - t)^2/2 over the outputs.** delta = z_out - t is independent of nothing in the layer. With the
weights that the paper recommends, 0 or 1 with probability 1/2, and inputs +-1, the gradient has variance
H_l/2 + H_l (H_l - 1)/4 for t = 0, where eq. (65) has H_l/2 (1 - 4^-H).
"""

from functools import partial

import numpy as np
from sympy import Integer, Rational

from theory.formula import Formula, Interval, Source
from theory.nmu.factor import Moments, log_gap, log_power, log_size, sign
from theory.nmu.moments import LAWS
from theory.numerics.pairs import Pair
from theory.symbols import count, nonnegative, real

mean_delta, mean_w, mean_z, mean_derivative, target = real("mean_delta mean_w mean_z mean_derivative target")
var_delta, var_w, var_z, corr_delta = nonnegative("var_delta var_w var_z corr_delta")
square_w, rest_square, fourth_z = nonnegative("square_w rest_square fourth_z")
# Of two outputs, which is never negative: they share their inputs.
var_derivative, cov_derivative = nonnegative("var_derivative cov_derivative")
fan_in, fan_out = count("fan_in fan_out")

# Products of a few such numbers stay in float64.
MEAN = Interval(-1e50, 1e50)
VARIANCE = Interval(0, 1e50)
FAN = Interval(1, 10**6, integer=True)
DOMAIN = {
    **dict.fromkeys((mean_delta, mean_w, mean_z, mean_derivative, target), MEAN),
    **dict.fromkeys((var_delta, var_w, var_z, var_derivative, cov_derivative), VARIANCE),
    **dict.fromkeys((square_w, rest_square, fourth_z), VARIANCE),
    **dict.fromkeys((fan_in, fan_out), FAN),
    corr_delta: Interval(0, 1),
}
QUARTER = Rational(1, 4)


def _formula(says, expr, arguments, place, **options) -> Formula:
    return Formula(says, expr, arguments, source=Source("nau", place), domain=DOMAIN, **options)


_mean_form = partial(_formula, lhs=r"E\left[\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}\right]")
_variance_form = partial(_formula, lhs=r"\mathrm{Var}\left[\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}\right]")
_derivative_variance_form = partial(
    _formula, lhs=r"\mathrm{Var}\left[\frac{\partial z_{h_\ell}}{\partial z_{h_{\ell-1}}}\right]"
)

factor_mean = 1 + mean_w * (mean_z - 1)
factor_square = factor_mean**2 + var_w * var_z + var_w * (mean_z - 1) ** 2 + mean_w**2 * var_z
_shared_square = factor_mean**2 + mean_w**2 * var_z
second_w = var_w + mean_w**2
_LAYER = [mean_w, var_w, mean_z, var_z, fan_in]

derivative_mean = _formula(
    "mean of the derivative of an NMU by an input",
    mean_w * factor_mean ** (fan_in - 1),
    [mean_w, mean_z, fan_in],
    "eq. (56)",
    lhs=r"E\left[\frac{\partial z_{h_\ell}}{\partial z_{h_{\ell-1}}}\right]",
    numeric=lambda mean_w, mean_z, fan_in: _mean(1.0, mean_w, mean_z, fan_in, 1.0),
)

derivative_second_moment = _formula(
    "second moment of the derivative of an NMU by an input",
    second_w * factor_square ** (fan_in - 1),
    _LAYER,
    "eq. (61), first term",
    numeric=lambda *c: (lambda x: np.exp(log_size(x.w_second) + log_power(x.q, c[4] - 1)))(Moments(*c[:4])),
)

derivative_variance = _derivative_variance_form(
    "variance of the derivative of an NMU by an input",
    derivative_second_moment.expr - derivative_mean.expr**2,
    _LAYER,
    "eq. (61)",
    numeric=lambda *c: np.exp(Moments(*c[:4]).derivative_variance(c[1], c[4] - 1)),
)

derivative_covariance = _formula(
    "covariance of the derivatives of two outputs of an NMU layer by the same input",
    mean_w**2 * _shared_square ** (fan_in - 1) - derivative_mean.expr**2,
    [mean_w, mean_z, var_z, fan_in],
    "eq. (59), outputs that share their inputs",
    lhs=r"\mathrm{Cov}\left[z'_1, z'_2\right]",
    numeric=lambda mean_w, mean_z, var_z, fan_in: np.exp(
        Moments(mean_w, 0.0, mean_z, var_z).derivative_covariance(fan_in - 1)
    ),
)


def _mean(mean_delta, mean_w, mean_z, fan_in, fan_out):
    x = Moments(mean_w, 0.0, mean_z, 0.0)
    size = np.exp(log_size(mean_delta) + np.log(fan_out) + log_size(x.w) + log_power(x.m, fan_in - 1))
    return np.sign(mean_delta) * sign(x.w) * sign(x.m, fan_in - 1) * size


mean = _mean_form(
    "mean of the gradient by an input of an NMU",
    fan_out * mean_delta * factor_mean ** (fan_in - 1) * mean_w,
    [mean_delta, mean_w, mean_z, fan_in, fan_out],
    "eq. (56)",
    numeric=_mean,
)

half_mean = _mean_form(
    "mean of the gradient by an input of an NMU with E[W] = 1/2 and E[z] = 0",
    mean_delta * fan_out * Rational(1, 2) ** fan_in,
    [mean_delta, fan_in, fan_out],
    "eq. (57)",
    numeric=lambda mean_delta, fan_in, fan_out: np.ldexp(mean_delta * fan_out, -fan_in.astype(np.int64)),
)

zero_mean = _mean_form(
    "mean of the gradient by an input of an NMU if E[dL/dz_out] = 0", Integer(0), [fan_in, fan_out], "eq. (58)"
)


def _from_derivative(mean_delta, var_delta, mean_derivative, var_derivative, fan_out, cov_derivative):
    """Squares are multiplied in one factor at a time: alone they could vanish."""
    own = (var_delta * mean_derivative) * mean_derivative + (var_derivative * mean_delta) * mean_delta
    shared = ((fan_out - 1) * cov_derivative * mean_delta) * mean_delta
    return fan_out * (own + var_delta * var_derivative + shared)


variance_from_derivative = _variance_form(
    "variance of the gradient, with the covariances of its terms",
    fan_out * (var_delta * mean_derivative**2 + mean_delta**2 * var_derivative + var_delta * var_derivative)
    + fan_out * (fan_out - 1) * mean_delta**2 * cov_derivative,
    [mean_delta, var_delta, mean_derivative, var_derivative, fan_out, cov_derivative],
    "eq. (59), corrected",
    numeric=_from_derivative,
)

centred_variance_from_derivative = _variance_form(
    "variance of the gradient if E[dL/dz_out] = 0, E[W] = 1/2 and E[z] = 0",
    var_delta * fan_out * (Rational(1, 2) ** (2 * fan_in) + var_derivative),
    [var_delta, var_derivative, fan_in, fan_out],
    "eq. (60)",
)

derivative_variance_from_squares = _derivative_variance_form(
    "variance of the derivative with E[W] = 1/2 and E[z] = 0, from second moments",
    rest_square * square_w - Rational(1, 2) ** (2 * fan_in),
    [rest_square, square_w, fan_in],
    "eq. (62)",
    numeric=lambda rest_square, square_w, fan_in: _from_rest(rest_square, Pair(square_w), fan_in),
)

derivative_variance_from_rest = _derivative_variance_form(
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
    lhs=r"E\left[\left(\frac{z_{h_\ell}}{W z + 1 - W}\right)^2\right]",
    numeric=lambda var_w, var_z, fan_in: np.exp(log_power(Moments(0.5, var_w, 0.0, var_z).q, fan_in - 1)),
)

centred_derivative_variance = _derivative_variance_form(
    "variance of the derivative of an NMU with E[W] = 1/2 and E[z] = 0",
    (var_w + QUARTER) ** fan_in * (var_z + 1) ** (fan_in - 1) - Rational(1, 2) ** (2 * fan_in),
    _CENTRED,
    "eq. (64)",
    numeric=lambda var_w, var_z, fan_in: np.exp(Moments(0.5, var_w, 0.0, var_z).derivative_variance(var_w, fan_in - 1)),
)

centred_variance = _variance_form(
    "variance of the gradient by an input of an NMU with E[W] = 1/2, E[z] = 0 and E[dL/dz_out] = 0",
    var_delta * fan_out * ((var_w + QUARTER) ** fan_in * (var_z + 1) ** (fan_in - 1)),
    [var_delta, var_w, var_z, fan_in, fan_out],
    "eq. (65)",
    numeric=lambda var_delta, var_w, var_z, fan_in, fan_out: np.exp(
        log_size(var_delta)
        + np.log(fan_out)
        + log_size(Pair(var_w) + 0.25)
        + log_power(Moments(0.5, var_w, 0.0, var_z).q, fan_in - 1)
    ),
)


def _variance(mean_delta, var_delta, corr_delta, mean_w, var_w, mean_z, var_z, fan_in, fan_out):
    """Four terms of one sign: of sigma^2 and of mu^2, for each output and for each pair of outputs."""
    x, n = Moments(mean_w, var_w, mean_z, var_z), fan_in - 1
    log_outputs, log_pairs = np.log(fan_out), np.log(fan_out) + log_size(fan_out - 1)
    log_square = 2 * log_size(mean_delta)
    terms = [
        log_outputs + log_size(var_delta) + log_size(x.w_second) + log_power(x.q, n),
        log_pairs + log_size(corr_delta) + log_size(var_delta) + log_size(x.w_square) + log_power(x.s, n),
        log_outputs + log_square + x.derivative_variance(var_w, n),
        log_pairs + log_square + x.derivative_covariance(n),
    ]
    return sum(np.exp(t) for t in terms)


variance = _variance_form(
    "variance of the gradient by an input of an NMU, for any means and correlated dL/dz_out",
    fan_out * (var_delta + mean_delta**2) * derivative_second_moment.expr
    + fan_out * (fan_out - 1) * (corr_delta * var_delta + mean_delta**2) * mean_w**2 * _shared_square ** (fan_in - 1)
    - fan_out**2 * mean_delta**2 * derivative_mean.expr**2,
    [mean_delta, var_delta, corr_delta, *_LAYER, fan_out],
    "additional to eq. (65)",
    numeric=_variance,
)

# --- squared loss -------------------------------------------------------------------------------------------------

LOG_2 = np.log(2)
# The weights are 0 or 1 with probability 1/2, so that W f = W z; the inputs have a symmetric law with variance var_z
# and fourth moment fourth_z.
_FOURTH = ((1 + fourth_z) / 2) ** (fan_in - 1)  # E[f^4], of each other input
_SQUARE = ((1 + var_z) / 2) ** (fan_in - 1)  # E[f^2]
_TWO_SQUARES = ((1 + 2 * var_z + fourth_z) / 4) ** (fan_in - 1)  # E[f_1^2 f_2^2] of two outputs
_TWO = ((1 + var_z) / 4) ** (fan_in - 1)  # E[f_1 f_2]

signed_output_variance = _formula(
    "variance of delta g for delta = +-z_out, which is uncorrelated with g; weights 0 or 1, inputs symmetric",
    var_z / 2 * _FOURTH,
    [var_z, fourth_z, fan_in],
    "eq. (59), uncorrelated, corrected",
    lhs=r"\mathrm{Var}\left[\delta z'\right]",
    numeric=lambda var_z, fourth_z, fan_in: np.exp(
        log_size(var_z) - LOG_2 + log_power((Pair(fourth_z) + 1.0) * 0.5, fan_in - 1)
    ),
)


def _squared_loss_mean(mean_w, var_w, mean_z, var_z, target, fan_in, fan_out):
    x, n = Moments(mean_w, var_w, mean_z, var_z), fan_in - 1
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        first = sign(x.w_times_f) * np.exp(np.log(fan_out) + log_size(x.w_times_f) + log_power(x.q, n))
        second = np.sign(target) * sign(x.w) * sign(x.m, n)
        second = second * np.exp(np.log(fan_out) + log_size(target) + log_size(x.w) + log_power(x.m, n))
        result = first - second
        # A difference that cancels, or of two infinities.
        larger = np.maximum(np.abs(first), np.abs(second))
        near = ~(np.abs(result) > 0.25 * larger) & (larger > 0)
    return result, near


squared_loss_mean = _mean_form(
    "mean of the gradient by an input of an NMU for the loss sum of (z_out - target)^2/2",
    fan_out * ((mean_w + second_w * (mean_z - 1)) * factor_square ** (fan_in - 1) - target * derivative_mean.expr),
    [mean_w, var_w, mean_z, var_z, target, fan_in, fan_out],
    "additional to eq. (57)",
    numeric=_squared_loss_mean,
    laws=LAWS,
)


def _squared_loss_variance(var_z, fourth_z, target, fan_in, fan_out):
    n = fan_in - 1
    one = Pair(var_z) + 1.0
    log_outputs, log_pairs, log_target = np.log(fan_out), np.log(fan_out) + log_size(fan_out - 1), 2 * log_size(target)
    log_quarter = log_size(var_z) - 2 * LOG_2
    quarter = Pair(np.full_like(n, 0.25))
    log_half = log_power(one * 0.5, n) - LOG_2
    # E[g^2] - E[g]^2 = E[g^2] (1 - 4^-H / E[g^2]), where the ratio is at most 1/2.
    log_spread = log_half + np.log1p(-np.exp(-2 * LOG_2 * fan_in - log_half))
    two_squares = (Pair(var_z) * 2.0 + fourth_z + 1.0) * 0.25
    terms = [
        log_outputs + log_size(var_z) - LOG_2 + log_power((Pair(fourth_z) + 1.0) * 0.5, n),
        log_pairs + log_quarter + log_power(two_squares, n),
        log_outputs + log_target + log_spread,
        log_pairs + log_target - 2 * LOG_2 + log_gap(one * 0.25, quarter, Pair(var_z / 4), log_quarter, n),
    ]
    return sum(np.exp(t) for t in terms)


squared_loss_variance = _variance_form(
    "variance of the gradient by an input of an NMU for the loss sum of (z_out - target)^2/2; weights 0 or 1",
    fan_out * (var_z / 2 * _FOURTH + target**2 / 2 * _SQUARE)
    + fan_out * (fan_out - 1) * (var_z / 4 * _TWO_SQUARES + target**2 / 4 * _TWO)
    - (fan_out * target * Rational(1, 2) ** fan_in) ** 2,
    [var_z, fourth_z, target, fan_in, fan_out],
    "additional to eq. (65)",
    numeric=_squared_loss_variance,
)
