"""Standard deviation of a normal distribution before its truncation."""

import math

import scipy

from theory.arguments import numbers, require
from theory.truncated_normal.moments import variance

# In units of the cut: below, what is cut lies 8 deviations away, and has 1e-13 of the variance; above, the law is flat.
NARROWEST, WIDEST = 1 / 8, 1e4


def scale_for(deviation: float, cut: float = 2.0) -> float:
    """Standard deviation before a truncation at -cut and cut that gives this one after it.

    Parameters
    ----------
    deviation : float
        Above 0, below 0.57735 cut, which is that of a uniform law.
    cut : float
        Above 0: ``b = -a`` of ``torch.nn.init.trunc_normal_``.

    Returns
    -------
    float
        What to pass as ``std``.

    Raises
    ------
    ValueError
        For other values.

    Source: constants, truncated normal distributions.

    Examples
    --------
    >>> round(scale_for(0.02), 6), round(scale_for(0.87962566103423978), 6)
    (0.02, 1.0)
    """
    deviation, cut = numbers("scale_for", deviation=deviation, cut=cut)
    require("scale_for", "cut", cut, 0 < cut < math.inf, "be positive and finite", "pass b of trunc_normal_ for a = -b")
    wanted = deviation / cut
    if not 0 < wanted < 1 / math.sqrt(3) - 1e-8:
        raise ValueError(
            f"scale_for: deviation must be above 0 and below {cut / math.sqrt(3):g}, that of a uniform law between the "
            f"cuts, got {deviation:g}; take a wider cut"
        )
    if wanted <= NARROWEST:
        return deviation
    return cut * scipy.optimize.brentq(
        lambda s: s * math.sqrt(variance(-1 / s, 1 / s)) - wanted, NARROWEST, WIDEST, rtol=1e-14
    )
