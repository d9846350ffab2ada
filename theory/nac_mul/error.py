r"""Error of the Taylor mean of a NAC multiplication unit, for W ~ U[-r_w, r_w] and z ~ U[a, b].

For z ~ U[0, r_z], eps -> 0 and one input the error (Taylor minus exact) is to leading order in r_w

.. math:: \frac{r_w^2}{6} \left(\log^2(r_z/2) - (\log^2 r_z - 2 \log r_z + 2)\right)
          = \frac{r_w^2}{6} \left(2 (1 - \log 2) \log r_z - (2 - \log^2 2)\right):

negative below r_z = exp((2 - log(2)^2)/(2 (1 - log 2))) = 11.894, positive above. Over all of r_w in (0, 0.5] and
r_z in [0.05, 50], eps = 1e-8, the sign is this (it does not depend on fan_in, since x^H increases):

=======  ==========================  ======================================================================
r_w      error positive for r_z in   relative error, extremes over r_z in [0.05, 50], fan_in = 1
=======  ==========================  ======================================================================
0+       (11.89, oo)
0.1      (12.04, 50]                 -0.6 % at 0.05, +0.14 % at 50
0.2      (12.55, 50]                 -2.5 % at 0.05, +0.41 % at 50
0.3      (13.65, 50]                 -6.2 % at 0.05, +0.50 % at 50
0.35     (14.69, 50]                 -8.8 % at 0.05, +0.38 % at 36
0.4      (16.63, 46.76)              -12 % at 0.05, +0.20 % at 28
0.43     (19.42, 32.30)              -14 % at 0.05, +0.06 % at 25
0.5      nowhere                     -20 % at 0.05, -0.38 % at 20
=======  ==========================  ======================================================================

So the Taylor mean is too large only inside a lens that opens at r_z = 11.89 for small r_w and closes at
(r_w, r_z) = (0.4411, 24.14); outside, for every r_z at once when r_w is above 0.4411, it is too small. The upper side
of the lens lies beyond r_z = 50 for r_w < 0.395 (at 81 for 0.35, 149 for 0.3, 870 for 0.2).
"""

import numpy as np
from sympy import exp, log

from theory.arguments import number, numbers, real_array, require, whole
from theory.formula import Formula, Interval, Source
from theory.nac_mul.exact import DOMAIN, LAWS, a, b, eps, excess_of, exists, factor, fan_in, r_w
from theory.numerics.pairs import Pair
from theory.symbols import positive

r_z = positive("r_z")

# Where a difference has lost two to three digits.
CLOSE = 2e-3


def _log_ratio(r_w, a, b, eps) -> tuple[np.ndarray, np.ndarray]:
    """log of Taylor mean over exact mean for one input, and the log of the exact mean."""
    level = ((Pair(a) + b) * 0.5 + eps).log_abs()
    exact = np.log1p(excess_of(1)(r_w, a, b, eps))
    return np.log1p((r_w * level) ** 2 / 6) - exact, exact


def _relative_error(r_w, a, b, eps, fan_in):
    ratio, exact = _log_ratio(r_w, a, b, eps)
    with np.errstate(invalid="ignore"):
        result = np.where(np.isinf(exact), -1.0, np.expm1(fan_in * ratio))
    return result, np.abs(ratio) < CLOSE * exact


taylor_relative_error = Formula(
    "relative error of the Taylor mean of a NAC multiplication unit, W ~ U[-r_w, r_w], z ~ U[a, b]",
    (1 + r_w**2 * log((a + b) / 2 + eps) ** 2 / 6) ** fan_in / factor(1) ** fan_in - 1,
    [r_w, a, b, eps, fan_in],
    lhs=r"\frac{E_{\mathrm{Taylor}}[z_{h_\ell}]}{E[z_{h_\ell}]} - 1",
    source=Source("nau", "Figure 8, exact"),
    domain=DOMAIN,
    requires=exists(1),
    laws=LAWS,
    numeric=_relative_error,
)


def _error_leading(r_w, r_z):
    slope, level = 2 * (1 - np.log(2)), 2 - np.log(2) ** 2
    bracket = slope * np.log(r_z) - level
    return r_w**2 / 6 * bracket, np.abs(bracket) < CLOSE * level


taylor_error_leading = Formula(
    "leading order in r_w of Taylor mean minus exact mean, one input, W ~ U[-r_w, r_w], z ~ U[0, r_z], eps -> 0",
    r_w**2 / 6 * (log(r_z / 2) ** 2 - (log(r_z) ** 2 - 2 * log(r_z) + 2)),
    [r_w, r_z],
    lhs=r"E_{\mathrm{Taylor}}[z_{h_\ell}] - E[z_{h_\ell}] + O(r_w^4)",
    symbols={"r_z": "upper end of the range of the inputs, U[0, r_z]"},
    source=Source("nau", "Figure 8, small r_w"),
    domain={r_w: DOMAIN[r_w], r_z: Interval(0, 1e300, open_low=True)},
    numeric=_error_leading,
)

taylor_sign_change_limit = Formula(
    "the r_z at which the error of the Taylor mean changes sign, z ~ U[0, r_z], r_w -> 0, eps -> 0",
    exp((2 - log(2) ** 2) / (2 * (1 - log(2)))),
    lhs=r"r_z",
    source=Source("nau", "Figure 8, small r_w"),
)


def taylor_sign_changes(r_w: float, eps: float, low: float = 0.05, high: float = 50.0) -> np.ndarray:
    """All r_z in [low, high] at which the error of the Taylor mean changes sign, z ~ U[0, r_z].

    Parameters
    ----------
    r_w : float
        Half width of the weights, above 0; below 1 for eps = 0.
    eps : float
        At least 0.
    low, high : float
        Where to look, 1e-100 <= low < high <= 1e12.

    Returns
    -------
    array
        Increasing. From one to the next the error is positive, negative, ... beginning with negative below the first
        for any ``low`` under 11. The relative accuracy of each is about 1e-12.

    Raises
    ------
    ValueError
        For arguments outside these domains.

    Examples
    --------
    >>> taylor_sign_changes(0.4, 1e-8).round(2)
    array([16.63, 46.76])
    """
    from scipy.optimize import brentq, minimize_scalar

    r_w, eps, low, high = numbers("taylor_sign_changes", r_w=r_w, eps=eps, low=low, high=high)
    if not (low < high and DOMAIN[b].contains(np.array([low, high])).all()):
        raise ValueError(
            f"taylor_sign_changes: needs 1e-100 <= low < high <= 1e12, got low = {low:g}, high = {high:g}; give a range"
        )
    taylor_relative_error.check((r_w, 0.0, low, eps, 1))

    def error(x: float) -> float:
        """The logarithm of Taylor mean over exact mean in units of r_w^2, which is its order."""
        columns = (np.array([v], dtype=np.float64) for v in (r_w, 0.0, np.exp(x), eps))
        return float(_log_ratio(*columns)[0][0]) / r_w**2

    x = np.linspace(np.log(low), np.log(high), 200)
    y = np.array([error(v) for v in x])
    # Two changes closer than the grid: they have an extremum of the other sign between them.
    for i in range(1, len(x) - 1):
        if 0 < abs(y[i]) <= min(abs(y[i - 1]), abs(y[i + 1])) and y[i - 1] * y[i] > 0 and y[i] * y[i + 1] > 0:
            sign = np.sign(y[i])
            found = minimize_scalar(lambda v, s=sign: s * error(v), bounds=(x[i - 1], x[i + 1]), method="bounded",
                                    options={"xatol": 1e-9})  # fmt: skip
            x, y = np.append(x, found.x), np.append(y, error(found.x))
    order = np.argsort(x)
    x, y = x[order], y[order]
    changes = np.flatnonzero(np.sign(y[:-1]) * np.sign(y[1:]) < 0)
    return np.exp([brentq(error, x[i], x[i + 1], xtol=1e-14, rtol=1e-14) for i in changes])


def taylor_sign_change(r_w: float, eps: float) -> float:
    """The smallest r_z in [0.05, 50] at which the error of the Taylor mean changes sign: from negative to positive.

    Parameters and errors as in :func:`taylor_sign_changes`; ValueError also where there is no change, which is so for
    r_w above 0.4411.

    Examples
    --------
    >>> round(taylor_sign_change(1e-3, 1e-8), 6), round(taylor_sign_change_limit(), 6)
    (11.893832, 11.893824)
    """
    changes = taylor_sign_changes(r_w, eps)
    rule = "leave a change of sign for some r_z in [0.05, 50]"
    advice = "take r_w below 0.4411, above it the Taylor mean is too small everywhere"
    require("taylor_sign_change", "r_w", r_w, len(changes) > 0, rule, advice)
    return float(changes[0])


def largest_weight_range(r_z, eps: float, relative_error: float, fan_in: int = 1):
    """The largest r_w up to which the Taylor mean stays within a relative error, for z ~ U[0, r_z].

    Parameters
    ----------
    r_z : float or array
        In [1e-100, 1e12].
    eps : float
        At least 0.
    relative_error : float
        At least 1e-12.
    fan_in : int

    Returns
    -------
    float or array
        r_w, such that |Taylor/exact - 1| <= relative_error for all smaller ones. 1 where that holds up to r_w = 1, as
        far as it is followed.

    Raises
    ------
    ValueError
        For arguments outside these domains.

    Examples
    --------
    >>> largest_weight_range([0.1, 1.0, 12.0], 1e-8, 0.01).round(4)
    array([0.1407, 0.1969, 0.5456])
    """
    from scipy.optimize import brentq

    if not 1e-12 <= number("largest_weight_range", "relative_error", relative_error) < np.inf:
        raise ValueError(
            f"largest_weight_range: relative_error must be at least 1e-12, got {relative_error}; give a bound"
        )
    eps, fan_in = number("largest_weight_range", "eps", eps), whole("largest_weight_range", "fan_in", fan_in)
    sizes = real_array("largest_weight_range", "r_z", r_z)
    require("largest_weight_range", "r_z", sizes, DOMAIN[b].contains(sizes), f"be {DOMAIN[b]}")
    grid = np.linspace(0, 1, 201)[1:]
    if eps == 0:
        grid[-1] = np.nextafter(1, 0)

    def excess(x, size):
        column = np.atleast_1d(np.asarray(x, dtype=np.float64))
        shape = np.ones_like(column)
        ratio, _ = _log_ratio(column, 0 * shape, size * shape, eps * shape)
        return np.abs(np.expm1(fan_in * ratio)) - relative_error

    found = np.empty(sizes.size)
    for i, size in enumerate(sizes.flat):
        taylor_relative_error.check((0.5, 0.0, size, eps, fan_in))
        beyond = np.flatnonzero(excess(grid, size) > 0)
        if len(beyond) == 0:
            found[i] = 1.0
        else:
            low = grid[beyond[0] - 1] if beyond[0] else 1e-15
            found[i] = brentq(lambda x, s=size: float(excess(x, s)[0]), low, grid[beyond[0]], xtol=1e-14)
    return float(found[0]) if sizes.ndim == 0 else found.reshape(sizes.shape)
