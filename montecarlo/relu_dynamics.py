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
   in a step, and theta' = beta theta + (1 - beta) P': theta never leaves a convex set that P stays in, nor does
   Nesterov's point, which lies between them. Both must be in a cone with u < 0 in which descent takes w to 0 and lowers
   b, so that all the more keeps them there; which one, and why, is told in ``_shrinks``.
3. ``STUCK``. Both theta and P are so deep in the dead cone that all steps that are left, at the largest gradient in a
   narrower cone that both are in, do not lead out of that one. The gradient may point out of the dead cone, and does
   for u > 0: the exact path comes back, after a time that grows exponentially with u/gamma. So it does from u < 0
   where v is large and w turns towards Lambda faster than it shrinks. Also what is in the dead cone when the steps are
   used up.
4. ``UNDECIDED``: anything else when the steps are used up.
"""

from __future__ import annotations

import os
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from montecarlo.kernel import compiled_helper
from montecarlo.relu_field import LINEAR, RELU, WITHOUT_SIGN, at, code, excess, linear, points, relu, without_sign
from montecarlo.vector_math import inlined, select

__all__ = ["DEAD", "OPTIMUM", "STUCK", "UNDECIDED", "Method", "Runs", "descend"]

UNDECIDED, OPTIMUM, DEAD, STUCK = range(4)
# Surface of the dead cone: a unit that is active with probability 0.001.
CONE = 3.0902323061678135
LANES, CHECK = 128, 16
TRAPPED, CURVATURE = 0.9, 15.0
NEAR, STILL = 0.05, 1e-6
# Rule 2: the width of a cone on the linear target; what a tenth is.
NARROW, LITTLE = 0.6, 0.1
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


@inlined
def _cone_of_death(target, u, v, b, pu, pv, pb):
    """The opening T of a cone of rule 2 around both points; negative where there is none."""
    if max(u, pu) >= 0.0 or target == WITHOUT_SIGN:
        return -1.0
    if target == LINEAR:
        wide = max(u * u + v * v - NARROW * b * u, pu * pu + pv * pv - NARROW * pb * pu) > 0.0
        return -1.0 if wide else 0.0
    return (1.0 + 2.0 * LITTLE) * max(abs(v / u), abs(pv / pu))


@inlined
def _shrinks(target, opening, u, v, b, pu, pv, pb, gamma, eta, beta, weight):
    """Whether steps are so short, and theta so close to P, that w goes to 0 in the cone; it lies in b < -k s.

    Linear target, the cone u^2 + v^2 <= r b u, r = 0.6. |u| shrinks at the relative rate A and |v| at V, where
    V <= A <= (1 + r^2) V, while b falls: s^2/|b u| falls as well. A <= phi(k) (1/k + gamma (k + 1) k/|b|).

    ReLU target, the cone |v| <= T |u|. Both shrink at the rate Phi, but for what the target adds: by no more than the
    share gamma (T^2 + 3) phi(k/T)/|b|, which must be a tenth, so that b falls. k/T must be 2; then |v/u| grows by less
    than what T has to spare before this share, which falls faster than exp(-k^2/2), is gone.

    In steps the same is true while theta is within a tenth of P by either coordinate. It remains so where P moves by
    no more than (1 - beta)/12.1 of them in a step.
    """
    if abs(u - pu) > -LITTLE * pu or abs(v - pv) > LITTLE * abs(pv):
        return False
    k = min(-b / np.sqrt(u * u + v * v), -pb / np.sqrt(pu * pu + pv * pv))
    low = min(-b, -pb)
    density = np.exp(-0.5 * k * k) / np.sqrt(2.0 * np.pi)
    rate = density * (1.0 + 2.0 * LITTLE) / k
    if target == LINEAR:
        rate = density * (1.0 / k + gamma * (k + 1.0) * k / low)
    elif opening > 0.0:
        far = k / opening
        if far < 2.0 or gamma * (opening**2 + 3.0) * np.exp(-0.5 * far**2) / np.sqrt(2.0 * np.pi) > LITTLE * low:
            return False
    return weight * eta / (1.0 - beta) * rate <= (1.0 - beta) * LITTLE / (1.0 + LITTLE) ** 2


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
    opening = _cone_of_death(target, u, v, b, pu, pv, pb)
    if opening >= 0.0 and _shrinks(target, opening, u, v, b, pu, pv, pb, gamma, eta, beta, weight):
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
        if not 0 < self.step_size < np.inf:
            raise ValueError(
                f"Method: step_size must be positive and finite, got {self.step_size}; descend in small steps"
            )
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
        Norm of Lambda, in [1e-100, 1e100].
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
    gamma, *columns = points("descend", gamma, u=u, across=across, b=b)
    shape = gamma.shape
    if not 2 <= cone < np.inf:
        raise ValueError(f"descend: cone must be at least 2 and finite, got {cone:g}; choose P(active) below 2 percent")
    if steps < 1:
        raise ValueError(f"descend: steps must be at least 1, got {steps}; give a budget")
    starts, scale = np.array([c.ravel() for c in columns]), gamma.flatten()
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
