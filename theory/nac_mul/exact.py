r"""Exact moments of a NAC multiplication unit, z_out = exp(sum_h W_h log(|z_h| + eps)), for uniform inputs.

W_h ~ U[-r_w, r_w] and z_h ~ U[a, b], 0 <= a < b, all independent. (For z ~ U[-b, b], |z| ~ U[0, b].) Then
E[z_out^k] = M_k^H, where M_k = E[(z + eps)^(kW)] belongs to one factor. With c = k r_w and x = log(z + eps), the
weight is integrated first, E_W[e^(kWx)] = sinh(c x)/(c x), and then

.. math:: M_k = \frac{1}{b - a} \int_{x_a}^{x_b} e^x \frac{\sinh cx}{cx} dx
              = \frac{F(x_b) - F(x_a)}{2 c (b - a)}, \qquad
          F(x) = \operatorname{Ein}((c-1) x) - \operatorname{Ein}(-(c+1) x),

where Ein(y) is the entire function with Ein'(y) = (1 - e^-y)/y, Ein(0) = 0.

**Existence.** For a + eps > 0 every moment is finite. For a = eps = 0 and a given weight w,
E_z[z^(kw)] = b^(kw)/(1 + kw) if kw > -1 and infinite otherwise, and 1/(1 + kw) is not integrable up to kw = -1:
M_k is finite if and only if k r_w < 1. Then it is the limit above with F(x_a) -> log((1 - c)/(1 + c)).

**Float64.** F(x_b) - F(x_a) cancels when the interval or c is small, and M_k - 1 once more. So float64 integrates
M_k - 1 = E[sinh(cx)/(cx) - 1], whose integrand is positive, and powers are taken through log1p: what is small keeps
its relative accuracy. The variance is M_1^(2H) (e^g - 1) with g = H (log M_2 - 2 log M_1).
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from sympy import Expr, Or, Piecewise, log

from theory.arguments import made_once_for
from theory.formula import Formula, Interval, Source
from theory.law import Uniform
from theory.numerics.exponential_integrals import Ein
from theory.numerics.pairs import log_of_gap, log_of_sum, two_product
from theory.numerics.quadrature import EXPONENT_PER_PANEL, panel_sums
from theory.symbols import count, nonnegative, positive, power_mean

r_w, b = positive("r_w b")
a, eps = nonnegative("a eps")
fan_in = count("fan_in")

MAX_ORDER = 4
INPUT = {"z": Uniform(a, b)}
LAWS = {"w": Uniform(-r_w, r_w), **INPUT}
DOMAIN = {
    r_w: Interval(1e-12, 1e3),
    a: Interval(0, 1e12),
    b: Interval(1e-100, 1e12),
    eps: Interval(0, 1e12),
    fan_in: Interval(1, 10**6, integer=True),
}
_formula = partial(Formula, domain=DOMAIN, laws=LAWS)


def factor(order: int) -> Expr:
    """M_k in closed form."""
    c = order * r_w

    def antiderivative(x: Expr) -> Expr:
        return Ein((c - 1) * x) - Ein(-(c + 1) * x)

    low = Piecewise((antiderivative(log(a + eps)), a + eps > 0), (log((1 - c) / (1 + c)), True))
    return (antiderivative(log(b + eps)) - low) / (2 * c * (b - a))


def exists(order: int) -> list[Expr]:
    return [a < b, Or(order * r_w < 1, a + eps > 0)]


def excess_of(order: int) -> Callable[..., np.ndarray]:
    """float64 M_k - 1 as a function of r_w, a, b, eps."""

    def excess(r_w, a, b, eps):
        at_zero = a + eps == 0
        result = np.empty(len(r_w))
        for rows, function in ((at_zero, _excess_at_zero), (~at_zero, _excess_above_zero)):
            if rows.any():
                result[rows] = function(order, *(v[rows] for v in (r_w, a, b, eps)))
        return result

    return excess


def _log_interval(a, b, eps) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """log(a + eps), log(b + eps), and their difference without cancellation."""
    low, high = log_of_sum(a, eps), log_of_sum(b, eps)
    with np.errstate(over="ignore"):
        ratio = (b - a) / (a + eps)
    return low, high, np.where(np.isinf(ratio), high - low, np.log1p(np.where(np.isinf(ratio), 0, ratio)))


def _mean_over_log(exponent, integrand, *columns, scale) -> np.ndarray:
    """Mean over z of a function of x = log(z + eps); the last columns are the end of the interval and its length.

    ``integrand(x, s, ...)`` returns e^s times the function, where s = x - x_b - scale: ``scale`` keeps values that
    are close to the end of float64 inside. Divided by the same sums for the function 1, so that rounding of the
    length cancels.
    """

    def weighted(_, rest, *columns):
        *given, high, length, scale = columns
        s = -rest * length
        return integrand(high + s, s - scale, *given)

    def weight(_, rest, length):
        return np.exp(-rest * length)

    with np.errstate(over="ignore", under="ignore"):
        sums = panel_sums(exponent, weighted, *columns, scale)
        return sums / panel_sums(exponent, weight, columns[-1]) * np.exp(scale)


def _excess_above_zero(order, r_w, a, b, eps):
    """a + eps > 0: the integral over x of e^(x - x_b) (sinh(cx)/(cx) - 1)."""
    c = order * r_w
    low, high, length = _log_interval(a, b, eps)
    scale = np.where(c * np.maximum(np.abs(low), np.abs(high)) > 500, 300.0, 0.0)
    return _mean_over_log((1 + c) * length, _weighted_sinhc_excess, c, high, length, scale=scale)


def _weighted_sinhc_excess(x, s, c):
    """e^s (sinh(cx)/(cx) - 1) without cancellation, and without overflow of its parts."""
    y = np.abs(c * x)
    large = np.maximum(y, 4)
    exponent = s - np.log(2 * large)
    plain = np.exp(exponent + large) - np.exp(exponent - large) - np.exp(s)
    return np.where(y < 4, np.exp(s) * _sinhc_excess_series(np.minimum(y, 4) ** 2), plain)


def _sinhc_excess_series(square):
    """sinh(y)/y - 1 for y <= 4: y^2/3! + y^4/5! + ..., sixteen terms."""
    total = np.zeros_like(square)
    for n in range(16, 0, -1):
        total = (1 + total) * square / ((2 * n) * (2 * n + 1))
    return total


def _excess_at_zero(order, r_w, _a, b, _eps):
    """a = eps = 0: the integral over w = kW of b^w/(1 + w) - 1, w and -w together, with w = 1 - e^-s.

    The substitution takes away the pole at w = -1, which c = k r_w approaches as the moment ceases to exist.
    """
    c, c_low = two_product(np.float64(order), r_w)
    end = -np.log1p(-c) - np.log1p(-c_low / (1 - c))
    level = np.log(b)

    def integrand(t, _, end, level):
        s = t * end
        w = -np.expm1(-s)
        y = w * level
        half = np.sinh(np.minimum(np.abs(y), 1) / 2)
        small = 2 * half**2 - np.sign(y) * w * 2 * half * np.sqrt(1 + half**2) + w**2
        large = (np.exp(y - s) + np.exp(-y) * (1 + w)) / 2 - np.exp(-s) * (1 + w)
        return np.where(np.abs(y) < 1, small, large) / (1 + w)

    exponent = EXPONENT_PER_PANEL * end * (1 + np.abs(level) / 8)
    with np.errstate(over="ignore", under="ignore"):
        return panel_sums(exponent, integrand, end, level) * (end / c)


def power_of_excess(excess: np.ndarray, fan_in: np.ndarray) -> np.ndarray:
    return np.exp(fan_in * np.log1p(excess))


def variance_of_excesses(first: np.ndarray, second: np.ndarray, fan_in: np.ndarray) -> np.ndarray:
    """M_2^H - M_1^(2H) from M_1 - 1 and M_2 - 1."""
    log_square = np.log1p(second)
    with np.errstate(invalid="ignore"):
        gap = fan_in * (log_square - 2 * np.log1p(first))
        result = np.exp(fan_in * log_square + log_of_gap(gap))
    return np.where(np.isinf(second), np.inf, result)


@made_once_for("order", MAX_ORDER)
def factor_moment(order: int) -> Formula:
    """E[(z + eps)^(order W)], the moment of one factor, as a formula in r_w, a, b, eps.

    Parameters
    ----------
    order : int
        1 to 4.

    Returns
    -------
    Formula
        Its call raises ValueError where the moment is infinite: at a = eps = 0 with order * r_w >= 1.

    Raises
    ------
    ValueError
        For another order.

    Examples
    --------
    >>> round(factor_moment(1)(0.5, 0, 1, 0), 12)  # log(3): the mean of 1/(1 + w) over w in [-1/2, 1/2]
    1.098612288668
    """
    excess = excess_of(order)
    return _formula(
        f"E[(z + eps)^({order} W)] for W ~ U[-r_w, r_w], z ~ U[a, b]",
        factor(order),
        [r_w, a, b, eps],
        lhs=power_mean(r"(\left|z\right| + \epsilon)", order, "W"),
        source=Source("nau", "eq. (36), exact"),
        requires=exists(order),
        numeric=lambda *columns: 1 + excess(*columns),
    )


@made_once_for("order", MAX_ORDER)
def exact_moment(order: int) -> Formula:
    """E[z_out^order] as a formula in r_w, a, b, eps, fan_in; arguments and errors as in :func:`factor_moment`.

    Examples
    --------
    >>> exact_moment(1) is exact_mean
    True
    """
    excess = excess_of(order)
    return _formula(
        "mean of a NAC multiplication unit, W ~ U[-r_w, r_w], z ~ U[a, b]"
        if order == 1
        else f"raw moment of order {order} of a NAC multiplication unit, W ~ U[-r_w, r_w], z ~ U[a, b]",
        factor(order) ** fan_in,
        [r_w, a, b, eps, fan_in],
        lhs=power_mean(r"z_{h_\ell}", order),
        source=Source("nau", "eq. (36), exact"),
        requires=exists(order),
        numeric=lambda *columns: power_of_excess(excess(*columns[:-1]), columns[-1]),
    )


exact_mean = exact_moment(1)

exact_variance = _formula(
    "variance of a NAC multiplication unit, W ~ U[-r_w, r_w], z ~ U[a, b]",
    factor(2) ** fan_in - factor(1) ** (2 * fan_in),
    [r_w, a, b, eps, fan_in],
    lhs=r"\mathrm{Var}\left[z_{h_\ell}\right]",
    source=Source("nau", "eq. (42), exact"),
    requires=exists(2),
    numeric=lambda *columns: variance_of_excesses(
        excess_of(1)(*columns[:-1]), excess_of(2)(*columns[:-1]), columns[-1]
    ),
)


def _log_square_antiderivative(u: Expr) -> Expr:
    return u * (log(u) ** 2 - 2 * log(u) + 2)


def _log_square_mean(a, b, eps):
    at_zero = a + eps == 0
    result = (np.log(b) - 1) ** 2 + 1
    if not at_zero.all():
        rows = ~at_zero
        _, high, length = _log_interval(a[rows], b[rows], eps[rows])
        result[rows] = _mean_over_log(length, lambda x, s: np.exp(s) * x**2, high, length, scale=np.zeros(rows.sum()))
    return result


log_square_mean = _formula(
    "E[log(z + eps)^2] for z ~ U[a, b]",
    (_log_square_antiderivative(b + eps) - Piecewise((_log_square_antiderivative(a + eps), a + eps > 0), (0, True)))
    / (b - a),
    [a, b, eps],
    source=Source("nau", "eq. (10), the exact second-order coefficient"),
    requires=[a < b],
    laws=INPUT,
    numeric=_log_square_mean,
)
