"""Weights of a fixed standard deviation, eq. (7), and the gradient by what is behind them; plain ones beside it.

A tensor that is normalised is factor w/std(w), std over all its entries with n - 1 in the denominator; the mean stays
in. One that is not is factor w.
"""

import math

from montecarlo.engine.compiled import compiled_helper


@compiled_helper
def spread(raw):
    """The mean and the standard deviation (n - 1) of the entries of a vector.

    Examples
    --------
    >>> import numpy as np
    >>> spread(np.array([1.0, 2.0, 3.0]))
    (2.0, 1.0)
    """
    mean = 0.0
    for value in raw:
        mean += value
    mean /= raw.size
    square = 0.0
    for value in raw:
        square += (value - mean) ** 2
    return mean, math.sqrt(square / (raw.size - 1))


@compiled_helper
def set_weights(raw, factor, normalise, out):
    """Fill ``out`` with factor w/std(w), or with factor w.

    Parameters
    ----------
    raw, out : arrays of shape (n,), n > 1 where they are normalised
    factor : float
    normalise : bool

    Examples
    --------
    >>> import numpy as np
    >>> out = np.empty(3)
    >>> set_weights(np.array([2.0, 4.0, 6.0]), 10.0, True, out)
    >>> out
    array([10., 20., 30.])
    """
    scale = factor / spread(raw)[1] if normalise else factor
    for k in range(raw.size):
        out[k] = scale * raw[k]


@compiled_helper
def pull_back(raw, factor, normalise, gradient, out):
    """Fill ``out`` with the gradient by w, given that by the weights.

    With s = std(w): factor/s (D - (w . D)/((n - 1) s^2) (w - mean)), D the gradient by the weights.

    Parameters
    ----------
    raw, gradient, out : arrays of shape (n,)
    factor : float
    normalise : bool
    """
    mean, deviation = spread(raw) if normalise else (0.0, 1.0)
    along = 0.0
    if normalise:
        for k in range(raw.size):
            along += raw[k] * gradient[k]
        along /= (raw.size - 1) * deviation**2
    for k in range(raw.size):
        out[k] = factor / deviation * (gradient[k] - along * (raw[k] - mean))
