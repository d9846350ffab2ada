"""Normal vectors from the uniforms of draws, and what orthogonal matrices of any size do to vectors."""

import numpy as np
import sympy

from paper_checks.evidence.symbolic import vanishes


def normals(draws, index):
    """Two standard normals from the two uniforms of a draw."""
    return _box_muller(*draws(index))


def four_normals(draws, index):
    """Four standard normals from the four uniforms of 32 bits of a draw."""
    u, v, s, t = draws.four(index)
    return _box_muller(u, v) + _box_muller(s, t)


def _box_muller(u, v):
    """Angles reduced to one quadrant."""
    quarter = np.floor(4 * v)
    rest = 2 * np.pi * (v - quarter / 4)
    # cos(x) as sin(pi/2 - x): relatively accurate near its zero.
    cosine, sine = np.sin(2 * np.pi * ((quarter + 1) / 4 - v)), np.sin(rest)
    turn = [(cosine, sine), (-sine, cosine), (-cosine, -sine), (sine, -cosine)]
    radius = np.sqrt(-2 * np.log(u))
    return tuple(radius * np.choose(quarter.astype(int), [pair[k] for pair in turn]) for k in (0, 1))


def reflection_onto_the_axis() -> bool:
    """For any number of inputs: I - 2 v v^T/(v.v), v = w/||w|| - e, is orthogonal and maps w to ||w|| e.

    With c = e.w/||w|| inner products are v.v = 1 + e.e - 2 c and v.w = ||w|| (1 - c). The square of the matrix is
    I + (q^2 v.v - 2 q) v v^T with q = 2/(v.v); the image w - q (v.w) v. An e that is not of length 1 is the control.
    Where v = 0, c = 1, the vector lies on the axis already, and I does.
    """
    size, length = sympy.symbols("s l", positive=True)
    c = sympy.Symbol("c", real=True)
    square, along = 1 + length**2 - 2 * c, size * (1 - c)
    q = 2 / square
    orthogonal = vanishes(q**2 * square - 2 * q)
    beyond = sympy.simplify(q * along - size)  # w - s v = s e
    return orthogonal and vanishes(beyond.subs(length, 1)) and beyond != 0


def orthogonal_keeps_products() -> bool:
    """(U w)^T (U x) = w^T x for orthogonal U of any size, and not for any U.

    With U w = ||w|| e it is ||w|| (U x)_L; and U x, of covariance U U^T = I, is normal as x is.
    """
    size = sympy.Symbol("L", integer=True, positive=True)
    u = sympy.MatrixSymbol("U", size, size)
    w, x = (sympy.MatrixSymbol(name, size, 1) for name in "wx")
    product = ((u * w).T * (u * x)).doit()
    return sympy.refine(product, sympy.Q.orthogonal(u)).doit() == w.T * x and product != w.T * x
