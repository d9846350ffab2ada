r"""Moments of a standard normal value x given that alpha < x < beta.

With Z = Phi(beta) - Phi(alpha) and the density phi,

.. math:: E[x] = \frac{\varphi(\alpha) - \varphi(\beta)}{Z}, \qquad
          \operatorname{Var}[x] = 1 + \frac{\alpha \varphi(\alpha) - \beta \varphi(\beta)}{Z} - E[x]^2

(N. L. Johnson, S. Kotz, N. Balakrishnan, "Continuous univariate distributions", 1994, section 13.10.1). Narrow cuts
and cuts on one side leave little of the digits of these terms. Float64 therefore takes integrals of positive functions
by Gauss and Legendre, of distances from alpha, in units of the largest density between the cuts.
"""

import math

import numpy as np
import scipy

from theory.arguments import numbers, require
from theory.formula import Formula, Interval, Source
from theory.numerics.normal_tails import Phi, phi
from theory.symbols import real

alpha, beta, x = real("alpha beta x")
SOURCE = Source("constants", "truncated normal distributions")
WIDEST = Interval(-8, 8)
NODES, WEIGHTS = np.polynomial.legendre.leggauss(96)


def _densities(low, high):
    """Nearest place to 0, and distances from ``low`` with weights by densities in units of that there."""
    nearest, half = np.clip(0.0, low, high), (high - low)[..., None] / 2
    beyond = half * (1 + NODES)
    at = low[..., None] + beyond
    return nearest, beyond, half * WEIGHTS * np.exp(-(at - nearest[..., None]) * (at + nearest[..., None]) / 2)


def _share(low, high):
    nearest, _, weights = _densities(low, high)
    return weights.sum(-1) * np.exp(-(nearest**2) / 2) / np.sqrt(2 * np.pi)


def _density(at, low, high):
    nearest, _, weights = _densities(low, high)
    return np.exp(-(at - nearest) * (at + nearest) / 2) / weights.sum(-1)


def _mean(low, high):
    nearest, _, weights = _densities(low, high)
    near, far = np.where(np.abs(low) <= np.abs(high), (low, high), (high, low))
    drop = (far - near) * (far + near) / 2
    with np.errstate(invalid="ignore"):
        lost = np.where(drop == 0, 1.0, -np.expm1(-drop) / drop)
    at_near = np.exp(-(near - nearest) * (near + nearest) / 2)
    return (far + near) / 2 * ((high - low) / weights.sum(-1)) * lost * at_near


def _variance(low, high):
    _, beyond, weights = _densities(low, high)
    total = weights.sum(-1)
    centre = (beyond * weights).sum(-1) / total
    return ((beyond - centre[..., None]) ** 2 * weights).sum(-1) / total


def _formula(says, expr, arguments, numeric, requires) -> Formula:
    domain = dict.fromkeys(arguments, WIDEST)
    return Formula(says, expr, arguments, source=SOURCE, domain=domain, numeric=numeric, requires=requires)


_Z = Phi(beta) - Phi(alpha)
_MEAN = (phi(alpha) - phi(beta)) / _Z

share = _formula("P(alpha < x < beta) of a standard normal x", _Z, [alpha, beta], _share, [alpha < beta])
density = _formula(
    "density at x of a standard normal value between alpha and beta", phi(x) / _Z, [x, alpha, beta], _density,
    [alpha < beta, alpha <= x, x <= beta],
)  # fmt: skip
mean = _formula("mean of a standard normal value between alpha and beta", _MEAN, [alpha, beta], _mean, [alpha < beta])
variance = _formula(
    "variance of a standard normal value between alpha and beta",
    1 + (alpha * phi(alpha) - beta * phi(beta)) / _Z - _MEAN**2, [alpha, beta], _variance, [alpha < beta],
)  # fmt: skip

# In units of the cut: below, what is cut lies 8 deviations away, and has 1e-13 of the variance; above, the law is flat.
NARROWEST, FLAT = 1 / 8, 1e4


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
    rule = f"be above 0 and below {cut / math.sqrt(3):g}, that of a uniform law between the cuts"
    require("scale_for", "deviation", deviation, 0 < wanted < 1 / math.sqrt(3) - 1e-8, rule, "take a wider cut")
    if wanted <= NARROWEST:
        return deviation
    return cut * scipy.optimize.brentq(
        lambda s: s * math.sqrt(variance(-1 / s, 1 / s)) - wanted, NARROWEST, FLAT, rtol=1e-14
    )
