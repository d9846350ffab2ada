r"""Descent of a single ReLU along its exact expected gradient, from many initial values, until the result is certain.

The state is (u, v, b) of :mod:`montecarlo.descent.fields` and the momentum of each. With momentum zero at the start, w
stays in the plane of its start and Lambda: these three numbers are all there is, for any number of inputs.

.. math:: m' = \beta m + \omega\, g(\theta - a \eta \beta m), \qquad \theta' = \theta - \eta m',

with omega = 1 - beta for ``"ema"``, 1 for ``"heavy-ball"``; ``"nesterov"`` has omega = 1 and looks ahead, a = 1.

A path goes on until its fate is certain, :mod:`montecarlo.descent.fates`, or until updates are small, as the paper has
it: ``tolerance``.
"""

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from montecarlo.descent.fates import CONE, OPTIMUM, STUCK, UNDECIDED, fate, in_cone, where_it_rests
from montecarlo.descent.fields import LINEAR, RELU, WITHOUT_SIGN, code, linear, points, relu, relu_of_any, without_sign
from montecarlo.descent.parts import in_parts
from montecarlo.engine.compiled import compiled_helper
from montecarlo.streams.instructions import inlined, select
from montecarlo.training.optimisers import Method

LANES, CHECK = 128, 16
# Rows of the state.
_U, _V, _B, _MU, _MV, _MB, _GAMMA, _T, _ENTERED, _RESTS = range(10)
_ROWS = 10


@inlined
def _moved(state, i, gu, gv, gb, eta, beta, weight, cone, still):
    """One step of lane i, and what is kept of the path; none once an update is smaller than the root of ``still``."""
    mu = beta * state[_MU, i] + weight * gu
    mv = beta * state[_MV, i] + weight * gv
    mb = beta * state[_MB, i] + weight * gb
    goes = state[_RESTS, i] == 0.0
    u = select(goes, state[_U, i] - eta * mu, state[_U, i])
    v = select(goes, state[_V, i] - eta * mv, state[_V, i])
    b = select(goes, state[_B, i] - eta * mb, state[_B, i])
    t = select(goes, state[_T, i] + 1.0, state[_T, i])
    # b < -cone s without a root.
    low = (b < 0.0) & (b * b > cone * cone * (u * u + v * v))
    entered = state[_ENTERED, i]
    state[_MU, i], state[_MV, i], state[_MB, i] = mu, mv, mb
    state[_U, i], state[_V, i], state[_B, i] = u, v, b
    state[_T, i] = t
    state[_ENTERED, i] = select(low & (entered < 0.0), t, entered)
    state[_RESTS, i] = select(eta * eta * (mu * mu + mv * mv + mb * mb) < still, 1.0, state[_RESTS, i])


@inlined
def _moved_along(field, state, count, back, eta, beta, weight, cone, still):
    """One step of the first lanes along a field (u, v, b, gamma): a loop that is vectorised."""
    for i in range(count):
        u, v, b = state[_U, i], state[_V, i], state[_B, i]
        gu, gv, gb = field(
            u - back * state[_MU, i], v - back * state[_MV, i], b - back * state[_MB, i], state[_GAMMA, i]
        )
        _moved(state, i, gu, gv, gb, eta, beta, weight, cone, still)


@compiled_helper
def _advance(target, state, count, eta, beta, weight, ahead, cone, still):
    """``CHECK`` steps of the first lanes, with a loop for each target."""
    back = ahead * eta * beta
    for _ in range(CHECK):
        if target == LINEAR:
            _moved_along(linear, state, count, back, eta, beta, weight, cone, still)
        elif target == WITHOUT_SIGN:
            _moved_along(without_sign, state, count, back, eta, beta, weight, cone, still)
        elif target == RELU:
            _moved_along(relu, state, count, back, eta, beta, weight, cone, still)
        else:
            _moved_along(relu_of_any, state, count, back, eta, beta, weight, cone, still)


@compiled_helper
def _descend(target, starts, gamma, eta, beta, weight, ahead, cone, budget, still, outcome, final):
    """A lane takes the next initial values as soon as its result is certain, or at rest if ``still`` >= 0."""
    state = np.zeros((_ROWS, LANES))
    owner = np.empty(LANES, dtype=np.int64)
    count, taken = 0, 0
    while True:
        while count < LANES and taken < outcome.size:
            for row in range(_ROWS):
                state[row, count] = 0.0
            state[_U, count], state[_V, count], state[_B, count] = starts[0, taken], starts[1, taken], starts[2, taken]
            state[_GAMMA, count] = gamma[taken]
            inside = in_cone(starts[0, taken], starts[1, taken], starts[2, taken], cone) > 0.0
            state[_ENTERED, count] = 0.0 if inside else -1.0
            owner[count] = taken
            count += 1
            taken += 1
        if count == 0:
            return
        i = 0
        while i < count:
            t = state[_T, i]
            u, v, b, scale = state[_U, i], state[_V, i], state[_B, i], state[_GAMMA, i]
            found = UNDECIDED
            if still < 0.0:
                found = fate(
                    target, u, v, b, state[_MU, i], state[_MV, i], state[_MB, i], scale, eta, beta, weight, ahead, cone,
                    budget - t,
                )  # fmt: skip
            if found == UNDECIDED and t < budget and state[_RESTS, i] == 0.0:
                i += 1
                continue
            if state[_RESTS, i] > 0.0:
                found = where_it_rests(u, v, b, scale, cone)
            elif found == UNDECIDED and in_cone(u, v, b, cone) > 0.0:
                found = STUCK
            outcome[owner[i]] = found
            count -= 1
            for row in range(_ROWS):
                final[row, owner[i]] = state[row, i]
                state[row, i] = state[row, count]
            owner[i] = owner[count]
        _advance(target, state, count, eta, beta, weight, ahead, cone, still)


@dataclass(frozen=True)
class Runs:
    """Results of descents; arrays with the shape of the initial values.

    Attributes
    ----------
    outcome : int array
        ``OPTIMUM``, ``DEAD``, ``STUCK`` or ``UNDECIDED``.
    steps : int array
        When that was found, a multiple of 16; with a tolerance the step that was smaller.
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
        """Number of descents with a result."""
        return int(np.count_nonzero(self.outcome == outcome))

    def share(self, outcome: int = OPTIMUM) -> float:
        """Fraction of descents with a result."""
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
    tolerance: float | None = None,
    cone: float = CONE,
    executor: Executor | None = None,
) -> Runs:
    """Simulate descent with momentum from many initial values until each result is certain.

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
        Lambda.x, max(0, Lambda.x), or the wrong field of :mod:`montecarlo.descent.fields`.
    steps : int
        Budget per start; rounded up to a multiple of 16.
    tolerance : float, optional
        Stop where an update is smaller than this in norm, as the paper does, and not where the fate is certain: then a
        path is ``DEAD`` where it stops in the dead cone, ``OPTIMUM`` within gamma/2 of it, else ``UNDECIDED``.
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
    >>> from montecarlo.descent.fates import DEAD
    >>> runs = descend([0.5, -0.5], [0.5, -0.5], 1.0, Method(0.1))
    >>> runs.outcome.tolist() == [OPTIMUM, DEAD]
    True
    """
    gamma, *columns = points("descend", gamma, u=u, across=across, b=b)
    shape = gamma.shape
    if not 2 <= cone < np.inf:
        raise ValueError(f"descend: cone must be at least 2 and finite, got {cone:g}; choose P(active) below 2 percent")
    if tolerance is not None and not 0 < tolerance < np.inf:
        raise ValueError(f"descend: tolerance must be positive and finite, got {tolerance}; leave it out for none")
    if steps < 1:
        raise ValueError(f"descend: steps must be at least 1, got {steps}; give a budget")
    starts, scale = np.array([c.ravel() for c in columns]), gamma.flatten()
    chosen = code(target, bool(starts[1].any()))
    size = scale.size
    outcome, final = np.empty(size, dtype=np.int64), np.empty((_ROWS, size))
    # As floats: a step size given as an integer would be compiled anew.
    still = -1.0 if tolerance is None else tolerance**2
    rates = (method.step_size, method.momentum, method.weight, method.ahead, cone, steps, still)
    fixed = tuple(map(float, rates))

    def work(first: int, last: int) -> None:
        part = slice(first, last)
        _descend(chosen, starts[:, part], scale[part], *fixed, outcome[part], final[:, part])

    in_parts(work, size, min(64, -(-size // 256)), executor)
    rows = final.reshape(_ROWS, *shape)
    return Runs(
        outcome.reshape(shape), rows[_T].astype(np.int64), rows[_ENTERED].astype(np.int64),
        rows[_U], rows[_V], rows[_B], rows[_MU], rows[_MV], rows[_MB],
    )  # fmt: skip
