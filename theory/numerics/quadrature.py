"""Composite Gauss-Legendre quadrature for many integrals at once, each with as many panels as it needs.

Integrands are entire functions, so 16 nodes on a panel over which the exponent changes by at most
``EXPONENT_PER_PANEL`` leave an error below rounding: for e^(8 t) on [-1, 1] the remainder is about
4^32 / 32! ~ 1e-16 of the largest value, before constants below 1.
"""

from collections.abc import Callable
from functools import cache

import mpmath
import numpy as np

NODES = 16
EXPONENT_PER_PANEL = 16.0
MAX_PANELS = 2048
ROWS_TIMES_NODES = 1 << 18


@cache
def rounded_rule() -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights on [-1, 1] rounded once; NumPy's are off by several units in the last place."""
    start, _ = np.polynomial.legendre.leggauss(NODES)
    nodes, weights = [], []
    with mpmath.workdps(30):
        for x in map(mpmath.mpf, start):
            for _ in range(2):
                x -= mpmath.legendre(NODES, x) / _slope(x)
            nodes.append(float(x))
            weights.append(float(2 / ((1 - x**2) * _slope(x) ** 2)))
    return np.array(nodes), np.array(weights)


def _slope(x: mpmath.mpf) -> mpmath.mpf:
    """The derivative of the Legendre polynomial."""
    return NODES * (x * mpmath.legendre(NODES, x) - mpmath.legendre(NODES - 1, x)) / (x**2 - 1)


@cache
def unit_nodes(panels: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes t in (0, 1), their distances 1 - t from the end, and weights that sum to 1."""
    x, w = rounded_rule()
    start = np.arange(panels)[:, None]
    t = ((start + (1 + x) / 2) / panels).ravel()
    # The mirror image of the nodes, so that the distance from 1 has no cancellation.
    return t, t[::-1].copy(), np.tile(w / (2 * panels), panels)


def panel_sums(exponent: np.ndarray, integrand: Callable, *columns: np.ndarray) -> np.ndarray:
    """Mean values over t in [0, 1], one for each row of ``columns``.

    Parameters
    ----------
    exponent : array
        How much the exponent of the integrand changes over [0, 1], by row; sets the number of panels.
    integrand : callable (t, 1 - t, *columns) -> array
        Gets nodes of shape (1, n) and columns of shape (rows, 1).
    columns : arrays of one shape
    """
    wanted = np.clip(np.ceil(exponent / EXPONENT_PER_PANEL), 1, MAX_PANELS)
    # Powers of two: few distinct grids, each made once.
    panels = np.exp2(np.ceil(np.log2(wanted))).astype(int)
    result = np.empty(len(panels))
    for count in np.unique(panels):
        t, rest, weight = unit_nodes(int(count))
        rows = np.flatnonzero(panels == count)
        step = max(1, ROWS_TIMES_NODES // len(t))
        for some in (rows[i : i + step] for i in range(0, len(rows), step)):
            result[some] = integrand(t[None], rest[None], *(c[some][:, None] for c in columns)) @ weight
    return result
