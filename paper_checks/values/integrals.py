"""Integrals that many definitions need."""

from collections.abc import Callable, Sequence

import mpmath


def normal_mean(
    function: Callable[[mpmath.mpf], mpmath.mpf],
    variance: mpmath.mpf | int = 1,
    ends: Sequence[mpmath.mpf | float] = (-14, -6, -2, 0, 2, 6, 14),
) -> mpmath.mpf:
    """E[function(u)] for u ~ N(0, variance) by quadrature, in panels that end at so many standard deviations.

    Examples
    --------
    >>> print(mpmath.nstr(normal_mean(lambda u: u**2, mpmath.mpf(3)), 12))
    3.0
    """
    root = mpmath.sqrt(variance)
    # The density without mpmath.npdf, which takes longer than most functions.
    return mpmath.quad(lambda z: function(root * z) * mpmath.exp(-z * z / 2), list(ends)) / mpmath.sqrt(2 * mpmath.pi)
