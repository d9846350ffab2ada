r"""Moments of the gradient by the inputs of an NMU layer for the loss sum (z_out - t)^2/2 over its outputs.

delta = z_out - t is independent of nothing in the layer. With the weights that the paper recommends, 0 or 1 with
probability 1/2, and inputs +-1, the gradient has variance H_l/2 + H_l (H_l - 1)/4 for t = 0, where eq. (65) has
H_l/2 (1 - 4^-H).
"""

import numpy as np
from sympy import Rational

from theory.formula import Formula, Source
from theory.nmu.backward import (
    DOMAIN,
    factor_mean,
    factor_square,
    fan_in,
    fan_out,
    fourth_z,
    mean_w,
    mean_z,
    second_w,
    target,
    var_w,
    var_z,
)
from theory.nmu.factor import Moments, log_gap, log_power, log_size, sign
from theory.nmu.moments import LAWS
from theory.numerics.pairs import Pair

LOG_2 = np.log(2)


def _formula(says, expr, arguments, place, **options) -> Formula:
    return Formula(says, expr, arguments, source=Source("nau", place), domain=DOMAIN, **options)


# The weights are 0 or 1 with probability 1/2, so that W f = W z; the inputs have a symmetric law with variance var_z
# and fourth moment fourth_z.
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


squared_loss_mean = _formula(
    "mean of the gradient by an input of an NMU for the loss sum of (z_out - target)^2/2",
    fan_out
    * (
        (mean_w + second_w * (mean_z - 1)) * factor_square ** (fan_in - 1)
        - target * mean_w * factor_mean ** (fan_in - 1)
    ),
    [mean_w, var_w, mean_z, var_z, target, fan_in, fan_out],
    "additional to eq. (57)",
    lhs=r"E\left[\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}\right]",
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


squared_loss_variance = _formula(
    "variance of the gradient by an input of an NMU for the loss sum of (z_out - target)^2/2; weights 0 or 1",
    fan_out * (var_z / 2 * _FOURTH + target**2 / 2 * _SQUARE)
    + fan_out * (fan_out - 1) * (var_z / 4 * _TWO_SQUARES + target**2 / 4 * _TWO)
    - (fan_out * target * Rational(1, 2) ** fan_in) ** 2,
    _BINARY,
    "additional to eq. (65)",
    lhs=r"\mathrm{Var}\left[\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}\right]",
    numeric=_squared_loss_variance,
)
