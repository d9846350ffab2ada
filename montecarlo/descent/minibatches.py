"""Descent of a single ReLU on minibatches of fresh normal inputs, from many starts at once."""

import math
from concurrent.futures import Executor
from typing import Any

import numpy as np

from montecarlo.descent.fates import CONE
from montecarlo.descent.fields import points
from montecarlo.descent.parts import in_parts
from montecarlo.descent.relu_unit import Method
from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2
from montecarlo.streams.instructions import select
from montecarlo.streams.philox import stream

DRAWN = 256


@compiled_helper
def _descend(key, first, w, b, gamma, eta, beta, weight, ahead, relu, cone, batch, steps, entered):
    """Row i of ``w`` is start ``first + i``, a sample of its own; its draws are counted by step, input pair and batch.

    The target is gamma times the last input, rectified with ``relu``.
    """
    fan_in = w.shape[1]
    pairs = (fan_in + 1) // 2
    # Inputs of so many steps are drawn at once: a loop over one small batch is not worth a vector.
    together = max(1, DRAWN // batch)
    x, draw = np.empty((2 * pairs, together * batch)), np.empty(together * batch, dtype=np.int64)
    for j in range(len(draw)):
        draw[j] = j // batch * pairs * batch + j % batch
    error, z = np.empty(batch), np.empty(batch)
    m, here = np.empty(fan_in + 1), np.empty(fan_in)
    for i in range(w.shape[0]):
        m[:] = 0.0
        for t in range(steps):
            now = t % together * batch
            for h in range(pairs if now == 0 else 0):
                for j in range(min(together, steps - t) * batch):
                    x[2 * h, j], x[2 * h + 1, j] = normal2(key, first + i, (t * pairs + h) * batch + draw[j])
            bias = b[i] - ahead * eta * beta * m[fan_in]
            for k in range(fan_in):
                here[k] = w[i, k] - ahead * eta * beta * m[k]
            for j in range(batch):
                z[j] = bias
            for k in range(fan_in):
                for j in range(batch):
                    z[j] += here[k] * x[k, now + j]
            total = 0.0
            for j in range(batch):
                y = gamma[i] * x[fan_in - 1, now + j]
                y = select(relu and y < 0.0, 0.0, y)
                error[j] = select(z[j] > 0.0, (z[j] - y) / batch, 0.0)
                total += error[j]
            size = 0.0
            for k in range(fan_in):
                gradient = 0.0
                for j in range(batch):
                    gradient += error[j] * x[k, now + j]
                m[k] = beta * m[k] + weight * gradient
                w[i, k] -= eta * m[k]
                size += w[i, k] * w[i, k]
            m[fan_in] = beta * m[fan_in] + weight * total
            b[i] -= eta * m[fan_in]
            if entered[i] < 0 and b[i] < -cone * math.sqrt(size):
                entered[i] = t + 1


@kernel(columns=("w", "b"), block=512)
def from_grid(stream, first, gamma, step_size, batch: int, steps: int, cells: int, out):
    """The last w and b of a unit with one input; sample i starts in cell i of [-1, 1]^2, row by row, cyclically.

    No momentum, fresh inputs in each step; the target is gamma x.
    """
    n, calls = out.shape[0], (batch + 1) // 2
    w, b, along, above, x, y = np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for i in range(n):
        cell = (first + i) % (cells * cells)
        w[i] = 2 * (cell % cells + 0.5) / cells - 1
        b[i] = 2 * (cell // cells + 0.5) / cells - 1
    for t in range(steps):
        for i in range(n):
            along[i], above[i] = 0.0, 0.0
        for call in range(calls):
            second = 1.0 if 2 * call + 1 < batch else 0.0
            for i in range(n):
                x[i], y[i] = normal2(stream, first + i, t * calls + call)
            for i in range(n):
                z, last = w[i] * x[i] + b[i], w[i] * y[i] + b[i]
                error = select(z > 0.0, z - gamma * x[i], 0.0)
                other = second * select(last > 0.0, last - gamma * y[i], 0.0)
                along[i] += error * x[i] + other * y[i]
                above[i] += error + other
        for i in range(n):
            w[i] -= step_size * along[i] / batch
            b[i] -= step_size * above[i] / batch
    for i in range(n):
        out[i, 0], out[i, 1] = w[i], b[i]


def descend_on_minibatches(
    w: Any,
    b: Any,
    gamma: Any,
    method: Method,
    *,
    batch: int,
    steps: int,
    target: str = "linear",
    seed: int = 0,
    name: str = "relu/minibatch",
    cone: float = CONE,
    executor: Executor | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Descend with momentum, zero at the start, along gradients of fresh minibatches.

    Parameters
    ----------
    w : array (n, L)
        Weights at the start, one row each; the target is along the last axis.
    b, gamma : float or array (n,)
        Biases; scales, in [1e-100, 1e100].
    method : Method
    batch : int
        Inputs x ~ N(0, I_L) of one gradient.
    steps : int
    target : {"linear", "relu"}
        gamma x_L or max(0, gamma x_L).
    seed, name
        Select the random stream. Start i at step t has draws of its own: nothing depends on the number of workers.
    cone : float
        z: the unit counts as dead where b < -z ||w||.
    executor : Executor, optional
        Default: a thread per core.

    Returns
    -------
    (w, b, entered) : arrays (n, L), (n,), (n,)
        The last parameters, and the first step in the dead cone (-1 for none, 0 for a start inside).

    Raises
    ------
    ValueError
        For values outside their domain, and shapes that do not fit together.

    Examples
    --------
    >>> w, b, _ = descend_on_minibatches([[0.5, 0.5]], 0.5, 1.0, Method(0.1), batch=256, steps=400)
    >>> bool(abs(w[0, 1] - 1) < 0.1)
    True
    """
    w = np.array(w, dtype=np.float64, ndmin=2)
    if w.ndim != 2 or w.size == 0:
        raise ValueError(
            f"descend_on_minibatches: w must be (starts, inputs), got shape {w.shape}; pass a row per start"
        )
    rows = np.linalg.norm(w, axis=1)
    gamma, b, _ = (a.copy() for a in points("descend_on_minibatches", gamma, b=b, w=rows))
    if b.shape != rows.shape:
        raise ValueError(
            f"descend_on_minibatches: b and gamma must be numbers or of shape {rows.shape}, got {b.shape} together; "
            "pass one per row of w"
        )
    if target not in ("linear", "relu"):
        raise ValueError(f"descend_on_minibatches: target must be 'linear' or 'relu', got {target!r}; choose one")
    if batch < 1 or steps < 0:
        raise ValueError(
            f"descend_on_minibatches: batch must be at least 1 and steps 0, got {batch} and {steps}; choose others"
        )
    if not 0 < cone < np.inf:
        raise ValueError(f"descend_on_minibatches: cone must be positive and finite, got {cone}; leave it out")
    key = stream(seed, name, 0)
    entered = np.where(b < -cone * rows, 0, -1)
    rates = tuple(map(float, (method.step_size, method.momentum, method.weight, method.ahead)))
    fixed = (*rates, target == "relu", float(cone), int(batch), int(steps))

    def work(first: int, last: int) -> None:
        part = slice(first, last)
        _descend(key, first, w[part], b[part], gamma[part], *fixed, entered[part])

    in_parts(work, len(w), min(64, len(w)), executor)
    return w, b, entered
