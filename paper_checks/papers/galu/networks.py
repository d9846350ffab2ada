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


def dot(a, b) -> Fraction:
    """x.w, number by number."""
    return sum((p * q for p, q in zip(a, b, strict=True)), start=Fraction(0))


def galu(x, w, u, gate=zero_one) -> Fraction:
    """g_{w,u}(x)."""
    return gate(dot(x, u)) * dot(x, w)


def relu(x, w) -> Fraction:
    """f_w(x)."""
    return max(dot(x, w), Fraction(0))


def small(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """x (m, d), u (k, d), w (k, d), y (m): sizes up to 6 inputs, 3 gates, R^3; some filters and inputs repeated."""
    m, d, k = int(rng.integers(2, 7)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
    x, u = fractions(rng, m, d), fractions(rng, k, d)
    if rng.random() < 0.5:
        x[-1], u[-1] = x[0], u[0]
    return x, u, fractions(rng, k, d), fractions(rng, m)


def design_matrix(x, u, gate=zero_one) -> sympy.Matrix:
    """X-bar from its rows g_i (x) x_i."""
    return rational([[gate(dot(a, b)) * c for b in u for c in a] for a in x])


def rational(rows) -> sympy.Matrix:
    """A matrix of fractions."""
    return sympy.Matrix([[sympy.Rational(v.numerator, v.denominator) for v in row] for row in rows])


def column(values) -> sympy.Matrix:
    """A column of fractions."""
    return rational([[v] for v in values])


def projection(matrix: sympy.Matrix) -> sympy.Matrix:
    """The orthogonal projection onto the span of the columns, by a basis of them."""
    basis = matrix.columnspace()
    if not basis:
        return sympy.zeros(matrix.rows)
    basis = sympy.Matrix.hstack(*basis)
    return basis * (basis.T * basis).inv() * basis.T


def pseudo_inverse(matrix: sympy.Matrix) -> sympy.Matrix:
    """Moore and Penrose's, by a full-rank factorisation C F: F^T (F F^T)^-1 (C^T C)^-1 C^T."""
    reduced, pivots = matrix.rref()
    if not pivots:
        return sympy.zeros(matrix.cols, matrix.rows)
    c, f = matrix[:, list(pivots)], reduced[: len(pivots), :]
    return f.T * (f * f.T).inv() * (c.T * c).inv() * c.T


def loss(matrix: sympy.Matrix, w: sympy.Matrix, y: sympy.Matrix) -> sympy.Expr:
    """(1/m) |X-bar w - y|^2."""
    rest = matrix * w - y
    return rest.dot(rest) / len(y)
