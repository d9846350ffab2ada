r"""Initial values from which the gradient flow leads to a dead unit: the separatrix in the plane of w_L and b.

For w_L > 0 all paths lead to the optimum. For w_L < 0, with sigma = |w_L|/gamma and psi = b/|w_L|, paths above a curve
psi = psi_sep(sigma) cross w_L = 0 at a positive bias and go on to the optimum; those below end at w_L = 0 with b < 0.
Along any path

.. math:: \frac{d\psi}{d \ln\sigma} = -\psi - \frac{\partial J/\partial b}{\partial J/\partial w_L},

a scalar equation, as the gradient at (gamma w, gamma b) is gamma times that for gamma = 1. On the linear target the
separatrix starts at psi_0 Phi = (1 + psi_0^2) phi, psi_0 = 0.622, for sigma = 0; on the ReLU target it is tangent to
b = 0, psi ~ sqrt(2 sigma). Outwards it attracts its neighbours: errors of the start shrink.

Gradient descent in steps, and with momentum, has curves of its own.
"""

from functools import cache
from typing import Any

import numpy as np

from theory.arguments import one_of, real_array, require
from theory.formula import Formula, Interval, Source
from theory.numerics.normal_tails import Phi, phi, special, truncated
from theory.numerics.pairs import refined
from theory.relu_unit import axis
from theory.relu_unit.frame import TARGETS

# Where the integration starts: the linear target forgets its start like sigma^-2, the ReLU target exponentially, at a
# rate that makes the equation stiff for small sigma.
START = {"linear": 1e-9, "relu": 1e-5}
NEAREST, FARTHEST = 1e-4, 1e4
PHI0 = 1 / np.sqrt(2 * np.pi)
kappa = axis.kappa


def _start_terms(kappa):
    t = truncated(kappa)
    return [t.kappa * t.probability, -(1 + t.kappa**2) * t.density]


start_condition = Formula(
    "psi Phi - (1 + psi^2) phi: zero where the separatrix of the linear target meets w_L = 0",
    kappa * Phi(kappa) - (1 + kappa**2) * phi(kappa),
    source=Source("relu", "additional to Figure 4"),
    domain={kappa: Interval(0, 30)},
    numeric=refined(_start_terms),
    lhs=r"F(\kappa)",
)


@cache
def _start(target: str) -> float:
    """psi at the start, to an error that is gone at NEAREST."""
    if target == "relu":
        return float(np.sqrt(2 * START[target]))
    from scipy.optimize import brentq

    return float(brentq(start_condition, 0.3, 1.2, xtol=1e-15, rtol=1e-14))


def gradient(sigma: Any, psi: Any, target: str) -> tuple[Any, Any]:
    """The gradients of :mod:`theory.relu_unit.axis` at w_L = -sigma, b = psi sigma >= 0, gamma = 1.

    On the ReLU target Phi - 1/2 - psi phi is written as an incomplete gamma function: both vanish like psi^3.
    """
    probability, density = special().ndtr(psi), PHI0 * np.exp(-psi * psi / 2)
    ramp = sigma * (psi * probability + density)
    if target == "linear":
        return psi * density - (sigma + 1) * probability, ramp + density
    return -sigma * probability - special().gammainc(1.5, psi * psi / 2) / 2, ramp + PHI0 * np.expm1(-psi * psi / 2)


def _rate(log_sigma: float, psi: np.ndarray, target: str) -> np.ndarray:
    weight, bias = gradient(np.exp(log_sigma), psi, target)
    return -psi - bias / weight


def separatrix(sigma: Any, *, target: str = "linear") -> Any:
    """psi_sep: the b/|w_L| below which the gradient flow from w_L < 0 ends in a dead unit.

    Parameters
    ----------
    sigma : float or array
        |w_L|/gamma, in [1e-4, 1e4].
    target : {"linear", "relu"}
        Lambda.x or max(0, Lambda.x).

    Returns
    -------
    float or array
        To about 1e-11.

    Raises
    ------
    ValueError
        For values outside their domain.

    Source: relu, additional to Figure 4.

    Examples
    --------
    >>> round(separatrix(1.0), 10), round(separatrix(1.0, target="relu"), 10)
    (0.7852561114, 0.7607894257)
    """
    from scipy.integrate import solve_ivp

    one_of("separatrix", "target", target, TARGETS)
    given = real_array("separatrix", "sigma", sigma)
    if given.size == 0:
        raise ValueError("separatrix: sigma must be at least one value, got none; choose some")
    inside = (given >= NEAREST) & (given <= FARTHEST)
    require("separatrix", "sigma", given, inside, f"be in [{NEAREST:g}, {FARTHEST:g}]", "choose one")
    wanted, back = np.unique(np.log(given.ravel()), return_inverse=True)
    solved = solve_ivp(
        _rate, (np.log(START[target]), wanted[-1] + 1e-9), [_start(target)], method="DOP853", t_eval=wanted,
        rtol=1e-13, atol=1e-15, args=(target,),
    )  # fmt: skip
    found = solved.y[0][back].reshape(given.shape)
    return float(found) if given.ndim == 0 else found
