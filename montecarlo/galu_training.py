"""One hidden layer of ReLU or GaLU neurons trained by gradients, and alternating convex search for GaLU layers."""

from __future__ import annotations

import numpy as np

__all__ = ["alternating_search", "fit", "train"]


def train(
    x: np.ndarray, y: np.ndarray, k: int, kind: str, steps: int, rng: np.random.Generator,
    step_size: float = 0.02, batch: int | None = None,
) -> float:  # fmt: skip
    """Train N(x) = V s(x) with k neurons by Adam on the mean square over examples and outputs; the final loss.

    Parameters
    ----------
    x, y : arrays of shape (m, d) and (m, outputs)
    k : int
    kind : {"relu", "galu"}
        Neurons max{x.w, 0}, or x.w behind a random 0-1 gate that is not trained.
    steps : int
        The step size falls to zero along half a cosine.
    batch : int, optional
        Examples of a step, drawn anew; default all.

    Returns
    -------
    float
        The mean square on all examples after the last step.
    """
    w, v, gates = fit(x, y, k, kind, steps, rng, step_size, batch)
    z = x @ w
    h = z * (gates if kind == "galu" else (z > 0))
    return float(np.mean((h @ v - y) ** 2))


def fit(
    x: np.ndarray, y: np.ndarray, k: int, kind: str, steps: int, rng: np.random.Generator,
    step_size: float = 0.02, batch: int | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """:func:`train`, but what it returns are the weights (d, k), the readout (k, outputs) and the constant gates."""
    if kind not in ("relu", "galu"):
        raise ValueError(f"fit: kind must be 'relu' or 'galu', got {kind!r}; choose one")
    (m, d), outputs = x.shape, y.shape[1]
    gates = (x @ rng.standard_normal((d, k)) > 0).astype(float)
    parameters = [rng.standard_normal((d, k)) * np.sqrt(2 / d), rng.standard_normal((k, outputs)) / np.sqrt(k)]
    first, second = [np.zeros_like(p) for p in parameters], [np.zeros_like(p) for p in parameters]
    for step in range(1, steps + 1):
        rows = slice(None) if batch is None else rng.integers(0, m, batch)
        inputs, target = x[rows], y[rows]
        w, v = parameters
        z = inputs @ w
        g = gates[rows] if kind == "galu" else (z > 0).astype(float)
        h = z * g
        error = (h @ v - target) * (2 / target.size)
        gradients = inputs.T @ ((error @ v.T) * g), h.T @ error
        rate = step_size * 0.5 * (1 + np.cos(np.pi * step / steps))
        for p, gradient, a, b in zip(parameters, gradients, first, second, strict=True):
            a += 0.1 * (gradient - a)
            b += 0.001 * (gradient**2 - b)
            p -= rate * (a / (1 - 0.9**step)) / (np.sqrt(b / (1 - 0.999**step)) + 1e-10)
    return parameters[0], parameters[1], gates


def alternating_search(x: np.ndarray, y: np.ndarray, k: int, sweeps: int, rng: np.random.Generator) -> np.ndarray:
    """Alternating convex search for a GaLU layer with several outputs: the loss after each half step.

    With the readout V constant the outputs are linear in the w_j, and the other way round: both halves are least
    squares, solved by the pseudo-inverse.

    Returns
    -------
    array of shape (2 sweeps,)
        Mean squares over examples and outputs; they never rise.
    """
    (m, d), outputs = x.shape, y.shape[1]
    gated = (x @ rng.standard_normal((d, k)) > 0)[:, :, None] * x[:, None, :]
    v = rng.standard_normal((k, outputs)) / np.sqrt(k)
    losses = []
    for _ in range(sweeps):
        matrix = np.einsum("ija,jc->icja", gated, v).reshape(m * outputs, k * d)
        w = np.linalg.lstsq(matrix, y.ravel(), rcond=None)[0].reshape(k, d)
        h = np.einsum("ija,ja->ij", gated, w)
        losses.append(np.mean((h @ v - y) ** 2))
        v = np.linalg.lstsq(h, y, rcond=None)[0]
        losses.append(np.mean((h @ v - y) ** 2))
    return np.array(losses)
