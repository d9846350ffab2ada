r"""Momentum and deviation after any number of steps, by conventions of momentum: an average or a sum.

States come from sequences that keep their digits beside a double root: V_t = l1^t + l2^t and
U_t = (l1^t - l2^t)/(l1 - l2) for the eigenvalues l1, l2, doubled along the bits of t in about 32 digits:
c_t = (V_t + (1 - beta - h) U_t)/2.
"""

from typing import Any, NamedTuple

import numpy as np

from theory.arguments import one_of, real_array
from theory.formula import Interval
from theory.momentum.spectrum import MOMENTUM, discriminant_pair, trace_pair, value
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
    one_of(function, "convention", convention, CONVENTIONS)
    values = {"step_size": (step_size, POSITIVE), "momentum": (momentum, MOMENTUM), "curvature": (curvature, POSITIVE)}
    arrays = []
    for name, (given, interval) in values.items():
        arrays.append(real_array(function, name, given))
        interval.require(function, name, arrays[-1])
    shape = np.broadcast_shapes(*(a.shape for a in arrays), *(np.shape(o) for o in others))
    eta, beta, mu = (np.broadcast_to(a, shape) for a in arrays)
    h = Pair(eta) * mu
    return System(h * (1 - Pair(beta)) if convention == "ema" else h, beta, eta, mu)


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
    one_of("step_size_in", "convention", convention, CONVENTIONS)
    s = system("step_size_in", step_size, momentum, given, 1.0)
    if convention == given:
        return plain(s.eta.copy())
    return plain(s.eta * (1 - s.beta) if given == "ema" else s.eta / (1 - s.beta))


def _lucas(s: System, steps: np.ndarray) -> tuple[Pair, Pair, np.ndarray]:
    """U_t, V_t and a common exponent of two, doubled along the bits of t from the highest."""
    trace, discriminant = trace_pair(s.h, s.beta), discriminant_pair(s.h, s.beta)
    zero = np.zeros(steps.shape)
    u, v, product = Pair(zero), Pair(zero + 2), Pair(zero + 1)  # of index 0; product = beta^index
    exponent = zero.astype(np.int64)
    for bit in range(int(steps.max(initial=0)).bit_length() - 1, -1, -1):
        u, v, product, exponent = u * v, v * v - 2 * product, product * product, 2 * exponent
        odd = (steps >> bit) & 1 == 1
        u, v = (_where(odd, (trace * u + v) * 0.5, u), _where(odd, (discriminant * u + trace * v) * 0.5, v))
        product = _where(odd, product * s.beta, product)
        # Both may leave float64 long before their ratio does.
        _, shift = np.frexp(np.maximum(np.abs(u.high), np.abs(v.high)))
        u, v, product = _scaled(u, -shift), _scaled(v, -shift), _scaled(product, -2 * shift)
        exponent = exponent + shift
    return u, v, exponent


def _where(condition: np.ndarray, yes: Pair, no: Pair) -> Pair:
    return Pair(np.where(condition, yes.high, no.high), np.where(condition, yes.low, no.low))


def _scaled(pair: Pair, exponent: np.ndarray) -> Pair:
    return Pair(np.ldexp(pair.high, exponent), np.ldexp(pair.low, exponent))


def states(s: System, steps: np.ndarray, first_momentum: Any) -> tuple[np.ndarray, np.ndarray]:
    """eta m_t/e_0 and e_t/e_0: A^t applied to the initial state, see :func:`theory.momentum.state`."""
    u, v, exponent = _lucas(s, np.asarray(steps).astype(np.int64))
    half_gap = ((1 - Pair(s.beta)) - s.h) * 0.5
    half_v = v * 0.5
    start = Pair.of(s.eta) * s.mu * first_momentum
    e = half_v + half_gap * u - start * s.beta * u
    momentum = s.h * u + start * (half_v - half_gap * u)
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(value(momentum), exponent), np.ldexp(value(e), exponent)
