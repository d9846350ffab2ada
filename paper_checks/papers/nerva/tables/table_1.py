"""Table 1: matrix operations, each against its definition in words, row by row and column by column."""

from __future__ import annotations

from paper_checks import AllSizes, claim, wrong
from paper_checks.papers.nerva.notation import columns_sum, row_repeat, rows_sum
from theory.matrix_calculus import (
    Diag,
    Equal,
    Jacobian,
    column,
    columns_max,
    diag,
    exp,
    function,
    hadamard,
    identity,
    log,
    matrix,
    ones,
    power,
    reciprocal,
    row,
    rows_max,
    size,
    zeros,
)

X, Y, Z = matrix("X", "m", "n"), matrix("Y", "m", "n"), matrix("Z", "n", "k")
u, v, w = matrix("u", "m", 1), matrix("v", 1, "n"), matrix("w", "m", 1)
square, c, f = matrix("S", "n", "n"), matrix("c", 1, 1), function("f")
m_, n_ = size("m"), size("n")

for _id, _says, _statement in (
    ("nerva/table1.ones", "1_mn has m x n entries 1", lambda: Equal(ones("m", "n"), ones("m") @ ones("n").T)),
    ("nerva/table1.zeros", "0_mn has m x n entries 0", lambda: Equal(zeros("m", "n"), 0 * X)),
    ("nerva/table1.identity", "I_n leaves what it is multiplied with", lambda: Equal(identity("n") @ Z, Z)),
    ("nerva/table1.transpose", "X^T has the rows of X as columns",
     lambda: Equal(column(X.T, "i"), row(X, "i").T)),
    ("nerva/table1.product", "column k of X Z is X times column k of Z",
     lambda: Equal(column(X @ Z, "l"), X @ column(Z, "l"))),
    ("nerva/table1.scalar", "c X has each entry of X times c", lambda: Equal(column(c * X, "j"), column(X, "j") @ c)),
    ("nerva/table1.addition", "X + Y is the sum entry by entry",
     lambda: Equal(column(X + Y, "j"), column(X, "j") + column(Y, "j"))),
    ("nerva/table1.subtraction", "X - Y is the difference entry by entry",
     lambda: Equal(row(X - Y, "i"), row(X, "i") - row(Y, "i"))),
    ("nerva/table1.dot", "x^T y of columns is the sum of products entry by entry",
     lambda: Equal(u.T @ w, ones("m").T @ hadamard(u, w))),
    ("nerva/table1.dot.rows", "x y^T of rows is the sum of products entry by entry",
     lambda: Equal(v @ row(Y, "i").T, hadamard(v, row(Y, "i")) @ ones("n"))),
    ("nerva/table1.hadamard", "X (.) Y is the product entry by entry",
     lambda: Equal(column(hadamard(X, Y), "j"), Diag(column(X, "j")) @ column(Y, "j"))),
    ("nerva/table1.diag", "diag(X) is the column of the diagonal of X",
     lambda: Equal(diag(square), hadamard(square, identity("n")) @ ones("n"))),
    ("nerva/table1.Diag", "Diag(x) of a row is the diagonal matrix with x as diagonal",
     lambda: Equal(Diag(v), hadamard(identity("n"), ones("n") @ v))),
    ("nerva/table1.Diag.column", "Diag(x) of a column is the diagonal matrix with x as diagonal",
     lambda: Equal(Diag(u), hadamard(identity("m"), u @ ones("m").T))),
    ("nerva/table1.elements_sum", "1_m^T X 1_n is the sum of the elements of X",
     lambda: Equal(ones("m").T @ X @ ones("n"), ones("n").T @ columns_sum(X).T)),
    ("nerva/table1.column_repeat", "x 1_n^T has n copies of x as columns",
     lambda: Equal(column(u @ ones("n").T, "j"), u)),
    ("nerva/table1.row_repeat", "1_m x has m copies of x as rows", lambda: Equal(row(row_repeat(v, "m"), "i"), v)),
    ("nerva/table1.columns_sum", "1_m^T X is the row of the sums of columns",
     lambda: Equal(column(columns_sum(X), "j"), ones("m").T @ column(X, "j"))),
    ("nerva/table1.rows_sum", "X 1_n is the column of the sums of rows",
     lambda: Equal(row(rows_sum(X), "i"), row(X, "i") @ ones("n"))),
    ("nerva/table1.columns_max", "max(X)_col is a row of n numbers, that of column j the largest of it",
     lambda: Equal(column(columns_max(X), "j"), columns_max(column(X, "j")))),
    ("nerva/table1.rows_max", "max(X)_row is a column of m numbers, that of row i the largest of it",
     lambda: Equal(row(rows_max(X), "i"), rows_max(row(X, "i")))),
    ("nerva/table1.apply", "f(X) is f of each entry", lambda: Equal(column(f(X), "j"), f(column(X, "j")))),
    ("nerva/table1.exp", "e^X is the exponential of each entry: its derivative by each is itself",
     lambda: Jacobian(exp(u), u, Diag(exp(u)))),
    ("nerva/table1.log", "log(X) undoes e^X entry by entry", lambda: Equal(exp(log(X)), X)),
    ("nerva/table1.log_sigmoid", "log(sigma(X)) = -log(1 + e^-X) entry by entry",
     lambda: Equal(-log(ones("m", "n") + exp(-X)), log(reciprocal(ones("m", "n") + exp(-X))))),
    ("nerva/table1.reciprocal", "1/X is applied entry by entry",
     lambda: Equal(hadamard(reciprocal(X), X), ones("m", "n"))),
    ("nerva/table1.sqrt", "sqrt(X) is applied entry by entry",
     lambda: Equal(hadamard(power(X, "1/2"), power(X, "1/2")), X)),
    ("nerva/table1.inv_sqrt", "X^(-1/2) is applied entry by entry",
     lambda: Equal(hadamard(power(X, "-1/2"), power(X, "1/2")), ones("m", "n"))),
):  # fmt: skip
    claim(_id, at=f"Table 1, {_id.rpartition('.')[2]}", says=_says, evidence=[AllSizes(_statement)])

claim(
    "nerva/table1.columns_mean",
    at="Table 1, columns_mean",
    expects=wrong("misprint"),
    says="(1_m^T X)/n is the row of the means of columns",
    quote=r"$(1_m^\top \cdot X)/n$",
    evidence=[AllSizes(
        lambda: Equal(columns_sum(X) / n_, (reciprocal(m_) * ones("m")).T @ X),
        lambda: Equal(columns_sum(X) / m_, (reciprocal(m_) * ones("m")).T @ X),
    )],
    note="a column has m entries: right is (1_m^T X)/m. Batch normalisation in print has the right 1/N",
)  # fmt: skip

claim(
    "nerva/table1.rows_mean",
    at="Table 1, rows_mean",
    expects=wrong("misprint"),
    says="(X 1_n)/m is the column of the means of rows",
    quote=r"$(X \cdot 1_n)/m$",
    evidence=[AllSizes(
        lambda: Equal(rows_sum(X) / m_, X @ (reciprocal(n_) * ones("n"))),
        lambda: Equal(rows_sum(X) / n_, X @ (reciprocal(n_) * ones("n"))),
    )],
    note="a row has n entries: right is (X 1_n)/n",
)  # fmt: skip
