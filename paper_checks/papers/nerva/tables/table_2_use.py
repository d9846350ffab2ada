"""Uses of Table 2: the layers that need it, arbitrary functions, the constant e, and names that do not exist."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import sympy

from paper_checks import Approximates, Finding, Kind, Status, additional, alternative, claim, common, concluded, wrong
from paper_checks.papers.nerva.matrix_operations import NUMPY, mended, shown, tensor
from paper_checks.papers.nerva.tables.table_2 import AT, BY_NAME, code_of
from theory import Formula, Source
from theory.symbols import positive


def numpy_column(form: Callable[[str], str] = str) -> dict[str, Callable]:
    """The operations that the softmax layers need, by NumPy's code or a form of it."""
    code = {name: form(BY_NAME[name].numpy) for name in ("rows_sum", "diag", "column_repeat")}
    return {
        "rows_sum": lambda x: eval(code["rows_sum"], NUMPY | {"X": x}),
        "diag": lambda x: eval(code["diag"], NUMPY | {"X": x}),
        "column_repeat": lambda x, n: eval(code["column_repeat"], NUMPY | {"x": x, "n": n}),
    }


# What the lines of section 4 subtract, with Y and DY of N x K.
REPEATED = {
    "column_repeat(diag(DY * Y.T), K)": lambda op, y, dy: op["column_repeat"](op["diag"](dy @ y.T), y.shape[1]),
    "column_repeat(rows_sum(DY), K)": lambda op, y, dy: op["column_repeat"](op["rows_sum"](dy), y.shape[1]),
}


def layers_with_the_column(form: Callable[[str], str], fits: bool) -> Callable[[Any], Finding]:
    """Three examples of two outputs: whether both lines have the shape of DY, or neither has; where, its values."""

    def experiment(_context):
        y, dy = np.arange(1.0, 7).reshape(3, 2), np.array([[1.0, 2], [3, 5], [8, 13]])
        wanted = dict(zip(REPEATED, ((dy * y).sum(1), dy.sum(1)), strict=True))
        found = {line: repeat(numpy_column(form), y, dy) for line, repeat in REPEATED.items()}
        shapes = "; ".join(f"{line} is {shown(v.shape)}" for line, v in found.items())
        as_said = [(v.shape == y.shape and (v == wanted[line][:, None]).all()) == fits for line, v in found.items()]
        other = numpy_column(mended if form is str else str)
        slips = {
            "the code of the other claim": all(
                (repeat(other, y, dy).shape == y.shape) != fits for repeat in REPEATED.values()
            )
        }
        return concluded(all(as_said), f"with N = 3 and K = 2, {shapes}", slips)

    return experiment


layers = common(
    at="additional to section 4, softmax and log-softmax layers", kind=Kind.ADDITIONAL,
    assumptions="the * of section 4 is the matrix product, as in Table 1. NumPy writes @ for it",
)  # fmt: skip

layers(
    "nerva/table2.layers.numpy",
    says="with the published NumPy column of Table 2, column_repeat(diag(DY * Y.T), K) and "
    "column_repeat(rows_sum(DY), K) do not have the shape N x K of DY",
    experiment=layers_with_the_column(str, fits=False),
    note="this follows from nerva/table2.diag.numpy and nerva/table2.rows_sum.numpy. With the operations as Table 1 "
    "defines them the code of the layers is correct: nerva/softmax.DZ.code and nerva/log-softmax.DZ.code",
)

layers(
    "nerva/table2.layers.numpy.axes",
    says="if the axes are kept in the NumPy column, column_repeat(diag(DY * Y.T), K) and column_repeat(rows_sum(DY), "
    "K) have the shape N x K and the correct values",
    experiment=layers_with_the_column(mended, fits=True),
    note="row_repeat gives the correct result even without the axis, because tile treats an array with one axis as a "
    "row",
)

layers(
    "nerva/table2.layers.numpy.repeat",
    says="if only column_repeat is corrected, to tile(x.reshape(-1,1),(1,n)), column_repeat(diag(DY * Y.T), K) and "
    "column_repeat(rows_sum(DY), K) have the shape N x K and the correct values",
    experiment=layers_with_the_column(lambda code: code.replace("tile(x,", "tile(x.reshape(-1,1),"), fits=True),
    note="rows and columns are then arrays with one axis, as in the package nerva-numpy, whose column_repeat adds the "
    "axis. Table 1 gives them two axes",
)


EACH = "vectorize(f,otypes=[float])(X)"
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "1": lambda _: 1.0, "x^2 - x/2": lambda x: x * x - x / 2, "relu'(x)": lambda x: 0.0 if x < 0 else 1.0,
}  # fmt: skip


def applied(code: str, f: Callable, x: np.ndarray) -> Any:
    return eval(code, NUMPY | {"f": f, "X": x})


# The columns with the entry f(X), and their arrays.
COLUMNS = {"NumPy + JAX": ("numpy", np.asarray), "PyTorch": ("torch", tensor), "TensorFlow": ("tensorflow", np.asarray)}


def of_a_constant(_context):
    """The function f(x) = 1, in three columns."""
    x, wanted = np.zeros((1, 2)), [[1.0, 1.0]]
    found = {
        name: applied(getattr(BY_NAME["apply"], field), FUNCTIONS["1"], array(x))
        for name, (field, array) in COLUMNS.items()
    }
    wrong_in = [name for name, value in found.items() if np.shape(value) != x.shape]
    says = f"for f(x) = 1 and X = [[0, 0]], f(X) is the number 1 and not [[1, 1]], in {', '.join(wrong_in)}"
    return concluded(not wrong_in, says, {EACH: applied(EACH, FUNCTIONS["1"], x).tolist() == wanted})


def one_entry_at_a_time(_context):
    """Three functions, of which f(X) is right for the second alone."""
    x = np.array([[-1.0, 0.0, 2.0], [3.0, -4.0, 0.5]])
    alike = all(applied(EACH, f, x).tolist() == [[f(v) for v in row] for row in x] for f in FUNCTIONS.values())
    slips = {"f(X)": np.shape(applied(BY_NAME["apply"].numpy, FUNCTIONS["1"], x)) != x.shape}
    return concluded(alike, f"correct for f(x) = {', '.join(FUNCTIONS)} and X of 2 x 3", slips)


alternative(
    "nerva/table2.apply.any",
    at="Table 2, apply, in the columns NumPy + JAX, PyTorch and TensorFlow",
    says="f(X), the entry of three columns, computes apply(f, X) for any Python function f of a number",
    quote="f(X)",
    experiment=of_a_constant,
    expects=wrong(correct="nerva/table2.apply.each nerva/table2.apply.numpy"),
    note="Table 1 allows any f from R to R. A constant f returns a number and not a matrix. An f with a condition, "
    "such as the derivative of ReLU in section 5, is defined for a number but not for a matrix. If f is a function of "
    "the framework, which applies it to each entry, f(X) is correct: nerva/table2.apply.numpy. The author's packages "
    "for the three columns have f(X) and such functions",
    assumptions="PyTorch and TensorFlow are not run. f(X) calls f with X, whatever X is",
)

additional(
    "nerva/table2.apply.each", at=AT, says=f"{EACH} computes apply(f, X) for any f from R to R",
    experiment=one_entry_at_a_time, note="for functions of a number, see nerva/table2.apply.any",
)  # fmt: skip

x, e = positive("x"), positive("e")
formula = partial(Formula, source=Source("nerva", "Table 2"))


def too_small_by(factor: sympy.Expr = 1 / sympy.sqrt(1 + e / x)) -> bool:
    """Whether 1/sqrt(x + e) is x^(-1/2) times this."""
    return sympy.simplify(sympy.sqrt(x) / sympy.sqrt(x + e) / factor) == 1


claim(
    "nerva/table2.inv_sqrt.e",
    at="Table 2, inv_sqrt",
    says="the code of Table 2, 1/sqrt(x + e), approximates the x^(-1/2) of Table 1 if e is small compared with x. "
    "Exactly, it is x^(-1/2)/sqrt(1 + e/x)",
    printed=formula(
        "inv_sqrt as Table 2 computes it",
        1 / sympy.sqrt(x + e),
        [x, e],
        lhs=r"\mathrm{reciprocal}(\mathrm{sqrt}(x + e))",
        symbols={"x": "entry of X"},
    ),
    proof=too_small_by,
    exact=formula(
        "inv_sqrt as Table 1 defines it", 1 / sympy.sqrt(x), [x, e], lhs=r"x^{-1/2}", symbols={"x": "entry of X"}
    ),
    relation=Approximates(
        order=0, along=lambda t: {"x": 1, "e": t}, at=[{"x": v, "e": "1e-7"} for v in ("1", "1e-4", "1e-7", "1e-11")]
    ),
    note="the relative error is 1 - 1/sqrt(1 + e/x), which tends to 1 as x/e tends to 0, and the value at x = 0 is "
    "1/sqrt(e). Batch normalisation with this code turns a column of variance v into one of variance v/(v + e). The "
    "published backpropagation equation is exact for every e: nerva/batchnorm.DX.e",
)


def matrix_inverse(_context):
    """The 2 x 2 matrix of 1, 2, 3, 4."""
    matrix = sympy.Matrix([[1, 2], [3, 4]])
    inverse, reciprocal = matrix.inv(), matrix.applyfunc(lambda v: 1 / v)
    scalar = sympy.Matrix([[4]])
    slips = {"1 x 1 matrices, where both agree": scalar.inv() == scalar.applyfunc(lambda v: 1 / v)}
    says = f"the inverse of [[1, 2], [3, 4]] is {inverse.tolist()}, its reciprocals are {reciprocal.tolist()}"
    return concluded(inverse == reciprocal, says, slips)


reciprocals = common(at="Table 2, TensorFlow, reciprocal")

reciprocals(
    "nerva/table2.reciprocal.tensorflow",
    says="inverse(X) computes the element-wise reciprocal of Table 1",
    quote="inverse(X)",
    experiment=matrix_inverse,
    expects=wrong("misprint", correct="nerva/table2.reciprocal.tensorflow.name"),
    assumptions="TensorFlow documents linalg.inv and math.reciprocal, but no function inverse. We interpret the name "
    "as the inverse of a matrix",
    note="the names inverse (Eigen) and reciprocal (TensorFlow) are exchanged in two entries of Table 2: see "
    "nerva/table2.inv_sqrt.eigen. The package nerva-tensorflow has reciprocal here",
)

reciprocals.additional(
    "nerva/table2.reciprocal.tensorflow.name",
    says="reciprocal(X), the name in the row inv_sqrt, computes the element-wise reciprocal of Table 1",
    experiment=code_of("reciprocal", lambda _: "reciprocal(X)"),
    assumptions="TensorFlow is not run. NumPy's reciprocal does what TensorFlow's documentation says",
)

# What TensorFlow documents.
OF_A_TENSOR = ("device", "dtype", "graph", "name", "ndim", "op", "shape", "value_index")


def attribute_of_a_tensor(_context):
    """The name T among them."""
    says = f"TensorFlow documents these attributes of a tensor: {', '.join(OF_A_TENSOR)}"
    kept = code_of("transposition", lambda _: "transpose(X)")(_context).printed is Status.CONFIRMED
    return concluded("T" in OF_A_TENSOR, says, {"transpose(X)": kept})


transposes = common(at="Table 2, TensorFlow, X.T")

transposes(
    "nerva/table2.transposition.tensorflow",
    says="X.T is the transposed matrix X in TensorFlow",
    quote="X.T",
    experiment=attribute_of_a_tensor,
    expects=wrong("misprint", correct="nerva/table2.transposition.tensorflow.name"),
    assumptions="tensors are as TensorFlow documents them. They have NumPy's attributes only after a call of "
    "experimental.numpy.experimental_enable_numpy_behavior(), which the paper does not mention",
    note="the layers of the package nerva-tensorflow have tf.transpose(X)",
)

transposes.additional(
    "nerva/table2.transposition.tensorflow.name",
    says="transpose(X) is the transposed matrix X in TensorFlow",
    experiment=code_of("transposition", lambda _: "transpose(X)"),
    assumptions="TensorFlow is not run. NumPy's transpose does what TensorFlow's documentation says",
)
