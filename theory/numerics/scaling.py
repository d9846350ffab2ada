"""Products in float64 whose parts leave its range where the whole does not."""

import numpy as np


def scaled_product(*factors: np.ndarray) -> np.ndarray:
    """A product with fractions and exponents multiplied separately, so that only the result can over- or underflow.

    Parameters
    ----------
    *factors : float or array

    Returns
    -------
    array of the broadcast shape

    Examples
    --------
    >>> small, large = 2.0**-600, 2.0**600
    >>> small * small * large * large, float(scaled_product(small, small, large, large))
    (0.0, 1.0)
    """
    fraction, exponent = 1.0, 0
    for factor in factors:
        part, power = np.frexp(factor)
        fraction, exponent = fraction * part, exponent + power
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(fraction, exponent)
