"""One hidden layer of ReLU or GaLU neurons trained by gradients, and alternating convex search for GaLU layers."""

import numpy as np

from montecarlo.engine.models import one_run
from montecarlo.training.optimisers import Adam, half_cosine


def train(
    x: np.ndarray, y: np.ndarray, k: int, kind: str, steps: int, rng: np.random.Generator,
    step_size: float = 0.02, batch: int | None = None, constant: bool = False,
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
        Examples of a step, drawn again each time; default all.
    constant : bool
        A constant step size instead, and Adam's usual epsilon of 1e-8.

    Returns
    -------
    float
        The mean square on all examples after the last step.
    """
    w, v, gates = fit(x, y, k, kind, steps, rng, step_size, batch, constant)
    z = x @ w
    h = z * (gates if kind == "galu" else (z > 0))
    return float(np.mean((h @ v - y) ** 2))


def fit(
    x: np.ndarray, y: np.ndarray, k: int, kind: str, steps: int, rng: np.random.Generator,
    step_size: float = 0.02, batch: int | None = None, constant: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """:func:`train`, but what it returns are the weights (d, k), the readout (k, outputs) and the constant gates."""
    if kind not in ("relu", "galu"):
        raise ValueError(f"fit: kind must be 'relu' or 'galu', got {kind!r}; choose one")
    (m, d), outputs = x.shape, y.shape[1]
    gates = (x @ rng.standard_normal((d, k)) > 0).astype(float)
    parameters = [rng.standard_normal((d, k)) * np.sqrt(2 / d), rng.standard_normal((k, outputs)) / np.sqrt(k)]
    optimisers = [Adam(step_size, epsilon=1e-8 if constant else 1e-10) for _ in parameters]
    for step in range(1, steps + 1):
        rows = slice(None) if batch is None else rng.integers(0, m, batch)
        inputs, target = x[rows], y[rows]
        w, v = parameters
        z = inputs @ w
        g = gates[rows] if kind == "galu" else (z > 0).astype(float)
        h = z * g
        error = (h @ v - target) * (2 / target.size)
        gradients = inputs.T @ ((error @ v.T) * g), h.T @ error
        for optimiser, parameter, gradient in zip(optimisers, parameters, gradients, strict=True):
            optimiser.step(parameter, gradient, 1.0 if constant else half_cosine(step, steps))
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


def random_labels(entropy: list[int], m: int, d: int, outputs: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs (m, d) and labels (m, outputs), all N(0, 1)."""
    rng = np.random.default_rng(entropy)
    return rng.standard_normal((m, d)), rng.standard_normal((m, outputs))


@one_run(columns=("galu", "relu"))
def as_many_neurons(run, seed: int, m: int, d: int, outputs: int, k: int, steps: int, step_size):
    """Losses after training of a GaLU and of a ReLU network with k neurons each, on the same random labels."""
    x, y = random_labels([seed, outputs, run], m, d, outputs)
    start = [seed, outputs, run, 1]
    return [train(x, y, k, kind, steps, np.random.default_rng(start), step_size) for kind in ("galu", "relu")]


@one_run(columns=("k", "above"))
def smallest_width(run, seed: int, m: int, d: int, outputs: int, kind: str, below, steps: int, step_size):
    """The least number of neurons of a bisection at which training ends below a loss, and one that is not enough."""
    x, y = random_labels([seed, outputs, run], m, d, outputs)
    # As many weights as examples to be met, give or take.
    guess = (1 - below) * m * outputs / (d + outputs - 1)
    low, high = int(guess / 2), int(2 * guess) + 1
    while high - low > max(1, guess // 40):
        middle = (low + high) // 2
        start = np.random.default_rng([seed, outputs, middle, run])
        enough = train(x, y, middle, kind, steps, start, step_size) < below
        low, high = (low, middle) if enough else (middle, high)
    return high, low


@one_run(columns=("search", "largest_rise", "batches", "all_examples"))
def search_and_gradients(
    run, seed: int, m: int, d: int, outputs: int, k: int, sweeps: int, steps: int, batch: int, step_size,
    larger_step_size
):  # fmt: skip
    """Final losses for one data set and set of gates: alternating search; gradients, the better of two step sizes."""
    x, y = random_labels([seed, m, run], m, d, outputs)
    start = [seed, m, run, 1]
    path = alternating_search(x, y, k, sweeps, np.random.default_rng(start))
    by_gradients = [
        [train(x, y, k, "galu", steps, np.random.default_rng(start), size, examples) for examples in (batch, None)]
        for size in (step_size, larger_step_size)
    ]
    return path[-1], np.diff(path).max(), *np.min(by_gradients, axis=0)


@one_run(columns=("first_half_step", "search", "adam"))
def search_and_adam(run, seed: int, m: int, d: int, outputs: int, k: int, steps: int, step_size):
    """Losses for one data set and set of gates: one sweep of the search; Adam on all examples, constant step size."""
    x, y = random_labels([seed, m, run], m, d, outputs)
    starts = [np.random.default_rng([seed, m, run, 1]) for _ in range(2)]
    path = alternating_search(x, y, k, 1, starts[0])
    return *path, train(x, y, k, "galu", steps, starts[1], step_size, constant=True)
