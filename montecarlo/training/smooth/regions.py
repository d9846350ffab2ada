"""Regions of a network on a disc: the linear ones, cut by the lines of its units, and those of its error's sign."""

import numpy as np


def pieces(theta: np.ndarray, radius: float = 1.0) -> int:
    """Number of linear regions: 1, one more for each line that meets the disc, and for each two lines that cross in it.

    Parameters
    ----------
    theta : array (4 H + 1)
        Of :mod:`montecarlo.training.smooth.relu`; a unit without output weight bends nothing.

    Examples
    --------
    Two diameters, and a line that misses the disc:

    >>> units = [[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 2, 1], [1, 1, 1, 0]]
    >>> pieces(np.array([*np.ravel(units), 0.0]))
    4
    """
    a, b, c, v = np.asarray(theta, dtype=np.float64)[:-1].reshape(4, -1)
    size = np.hypot(a, b)
    meets = (v != 0) & (abs(c) < radius * size)
    a, b, c = a[meets] / size[meets], b[meets] / size[meets], c[meets] / size[meets]
    with np.errstate(divide="ignore", invalid="ignore"):  # lines that are parallel do not cross
        cross = np.multiply.outer(a, b) - np.multiply.outer(b, a)
        x = (np.multiply.outer(b, c) - np.multiply.outer(c, b)) / cross
        y = (np.multiply.outer(c, a) - np.multiply.outer(a, c)) / cross
        inside = x * x + y * y < radius * radius
    return int(1 + len(a) + np.triu(inside, 1).sum())


def changes_per_line(error: np.ndarray, where: np.ndarray) -> float:
    """How often an error changes its sign between neighbours of a grid, per row and column that has points.

    Parameters
    ----------
    error : array (n, n)
    where : bool array (n, n)
        The points that count.

    Examples
    --------
    >>> changes_per_line(np.array([[1, -1], [1, 1]]), np.ones((2, 2), dtype=bool))
    0.5
    """
    negative = np.signbit(error)
    across = (negative[1:] != negative[:-1]) & where[1:] & where[:-1]
    along = (negative[:, 1:] != negative[:, :-1]) & where[:, 1:] & where[:, :-1]
    return float((across.sum() + along.sum()) / (where.any(axis=0).sum() + where.any(axis=1).sum()))
