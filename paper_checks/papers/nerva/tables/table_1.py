"""Table 1: matrix operations, each against its definition in words, row by row and column by column."""

from paper_checks import AllSizes, Kind, claim, wrong
from paper_checks.papers.nerva.identities import stated
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
DOMAINS = {
    "nerva/table1.log": "the entries of X are positive", "nerva/table1.sqrt": "the entries of X are not negative",
    "nerva/table1.inv_sqrt": "the entries of X are positive", "nerva/table1.reciprocal": "no entry of X is 0",
}  # fmt: skip

for _id, _says, _statement in (
    ("nerva/table1.ones", "1_mn is the m x n matrix whose entries are 1",
     lambda: Equal(ones("m", "n"), ones("m") @ ones("n").T)),
    ("nerva/table1.zeros", "0_mn is the m x n matrix whose entries are 0", lambda: Equal(X + zeros("m", "n"), X)),
    ("nerva/table1.identity", "multiplication by I_n leaves a matrix as it is",
     lambda: Equal(identity("n") @ Z, Z)),
    ("nerva/table1.transpose", "the columns of X^T are the rows of X",
     lambda: Equal(column(X.T, "i"), row(X, "i").T)),
    ("nerva/table1.product", "column k of X Z is X times column k of Z",
     lambda: Equal(column(X @ Z, "l"), X @ column(Z, "l"))),
    ("nerva/table1.scalar", "each entry of c X is c times the entry of X",
     lambda: Equal(column(c * X, "j"), column(X, "j") @ c)),
    ("nerva/table1.addition", "each entry of X + Y is the sum of the two entries",
     lambda: Equal(column(X + Y, "j"), column(X, "j") + column(Y, "j"))),
    ("nerva/table1.subtraction", "each entry of X - Y is the difference of the two entries",
     lambda: Equal(row(X - Y, "i"), row(X, "i") - row(Y, "i"))),
    ("nerva/table1.dot", "for columns x and y, x^T y is the sum of the products x_i y_i",
     lambda: Equal(u.T @ w, ones("m").T @ hadamard(u, w))),
    ("nerva/table1.dot.rows", "for rows x and y, x y^T is the sum of the products x_i y_i",
     lambda: Equal(v @ row(Y, "i").T, hadamard(v, row(Y, "i")) @ ones("n"))),
    ("nerva/table1.hadamard", "X (.) Y is the element-wise product: each entry is the product of the two entries",
     lambda: Equal(column(hadamard(X, Y), "j"), Diag(column(X, "j")) @ column(Y, "j"))),
    ("nerva/table1.diag", "diag(X) is the column vector of the diagonal entries of X",
     lambda: Equal(diag(square), hadamard(square, identity("n")) @ ones("n"))),
    ("nerva/table1.Diag", "for a row x, Diag(x) is the diagonal matrix with x as diagonal",
     lambda: Equal(Diag(v), hadamard(identity("n"), ones("n") @ v))),
    ("nerva/table1.Diag.column", "for a column x, Diag(x) is the diagonal matrix with x as diagonal",
     lambda: Equal(Diag(u), hadamard(identity("m"), u @ ones("m").T))),
    ("nerva/table1.elements_sum", "1_m^T X 1_n is the sum of the elements of X",
     lambda: Equal(ones("m").T @ X @ ones("n"), ones("n").T @ columns_sum(X).T)),
    ("nerva/table1.column_repeat", "the columns of x 1_n^T are n copies of x",
     lambda: Equal(column(u @ ones("n").T, "j"), u)),
    ("nerva/table1.row_repeat", "the rows of 1_m x are m copies of x", lambda: Equal(row(row_repeat(v, "m"), "i"), v)),
    ("nerva/table1.columns_sum", "1_m^T X is the row vector of the sums of the columns of X",
     lambda: Equal(column(columns_sum(X), "j"), ones("m").T @ column(X, "j"))),
    ("nerva/table1.rows_sum", "X 1_n is the column vector of the sums of the rows of X",
     lambda: Equal(row(rows_sum(X), "i"), row(X, "i") @ ones("n"))),
    ("nerva/table1.columns_max", "max(X)_col is a row of n numbers: number j is the largest entry of column j",
     lambda: Equal(column(columns_max(X), "j"), columns_max(column(X, "j")))),
    ("nerva/table1.rows_max", "max(X)_row is a column of m numbers: number i is the largest entry of row i",
     lambda: Equal(row(rows_max(X), "i"), rows_max(row(X, "i")))),
    ("nerva/table1.apply", "f(X) applies f to each entry of X",
     lambda: Equal(column(f(X), "j"), f(column(X, "j")))),
    ("nerva/table1.exp", "e^X is the exponential of each entry: it is its own derivative",
     lambda: Jacobian(exp(u), u, Diag(exp(u)))),
    ("nerva/table1.log", "log(X) is the natural logarithm of each entry: e^log(X) = X",
     lambda: Equal(exp(log(X)), X)),
    ("nerva/table1.log_sigmoid", "log(sigma(X)) is -log(1 + e^-X), for each entry",
     lambda: Equal(-log(ones("m", "n") + exp(-X)), log(reciprocal(ones("m", "n") + exp(-X))))),
    ("nerva/table1.reciprocal", "1/X is the reciprocal of each entry",
     lambda: Equal(hadamard(reciprocal(X), X), ones("m", "n"))),
    ("nerva/table1.sqrt", "sqrt(X) is the square root of each entry",
     lambda: Equal(hadamard(power(X, "1/2"), power(X, "1/2")), X)),
    ("nerva/table1.inv_sqrt", "X^(-1/2) is the reciprocal square root of each entry",
     lambda: Equal(hadamard(power(X, "-1/2"), power(X, "1/2")), ones("m", "n"))),
):  # fmt: skip
    stated(_id, f"Table 1, {_id.split('.')[1]}", _says, _statement, assumptions=DOMAINS.get(_id, ""))

columns_means, rows_means = (reciprocal(m_) * ones("m")).T @ X, X @ (reciprocal(n_) * ones("n"))

DIVISORS = (
    "a column has m entries and a row has n. The divisors of columns_mean and rows_mean are swapped. The "
    "author's SymPy code divides by the correct numbers (nerva-sympy, commit abc2101). For batch normalisation with "
    "Table 1's formula see nerva/batchnorm.R.code.table1"
)

for _id, _right, _says, _quote, _sums, _divisors, _means in (
    ("nerva/table1.columns_mean", "nerva/table1.columns_mean.m",
     "(1_m^T X)/{} is the row vector of the means of the columns of X", r"$(1_m^\top \cdot X)/n$",
     columns_sum(X), {"n": n_, "m": m_}, columns_means),
    ("nerva/table1.rows_mean", "nerva/table1.rows_mean.n",
     "(X 1_n)/{} is the column vector of the means of the rows of X", r"$(X \cdot 1_n)/m$",
     rows_sum(X), {"m": m_, "n": n_}, rows_means),
):  # fmt: skip
    _at, (_published, _correct) = f"Table 1, {_id.split('.')[1]}", _divisors
    _forms = [lambda s=_sums, d=d, means=_means: Equal(s / d, means) for d in _divisors.values()]
    claim(
        _id,
        at=_at,
        expects=wrong("misprint", correct=_right),
        says=_says.format(_published),
        quote=_quote,
        evidence=[AllSizes(*_forms)],
        note=DIVISORS,
    )
    stated(_right, _at, _says.format(_correct), _forms[1], kind=Kind.ADDITIONAL)
