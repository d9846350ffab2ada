"""Linear regions of a network with one hidden layer on a disc, cut by the lines of its units."""

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
