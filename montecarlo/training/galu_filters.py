"""Algorithm 1 of the GaLU paper: random replacement of filters, kept when the least training loss falls.

A replaced filter changes d of the k d columns of X-bar. With X-bar = Q R, what the filter's own columns C contribute
beyond the others is spanned by Q Z, Z an orthonormal basis of R^-T's columns at C. So the loss with those columns
replaced by others costs O(m k d^2) by products of matrices, and no new decomposition unless the filter is kept.
Everything is orthogonal: no normal equations, no squared condition number, no error carried from step to step. Where
columns look dependent, an exact elimination settles it, and a new decomposition of a basis takes over.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import solve_triangular

from montecarlo.engine.models import one_run, simulator
from montecarlo.kernels.modular import PRIME, pivot_columns
from montecarlo.streams.generators import generator
from montecarlo.training.galu import random_labels, train
from montecarlo.training.optimisers import Adam, half_cosine

SUSPICION = 1e-7


def features(x: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Rows g_i (x) x_i with 0-1 gates, (..., m, k d), of inputs (..., m, d) and filters (..., k, d)."""
    gates = x @ np.swapaxes(u, -1, -2) > 0
    return (gates[..., None] * x[..., None, :]).reshape(*x.shape[:-1], -1)


def least_loss(x: np.ndarray, u: np.ndarray, y: np.ndarray) -> float:
    """min over w of |X-bar w - y|^2/m by a new decomposition."""
    q = _decomposition(x, u)[0]
    rest = y - q @ (q.T @ y)
    return float(rest @ rest / len(y))


def _decomposition(x: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
    """Q, R of the features, and whether their columns are independent; of a basis of them where they are not."""
    bar = features(x, u)
    q, r = np.linalg.qr(bar)
    if len(x) >= bar.shape[1] and not _suspicious(r, bar):
        return q, r, True
    columns = independent_columns(x @ u.T > 0, x.shape[1])
    if len(columns) == bar.shape[1]:
        return q, r, True
    return *np.linalg.qr(bar[:, columns]), False


def _suspicious(r: np.ndarray, bar: np.ndarray) -> bool:
    """Whether columns may be dependent. This asks for an exact decision, it makes none."""
    return bool(np.abs(np.diag(r)).min() < SUSPICION * np.abs(bar).max())


def independent_columns(gates: np.ndarray, d: int) -> np.ndarray:
    """Columns of X-bar that are a basis of all, for inputs in general position, exactly.

    By elimination with random residues in place of the inputs; their number falls short of the rank with a probability
    of at most rank/2^61.
    """
    m, k = gates.shape
    residues = np.random.default_rng(0).integers(0, int(PRIME), (m, 1, d), dtype=np.uint64)
    work = (gates[:, :, None] * residues).reshape(m, k * d).astype(np.uint64)
    pivots = np.empty(min(m, k * d), dtype=np.int64)
    return pivots[: pivot_columns(work, m, k * d, pivots)]


@dataclass
class Filters:
    """A layer of k filters with the decomposition of its features.

    Attributes
    ----------
    x, u, y : arrays of shape (m, d), (k, d), (m,)
        Inputs in general position.
    loss : float
        The least training loss.
    """

    x: np.ndarray
    u: np.ndarray
    y: np.ndarray
    loss: float = field(init=False)

    def __post_init__(self):
        self.u = np.array(self.u, dtype=float)
        self._decompose()

    def _decompose(self) -> None:
        self._q, self._r, self._independent = _decomposition(self.x, self.u)
        self._part = self._q.T @ self.y
        self._rest = self.y - self._q @ self._part
        self.loss = float(self._rest @ self._rest / len(self.y))

    def loss_with(self, j: int, filter_: np.ndarray) -> float:
        """The least loss with filter j replaced; nothing is changed."""
        if self._independent:
            loss = self._updated(j, filter_)
            if loss is not None:
                return loss
        changed = self.u.copy()
        changed[j] = filter_
        return least_loss(self.x, changed, self.y)

    def _updated(self, j: int, filter_: np.ndarray) -> float | None:
        """:meth:`loss_with` from the decomposition at hand; ``None`` where the new columns may be dependent."""
        d = self.x.shape[1]
        own = slice(j * d, (j + 1) * d)
        unit = np.zeros((len(self._r), d))
        unit[own] = np.eye(d)
        z = np.linalg.qr(solve_triangular(self._r, unit, trans="T"))[0]
        only = self._q @ z
        rest = self._rest + only @ (z.T @ self._part)
        columns = (self.x @ filter_ > 0)[:, None] * self.x
        new = columns
        # Twice: once leaves what rounding adds of the other columns. The second time costs as much.
        for _ in range(2):
            new = new - self._q @ (self._q.T @ new) + only @ (only.T @ new)
        q, r = np.linalg.qr(new)
        if _suspicious(r, self.x):
            return None
        rest = rest - q @ (q.T @ rest)
        return float(rest @ rest / len(self.y))

    def replace(self, j: int, filter_: np.ndarray) -> None:
        """Replace filter j and decompose again."""
        self.u[j] = filter_
        self._decompose()


def replace_filters(x: np.ndarray, y: np.ndarray, k: int, rounds: int, rng: np.random.Generator) -> np.ndarray:
    """Algorithm 1: in each round one random filter of k is replaced by a normal one if that lowers the least loss.

    Returns
    -------
    array of shape (rounds + 1,)
        The least training loss at the start and after each round; it never rises.
    """
    d = x.shape[1]
    filters = Filters(x, rng.standard_normal((k, d)), y)
    losses = [filters.loss]
    for _ in range(rounds):
        j, candidate = int(rng.integers(k)), rng.standard_normal(d)
        if filters.loss_with(j, candidate) < filters.loss:
            filters.replace(j, candidate)
        losses.append(filters.loss)
    return np.array(losses)


@one_run(columns=("galu", "galu_replaced", "kept", "risen", "half_of_the_rounds", "relu", "relu_larger_steps"))
def replaced_and_trained(run, seed: int, m: int, d: int, k: int, rounds: int, steps: int, step_size, larger_step_size):
    """Least losses of one data set: random filters, after Algorithm 1, ReLU networks trained with two step sizes."""
    x, y = random_labels([seed, run], m, d, 1)
    path = replace_filters(x, y[:, 0], k, rounds, np.random.default_rng([seed, run, k]))
    trained = [
        train(x, y, k, "relu", steps, np.random.default_rng([seed, run, k]), step_size=size)
        for size in (step_size, larger_step_size)
    ]
    changes = np.diff(path)
    return path[0], path[-1], np.sum(changes < 0), np.sum(changes > 0), path[rounds // 2], *trained


@simulator(columns=("loss",), block=100)
def random_filters(stream, first, seed: int, m: int, d: int, k: int, data_set: int, out):
    """Least losses of networks with k random filters on one data set of :func:`replaced_and_trained`."""
    del stream  # a run is known by the seed and its number
    x, y = random_labels([seed, data_set], m, d, 1)
    filters = np.random.default_rng([seed, data_set, k, 3])
    # One generator for all: those of earlier networks are drawn and left.
    filters.standard_normal((first, k, d))
    for i in range(out.shape[0]):
        out[i, 0] = least_loss(x, filters.standard_normal((k, d)), y[:, 0])


def _relu_filters(x: np.ndarray, y: np.ndarray, k: int, steps: int, rngs: list[np.random.Generator]) -> np.ndarray:
    """What :func:`montecarlo.training.galu.fit` gives for ReLU networks, with the data (runs, m, d) of many at once.

    Weights (runs, k, d); a run knows nothing of the others.
    """
    m, d = x.shape[1:]
    w = np.array([rng.standard_normal((k, d)) for rng in rngs]) * np.sqrt(2 / d)
    v = np.array([rng.standard_normal(k) for rng in rngs]) / np.sqrt(k)
    first, second = (Adam(0.02, epsilon=1e-10) for _ in range(2))
    across = np.ascontiguousarray(x.transpose(0, 2, 1))
    for step in range(1, steps + 1):
        z = w @ across
        h = np.maximum(z, 0.0)
        error = ((v[:, None, :] @ h)[:, 0] - y) * (2 / m)
        gradient = (h @ error[:, :, None])[:, :, 0]
        through = v[:, :, None] * (z > 0)
        through *= error[:, None, :]
        factor = half_cosine(step, steps)
        first.step(w, through @ x, factor)
        second.step(v, gradient, factor)
    return w


@simulator(columns=("learnt", "random", "other_random"), block=20)
def learnt_filters(stream, first, m: int, d: int, k: int, steps: int, out):
    """Least losses on random labels: filters that a ReLU network has learnt on them, and two draws of random ones."""
    rngs = [generator(stream, first + i) for i in range(out.shape[0])]
    x, y = (np.array([rng.standard_normal(size) for rng in rngs]) for size in ((m, d), m))
    learnt = _relu_filters(x, y, k, steps, rngs)
    for i, rng in enumerate(rngs):
        out[i, 0] = least_loss(x[i], learnt[i], y[i])
        for column in (1, 2):
            out[i, column] = least_loss(x[i], rng.standard_normal((k, d)), y[i])


def _residues(bar: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """m times the least loss with the first j columns for j = 0, 1, ..., and which of the columns look independent.

    Of many matrices (runs, m, columns) at once: R of [X-bar, y] has in its last column what is left of y.
    """
    r = np.linalg.qr(np.concatenate([bar, y[:, :, None]], axis=2), mode="r")
    sizes = np.abs(np.diagonal(r, axis1=1, axis2=2))[:, : bar.shape[2]]
    left = np.cumsum(r[:, ::-1, -1] ** 2, axis=1)[:, ::-1]
    return left, sizes >= SUSPICION * np.abs(bar).max(axis=(1, 2))[:, None]


def _by_singular_values(bar: np.ndarray, y: np.ndarray) -> float:
    """:func:`least_loss` of features of any rank: singular values below 1e-10 of the largest count as 0."""
    w = np.linalg.lstsq(bar, y, rcond=1e-10)[0]
    return float(np.mean((bar @ w - y) ** 2))


def _least_losses(x: np.ndarray, u: np.ndarray, y: np.ndarray) -> np.ndarray:
    """:func:`least_loss` of many runs with more samples than features."""
    bar = features(x, u)
    left, independent = _residues(bar, y)
    losses = left[:, -1] / x.shape[1]
    for i in np.flatnonzero(~independent.all(axis=1)):
        losses[i] = _by_singular_values(bar[i], y[i])
    return losses


@simulator(columns=("first", "second", "third", "share"), block=100)
def accepted(stream, first, m: int, d: int, k: int, out):
    """Whether each of the first three rounds of Algorithm 1 keeps its new filter; m must be above k d.

    The last column is the share of what the other filters leave that the first candidate takes away.
    """
    runs = np.arange(out.shape[0])
    rngs = [generator(stream, first + i) for i in runs]
    x, y, u, candidates = (
        np.array([rng.standard_normal(size) for rng in rngs]) for size in ((m, d), m, (k, d), (3, d))
    )
    replaced = np.array([rng.integers(k, size=3) for rng in rngs])
    losses = _least_losses(x, u, y)
    for column in range(3):
        j, changed = replaced[:, column], u.copy()
        changed[runs, j] = candidates[:, column]
        found = _least_losses(x, changed, y)
        if column == 0:
            others = u[np.arange(k) != j[:, None]].reshape(len(runs), k - 1, d)
            out[:, 3] = 1 - found / (_least_losses(x, others, y) if k > 1 else np.mean(y * y, axis=1))
        better = found < losses
        out[:, column] = better
        u[better], losses[better] = changed[better], found[better]


@simulator(columns=("k",), block=100)
def smallest_number(stream, first, m: int, d: int, below, out):
    """The least number of random filters, one after the other, whose least loss on random labels is below a value."""
    rngs = [generator(stream, first + i) for i in range(out.shape[0])]
    x, y, u = (np.array([rng.standard_normal(size) for rng in rngs]) for size in ((m, d), m, (2 * m // d, d)))
    bar = features(x, u)
    left, independent = _residues(bar[:, :, : m // d * d], y)
    # Losses of the first k filters fall with k.
    enough = left[:, ::d] < below * m
    for i in range(len(rngs)):
        k = int(enough[i].argmax())
        if not enough[i, k] or not independent[i, : k * d].all():
            counts = range(u.shape[1])
            k = next((k for k in counts if _by_singular_values(bar[i, :, : k * d], y[i]) < below), len(counts))
        out[i, 0] = k
