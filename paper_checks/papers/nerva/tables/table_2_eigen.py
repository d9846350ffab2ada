"""Table 2, the column of Eigen, whose code is valid Python: it runs on classes that behave as Eigen's types do."""

from collections.abc import Callable
from functools import partial, partialmethod
from types import SimpleNamespace

import numpy as np

from paper_checks import Finding, common, concluded, wrong
from paper_checks.papers.nerva.matrix_operations import outcome
from paper_checks.papers.nerva.tables.table_2 import BY_NAME, TO_ROUNDING

CODE = {
    "zeros": "Zero(m,n)", "ones": "Ones(m,n)", "identity": "Identity(n,n)", "transposition": "X.transpose()",
    "scalar": "c * X", "addition": "X + Y", "subtraction": "X - Y", "product": "X * Z",
    "hadamard": "X.array() * Y.array()", "diag": "X.diagonal()", "Diag.row": "x.asDiagonal()",
    "Diag.column": "x.asDiagonal()", "elements_sum": "X.sum()", "column_repeat": "x.replicate(1,n)",
    "row_repeat": "x.replicate(m,1)", "columns_sum": "X.colwise().sum()", "rows_sum": "X.rowwise().sum()",
    "columns_max": "X.colwise().maxCoeff()", "rows_max": "X.rowwise().maxCoeff()",
    "columns_mean": "X.colwise().mean()", "rows_mean": "X.rowwise().mean()", "apply": "X.unaryExpr(f)",
    "exp": "X.array().exp()", "log": "X.array().log()", "reciprocal": "X.array().inverse()",
    "sqrt": "X.array().sqrt()", "inv_sqrt": "reciprocal(sqrt(X.array()+e))", "log_sigmoid": "-log1p(exp(-X.array()))",
}  # fmt: skip


class Array(np.ndarray):
    """Coefficient by coefficient, as Eigen documents its arrays, and as NumPy's are."""

    exp = partialmethod(np.exp)
    log = partialmethod(np.log)
    log1p = partialmethod(np.log1p)
    sqrt = partialmethod(np.sqrt)
    inverse = partialmethod(np.reciprocal)


def along(values: np.ndarray, axis: int) -> SimpleNamespace:
    """Reductions of each column or of each row, which keep two axes."""
    reductions = {"sum": np.sum, "mean": np.mean, "maxCoeff": np.max}
    return SimpleNamespace(**{name: partial(f, values, axis, keepdims=True) for name, f in reductions.items()})


class Matrix(np.ndarray):
    """As Eigen documents its matrices: * is the product of matrices. Sums and transposition are NumPy's."""

    def __mul__(self, other: "Matrix") -> "Matrix":
        return self @ other

    def array(self) -> Array:
        return self.view(Array)

    def diagonal(self) -> np.ndarray:
        return np.diagonal(np.asarray(self))[:, None]

    def asDiagonal(self) -> np.ndarray:
        return np.diag(np.ravel(self))

    def replicate(self, rows: int, columns: int) -> np.ndarray:
        return np.tile(self, (rows, columns))

    def colwise(self) -> SimpleNamespace:
        return along(np.asarray(self), 0)

    def rowwise(self) -> SimpleNamespace:
        return along(np.asarray(self), 1)

    def unaryExpr(self, f: Callable[[float], float]) -> np.ndarray:
        return np.vectorize(f)(np.asarray(self))


class Resizable(Matrix):
    """A matrix whose numbers of rows and columns are no part of its type, as MatrixXd."""

    def asDiagonal(self) -> np.ndarray:
        """The matrix assigns x to its diagonal, a column."""
        rows, columns = self.shape
        if columns != 1:
            raise ValueError(f"x of {rows} x {columns} is assigned to a diagonal of {columns} x 1, which Eigen refuses")
        return super().asDiagonal()


# Functions of arrays that Eigen's documentation lists, of those that the column could use.
FUNCTIONS = {name: getattr(Array, name) for name in ("exp", "log", "log1p", "sqrt", "inverse")}
EIGEN = FUNCTIONS | {
    "Zero": lambda m, n: np.zeros((m, n)), "Ones": lambda m, n: np.ones((m, n)), "Identity": lambda m, n: np.eye(m, n),
}  # fmt: skip


def holds(name: str, code: str, kind: type[Matrix] = Matrix) -> tuple[bool, str]:
    numbers, shape, first = outcome(BY_NAME[name], code, EIGEN, lambda values: values.view(kind))
    return numbers and shape, first


def rows_but_inv_sqrt(_context):
    """Each entry but that of inv_sqrt; two entries exchanged must be wrong."""
    codes = {name: code for name, code in CODE.items() if name != "inv_sqrt"}
    failed = {code: first for name, code in codes.items() for ok, first in (holds(name, code),) if not ok}
    listed = "; ".join(f"{code}: {first}" for code, first in failed.items())
    says = listed or f"all {len({name.split('.')[0] for name in codes})} entries are correct at six sizes"
    slips = {"rows for columns": not holds("columns_sum", CODE["rows_sum"])[0]}
    return concluded(not failed, f"{says}, run on Python classes that stand for Eigen's", slips)


def name_of_the_reciprocal(_context):
    says = "Eigen lists inverse(a) for 1/a and rsqrt(a) for a^(-1/2) of coefficients, but no reciprocal(a)"
    slips = {"inverse": holds("inv_sqrt", CODE["inv_sqrt"].replace("reciprocal", "inverse"))[0]}
    return concluded("reciprocal" in FUNCTIONS, says, slips)


def inverse_root(_context) -> Finding:
    """The entry with the name inverse."""
    code = CODE["inv_sqrt"].replace("reciprocal", "inverse")
    ok, first = holds("inv_sqrt", code)
    says = first or f"{code} has the correct values and shapes at six sizes"
    return concluded(ok, says, {"sqrt(X.array()+e)": not holds("inv_sqrt", "sqrt(X.array()+e)")[0]})


def row_of_any_size(_context) -> Finding:
    """The entry asDiagonal for x of 1 x n and of m x 1, both as matrices."""
    try:
        ok, says = holds("Diag.row", CODE["Diag.row"], Resizable)
    except ValueError as error:
        ok, says = False, str(error)
    return concluded(ok, says, {"m x 1": holds("Diag.column", CODE["Diag.column"], Resizable)[0]})


eigen = common(
    at="Table 2, Eigen, inv_sqrt", assumptions="Eigen is not run. Python classes do what its documentation says"
)

eigen(
    "nerva/table2.eigen",
    at="Table 2, Eigen",
    says="the column of Eigen computes the operations of Table 1, in value and shape, except in the row inv_sqrt",
    experiment=rows_but_inv_sqrt,
    assumptions="Eigen is not run. Python classes do what its documentation says. In Diag the vector x has Eigen's "
    "type of a row vector or of a column vector",
    note="for inv_sqrt see nerva/table2.inv_sqrt.eigen, and for Diag of a matrix with one row nerva/table2.Diag.row."
    "eigen. Tested with entries from 1/4 to 4. For log_sigmoid of other entries see nerva/numerics.log-sigmoid.eigen",
)

eigen.alternative(
    "nerva/table2.Diag.row.eigen",
    at="Table 2, Eigen, Diag",
    says="x.asDiagonal() computes the operation Diag of Table 1 also if x is a matrix (MatrixXd) of size 1 x n",
    quote="x.asDiagonal()",
    experiment=row_of_any_size,
    expects=wrong(correct="nerva/table2.eigen"),
    note="the author's C++ code of 9 September 2024 (nerva-rowwise, commit 8ad2beb, matrix_operations.h) requires a "
    "column vector. A comment there says: It seems impossible to make this function work with row vectors",
)

eigen(
    "nerva/table2.inv_sqrt.eigen",
    says="reciprocal(sqrt(X.array()+e)) is code for Eigen that computes the operation inv_sqrt of Table 1",
    quote="reciprocal(sqrt(X.array()+e))",
    experiment=name_of_the_reciprocal,
    expects=wrong("misprint", correct="nerva/table2.inv_sqrt.eigen.inverse"),
    note="the names inverse (Eigen) and reciprocal (TensorFlow) are exchanged in two entries of Table 2: see "
    "nerva/table2.reciprocal.tensorflow. The author's C++ code (nerva-rowwise, commit 8ad2beb) has inverse here",
)

eigen.additional(
    "nerva/table2.inv_sqrt.eigen.inverse",
    says=f"inverse(sqrt(X.array()+e)) computes the operation inv_sqrt of Table 1 {TO_ROUNDING}",
    experiment=inverse_root,
    note="for larger e see nerva/table2.inv_sqrt.e",
)
