"""Section 2: gradients and Jacobians by their definitions, (1) to (4), and the notation for sums."""

from __future__ import annotations

import sympy

from paper_checks import AllSizes, AtPoints, claim, unchecked
from paper_checks.papers.nerva.notation import gradient
from theory.matrix_calculus import Equal, Jacobian, hadamard, matrix, ones

for _id, _says in (
    ("nerva/eq1", "the gradient of a number by an m x n matrix is m x n; entry (i, j) is the derivative by x_ij"),
    ("nerva/eq2", "DY is the gradient by Y of the loss L(Y, T), with Y and T of N x K"),
    ("nerva/eq3", "for Y = Y(Z), DZ is the gradient by Z of L(Y(Z), T)"),
    ("nerva/eq4", "entry (i, j) of the Jacobian of f, m x n, is the derivative of f_i by x_j"),
):
    claim(
        _id,
        at=f"eq. ({_id[-1]})",
        says=_says,
        expects=unchecked(
            "a definition, with which all gradients and Jacobians below are judged: theory.matrix_calculus"
        ),
    )

y, column = matrix("y", 1, "n"), matrix("x", "n", 1)
slope = matrix("g", 1, "n")

claim(
    "nerva/eq4.gradient",
    at="eq. (1) and (4)",
    says="the gradient of a number is its Jacobian for a row, and the transposed one for a column",
    evidence=[
        AllSizes(lambda: Jacobian(slope @ y.T, y, slope)),
        AllSizes(lambda: gradient(slope @ y.T, y, slope)),
        AllSizes(lambda: Jacobian(slope @ column, column, slope)),
        AllSizes(lambda: gradient(slope @ column, column, slope.T)),
    ],
    assumptions="the number is a differentiable function; at a point it is replaced by an affine one of the same slope",
)


def same_for_rows_as_for_columns() -> bool:
    """All four orientations of f and x have one Jacobian in SymPy, with the derivative of f_i by x_j at (i, j)."""
    x = sympy.Matrix(sympy.symbols("x_1:4"))
    f = sympy.Matrix([sympy.Function(name)(*x) for name in ("f_1", "f_2")])
    found = {tuple(map(tuple, g.jacobian(at).tolist())) for g in (f, f.T) for at in (x, x.T)}
    return found == {tuple(tuple(sympy.diff(entry, v) for v in x) for entry in f)}


claim(
    "nerva/eq4.sympy",
    at="footnote 1",
    says="that the Jacobian does not depend on whether x and f(x) are rows or columns is so in SymPy",
    quote="This is consistent with SymPy, but other conventions are also in use.",
    evidence=[AtPoints("with SymPy, for two arbitrary functions of three variables", same_for_rows_as_for_columns)],
)

claim(
    "nerva/sec2.sum",
    at="section 2, before Table 1",
    says="the sum of the elements of a column x is the dot product 1_n^T x",
    quote="to calculate the sum of elements in a column vector",
    evidence=[AllSizes(lambda: Equal(ones("n").T @ column, hadamard(column, ones("n")).T @ ones("n")))],
)
