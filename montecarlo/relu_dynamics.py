r"""Descent of a single ReLU along its exact expected gradient, from many starts at once, until its fate is decided.

The state is (u, v, b) of :mod:`montecarlo.relu_field` and the momentum of each. With momentum zero at the start, w
stays in the plane of its start and Lambda: these three numbers are all there is, for any number of inputs.

.. math:: m' = \beta m + \omega\, g(\theta - a \eta \beta m), \qquad \theta' = \theta - \eta m',

with omega = 1 - beta for ``"ema"``, 1 for ``"heavy-ball"``; ``"nesterov"`` has omega = 1 and looks ahead, a = 1.

**When a path is decided.** Small updates are no sign of convergence: with momentum all parameters stand still at each
turning point. Every 16 steps one of these is looked for.

1. ``OPTIMUM``. With h = omega eta, the energy E = J + (beta/2h) |eta m|^2 falls by at least
   (1 - beta - h M/2)/h |eta m'|^2 in a step, where M bounds the curvature of J. Below the loss of a dead unit J has no
   critical point but the optimum: once E is less than 9/10 of that loss, the path stays in a compact set and has
   nowhere else to go. In that set M < 15, which a test measures. Where h M >= 2 (1 - beta), and with ``"nesterov"``,
   the path must instead be within gamma/20 of the optimum with both momentum and gradient below 1e-6 gamma.
2. ``DEAD``. P = theta - eta beta/(1 - beta) m is where momentum alone would carry the unit. It moves by -h g/(1 - beta)
   in a step, and theta' = beta theta + (1 - beta) P': theta never leaves a convex set that P stays in. In the left half
   of the dead cone (u < 0, b < -z s) descent raises u, lowers b and takes v towards zero, so that for v = 0 P can leave
   only through w = 0, where the gradient is flatter than any power of |w|. 1/(1 - beta) more steps at the present
   gradient must not take it there.
3. ``STUCK``. Both theta and P are so deep in the dead cone that all steps that are left, at the largest gradient in a
   narrower cone that both are in, do not lead out of that one. The gradient may point out of the dead cone, and does
   for u > 0: the exact path comes back, after a time that grows exponentially with u/gamma. Also what is in the dead
   cone when the steps are used up.
4. ``UNDECIDED``: anything else when the steps are used up.
"""

from __future__ import annotations

import os
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from montecarlo.kernel import compiled_helper
from montecarlo.relu_field import LINEAR, RELU, WITHOUT_SIGN, at, code, excess, linear, relu, without_sign
from montecarlo.vector_math import inlined, select

__all__ = ["DEAD", "OPTIMUM", "STUCK", "UNDECIDED", "Method", "Runs", "descend"]

UNDECIDED, OPTIMUM, DEAD, STUCK = range(4)
# Surface of the dead cone: a unit that is active with probability 0.001.
CONE = 3.0902323061678135
LANES, CHECK = 128, 16
TRAPPED, CURVATURE = 0.9, 15.0
NEAR, STILL = 0.05, 1e-6
# Rows of the state.
_U, _V, _B, _MU, _MV, _MB, _GAMMA, _T, _ENTERED = range(9)
_ROWS = 9


@inlined
def _moved(state, i, gu, gv, gb, eta, beta, weight, cone):
    """One step of lane i, and what is kept of the path."""
    mu = beta * state[_MU, i] + weight * gu
    mv = beta * state[_MV, i] + weight * gv
    mb = beta * state[_MB, i] + weight * gb
    u, v, b = state[_U, i] - eta * mu, state[_V, i] - eta * mv, state[_B, i] - eta * mb
    t = state[_T, i] + 1.0
    # b < -cone s without a root.
    low = (b < 0.0) & (b * b > cone * cone * (u * u + v * v))
    entered = state[_ENTERED, i]
    state[_MU, i], state[_MV, i], state[_MB, i] = mu, mv, mb
    state[_U, i], state[_V, i], state[_B, i] = u, v, b
    state[_T, i] = t
    state[_ENTERED, i] = select(low & (entered < 0.0), t, entered)


@compiled_helper
def _advance(target, state, count, eta, beta, weight, ahead, cone):
    """``CHECK`` steps of the first lanes. One loop per target, so that each is vectorised over lanes."""
    back = ahead * eta * beta
    for _ in range(CHECK):
        if target == LINEAR:
            for i in range(count):
                u, v, b = state[_U, i], state[_V, i], state[_B, i]
                gu, gv, gb = linear(
                    u - back * state[_MU, i], v - back * state[_MV, i], b - back * state[_MB, i], state[_GAMMA, i]
                )
                _moved(state, i, gu, gv, gb, eta, beta, weight, cone)
        elif target == WITHOUT_SIGN:
            for i in range(count):
                gu, gv, gb = without_sign(
                    state[_U, i] - back * state[_MU, i], state[_B, i] - back * state[_MB, i], state[_GAMMA, i]
                )
                _moved(state, i, gu, gv, gb, eta, beta, weight, cone)
        elif target == RELU:
            for i in range(count):
                gu, gv, gb = relu(
                    state[_U, i] - back * state[_MU, i], state[_B, i] - back * state[_MB, i], state[_GAMMA, i]
                )
                _moved(state, i, gu, gv, gb, eta, beta, weight, cone)
        else:
            for i in range(count):
                u, v, b = state[_U, i], state[_V, i], state[_B, i]
                gu, gv, gb = at(
                    target, u - back * state[_MU, i], v - back * state[_MV, i], b - back * state[_MB, i],
                    state[_GAMMA, i],
                )  # fmt: skip
                _moved(state, i, gu, gv, gb, eta, beta, weight, cone)


@inlined
def _in_cone(u, v, b, slope):
    """The distance to the surface of the cone b < -slope s; negative outside."""
    return (-b - slope * np.sqrt(u * u + v * v)) / np.sqrt(1.0 + slope * slope)


@inlined
def _frozen(u, v, b, pu, pv, pb, gamma, eta, beta, weight, cone, left):
    """Whether the steps that are left cannot lead from either point to the surface of the dead cone."""
    s, ps = np.sqrt(u * u + v * v), np.sqrt(pu * pu + pv * pv)
    depth = min(-b / max(s, 1e-300), -pb / max(ps, 1e-300), 50.0)
    if depth <= cone:
        return False
    for share in (0.2, 0.5, 0.8, 0.95):
        slope = cone + share * (depth - cone)
        room = min(_in_cone(u, v, b, slope), _in_cone(pu, pv, pb, slope))
        # In the cone b < -slope s Phi <= phi/slope, |b| Phi <= s phi, and phi is largest at the surface.
        density = np.exp(-0.5 * slope * slope) / np.sqrt(2.0 * np.pi)
        size = max(s, ps) + room
        largest = density * (size / slope + gamma * (1.0 / slope + slope + 1.0)) + density * (2.0 * size + gamma)
        if left * eta * weight / (1.0 - beta) * largest < room:
            return True
    return False


@compiled_helper
def _fate(target, u, v, b, mu, mv, mb, gamma, eta, beta, weight, ahead, cone, left):
    """What is decided about a path; UNDECIDED while nothing is."""
    dead_loss = 0.5 * gamma * gamma if target <= WITHOUT_SIGN else 0.25 * gamma * gamma
    h = weight * eta
    squared = mu * mu + mv * mv + mb * mb
    if ahead == 0.0 and h * CURVATURE < 2.0 * (1.0 - beta):
        energy = excess(target, u, v, b, gamma) + 0.5 * beta / h * eta * eta * squared
        if energy < -(1.0 - TRAPPED) * dead_loss:
            return OPTIMUM
    elif squared < (STILL * gamma) ** 2 and (u - gamma) ** 2 + v * v + b * b < (NEAR * gamma) ** 2:
        gu, gv, gb = at(target, u, v, b, gamma)
        if gu * gu + gv * gv + gb * gb < (STILL * gamma) ** 2:
            return OPTIMUM
    if _in_cone(u, v, b, cone) <= 0.0:
        return UNDECIDED
    coast = eta * beta / (1.0 - beta)
    pu, pv, pb = u - coast * mu, v - coast * mv, b - coast * mb
    if _in_cone(pu, pv, pb, cone) <= 0.0:
        return UNDECIDED
    if u < 0.0 and pu < 0.0 and target != WITHOUT_SIGN:
        gu, _, _ = at(target, u, v, b, gamma)
        if pu - h / (1.0 - beta) ** 2 * gu < 0.0:
            return DEAD
    if _frozen(u, v, b, pu, pv, pb, gamma, eta, beta, weight, cone, left):
        return STUCK
    return UNDECIDED


@compiled_helper
def _descend(target, starts, gamma, eta, beta, weight, ahead, cone, budget, outcome, final):
    """Lanes take the next start as soon as theirs is decided."""
    state = np.zeros((_ROWS, LANES))
    owner = np.empty(LANES, dtype=np.int64)
    count, taken = 0, 0
    while True:
        while count < LANES and taken < outcome.size:
            state[:, count] = 0.0
            state[_U, count], state[_V, count], state[_B, count] = starts[0, taken], starts[1, taken], starts[2, taken]
            state[_GAMMA, count] = gamma[taken]
            inside = _in_cone(starts[0, taken], starts[1, taken], starts[2, taken], cone) > 0.0
            state[_ENTERED, count] = 0.0 if inside else -1.0
            owner[count] = taken
            count += 1
            taken += 1
        if count == 0:
            return
        i = 0
        while i < count:
            t = state[_T, i]
            fate = _fate(
                target, state[_U, i], state[_V, i], state[_B, i], state[_MU, i], state[_MV, i], state[_MB, i],
                state[_GAMMA, i], eta, beta, weight, ahead, cone, budget - t,
            )  # fmt: skip
            if fate == UNDECIDED and t < budget:
                i += 1
                continue
            if fate == UNDECIDED and _in_cone(state[_U, i], state[_V, i], state[_B, i], cone) > 0.0:
                fate = STUCK
            outcome[owner[i]] = fate
            final[:, owner[i]] = state[:, i]
            count -= 1
            state[:, i] = state[:, count]
            owner[i] = owner[count]
        _advance(target, state, count, eta, beta, weight, ahead, cone)


@dataclass(frozen=True)
class Method:
    """Gradient descent with momentum.

    Attributes
    ----------
    step_size : float
        eta, positive.
    momentum : float
        beta, in [0, 1).
    convention : {"ema", "heavy-ball", "nesterov"}
        m' = beta m + (1 - beta) g, or m' = beta m + g, the latter also with the gradient looked up ahead.
    """

    step_size: float
    momentum: float = 0.0
    convention: str = "ema"

    def __post_init__(self):
        if not self.step_size > 0:
            raise ValueError(f"Method: step_size must be positive, got {self.step_size}; descend in small steps")
        if not 0 <= self.momentum < 1:
            raise ValueError(f"Method: momentum must be in [0, 1), got {self.momentum}; choose a value inside")
        if self.convention not in ("ema", "heavy-ball", "nesterov"):
            raise ValueError(
                f"Method: convention must be 'ema', 'heavy-ball' or 'nesterov', got {self.convention!r}; choose one"
            )

    @property
    def weight(self) -> float:
        """What a new gradient counts."""
        return 1 - self.momentum if self.convention == "ema" else 1.0

    @property
    def ahead(self) -> float:
        return 1.0 if self.convention == "nesterov" else 0.0


@dataclass(frozen=True)
class Runs:
    """What became of the starts; arrays of their shape.

    Attributes
    ----------
    outcome : int array
        ``OPTIMUM``, ``DEAD``, ``STUCK`` or ``UNDECIDED``.
    steps : int array
        When that was found, a multiple of 16.
    entered : int array
        The first step in the dead cone, 0 for a start inside; -1 where there was none.
    u, v, b : array
        The last state.
    m_u, m_v, m_b : array
        Its momentum.
    """

    outcome: np.ndarray
    steps: np.ndarray
    entered: np.ndarray
    u: np.ndarray
    v: np.ndarray
    b: np.ndarray
    m_u: np.ndarray
    m_v: np.ndarray
    m_b: np.ndarray

    def count(self, outcome: int) -> int:
        """How many starts came out so."""
        return int(np.count_nonzero(self.outcome == outcome))

    def share(self, outcome: int = OPTIMUM) -> float:
        """The same as a fraction of all."""
        return self.count(outcome) / self.outcome.size


def descend(
    u: Any,
    b: Any,
    gamma: Any,
    method: Method,
    *,
    across: Any = 0.0,
    target: str = "linear",
    steps: int = 20_000,
    cone: float = CONE,
    executor: Executor | None = None,
) -> Runs:
    """Follow descent with momentum from many starts, with momentum zero, until each is decided.

    Parameters
    ----------
    u, b : float or array
        Component of w along Lambda, and bias, at the start; broadcast with ``gamma`` and ``across``.
    gamma : float or array
        Norm of Lambda, positive.
    method : Method
    across : float or array
        Size of w across Lambda.
    target : {"linear", "relu", "without-sign"}
        Lambda.x, max(0, Lambda.x), or the wrong field of :mod:`montecarlo.relu_field`.
    steps : int
        Budget per start; rounded up to a multiple of 16.
    cone : float
        z: the unit counts as dead where b < -z ||w||. At least 2.
    executor : Executor, optional
        Default: a thread per core. The result has the same bits for any number of workers.

    Returns
    -------
    Runs

    Raises
    ------
    ValueError
        For values outside their domain.

    Examples
    --------
    >>> runs = descend([0.5, -0.5], [0.5, -0.5], 1.0, Method(0.1))
    >>> runs.outcome.tolist() == [OPTIMUM, DEAD]
    True
    """
    columns = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (u, across, b, gamma)))
    shape = columns[0].shape
    if not all(np.isfinite(c).all() for c in columns):
        raise ValueError("descend: starts must be finite, got one that is not; leave it out")
    if not (columns[3] > 0).all():
        raise ValueError(f"descend: gamma must be positive, got {columns[3].min():g}; scale by the norm of Lambda")
    if not cone >= 2:
        raise ValueError(f"descend: cone must be at least 2, got {cone:g}; choose P(active) below 2 percent")
    if steps < 1:
        raise ValueError(f"descend: steps must be at least 1, got {steps}; give a budget")
    starts = np.array([c.ravel() for c in columns[:3]])
    scale = np.ascontiguousarray(columns[3].ravel())
    chosen = code(target, bool(starts[1].any()))
    size = scale.size
    outcome, final = np.empty(size, dtype=np.int64), np.empty((_ROWS, size))
    # As floats: a step size given as an integer would be compiled anew.
    rates = (method.step_size, method.momentum, method.weight, method.ahead, cone, steps)
    fixed = tuple(map(float, rates))

    def work(first: int, last: int) -> None:
        part = slice(first, last)
        _descend(chosen, starts[:, part], scale[part], *fixed, outcome[part], final[:, part])

    edges = np.linspace(0, size, min(64, -(-size // 256)) + 1).astype(int)
    if executor is None:
        with ThreadPoolExecutor(os.cpu_count()) as own:
            list(own.map(work, edges[:-1], edges[1:]))
    else:
        list(executor.map(work, edges[:-1], edges[1:]))
    rows = final.reshape(_ROWS, *shape)
    return Runs(
        outcome.reshape(shape), rows[_T].astype(np.int64), rows[_ENTERED].astype(np.int64),
        rows[_U], rows[_V], rows[_B], rows[_MU], rows[_MV], rows[_MB],
    )  # fmt: skip
