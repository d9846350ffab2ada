"""Section 2: gradients and Jacobians by their definitions, (1) to (4), and the notation for sums."""

import numpy as np
import sympy

from paper_checks import AllSizes, AtPoints, claim, common
from paper_checks.papers.nerva.identities import stated
from paper_checks.papers.nerva.notation import T, Y, Z, gradient
from theory.matrix_calculus import Diag, Equal, Jacobian, column, function, hadamard, identity, matrix, ones, row, total

X, A, x, s = matrix("X", "m", "n"), matrix("A", "n", "k"), matrix("x", "n", 1), matrix("s", 1, 1)
only_ij = s * (column(identity("m"), "i") @ row(identity("n"), "j"))
only_j = s * column(identity("n"), "j")
act, act_slope, penalty, penalty_slope = function("act"), function("act", 1), function("l"), function("l", 1)


def f(point):
    """f(X) = 1_m^T act(X A) 1_k: a number that depends on all entries of X, act and A arbitrary."""
    return ones("m").T @ act(point @ A) @ ones("k")


def f_gradient(point):
    return act_slope(point @ A) @ A.T


def jacobian(point):
    """Of the column act(A^T x) of k numbers."""
    return Diag(act_slope(A.T @ point)) @ A.T


def entry(m, i: str, j: str):
    return column(row(m, i), j)


definition = common(
    assumptions="this is a definition. We check that the gradients and Jacobians of all claims about matrices follow it"
)

definition(
    "nerva/eq1", at="eq. (1)",
    says="the gradient of a number f with respect to an m x n matrix X is an m x n matrix. Its entry (i, j) is the "
    "derivative of f with respect to x_ij. The test uses f = 1_m^T act(X A) 1_k with arbitrary act and A",
    evidence=[
        AllSizes(lambda: gradient(f(X), X, f_gradient(X))),
        AllSizes(lambda: Jacobian(f(X + only_ij), s, entry(f_gradient(X + only_ij), "i", "j"))),
    ],
)  # fmt: skip

definition(
    "nerva/eq2",
    at="eq. (2)",
    says="DY is the gradient of the loss L(Y, T) with respect to Y, where Y and T are N x K. In the test L is the sum "
    "of l(y_ij - t_ij) for an arbitrary function l, so that DY = l'(Y - T)",
    evidence=[AllSizes(lambda: gradient(total(penalty(Y - T)), Y, penalty_slope(Y - T)))],
)

definition(
    "nerva/eq3", at="eq. (3)",
    says="for Y = Y(Z), DZ is the gradient of L(Y(Z), T) with respect to Z. In the test Y = act(Z), so that "
    "DZ = DY (.) act'(Z), as in the activation layer, with DY from (2)",
    evidence=[AllSizes(
        lambda: gradient(total(penalty(act(Z) - T)), Z, hadamard(penalty_slope(act(Z) - T), act_slope(Z)))
    )],
)  # fmt: skip

definition(
    "nerva/eq4", at="eq. (4)",
    says="the Jacobian of f is an m x n matrix. Its entry (i, j) is the derivative of f_i with respect to x_j. The "
    "test uses f(x) = act(A^T x) with arbitrary act and A",
    evidence=[
        AllSizes(lambda: Jacobian(act(A.T @ x), x, jacobian(x))),
        AllSizes(lambda: Jacobian(row(act(A.T @ (x + only_j)), "i"), s, entry(jacobian(x + only_j), "i", "j"))),
    ],
)  # fmt: skip

y, slope = matrix("y", 1, "n"), matrix("g", 1, "n")

stated(
    "nerva/eq4.gradient", "eq. (1) and (4)",
    "the gradient of a number f is its Jacobian if x is a row, and the transposed Jacobian if x is a column",
    lambda: Jacobian(slope @ y.T, y, slope),
    lambda: gradient(slope @ y.T, y, slope),
    lambda: Jacobian(slope @ x, x, slope),
    lambda: gradient(slope @ x, x, slope.T),
    assumptions="f is differentiable. At a point it is replaced by an affine function with the same slope",
)  # fmt: skip


def same_for_rows_as_for_columns() -> bool:
    """All four orientations of f and x have one Jacobian in SymPy, with the derivative of f_i by x_j at (i, j)."""
    x = sympy.Matrix(sympy.symbols("x_1:4"))
    f = sympy.Matrix([sympy.Function(name)(*x) for name in ("f_1", "f_2")])
    found = {tuple(map(tuple, g.jacobian(at).tolist())) for g in (f, f.T) for at in (x, x.T)}
    return found == {tuple(tuple(sympy.diff(entry, v) for v in x) for entry in f)}


claim(
    "nerva/eq4.sympy",
    at="footnote 1",
    says="SymPy has the same convention: its Jacobian does not depend on whether x and f(x) are rows or columns",
    quote="This is consistent with SymPy",
    evidence=[AtPoints("with SymPy, for two arbitrary functions of three variables", same_for_rows_as_for_columns)],
)

stated(
    "nerva/sec2.sum", "section 2, before Table 1", "the sum of the elements of a column x is the dot product 1_n^T x",
    lambda: Equal(ones("n").T @ x, hadamard(x, ones("n")).T @ ones("n")),
    quote="to calculate the sum of elements in a column vector",
)  # fmt: skip


def sympy_needs_dimensions() -> bool:
    """SymPy refuses to add a row to a matrix, NumPy adds it to each row; with 1_m x SymPy adds it too."""
    m, x = sympy.Matrix([[1, 2], [3, 4]]), sympy.Matrix([[10, 20]])
    try:
        m + x
    except sympy.ShapeError:
        return (m + sympy.ones(2, 1) * x).tolist() == (np.array(m.tolist()) + np.array([[10, 20]])).tolist()
    return False


claim(
    "nerva/sec2.broadcasting",
    at="section 2, before Table 1",
    says="SymPy needs explicit dimensions: it cannot add a row x to an m x n matrix, which NumPy does by broadcasting. "
    "It can add 1_m x",
    quote="This approach with explicit dimensions is needed to validate the correctness using SymPy.",
    evidence=[AtPoints("for a 2 x 2 matrix and a row of two numbers", sympy_needs_dimensions)],
)
