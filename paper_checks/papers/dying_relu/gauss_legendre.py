"""Means over intervals, by Gauss and Legendre at the caller's precision."""

from functools import cache

import mpmath
import sympy

# Nodes and weights on (-1, 1), exact for polynomials below degree 32.
GAUSS = 16


def mean_over(function, low, high):
    """The mean of a smooth function over an interval, by Gauss and Legendre at the caller's precision."""
    low, high = (mpmath.mpmathify(sympy.N(v, mpmath.mp.dps)) for v in (low, high))
    nodes, weights = _gauss(mpmath.mp.dps)
    middle, half = (low + high) / 2, (high - low) / 2
    return mpmath.fsum(c * function(middle + half * x) for c, x in zip(weights, nodes, strict=True)) / 2


@cache
def _gauss(_digits):
    nodes = mpmath.polyroots(mpmath.taylor(lambda x: mpmath.legendre(GAUSS, x), 0, GAUSS)[::-1], 200, extraprec=400)
    slopes = [GAUSS * (mpmath.legendre(GAUSS - 1, x) - x * mpmath.legendre(GAUSS, x)) / (1 - x * x) for x in nodes]
    return nodes, [2 / ((1 - x * x) * d * d) for x, d in zip(nodes, slopes, strict=True)]
