r"""Weight variances of a neural multiplication unit by its two criteria.

With E[W] = 1/2, inputs of mean zero and variance V, everything independent, one layer multiplies

.. math:: \operatorname{Var}[z] \text{ by } \frac{(\operatorname{Var}[W] + 1/4)^H (1 + V)^H - 4^{-H}}{V},
          \qquad
          \operatorname{Var}[\partial L/\partial z] \text{ by }
          H_\ell (\operatorname{Var}[W] + 1/4)^H (1 + V)^{H - 1}.

Setting either to 1 gives the weight variance of the forward and of the backward criterion. Both ask for the same one
only at V = (1 - H_l 4^-H)/(H_l - 1). Which of them a weight on [0, 1] can have: :mod:`theory.nmu.feasibility`.

**The limit H -> oo.** At V = 1 both variances tend to 1/4, the forward one like 1/4 + 4^-H/(2H), the backward one like
1/4 - log(H_l/2)/(2H). The criteria themselves do not follow: with Var[W] = 1/4 a layer multiplies the variance of its
outputs by 1 - 4^-H, but that of the gradient by H_l/2 *for every H*, because a deviation of order 1/H in the weight
variance enters with the power H. For other V > 0 the forward variance tends to 1/(1 + V) - 1/4.
"""

from functools import partial

import numpy as np
from sympy import Integer, Rational

from theory.domain import AnyLaw
from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair
from theory.symbols import count, nonnegative

fan_in, fan_out = count("fan_in fan_out")
input_variance, output_variance, var_w = nonnegative("input_variance output_variance var_w")

FAN = Interval(1, 10**6, integer=True)
VARIANCE = Interval(0, 1e50)
DOMAIN = {fan_in: FAN, fan_out: FAN, input_variance: VARIANCE, output_variance: VARIANCE, var_w: VARIANCE}
LOG_4 = np.log(4)
# A logarithm that is the difference of two keeps 1e-12 while it is above this part of them.
CANCELLED = 2e-3


def _quarter_of(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(e^(first - second) - 1)/4, and where the two nearly cancel."""
    log = first - second
    return np.expm1(log) / 4, np.abs(log) < CANCELLED * np.maximum(np.abs(first), np.abs(second))


def _forward(fan_in, input_variance):
    """log of 4 (Var[W] + 1/4) is log(1 + 4^H V)/H - log(1 + V)."""
    with np.errstate(divide="ignore", over="ignore"):
        size = np.ldexp(input_variance, (2 * fan_in).astype(np.int64))
        log = np.where(np.isinf(size), fan_in * LOG_4 + np.log(input_variance), np.log1p(size))
    return _quarter_of(log / fan_in, np.log1p(input_variance))


def _backward(fan_in, fan_out, variance):
    """log of 4 (Var[W] + 1/4) is log(4) - ((H - 1) log(1 + V) + log(H_l))/H."""
    return _quarter_of(np.full(fan_in.shape, LOG_4), ((fan_in - 1) * np.log1p(variance) + np.log(fan_out)) / fan_in)


_weight_variance = partial(Formula, lhs=r"\mathrm{Var}\left[W\right]", domain=DOMAIN)

forward_weight_variance = _weight_variance(
    "weight variance of an NMU whose outputs keep the variance of its inputs",
    ((1 + input_variance) ** (-fan_in) * input_variance + (4 + 4 * input_variance) ** (-fan_in)) ** (1 / fan_in)
    - Rational(1, 4),
    [fan_in, input_variance],
    source=Source("nau", "eq. (66)"),
    numeric=_forward,
)

backward_weight_variance = _weight_variance(
    "weight variance of an NMU that keeps the variance of the gradient",
    ((input_variance + 1) ** (1 - fan_in) / fan_out) ** (1 / fan_in) - Rational(1, 4),
    [fan_in, fan_out, input_variance],
    source=Source("nau", "eq. (67), corrected"),
    numeric=_backward,
)

unit_forward_weight_variance = _weight_variance(
    "weight variance of an NMU whose outputs keep the unit variance of its inputs",
    (2 ** (-fan_in) + 8 ** (-fan_in)) ** (1 / fan_in) - Rational(1, 4),
    source=Source("nau", "eq. (68)"),
    numeric=lambda fan_in: _forward(fan_in, np.ones_like(fan_in)),
)

unit_forward_weight_variance_closed = _weight_variance(
    "weight variance of an NMU whose outputs keep the unit variance of its inputs",
    ((4**fan_in + 1) ** (1 / fan_in) - 2) / 8,
    source=Source("nau", "eq. (68), corrected"),
    numeric=lambda fan_in: _forward(fan_in, np.ones_like(fan_in)),
)

forward_excess = Formula(
    "how much the weight variance that keeps a unit variance lies above 1/4, the largest that a weight on [0, 1] has",
    ((1 + 4 ** (-fan_in)) ** (1 / fan_in) - 1) / 2,
    lhs=r"\mathrm{Var}\left[W\right] - \frac{1}{4}",
    source=Source("nau", "eq. (68), minus 1/4"),
    domain={fan_in: Interval(1, 500, integer=True)},  # below, float64 ends
    numeric=lambda fan_in: np.expm1(np.log1p(np.exp2(-2 * fan_in)) / fan_in) / 2,
)

forward_limit = _weight_variance(
    "weight variance that keeps the variance of the inputs, in the limit of many inputs",
    1 / (1 + input_variance) - Rational(1, 4),
    lhs=r"\lim_{H_{\ell-1} \to \infty} \mathrm{Var}\left[W\right]",
    source=Source("nau", "eq. (66), H -> oo"),
    numeric=lambda v: (3 - v) / (4 * (1 + v)),
)

unit_backward_weight_variance = _weight_variance(
    "weight variance of an NMU that keeps the variance of the gradient, inputs of unit variance",
    (2 ** (1 - fan_in) / fan_out) ** (1 / fan_in) - Rational(1, 4),
    [fan_in, fan_out],
    source=Source("nau", "eq. (69)"),
    numeric=lambda fan_in, fan_out: _backward(fan_in, fan_out, np.ones_like(fan_in)),
)


def _log_square(var_w, input_variance):
    """log of (Var[W] + 1/4)(1 + V), with full relative accuracy where the product is close to 1."""
    return ((Pair(var_w) + 0.25) * (Pair(input_variance) + 1.0)).log_abs()


def _forward_gain(var_w, input_variance, fan_in):
    """x^H - 4^-H = x^H (1 - e^-gap) with x = (Var[W] + 1/4)(1 + V), e^gap = (4x)^H."""
    gap = fan_in * (np.log1p(4 * var_w) + np.log1p(input_variance))
    return np.exp(fan_in * _log_square(var_w, input_variance) + np.log(-np.expm1(-gap)) - np.log(input_variance))


_gain = partial(
    Formula,
    domain={**DOMAIN, input_variance: Interval(1e-50, 1e50)},
    laws={"w": AnyLaw(Rational(1, 2), var_w), "z": AnyLaw(0, input_variance)},
)

forward_gain = _gain(
    "by how much an NMU multiplies the variance of its inputs",
    ((var_w + Rational(1, 4)) ** fan_in * (1 + input_variance) ** fan_in - 4 ** (-fan_in)) / input_variance,
    [var_w, input_variance, fan_in],
    lhs=r"\frac{\mathrm{Var}\left[z_{h_\ell}\right]}{\mathrm{Var}\left[z_{h_{\ell-1}}\right]}",
    source=Source("nau", "eq. (55), by the input variance"),
    numeric=_forward_gain,
)

backward_gain = _gain(
    "by how much an NMU multiplies the variance of the gradient",
    fan_out * (var_w + Rational(1, 4)) ** fan_in * (1 + input_variance) ** (fan_in - 1),
    [var_w, input_variance, fan_in, fan_out],
    lhs=r"\frac{\mathrm{Var}[\delta_{h_{\ell-1}}]}{\mathrm{Var}[\delta_{h_\ell}]}",
    source=Source("nau", "eq. (65), by the variance of the gradient"),
    numeric=lambda var_w, input_variance, fan_in, fan_out: np.exp(
        fan_in * _log_square(var_w, input_variance) - np.log1p(input_variance) + np.log(fan_out)
    ),
)

kept_variance = Formula(
    "what a criterion asks for: a variance is multiplied by 1",
    Integer(1),
    [fan_in, fan_out],
    lhs=r"\frac{\mathrm{Var}[\delta_{h_{\ell-1}}]}{\mathrm{Var}[\delta_{h_\ell}]}",
    source=Source("nau", "eq. (25)"),
    domain=DOMAIN,
)

agreeing_input_variance = Formula(
    "input variance at which both criteria ask for the same weight variance; none exists from fan_out = 4^fan_in on",
    (1 - fan_out * 4 ** (-fan_in)) / (fan_out - 1),
    [fan_in, fan_out],
    lhs=r"\mathrm{Var}\left[z_{h_{\ell-1}}\right]",
    source=Source("nau", "eqs. (66) and (67) together"),
    domain={fan_in: FAN, fan_out: Interval(2, 10**6, integer=True)},
)
