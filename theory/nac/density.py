r"""The density of the NAC weight W = tanh(W_hat) sigmoid(M_hat), W_hat, M_hat ~ U[-r, r].

tanh(W_hat) has density 1/(2 r (1 - t^2)) on |t| < tanh r, sigmoid(M_hat) has 1/(2 r s (1 - s)) on
(sigmoid(-r), sigmoid(r)), so that their product has, with u = |w|,

.. math:: f(w) = \frac{1}{4 r^2} \int_{\max(\sigma(-r),\, u/\tanh r)}^{\sigma(r)} \frac{ds}{(s^2 - u^2)(1 - s)},
          \qquad u < \tanh(r)\, \sigma(r),

and zero outside. The distribution is symmetric and its density bounded and continuous: the lower limit stays above u,
so no logarithm diverges. From (r + sinh r)/(2 r^2) at w = 0, where it has a local *minimum*, it rises to a cusp at u =
tanh(r) sigmoid(-r), up to where the whole range of s contributes, and at the end of the support it falls to zero with a
finite slope. At the cusp it is 1.41 times the value at 0 for r = 1, 4.80 times for r = 5, and nearly r times for large
r. For r above 2.4412 it has a second local maximum beyond the cusp, which moves towards 1. So a wide uniform law of the
parameters has its weights near -1, 0 and 1 (0 only as a pair of modes around it), a narrow one has not.
"""

import numpy as np
from sympy import Abs, Eq, Expr, Max, Piecewise, exp, log, sinh, tanh

from theory.formula import Formula, Interval, Source
from theory.symbols import positive, real

w = real("w")
r = positive("r")

# Far beyond every initialisation; from r = 170 on, products of sigmoid(-r) and 1 - tanh(r) leave float64.
LARGEST_RANGE = 100
# Half of numbers that are smaller is not a float64 of full precision.
SMALLEST_RANGE = 1e-300
# Distances that are relatively this small have lost two to three digits of float64; those points get many digits.
CLOSE = 5e-3
# Rounding does not tell on which side of the kink a point this close lies.
WHICH_SIDE = 1e-13


def _antiderivative(s: Expr, u: Expr) -> Expr:
    """Of 1/((s^2 - u^2)(1 - s)), by partial fractions."""
    return log(s - u) / (2 * u * (1 - u)) - log(s + u) / (2 * u * (1 + u)) - log(1 - s) / (1 - u**2)


def _density() -> Expr:
    u = Abs(w)
    high = 1 / (1 + exp(-r))
    low = Max(1 / (1 + exp(r)), u / tanh(r))
    return Piecewise(
        (0, u >= tanh(r) * high),
        ((r + sinh(r)) / (2 * r**2), Eq(w, 0)),
        ((_antiderivative(high, u) - _antiderivative(low, u)) / (4 * r**2), True),
    )


def _numeric(w: np.ndarray, r: np.ndarray) -> np.ndarray:
    """The antiderivatives combined into three positive terms in the length of the interval and low - u."""
    given, r = r, np.maximum(r, SMALLEST_RANGE)
    # From 1 on the density is zero, as it is for the largest number below 1 unless r is large.
    u = np.minimum(np.abs(w), np.nextafter(1, 0))
    t, low_end, high_end = np.tanh(r), 1 / (1 + np.exp(r)), 1 / (1 + np.exp(-r))
    inner = u < t * low_end
    low = np.where(inner, low_end, u / t)
    # 1/tanh(r) - 1 = 2/(e^(2r) - 1): low - u and high - low keep their digits for large r
    margin = np.where(inner, low_end - u, 2 * u / np.expm1(2 * r))
    room = ((1 - u) - low_end) - 2 * u / np.expm1(2 * r)
    length = np.where(inner, np.tanh(r / 2), room)
    outside = (length <= 0) | (np.abs(w) >= 1)
    length = np.where(outside, 0, length)
    margin = np.where(outside, 1, margin)
    first = length / (margin * (high_end + u))
    at_zero = u == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(at_zero | (2 * u * first < 1e-20), first, np.log1p(2 * u * first) / (2 * u))
    total = ratio + np.log1p(length * (high_end + low) / (margin * (low + u))) / 2 + np.log1p(length / low_end)
    # (1 - u)(1 + u): u may be close to 1
    result = np.where(outside, 0.0, total / ((1 - u) * (1 + u)) / (2 * r) / (2 * r))
    near_kink = np.where(inner, margin < CLOSE * low_end, u / t < low_end * (1 + WHICH_SIDE))
    near_edge = ~inner & (np.abs(room) < CLOSE) & (np.abs(w) < 1)
    return result, near_kink | near_edge | (given < SMALLEST_RANGE)


weight_density = Formula(
    "density of tanh(W_hat) sigmoid(M_hat) for W_hat, M_hat ~ U[-r, r]",
    _density(),
    [w, r],
    lhs="f_W(w)",
    symbols={"w": "a value of the weight"},
    source=Source("nau", "eq. (30), its distribution"),
    domain={r: Interval(0, LARGEST_RANGE, open_low=True)},
    numeric=_numeric,
)
