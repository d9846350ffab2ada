"""Joint distributions of ``sympy.stats``: their components from independent uniform values."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy
from scipy import special


def _correlated(normal: np.ndarray, mean: Any, covariance: Any) -> list[np.ndarray]:
    """Components with a covariance from independent ones, sample by sample: the bits do not depend on the block."""
    if not np.isfinite(np.asarray(mean, dtype=float)).all():
        raise ValueError(f"the mean must be finite, got {np.ravel(mean).tolist()}")
    root = cholesky(np.asarray(covariance, dtype=float))
    return [m + sum(root[i, j] * normal[j] for j in range(i + 1)) for i, m in enumerate(np.ravel(mean))]


def cholesky(matrix: np.ndarray) -> np.ndarray:
    """The lower triangular root of a symmetric positive definite matrix.

    Raises
    ------
    ValueError
        If the matrix is not symmetric or not positive definite.

    Examples
    --------
    >>> cholesky(np.array([[4.0, 2.0], [2.0, 10.0]]))
    array([[2., 0.],
           [1., 3.]])
    """
    if not np.isfinite(matrix).all():
        raise ValueError(f"the matrix must be finite, got {matrix.tolist()}")
    if not np.allclose(matrix, matrix.T, rtol=1e-12, atol=0):
        raise ValueError(f"the matrix must be symmetric, got {matrix.tolist()}")
    root = np.zeros_like(matrix)
    for i, row in enumerate(matrix):
        for j in range(i):
            root[i, j] = (row[j] - (root[i, :j] * root[j, :j]).sum()) / root[j, j]
        left = row[i] - (root[i, :i] ** 2).sum()
        if not left > 1e-12 * abs(row[i]):
            raise ValueError(f"the matrix must be positive definite, not singular, got {matrix.tolist()}")
        root[i, i] = np.sqrt(left)
    return root


def _check_positive(what: str, numbers: Any) -> None:
    if not (np.asarray(numbers) > 0).all():
        raise ValueError(f"{what} must be positive, got {np.asarray(numbers).tolist()}")


def _student(u: np.ndarray, mean: Any, scale: Any, dof: float) -> list[np.ndarray]:
    _check_positive("the degrees of freedom", dof)
    return _correlated(special.ndtri(u[1:]) * np.sqrt(dof / scipy.stats.chi2.ppf(u[0], dof)), mean, scale)


def _dirichlet(u: np.ndarray, weights: Any) -> list[np.ndarray]:
    _check_positive("the weights", weights)
    parts = [special.gammaincinv(k, row) for k, row in zip(np.ravel(weights), u, strict=True)]
    return [part / sum(parts) for part in parts]


def _multinomial(u: np.ndarray, n: float, probabilities: Any) -> list[np.ndarray]:
    p = np.ravel(probabilities).astype(float)
    if not (n >= 0 and float(n).is_integer()):
        raise ValueError(f"n must be a whole number >= 0, got {n}")
    if not ((p >= 0).all() and abs(p.sum() - 1) <= 1e-12):
        raise ValueError(f"the probabilities must be >= 0 with the sum 1, got {p.tolist()}")
    left, found = np.full(u.shape[1], float(n)), []
    for i, row in enumerate(u):
        rest = p[i:].sum()
        found.append(scipy.stats.binom.ppf(row, left, min(1.0, p[i] / rest) if rest else 0.0))
        left = left - found[-1]
    return found


def _normal_gamma(u: np.ndarray, mean: float, factor: float, k: float, rate: float) -> list[np.ndarray]:
    _check_positive("lambda, alpha and beta", [factor, k, rate])
    precision = scipy.stats.gamma.ppf(u[1], k, scale=1 / rate)
    return [mean + special.ndtri(u[0]) / np.sqrt(factor * precision), precision]


# Joint distributions: components from uniform values, a row for each component, and how many rows more they need.
JOINT: dict[str, tuple[Callable, int]] = {
    "Multinomial": (_multinomial, 0),
    "MultivariateBeta": (_dirichlet, 0),
    "MultivariateNormal": (lambda u, mean, covariance: _correlated(special.ndtri(u), mean, covariance), 0),
    "MultivariateT": (_student, 1),
    "NormalGamma": (_normal_gamma, 0),
}
