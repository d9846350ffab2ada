"""Operations on matrix expressions: constants, products, inverses, diagonals, rows and columns."""

from theory.matrix_calculus.expression import Matrix, ShapeError, as_matrix, as_name, as_sizes, same_shape, shape_text


def ones(rows: str | int, columns: str | int = 1) -> Matrix:
    """Entries 1, rows x columns; a column where no columns are given.

    Examples
    --------
    >>> print(ones("N"), ones("N", "K"), ones("N").shape)
    1_N 1_NK ('N', 1)
    """
    return Matrix("ones", (), as_sizes("ones", rows, columns))


def zeros(rows: str | int, columns: str | int = 1) -> Matrix:
    """Entries 0, rows x columns; a column where no columns are given.

    Examples
    --------
    >>> zeros("N", "K").shape
    ('N', 'K')
    """
    return Matrix("zeros", (), as_sizes("zeros", rows, columns))


def identity(n: str | int) -> Matrix:
    """The identity matrix, n x n.

    Examples
    --------
    >>> identity("K").shape
    ('K', 'K')
    """
    return Matrix("identity", (), as_sizes("identity", n, n))


def hadamard(a: Matrix, b: Matrix) -> Matrix:
    """The product entry by entry of two matrices of one shape.

    Raises
    ------
    ShapeError
        For different shapes.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> print(hadamard(matrix("X", "N", "D"), ones("N", "D")))
    (X (.) 1_ND)
    """
    return Matrix("hadamard", (as_matrix("hadamard", a), same_shape(a, b, "(.)")), a.shape)


def diag(x: Matrix) -> Matrix:
    """The diagonal of a square matrix n x n, as a column n x 1.

    Raises
    ------
    ShapeError
        For what is not square.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> X = matrix("X", "N", "D")
    >>> print(diag(X @ X.T), diag(X @ X.T).shape)
    diag(X X^T) ('N', 1)
    """
    return Matrix("diag", (_square("diag", x),), (x.shape[0], 1))


def Diag(x: Matrix) -> Matrix:
    """The diagonal matrix n x n of a row 1 x n or a column n x 1.

    Raises
    ------
    ShapeError
        For what is neither.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> print(Diag(matrix("x", 1, "K")), Diag(matrix("x", 1, "K")).shape)
    Diag(x^T) ('K', 'K')
    """
    as_matrix("Diag", x)
    if 1 not in x.shape:
        raise ShapeError(f"Diag: x must be a row or a column, got {shape_text(x)}; take one of them")
    n = x.shape[0] if x.shape[1] == 1 else x.shape[1]
    return Matrix("Diag", (x if x.shape[1] == 1 else x.T,), (n, n))


def inverse(x: Matrix) -> Matrix:
    """The inverse of a square matrix, where it has one.

    Raises
    ------
    ShapeError
        For what is not square.

    Examples
    --------
    >>> from theory.matrix_calculus import Equal, matrix
    >>> A, B = matrix("A", "n", "n"), matrix("B", "n", "n")
    >>> Equal(inverse(A @ B), inverse(B) @ inverse(A)).proved()
    True
    """
    return Matrix("inverse", (_square("inverse", x),), x.shape)


def det(x: Matrix) -> Matrix:
    """The determinant of a square matrix, 1 x 1.

    Raises
    ------
    ShapeError
        For what is not square.

    Examples
    --------
    >>> from theory.matrix_calculus import Gradient, log, matrix
    >>> A = matrix("A", "n", "n")
    >>> Gradient(log(det(A)), A, inverse(A).T).proved()
    True
    """
    return Matrix("det", (_square("det", x),), (1, 1))


def trace(x: Matrix) -> Matrix:
    """The sum of the diagonal of a square matrix, 1 x 1.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> print(trace(matrix("A", "n", "n")))
    1_n^T diag(A)
    """
    return ones(x.shape[0]).T @ diag(x)


def total(x: Matrix) -> Matrix:
    """The sum of all entries, 1 x 1.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> print(total(matrix("X", "N", "D")))
    1_N^T X 1_D
    """
    rows, columns = as_matrix("total", x).shape
    sums = x if rows == 1 else ones(rows).T @ x
    return sums if columns == 1 else sums @ ones(columns)


def _square(where: str, x: Matrix) -> Matrix:
    if as_matrix(where, x).shape[0] != x.shape[1]:
        raise ShapeError(f"{where}: X must be square, got {shape_text(x)}; a product X @ Y.T is")
    return x


def rows_max(x: Matrix) -> Matrix:
    """The largest entry of each row of n x k, as a column n x 1.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> print(rows_max(matrix("X", "N", "D")), rows_max(matrix("X", "N", "D")).shape)
    max(X)_row ('N', 1)
    """
    return Matrix("rows_max", (as_matrix("rows_max", x),), (x.shape[0], 1))


def columns_max(x: Matrix) -> Matrix:
    """The largest entry of each column of n x k, as a row 1 x k."""
    return rows_max(as_matrix("columns_max", x).T).T


def column(x: Matrix, index: str) -> Matrix:
    """Column ``index`` of a matrix n x k, as n x 1; what is stated of it is stated for all values of the index.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> X = matrix("X", "N", "D")
    >>> print(column(X, "j"), row(X, "i"))
    X^j X_i
    """
    return Matrix("column", (as_matrix("column", x), as_name("column", index)), (x.shape[0], 1))


def row(x: Matrix, index: str) -> Matrix:
    """Row ``index`` of a matrix n x k, as 1 x k; what is stated of it is stated for all values of the index."""
    return column(as_matrix("row", x).T, index).T
