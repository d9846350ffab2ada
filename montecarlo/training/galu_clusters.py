"""The cluster data of section 4.2 of *Decoupling Gating from Linearity*, and exact fits of 0-1 GaLU networks to it.

Centres c_1, ..., c_n ~ N(0, I_d) have random labels; a point is x = c_i + xi with xi ~ N(0, sigma_x^2 I_d), its target
the label of its cluster plus noise of variance sigma_y^2. A network of k gated units is linear in its k d features
g_j(x) x, so that its minimum of least norm is a pseudo-inverse, and all averages over the label noise are traces.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np

from montecarlo.engine.models import one_run, simulator
from montecarlo.training.galu_filters import features
from montecarlo.training.optimisers import SGD


@dataclass(frozen=True)
class Clusters:
    """A draw of the generative model: centres (n, d), labels (n,), gates (k, d)."""

    centres: np.ndarray
    labels: np.ndarray
    gates: np.ndarray
    sigma_x: float

    @classmethod
    def drawn(
        cls, rng: np.random.Generator, n: int, d: int, k: int, sigma_x: float, *, classes: bool = False
    ) -> Clusters:
        """Centres and gates are standard normal, labels standard normal or, with ``classes``, fair coins."""
        centres, gates = rng.normal(size=(n, d)), rng.normal(size=(k, d))
        labels = rng.integers(2, size=n).astype(float) if classes else rng.normal(size=n)
        return cls(centres, labels, gates, sigma_x)

    def sample(self, rng: np.random.Generator, m: int) -> tuple[np.ndarray, np.ndarray]:
        """Points (m, d) and the labels of their clusters (m,)."""
        chosen = rng.integers(len(self.labels), size=m)
        noise = rng.normal(size=(m, self.centres.shape[1]))
        return self.centres[chosen] + self.sigma_x * noise, self.labels[chosen]


@dataclass(frozen=True)
class Fit:
    """A pseudo-inverse, and what noise in the targets does through it: each is clean + sigma_y^2 noisy.

    Attributes
    ----------
    inverse : array (features, samples)
    rank : int
    train, test, norm : pair of float
        Mean over the label noise of train loss, test loss and |w|_2^2: part without noise, coefficient of sigma_y^2.
    """

    inverse: np.ndarray
    rank: int
    train: tuple[float, float]
    test: tuple[float, float]
    norm: tuple[float, float]


def fit(train: np.ndarray, labels: np.ndarray, test: np.ndarray, test_labels: np.ndarray) -> Fit:
    """Fit features to labels; the rank counts singular values above 1e-10 of the largest."""
    left, values, right = np.linalg.svd(train, full_matrices=False)
    rank = int((values > 1e-10 * values[0]).sum())
    inverse = (right[:rank].T / values[:rank]) @ left[:, :rank].T
    w = inverse @ labels
    predict = test @ inverse
    return Fit(
        inverse,
        rank,
        (float(np.mean((train @ w - labels) ** 2)), 1 - rank / len(labels)),
        (float(np.mean((test @ w - test_labels) ** 2)), 1 + float(np.mean(np.sum(predict**2, axis=1)))),
        (float(w @ w), float(np.sum(1 / values[:rank] ** 2))),
    )


def descend(
    rng: np.random.Generator,
    x: np.ndarray,
    y: np.ndarray,
    gates: np.ndarray | None,
    *,
    units: int,
    stops: tuple[int, ...],
    step_size: float,
    batch: int,
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Train both layers of a network without biases on the mean squared error of batches.

    Parameters
    ----------
    rng : numpy.random.Generator
        Initialises and draws batches with replacement.
    x, y : arrays (m, d) and (m,)
    gates : array (units, d) or None
        Fixed gates of GaLU units; ReLU units, whose gates are their weights, where None.
    units, batch : int
    stops : tuple of int
        Growing numbers of steps after which the weights are kept.
    step_size : float

    Returns
    -------
    list of (first layer (units, d), readout (units,)), one per stop.
    """
    d = x.shape[1]
    w = rng.normal(size=(units, d)) * np.sqrt(2 / d)
    a = rng.normal(size=units) / np.sqrt(units)
    first, second = SGD(step_size), SGD(step_size)
    kept = []
    for step in range(1, stops[-1] + 1):
        chosen = rng.integers(len(y), size=batch)
        inputs = x[chosen]
        linear = inputs @ w.T
        is_open = (linear if gates is None else inputs @ gates.T) > 0
        hidden = linear * is_open
        error = (hidden @ a - y[chosen]) * (2 / batch)
        through = (error[:, None] * is_open) * a
        second.step(a, error @ hidden)
        first.step(w, through.T @ inputs)
        if step in stops:
            kept.append((w.copy(), a.copy()))
    return kept


def network(x: np.ndarray, layers: tuple[np.ndarray, np.ndarray], gates: np.ndarray | None) -> np.ndarray:
    """What a network of :func:`descend` predicts."""
    w, a = layers
    linear = x @ w.T
    return (linear * ((linear if gates is None else x @ gates.T) > 0)) @ a


def _together(
    rngs: list[np.random.Generator], x: np.ndarray, opens: np.ndarray, y: np.ndarray, steps: int, step_size: float,
    batch: int,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """:func:`descend` of a run with each generator at once: targets (runs, m), gates (m, units) of all points.

    First layers (runs, units, d) and readouts (runs, units) after the last step. A run knows nothing of the others.
    """
    units, d = opens.shape[1], x.shape[1]
    w = np.array([rng.normal(size=(units, d)) for rng in rngs]) * np.sqrt(2 / d)
    a = np.array([rng.normal(size=units) for rng in rngs]) / np.sqrt(units)
    batches = np.array([rng.integers(len(x), size=(steps, batch)) for rng in rngs])
    first, second, runs = SGD(step_size), SGD(step_size), np.arange(len(rngs))[:, None]
    for step in range(steps):
        chosen = batches[:, step]
        inputs, is_open = x[chosen], opens[chosen]
        hidden = inputs @ w.transpose(0, 2, 1)
        hidden *= is_open
        error = ((hidden @ a[:, :, None])[:, :, 0] - y[runs, chosen]) * (2 / batch)
        is_open *= a[:, None, :]
        is_open *= error[:, :, None]
        second.step(a, (error[:, None, :] @ hidden)[:, 0])
        first.step(w, is_open.transpose(0, 2, 1) @ inputs)
    return w, a


@simulator(columns=("gap", "norm", "layers"), block=14)
def trained_on_noise(
    stream, first, seed: int, draw: int, n: int, d: int, k: int, m: int, test: int, sigma_x, least, largest,
    levels: int, steps: int, step_size, batch: int, out,
):  # fmt: skip
    """GaLU networks with both layers trained, run i at level i of the label noise, all on the points of one draw.

    The gap of test and training error; the squared norm of the linear predictor; that of the weights of both layers.
    """
    del stream  # the points are those of a seed and the number of a draw
    rng = np.random.default_rng([seed, draw])
    model = Clusters.drawn(rng, n, d, k, sigma_x)
    (x, y), (new, new_y) = model.sample(rng, m), model.sample(rng, test)
    runs = range(first, first + out.shape[0])
    owns = [np.random.default_rng([seed, 5, draw, run]) for run in runs]
    noise = np.linspace(least, largest, levels)[np.array(runs) % levels]
    targets = y + noise[:, None] * np.array([own.normal(size=m) for own in owns])
    opens = (x @ model.gates.T > 0).astype(float)
    layers = _together(owns, x, opens, targets, steps, step_size, batch)
    for i, (w, a, level, target) in enumerate(zip(*layers, noise, targets, strict=True)):
        inside, outside = (network(points, (w, a), model.gates) for points in (x, new))
        out[i, 0] = np.mean((outside - new_y) ** 2) + level**2 - np.mean((inside - target) ** 2)
        out[i, 1:] = np.sum((a[:, None] * w) ** 2), np.sum(w**2) + np.sum(a**2)


PREDICTORS = ("GaLU, exact", "GaLU, few steps", "GaLU, many steps", "ReLU, few steps", "ReLU, many steps")
SIGMA_Y = (0.0, 0.125, 0.25, 0.5, 0.75, 1.0)
FLIPPED = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)


def _columns(levels: tuple[float, ...]) -> tuple[str, ...]:
    return tuple(f"{v:g}, {name}, {side}" for v in levels for name in PREDICTORS for side in ("training", "test"))


@one_run(columns=_columns(SIGMA_Y))
def noisy_regression(
    run, seed: int, n: int, d: int, k: int, m: int, test: int, sigma_x, units: int, few: int, many: int,
    step_size, batch: int
):  # fmt: skip
    """Mean squared errors by noise sigma_y of the labels and predictor, for one draw of centres, gates and points."""
    rng = np.random.default_rng([seed, run, 0])
    model = Clusters.drawn(rng, n, d, k, sigma_x)
    return _errors(rng, model, False, SIGMA_Y, m, test, units, (few, many), step_size, batch)


@one_run(columns=_columns(FLIPPED))
def noisy_classification(
    run, seed: int, n: int, d: int, k: int, m: int, test: int, sigma_x, units: int, few: int, many: int,
    step_size, batch: int
):  # fmt: skip
    """Fractions of wrong labels, by the sign of a regression on -1 and 1, by probability of a flip and predictor."""
    rng = np.random.default_rng([seed, run, 1])
    model = Clusters.drawn(rng, n, d, k, sigma_x, classes=True)
    return _errors(rng, model, True, FLIPPED, m, test, units, (few, many), step_size, batch)


@numba.njit(error_model="numpy", nogil=True, fastmath=True)
def _by_adam(x, y, opens, layers, moments, batches, taken, rate):
    """Steps of Adam on the mean squared error of given batches; all units are ReLU where ``opens`` has no rows."""
    batch, d = batches.shape[1], x.shape[1]
    units, slopes = len(layers) // (d + 1), np.empty_like(layers)
    w, a = layers[: units * d].reshape(units, d), layers[units * d :]
    of_w, of_a = slopes[: units * d].reshape(units, d), slopes[units * d :]
    inputs = np.empty((batch, d), x.dtype)
    hidden, through = np.empty((batch, units), x.dtype), np.empty((batch, units), x.dtype)
    for step in range(len(batches)):
        for i in range(batch):
            inputs[i] = x[batches[step, i]]
        np.dot(inputs, w.T, hidden)
        of_a[:] = 0
        for i in range(batch):
            point = batches[step, i]
            error = -y[point]
            for j in range(units):
                through[i, j] = opens[point, j] if len(opens) else np.float32(hidden[i, j] > 0)
                hidden[i, j] *= through[i, j]
                error += hidden[i, j] * a[j]
            error *= np.float32(2 / batch)
            for j in range(units):
                of_a[j] += error * hidden[i, j]
                through[i, j] *= error * a[j]
        np.dot(through.T, inputs, of_w)
        root = np.sqrt(1 - 0.999 ** (taken + step + 1))
        size, least = np.float32(rate * root / (1 - 0.9 ** (taken + step + 1))), np.float32(1e-8 * root)
        for j in range(len(layers)):
            moments[0, j] += np.float32(0.1) * (slopes[j] - moments[0, j])
            moments[1, j] += np.float32(0.001) * (slopes[j] * slopes[j] - moments[1, j])
            layers[j] -= size * moments[0, j] / (np.sqrt(moments[1, j]) + least)


@one_run(columns=("few, training", "few, test", "many, training", "many, test"))
def regression_by_adam(
    run, seed: int, n: int, d: int, k: int, m: int, test: int, sigma_x, sigma_y, kind: str, few: int,
    many: int, step_size, batch: int
):  # fmt: skip
    """Mean squared errors of GaLU or ReLU after few and many steps of Adam, for one draw of centres, gates, points.

    Batches go through random permutations of the points, one after the other; numbers have single precision.
    """
    rng = np.random.default_rng([seed, run, 2])
    model = Clusters.drawn(rng, n, d, k, sigma_x)
    sets = [model.sample(rng, size) for size in (m, test)]
    (x, y), new = ((points, labels + sigma_y * rng.normal(size=len(labels))) for points, labels in sets)
    gates = model.gates if kind == "galu" else None
    opens = x[:0] if gates is None else x @ gates.T > 0
    layers = np.append(rng.normal(size=k * d) * np.sqrt(2 / d), rng.normal(size=k) * np.sqrt(2 / (k + 1)))
    layers, moments = layers.astype(np.float32), np.zeros((2, len(layers)), np.float32)
    orders = np.tile(np.arange(m, dtype=np.int16), (many * batch // m + 1, 1))
    batches = rng.permuted(orders, axis=1).ravel()[: many * batch].reshape(many, batch)
    points = [np.ascontiguousarray(array, np.float32) for array in (x, y, opens)]
    found = []
    for steps in (slice(0, few), slice(few, many)):
        _by_adam(*points, layers, moments, batches[steps], steps.start, step_size)
        found += [
            np.mean((network(p, (layers[:-k].reshape(k, d), layers[-k:]), gates) - t) ** 2) for p, t in ((x, y), new)
        ]
    return found


def _errors(rng, model, classes, levels, m, test, units, stops, step_size, batch) -> np.ndarray:
    """Errors by level, predictor, and training or test, one after the other."""

    def noisy(labels, level):
        if classes:
            return np.where(rng.random(len(labels)) < level, 1 - labels, labels) * 2 - 1
        return labels + level * rng.normal(size=len(labels))

    def error(found, wanted):
        return np.mean((found > 0) != (wanted > 0)) if classes else np.mean((found - wanted) ** 2)

    (x, y), (new, new_y) = model.sample(rng, m), model.sample(rng, test)
    inside, outside = features(x, model.gates), features(new, model.gates)
    inverse = fit(inside, y, outside, new_y).inverse
    rows = []
    for level in levels:
        targets, new_targets = noisy(y, level), noisy(new_y, level)
        w = inverse @ targets
        found = [(inside @ w, outside @ w)]
        for gates in (model.gates, None):
            for layers in descend(rng, x, targets, gates, units=units, stops=stops, step_size=step_size, batch=batch):
                found.append((network(x, layers, gates), network(new, layers, gates)))
        rows.append([[error(f, t) for f, t in zip(pair, (targets, new_targets), strict=True)] for pair in found])
    return np.ravel(rows)
