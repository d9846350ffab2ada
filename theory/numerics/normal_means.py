r"""Means over a normal value by the trapezoidal rule, with a proved bound of the error.

The mean of f(s x), x ~ N(0, 1), is the integral of g(x) = f(s x) phi(x) over the line. Where f is analytic for |Im w| <
strip, g is for |Im x| < c = strip/s, and the rule of step h on the whole line is off by at most

.. math:: \frac{2 M}{e^{2 \pi c / h} - 1}, \qquad M = \sup_{|y| < c} \int |g(x + i y)| \, dx

(L. N. Trefethen and J. A. C. Weideman, "The exponentially convergent trapezoidal rule", 2014, Theorem 5.1). On the
strip |phi(x + i y)| = phi(x) e^{y^2/2}, and |f(w)| <= A + B |w|^k bounds M by normal moments. The sum ends half a step
behind a node, beyond ``FARTHEST`` standard deviations: what lies farther, and the sides of the rectangle there, on
which the factor of the contour integral is at most 1, add less than twice what the bound of f gives there. So f need be
analytic for |Re x| <= ``FARTHEST`` + 1 only. The bound is kept below ``PRECISION`` of the value, or the call says that
it is not.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

FARTHEST = 11.0
# Wider strips gain nothing: |phi| grows like e^(y^2/2).
WIDEST = 3.0
PRECISION = 1e-15
MOST_NODES = 1 << 21


class Growth(NamedTuple):
    """|f(w)| <= sum over terms of factor |w|^power for |Im w| <= strip."""

    strip: float
    terms: Sequence[tuple[float, int]]

    def height(self, s: float) -> float:
        """Of the strip of f(s x)."""
        return min(self.strip / s, WIDEST)

    def bound(self, s: float) -> float:
        """M of f(s x) on its strip: |x + i y|^k <= 2^(k - 1) (|x|^k + |y|^k) for k >= 1."""
        height = self.height(s)
        total = sum(
            factor * s**power * 2 ** max(power - 1, 0) * (_absolute_moment(power) + (height**power if power else 0.0))
            for factor, power in self.terms
        )
        return total * math.exp(height**2 / 2)

    def beyond(self, s: float) -> float:
        """Error from values farther than ``FARTHEST`` and its sides; |x|^k phi(x) falls there faster than e^-x."""
        height = self.height(s)
        side = math.exp((height**2 - FARTHEST**2) / 2)
        size = FARTHEST + 1 + height
        return sum(4 * (1 + height) * factor * (s * size) ** power * side for factor, power in self.terms)


def _absolute_moment(power: int) -> float:
    """E|x|^power of a standard normal x."""
    return 2 ** (power / 2) * math.gamma((power + 1) / 2) / math.sqrt(math.pi)


def normal_mean(
    function: Callable[[np.ndarray], np.ndarray], growths: Sequence[Growth], variance: float, size: float | None = None
) -> tuple[float, float]:
    """E[f(u)] for u ~ N(0, variance), and a proved bound of the error but for rounding.

    Parameters
    ----------
    function : callable, array -> array
        f on the real line.
    growths : sequence of Growth
        Strips on which f is analytic, with bounds of its size there; that of the smallest bound is used.
    variance : float
    size : float, optional
        What the bound is compared with; default: the value itself.

    Returns
    -------
    value, bound : float

    Raises
    ------
    ArithmeticError
        Where the bound is above 1e-15 of the size, or more than 2^21 nodes would be needed.

    Examples
    --------
    >>> value, bound = normal_mean(np.cos, [Growth(3.0, [(math.cosh(3.0), 0)])], 1.0)
    >>> round(value - math.exp(-0.5), 15), bound < 1e-15
    (0.0, True)
    """
    s = math.sqrt(variance)
    growth = min(growths, key=lambda g: g.bound(s))
    height, largest = growth.height(s), growth.bound(s)
    coarse = _sum(function, s, _resolved(growth, s, height / 8))
    # Two more digits than are needed if f had its bound everywhere.
    exponent = math.log1p(2 * largest / (PRECISION * max(size or abs(coarse), 1e-290) / 100))
    step = _resolved(growth, s, 2 * math.pi * height / exponent)
    value = _sum(function, s, step)
    bound = 2 * largest / math.expm1(2 * math.pi * height / step) + growth.beyond(s)
    if not bound <= PRECISION * (size or abs(value)):
        raise ArithmeticError(f"normal_mean: the bound must be below {PRECISION:g} of the value, got {bound:.2g} for "
                              f"{value:.6g} at a variance of {variance:g}; take another form there")  # fmt: skip
    return value, bound


def _resolved(growth: Growth, s: float, step: float) -> float:
    """A step, where it does not take too many nodes."""
    if FARTHEST / step > MOST_NODES:
        raise ArithmeticError(
            f"normal_mean: a strip of {growth.strip:g} must be resolved, got a standard deviation of {s:g}, which "
            f"needs {FARTHEST / step:.2g} nodes; take a smaller variance"
        )
    return step


def normal_nodes(step: float, farthest: float = FARTHEST) -> tuple[np.ndarray, np.ndarray]:
    """Places x and weights step phi(x) of the trapezoidal rule, symmetric about 0.

    Parameters
    ----------
    step : float
        Above 0.
    farthest : float
        Where the nodes may end, in standard deviations.

    Examples
    --------
    >>> x, weights = normal_nodes(0.5)
    >>> round(float(x**4 @ weights), 12)
    3.0
    """
    most = math.ceil(farthest / step)
    x = step * np.arange(-most, most + 1)
    return x, step * np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)


def _sum(function: Callable[[np.ndarray], np.ndarray], s: float, step: float) -> float:
    x, weights = normal_nodes(step)
    # As fsum rounds it, where a long double is longer than a double; fsum takes a hundred times as long.
    return float(np.sum(function(s * x) * weights, dtype=np.longdouble))
