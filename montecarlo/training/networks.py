"""Fully connected ReLU networks of many independent runs: outputs, gradients, dead units.

All arrays have the runs as first axis. The parameters of a run are one row of one array, cut into tensors: the
optimiser sees the row.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

# Added to variances by batch normalisation.
VARIANCE_FLOOR = 1e-5


@dataclass(frozen=True)
class Network:
    """A network with one output.

    Without ``residual``: h = relu(h W + b) ``depth`` times, then h W + b. With it: h = x W + b, then ``depth`` times
    h = h + relu(N(h)) W + b, where N normalises each unit over the batch and has a scale and a shift of its own; then
    h W + b. So ``depth`` counts ReLU layers in both.

    Attributes
    ----------
    inputs, width, depth : int
    residual : bool
    leak : float
        Slope of the activation below 0; 0 for ReLU.

    Examples
    --------
    >>> Network(inputs=2, width=3, depth=1).shapes
    ((2, 3), (1, 3), (3, 1), (1, 1))
    """

    inputs: int
    width: int
    depth: int
    residual: bool = False
    leak: float = 0.0

    def __post_init__(self):
        if min(self.inputs, self.width, self.depth) < 1:
            raise ValueError(
                f"Network: inputs, width and depth must be at least 1, got {self.inputs}, {self.width}, {self.depth}; "
                "choose others"
            )

    @property
    def shapes(self) -> tuple[tuple[int, int], ...]:
        """Of the tensors of one run, in order: weights, bias; in residual layers first the scale and the shift."""
        h = self.width
        first, last = ((self.inputs, h), (1, h)), ((h, 1), (1, 1))
        if self.residual:
            return (*first, *((1, h), (1, h), (h, h), (1, h)) * self.depth, *last)
        return (*first, *((h, h), (1, h)) * (self.depth - 1), *last)

    @property
    def size(self) -> int:
        """Parameters of one run."""
        return sum(a * b for a, b in self.shapes)

    def tensors(self, rows: np.ndarray) -> list[np.ndarray]:
        """Views of (runs, size) as (runs, *shape) tensors."""
        ends = np.cumsum([a * b for a, b in self.shapes])
        return [rows[:, e - a * b : e].reshape(-1, a, b) for e, (a, b) in zip(ends, self.shapes, strict=True)]

    def start(self, rngs: Sequence[np.random.Generator], law: str = "uniform") -> np.ndarray:
        """Parameters at the start, (runs, size).

        ``uniform``: weights and biases U[-1/sqrt(fan_in), 1/sqrt(fan_in)]. ``he``: weights N(0, 2/fan_in), biases 0.
        Scales of normalisations are 1, their shifts 0.

        Raises
        ------
        ValueError
            For another law.
        """
        if law not in ("uniform", "he"):
            raise ValueError(f"start: law must be 'uniform' or 'he', got {law!r}; choose one")
        rows = np.empty((len(rngs), self.size))
        for run, rng in enumerate(rngs):
            for tensor, (a, kind) in zip(self.tensors(rows[run : run + 1]), self._kinds(), strict=True):
                if kind in ("scale", "shift"):
                    tensor[...] = kind == "scale"
                elif law == "uniform":
                    tensor[...] = rng.uniform(-1, 1, tensor.shape) / np.sqrt(a)
                else:
                    tensor[...] = rng.normal(size=tensor.shape) * np.sqrt(2 / a) if kind == "weight" else 0.0
        return rows

    def _kinds(self) -> list[tuple[int, str]]:
        """Fan-in of the layer and what the tensor is."""
        affine = [(self.width, "weight"), (self.width, "bias")]
        first = [(self.inputs, "weight"), (self.inputs, "bias")]
        inner = [(self.width, "scale"), (self.width, "shift"), *affine] if self.residual else affine
        return first + inner * (self.depth - (not self.residual)) + affine

    def forward(self, rows: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, list]:
        """Outputs (runs, n, 1) for x (runs or 1, n, inputs), and what :meth:`gradients` needs.

        Batch normalisation takes mean and variance of the n inputs that are given.
        """
        t = iter(self.tensors(rows))
        tape: list = []
        if self.residual:
            h = x @ next(t) + next(t)
            tape.append(x)
            for scale, shift, w, b in zip(t, t, t, t):  # noqa: B905 (one iterator; the output layer is left over)
                average = np.full((1, h.shape[1]), 1 / h.shape[1])
                normal = h - average @ h
                deviation = np.sqrt(average @ normal**2 + VARIANCE_FLOOR)
                normal /= deviation
                z = normal * scale
                z += shift
                active = self._activation(z)
                h = h + active @ w
                h += b
                tape.append((normal, deviation, z, active))
                if len(tape) > self.depth:
                    break
            tape.append(h)
            return h @ next(t) + next(t), tape
        h = x
        for _ in range(self.depth):
            z = h @ next(t) + next(t)
            tape.append((h, z))
            h = self._activation(z)
        tape.append(h)
        return h @ next(t) + next(t), tape

    def _activation(self, z: np.ndarray) -> np.ndarray:
        return np.maximum(z, self.leak * z) if self.leak else np.maximum(z, 0)

    def _slope(self, z: np.ndarray) -> np.ndarray:
        return np.where(z > 0, 1.0, self.leak)

    def gradients(self, rows: np.ndarray, tape: list, delta: np.ndarray, out: np.ndarray) -> None:
        """Of the loss whose gradient by the outputs is ``delta`` (runs, n, 1), into ``out`` (runs, size)."""
        weights, grads = self.tensors(rows), self.tensors(out)
        h = tape[-1]
        _affine(h, delta, grads[-2:])
        delta = delta @ weights[-2].transpose(0, 2, 1)
        if not self.residual:
            for n in reversed(range(self.depth)):
                h, z = tape[n]
                delta *= self._slope(z)
                _affine(h, delta, grads[2 * n : 2 * n + 2])
                if n:
                    delta = delta @ weights[2 * n].transpose(0, 2, 1)
            return
        for n in reversed(range(self.depth)):
            normal, deviation, z, active = tape[1 + n]
            first = 2 + 4 * n
            _affine(active, delta, grads[first + 2 : first + 4])
            back = delta @ weights[first + 2].transpose(0, 2, 1)
            back *= self._slope(z)
            ones, count = np.ones((1, normal.shape[1])), normal.shape[1]
            np.matmul(ones, back * normal, out=grads[first])
            np.matmul(ones, back, out=grads[first + 1])
            # Through the mean and the variance of the batch as well.
            back -= grads[first + 1] / count
            back -= normal * (grads[first] / count)
            back *= weights[first] / deviation
            delta = delta + back
        _affine(tape[0], delta, grads[:2])

    def dead(self, rows: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Which units are inactive for all of x (1, n, inputs): bool (runs, depth, width)."""
        _, tape = self.forward(rows, x)
        zs = [t[2] for t in tape[1:-1]] if self.residual else [t[1] for t in tape[:-1]]
        return np.stack([z.max(axis=1) <= 0 for z in zs], axis=1)


def _affine(h: np.ndarray, delta: np.ndarray, grads: Sequence[np.ndarray]) -> None:
    np.matmul(h.transpose(0, 2, 1), delta, out=grads[0])
    np.matmul(np.ones((1, delta.shape[1])), delta, out=grads[1])
