"""Descent of a single ReLU on minibatches of fresh normal inputs, from many starts at once."""

from concurrent.futures import Executor
from typing import Any

import numpy as np

from montecarlo.descent.fields import points
from montecarlo.descent.parts import in_parts
from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2
from montecarlo.streams.instructions import select
from montecarlo.streams.philox import stream

DRAWN = 256


@compiled_helper
def _descend(key, first, w, b, gamma, step_size, batch, steps):
    """Start i is sample ``first + i``; its draws are counted by step and batch."""
    # Inputs of so many steps are drawn at once: a loop over one small batch is not worth a vector.
    together = max(1, DRAWN // batch)
    x = np.empty(together * batch)
    for i in range(w.size):
        for t in range(steps):
            now = t % together * batch
            if now == 0:
                for j in range(min(together, steps - t) * batch):
                    x[j], _ = normal2(key, first + i, t * batch + j)
            along, above = 0.0, 0.0
            for j in range(now, now + batch):
                z = w[i] * x[j] + b[i]
                error = select(z > 0.0, (z - gamma[i] * x[j]) / batch, 0.0)
                along += error * x[j]
                above += error
            w[i] -= step_size * along
            b[i] -= step_size * above


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
    w: Any, b: Any, gamma: Any, step_size: float, *, batch: int, steps: int, seed: int = 0,
    executor: Executor | None = None,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Descend along gradients of fresh minibatches, a unit with one input and the target gamma x.

    Parameters
    ----------
    w, b, gamma : float or array (n,)
        Weights and biases at the start; scales, in [1e-100, 1e100].
    step_size : float
    batch : int
        Inputs x ~ N(0, 1) of one gradient.
    steps : int
    seed : int
        Selects the random stream. Start i at step t has draws of its own: nothing depends on the number of workers.
    executor : Executor, optional
        Default: a thread per core.

    Returns
    -------
    (w, b) : arrays (n,)
        The last parameters.

    Raises
    ------
    ValueError
        For values outside their domain.

    Examples
    --------
    >>> w, b = descend_on_minibatches([0.5], 0.5, 1.0, 0.1, batch=256, steps=400)
    >>> bool(abs(w[0] - 1) < 0.1)
    True
    """
    gamma, w, b = (np.array(a, order="C").ravel() for a in points("descend_on_minibatches", gamma, w=w, b=b))
    if batch < 1 or steps < 0:
        raise ValueError(
            f"descend_on_minibatches: batch must be at least 1 and steps 0, got {batch} and {steps}; choose others"
        )
    key, size = stream(seed, "relu/minibatch", 0), float(step_size)

    def work(first: int, last: int) -> None:
        part = slice(first, last)
        _descend(key, first, w[part], b[part], gamma[part], size, int(batch), int(steps))

    in_parts(work, len(w), min(64, len(w)), executor)
    return w, b
