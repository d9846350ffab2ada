"""Algorithm 1 of the GaLU paper: random replacement of filters, kept when the least training loss falls.

A replaced filter changes d of the k d columns of X-bar. With X-bar = Q R, what the filter's own columns C contribute
beyond the others is spanned by Q Z, Z an orthonormal basis of R^-T's columns at C. So the loss with those columns
replaced by others costs O(m k d^2) by products of matrices, and no new decomposition unless the filter is kept.
Everything is orthogonal: no normal equations, no squared condition number, no error carried from step to step.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import solve_triangular

__all__ = ["Filters", "features", "least_loss", "replace_filters"]


def features(x: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Rows g_i (x) x_i with 0-1 gates, as (m, k d)."""
    gates = x @ u.T > 0
    return (gates[:, :, None] * x[:, None, :]).reshape(len(x), -1)


def least_loss(x: np.ndarray, u: np.ndarray, y: np.ndarray) -> float:
    """min over w of |X-bar w - y|^2/m by a new decomposition, for columns that are independent."""
    q = np.linalg.qr(features(x, u))[0]
    rest = y - q @ (q.T @ y)
    return float(rest @ rest / len(y))


@dataclass
class Filters:
    """A layer of k filters with the decomposition of its features.

    Attributes
    ----------
    x, u, y : arrays of shape (m, d), (k, d), (m,)
        m of at least k d, X-bar of full column rank.
    loss : float
        The least training loss.
    """

    x: np.ndarray
    u: np.ndarray
    y: np.ndarray
    loss: float = field(init=False)

    def __post_init__(self):
        (m, d), k = self.x.shape, len(self.u)
        if m < k * d:
            raise ValueError(f"Filters: m must be at least k d, got m = {m}, k d = {k * d}; take fewer filters")
        self.u = np.array(self.u, dtype=float)
        self._decompose()

    def _decompose(self) -> None:
        self._q, self._r = np.linalg.qr(features(self.x, self.u))
        if not np.all(np.abs(np.diag(self._r)) > 0):
            raise ValueError("Filters: X-bar must have independent columns, got a zero pivot; draw other filters")
        self._part = self._q.T @ self.y
        self._rest = self.y - self._q @ self._part
        self.loss = float(self._rest @ self._rest / len(self.y))

    def loss_with(self, j: int, filter_: np.ndarray) -> float:
        """The least loss with filter j replaced; nothing is changed."""
        d = self.x.shape[1]
        own = slice(j * d, (j + 1) * d)
        unit = np.zeros((len(self._r), d))
        unit[own] = np.eye(d)
        z = np.linalg.qr(solve_triangular(self._r, unit, trans="T"))[0]
        only = self._q @ z
        rest = self._rest + only @ (z.T @ self._part)
        new = (self.x @ filter_ > 0)[:, None] * self.x
        # Twice: once leaves what rounding adds of the other columns. The second time costs as much.
        for _ in range(2):
            new = new - self._q @ (self._q.T @ new) + only @ (only.T @ new)
        q = np.linalg.qr(new)[0]
        rest = rest - q @ (q.T @ rest)
        return float(rest @ rest / len(self.y))

    def replace(self, j: int, filter_: np.ndarray) -> None:
        """Replace filter j and decompose anew."""
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
