"""The two conventions of momentum, an average and a sum, and the arguments that all functions here share."""

from typing import Any, NamedTuple

import numpy as np

from theory.arguments import real_array
from theory.formula import Interval
from theory.momentum.spectrum import MOMENTUM
from theory.numerics.pairs import Pair

CONVENTIONS = ("ema", "heavy-ball")
# Squares of products of two of these stay within float64.
POSITIVE = Interval(0, 1e70, open_low=True)


class System(NamedTuple):
    """Checked arguments of one shape: effective step as a pair, momentum, step size, curvature."""

    h: Pair
    beta: np.ndarray
    eta: np.ndarray
    mu: np.ndarray


def system(function: str, step_size: Any, momentum: Any, convention: str, curvature: Any, *others: Any) -> System:
    """Check the arguments that all functions share and broadcast them, with the shapes of ``others``.

    Raises
    ------
    ValueError
        In the name of ``function``.
    """
    check_convention(function, "convention", convention)
    values = {"step_size": (step_size, POSITIVE), "momentum": (momentum, MOMENTUM), "curvature": (curvature, POSITIVE)}
    arrays = []
    for name, (given, interval) in values.items():
        arrays.append(real_array(function, name, given))
        interval.require(function, name, arrays[-1])
    shape = np.broadcast_shapes(*(a.shape for a in arrays), *(np.shape(o) for o in others))
    eta, beta, mu = (np.broadcast_to(a, shape) for a in arrays)
    h = Pair(eta) * mu
    return System(h * (1 - Pair(beta)) if convention == "ema" else h, beta, eta, mu)


def check_convention(function: str, name: str, convention: str) -> None:
    """Refuse a name that is no convention, in the name of ``function``."""
    if convention not in CONVENTIONS:
        raise ValueError(f"{function}: {name} must be one of {CONVENTIONS}, got {convention!r}; choose one")


def plain(array: np.ndarray) -> Any:
    """A Python number for an array without axes."""
    return array.item() if array.ndim == 0 else array


def step_size_in(convention: str, step_size: Any, momentum: Any, *, given: str = "ema") -> Any:
    """The step size that makes the same parameters in another convention, with zero momentum at the start.

    m_heavy = m_ema / (1 - beta), so eta_heavy = eta_ema (1 - beta). The heavy ball is the update of Keras and
    of Nerva, velocity' = beta velocity - eta g, theta' = theta + velocity', with velocity = -eta m.

    PyTorch's ``SGD(momentum=beta, dampening=beta)`` is ``"ema"`` but for the first step, where its momentum is g and
    not (1 - beta) g: ``"ema"`` started with the momentum g; see ``first_momentum`` of
    :func:`theory.momentum.state`. Without dampening it is ``"heavy-ball"``.

    Parameters
    ----------
    convention : {"ema", "heavy-ball"}
        Wanted.
    step_size, momentum : float or array
        In the convention ``given``.
    given : {"ema", "heavy-ball"}

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        For an argument outside its domain.

    Examples
    --------
    >>> step_size_in("heavy-ball", 0.5, 0.75)
    0.125
    >>> step_size_in("ema", 0.125, 0.75, given="heavy-ball")
    0.5
    """
    check_convention("step_size_in", "convention", convention)
    s = system("step_size_in", step_size, momentum, given, 1.0)
    if convention == given:
        return plain(s.eta.copy())
    return plain(s.eta * (1 - s.beta) if given == "ema" else s.eta / (1 - s.beta))
