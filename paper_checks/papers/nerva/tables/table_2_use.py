"""Table 2 beyond its rows: the layers that use it, functions with a condition, e, frameworks that are not run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import sympy

from paper_checks import WRONG, Kind, Status, claim, concluded, unchecked
from paper_checks.claims.relations import Approximates
from theory import Formula, Source
from theory.symbols import positive

AT = "Table 2, NumPy + JAX"


def numpy_column() -> dict[str, Callable]:
    """The operations that the layers need, as printed for NumPy."""
    return {
        "column_repeat": lambda x, n: np.tile(x, (1, n)),
        "rows_sum": lambda x: np.sum(x, axis=1),
        "diag": np.diag,
        "hadamard": lambda x, y: x * y,
    }


def runs(code: Callable[[dict, np.ndarray, np.ndarray], np.ndarray], operations: dict, size: tuple[int, int]) -> bool:
    """Whether a line of section 4 gives an N x K matrix."""
    y, dy = np.arange(1.0, 1 + size[0] * size[1]).reshape(size), np.ones(size)
    try:
        return code(operations, y, dy).shape == size
    except ValueError:
        return False


LINES = {
    "softmax": lambda op, y, dy: op["hadamard"](y, dy - op["column_repeat"](op["diag"](dy @ y.T), y.shape[1])),
    "log-softmax": lambda op, y, dy: dy - op["hadamard"](y, op["column_repeat"](op["rows_sum"](dy), y.shape[1])),
}


def layers_with_the_column(_context):
    """Batches of one and of three examples; then with columns that have two axes."""
    printed = numpy_column()
    mended = printed | {
        "rows_sum": lambda x: np.sum(x, axis=1, keepdims=True), "diag": lambda x: np.diag(x)[:, None],
    }  # fmt: skip
    ran = {(name, n): runs(line, printed, (n, 2)) for name, line in LINES.items() for n in (1, 3)}
    good = all(runs(line, mended, (n, 2)) for line in LINES.values() for n in (1, 3))
    if not good:
        return concluded(Status.INCONCLUSIVE, "the mended operations do not run either")
    says = "DZ with N = 3, K = 2: " + ", ".join(f"{k} {'runs' if ran[k, 3] else 'fails'}" for k in LINES)
    says += "; with N = 1 both run" if all(ran[k, 1] for k in LINES) else ""
    return concluded(Status.CONFIRMED if all(ran.values()) else Status.REFUTED, says)


claim(
    "nerva/table2.layers.numpy",
    at="section 4, softmax and log-softmax layers, with Table 2",
    says="the code of the layers runs with NumPy's column: column_repeat of diag and of rows_sum makes 1 x NK of what "
    "has no second axis, and the shapes do not fit for N > 1",
    experiment=layers_with_the_column,
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="X * W.T is read as the product of matrices, X @ W.T, as Table 2 says. The other layers run, as row_repeat "
    "takes a vector without axes as a row",
)


def not_elementwise(_context):
    """A function of one number, with a condition."""

    def clipped(v):
        return v if v > 0 else 0.0

    try:
        clipped(np.array([[1.0, -1.0]]))
    except ValueError as error:
        return concluded(Status.REFUTED, f"f(x) = x if x > 0 else 0: {str(error).split('.')[0]}", {
            "one entry at a time": np.vectorize(clipped)(np.array([[1.0, -1.0]])).tolist() == [[1, 0]]
        })  # fmt: skip
    return concluded(Status.CONFIRMED, "a condition on a matrix is accepted")


claim(
    "nerva/table2.apply.any",
    at=AT,
    says="apply(f, X) is f(X) for any f from R to R, as Table 1 defines it: not for one with a condition, as in the "
    "table of activation functions",
    experiment=not_elementwise,
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
)

x, e = positive("x"), positive("e")
INV_SQRT = Source("nerva", "Table 2")

claim(
    "nerva/table2.inv_sqrt.e",
    at="Table 2, inv_sqrt",
    says="1/sqrt(x + e) approximates the x^(-1/2) of Table 1: too small by e/(2x), relative to it",
    printed=Formula("inv_sqrt as implemented", 1 / sympy.sqrt(x + e), [x, e], source=INV_SQRT),
    exact=Formula("inv_sqrt as defined", 1 / sympy.sqrt(x), [x, e], source=INV_SQRT),
    relation=Approximates(
        order=0, along=lambda t: {"x": 1, "e": t}, at=[{"x": v, "e": "1e-7"} for v in ("1", "1e-4", "1e-7")]
    ),
    note="batch normalisation of a column of variance v then has the variance v/(v + e), and the printed "
    "backpropagation through Sigma^(-1/2) is that of e = 0",
)


def matrix_inverse(_context):
    """The 2 x 2 matrix of 1, 2, 3, 4."""
    matrix = sympy.Matrix([[1, 2], [3, 4]])
    inverse, reciprocal = matrix.inv(), matrix.applyfunc(lambda v: 1 / v)
    scalar = sympy.Matrix([[4]])
    says = f"[[1, 2], [3, 4]]: inverse {inverse.tolist()}, reciprocals {reciprocal.tolist()}"
    return concluded(Status.REFUTED if inverse != reciprocal else Status.CONFIRMED, says, {
        "1 x 1 matrices, where both agree": scalar.inv() == scalar.applyfunc(lambda v: 1 / v)
    })  # fmt: skip


claim(
    "nerva/table2.reciprocal.tensorflow",
    at="Table 2, TensorFlow, reciprocal",
    says="inverse(X), if it is the inverse of a matrix, is the element-wise reciprocal of Table 1",
    experiment=matrix_inverse,
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="the table does not say which module the name is from, and nothing was run; an element-wise reciprocal has "
    "the name reciprocal in TensorFlow, which the next row but one uses. In the published code inverse is the name of "
    "1 / X",
)

for _id, _framework, _why in (
    (
        "nerva/table2.pytorch", "PyTorch",
        "a verdict must not depend on what is installed; tests compare every row where PyTorch is: diag and the sums, "
        "maxima and means have no second axis, Diag is right, and log_sigmoid keeps ten digits only below -20",
    ),
    (
        "nerva/table2.jax", "JAX",
        "a verdict must not depend on what is installed; tests compare every row where JAX is: as for NumPy",
    ),
    ("nerva/table2.tensorflow", "TensorFlow", "TensorFlow is not run here"),
    ("nerva/table2.eigen", "Eigen", "no C++ is compiled here; but see nerva/numerics.log-sigmoid.eigen"),
):  # fmt: skip
    claim(
        _id, at=f"Table 2, {_framework}", says=f"the column of {_framework} has the operations of Table 1",
        expects=unchecked(_why),
    )  # fmt: skip
