"""Neurons and networks number by number, in exact rational arithmetic."""

from fractions import Fraction

import numpy as np
import sympy

NETWORKS = 200


def fixed(number: int = 0) -> np.random.Generator:
    """Random numbers that do not depend on the seed of a verification: exact checks are the same in every one."""
    return np.random.default_rng([20190, number])


def fractions(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Random rational numbers."""
    top, bottom = rng.integers(-9, 10, shape), rng.integers(1, 10, shape)
    return np.array([Fraction(int(a), int(b)) for a, b in zip(top.flat, bottom.flat, strict=True)]).reshape(shape)


def zero_one(t: Fraction) -> int:
    """The 0-1 gate."""
    return int(t > 0)


def galu(x, w, u) -> Fraction:
    """g_{w,u}(x)."""
    return zero_one(np.dot(x, u)) * np.dot(x, w)


def relu(x, w) -> Fraction:
    """f_w(x)."""
    return max(np.dot(x, w), Fraction(0))


def small(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """x (m, d), u (k, d), w (k, d), y (m): sizes up to 6 inputs, 3 gates, R^3; some filters and inputs repeated."""
    m, d, k = int(rng.integers(2, 7)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
    x, u = fractions(rng, m, d), fractions(rng, k, d)
    if rng.random() < 0.5:
        x[-1], u[-1] = x[0], u[0]
    return x, u, fractions(rng, k, d), fractions(rng, m)


def beside(matrix: sympy.Matrix) -> sympy.Matrix:
    """The orthogonal projection onto what the columns do not reach."""
    return sympy.eye(matrix.rows) - matrix * matrix.pinv()


def loss(matrix: sympy.Matrix, w: sympy.Matrix, y: sympy.Matrix) -> sympy.Expr:
    """(1/m) |X-bar w - y|^2."""
    rest = matrix * w - y
    return rest.dot(rest) / len(y)
