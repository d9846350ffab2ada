"""Table 2: the published code, run at six sizes, against the definitions of Table 1 in value and in shape.

NumPy itself runs. NumPy functions stand for those of PyTorch and TensorFlow, see
:mod:`paper_checks.papers.nerva.matrix_operations`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from paper_checks import Finding, Kind, additional, claim, common, concluded, wrong
from paper_checks.papers.nerva.matrix_operations import NUMPY, ROWS, TENSORFLOW, TORCH, Row, mended, outcome, tensor

AT = "Table 2, NumPy + JAX"
BY_NAME = {row.operation: row for row in ROWS}
# The same words in each place, by which the report knows that it is one error.
AXES = (
    "a row or a column of Table 1 has two axes, but here a vector has one, which is not said. This is one error in "
    "several places of Table 2; nerva/table2.jax states its cause and two ways to correct it"
)


def code_of(name: str, form: Callable[[str], str] = str) -> Callable[[Any], Finding]:
    """NumPy's code of a row, or a form of it; the wrong code must have other numbers."""
    row = BY_NAME[name]

    def experiment(_context):
        code = form(row.numpy)
        numbers, shape, first = outcome(row, code, NUMPY)
        right, slips = numbers and shape, {row.wrong: not outcome(row, row.wrong, NUMPY)[0]}
        says = f"{code} has the correct values and shapes at six sizes" if right else f"{code}: {first}"
        return concluded(right, says, slips)

    return experiment


# Of rows whose code for NumPy is correct.
RIGHT = """
    nerva/table2.zeros.numpy nerva/table2.ones.numpy nerva/table2.identity.numpy nerva/table2.transposition.numpy
    nerva/table2.scalar.numpy nerva/table2.addition.numpy nerva/table2.subtraction.numpy nerva/table2.product.numpy
    nerva/table2.hadamard.numpy nerva/table2.elements_sum.numpy nerva/table2.column_repeat.numpy
    nerva/table2.row_repeat.numpy nerva/table2.apply.numpy nerva/table2.exp.numpy nerva/table2.log.numpy
    nerva/table2.reciprocal.numpy nerva/table2.sqrt.numpy nerva/table2.inv_sqrt.numpy nerva/table2.log_sigmoid.numpy
"""
TO_ROUNDING = "to rounding, for e = 2^-70 and entries of at least 1/4"
ONLY = {
    "apply": " if NumPy applies f to each entry, as f(x) = x^2 - x/2. For other f see nerva/table2.apply.any",
    "inv_sqrt": f" {TO_ROUNDING}. For larger e see nerva/table2.inv_sqrt.e",
}

for _id in RIGHT.split():
    _name = _id.split(".")[1]
    claim(
        _id, at=AT, says=f"{BY_NAME[_name].numpy} computes the operation {_name} of Table 1{ONLY.get(_name, '')}",
        experiment=code_of(_name),
    )  # fmt: skip

OTHER_SHAPE = {
    "nerva/table2.diag.numpy": ("diag", "a column vector", "nerva/table2.diag.numpy.axis"),
    "nerva/table2.columns_sum.numpy": ("columns_sum", "a 1 x n row vector", "nerva/table2.columns_sum.numpy.axis"),
    "nerva/table2.rows_sum.numpy": ("rows_sum", "an m x 1 column vector", "nerva/table2.rows_sum.numpy.axis"),
    "nerva/table2.columns_max.numpy": ("columns_max", "a 1 x n row vector", "nerva/table2.columns_max.numpy.axis"),
    "nerva/table2.rows_max.numpy": ("rows_max", "an m x 1 column vector", "nerva/table2.rows_max.numpy.axis"),
    "nerva/table2.columns_mean.numpy": ("columns_mean", "a 1 x n row vector", "nerva/table2.columns_mean.numpy.axis"),
    "nerva/table2.rows_mean.numpy": ("rows_mean", "an m x 1 column vector", "nerva/table2.rows_mean.numpy.axis"),
    "nerva/table2.Diag.row.numpy": (
        "Diag.row", "an n x n matrix with a 1 x n row vector on its diagonal", "nerva/table2.Diag.row.numpy.vector",
    ),
    "nerva/table2.Diag.column.numpy": (
        "Diag.column", "an m x m matrix with an m x 1 column vector on its diagonal",
        "nerva/table2.Diag.column.numpy.vector",
    ),
}  # fmt: skip

for _id, (_name, _wanted, _right) in OTHER_SHAPE.items():
    _code = BY_NAME[_name].numpy
    _is = f"computes the operation {_name.split('.')[0]} of Table 1: {_wanted}"
    claim(
        _id, at=AT, says=f"{_code} {_is}", quote=_code, experiment=code_of(_name), note=AXES,
        expects=wrong("assumption", correct=_right),
    )  # fmt: skip
    additional(
        _right, at=AT, says=f"{mended(_code)} {_is}", experiment=code_of(_name, mended),
        note=f"this replaces the published {_code}, see {_id}",
    )  # fmt: skip

# --- whole columns ------------------------------------------------------------------------------------------------


# Table 2 has a row for Diag, which takes a row or a column.
PRINTED_ROWS = len({row.operation.split(".")[0] for row in ROWS})
# Entries of TensorFlow's column that claims of their own are on, and what is right there.
RENAMED = {"X.T": "transpose(X)", "inverse(X)": "reciprocal(X)"}


def right(code: str) -> str:
    """An entry of TensorFlow's column with its axis and by its name."""
    return mended(RENAMED.get(code, code))


# The entries of a column that lose an axis; Diag loses none in PyTorch and TensorFlow.
REDUCED = [BY_NAME[name] for name, *_ in OTHER_SHAPE.values() if not name.startswith("Diag")]
OTHERS = [row for row in ROWS if row not in REDUCED]


def failing(
    framework: str, names: Mapping[str, Any], array: Callable, form: Callable[[str], str] = str,
    rows: Sequence[Row] = ROWS,
) -> dict[str, str]:  # fmt: skip
    """The entries of a column, or forms of them, that fail, and where; as published those without another name."""
    named = framework == "tensorflow" and form is str
    codes = {form(getattr(row, framework)): row for row in rows if not (named and row.tensorflow in RENAMED)}
    found = {code: outcome(row, code, names, array) for code, row in codes.items()}
    return {code: first for code, (numbers, shape, first) in found.items() if not (numbers and shape)}


def column_of(
    column: tuple[str, Mapping[str, Any], Callable], rows: Sequence[Row], form: Callable[[str], str], works: str,
    slips: Callable[[], dict[str, bool]],
) -> Callable[[Any], Finding]:  # fmt: skip
    """An experiment: whether the entries of a column in some rows, or forms of them, are correct."""

    def experiment(_context):
        found = failing(*column, form, rows)
        first, *others = [f"{code}: {where}" for code, where in found.items()] or [""]
        says = f"{first}. These entries fail as well: {', '.join(list(found)[1:])}" if others else first
        return concluded(not found, says or works, slips())

    return experiment


VALUES = "tested with the values named in nerva/table2.jax. For e larger than 2^-70 see nerva/table2.inv_sqrt.e"
PROVIDED = f". In f(X) the framework applies f to each entry. inv_sqrt is correct {TO_ROUNDING}"
STANDS_IN = "{} is not run. NumPy functions do what its documentation says"

for _id, _right, _others, _name, _column, _form, _but, _too in (
    ("nerva/table2.pytorch", "nerva/table2.pytorch.axes", "nerva/table2.pytorch.others", "PyTorch",
     ("torch", TORCH, tensor), mended, "", ""),
    ("nerva/table2.tensorflow", "nerva/table2.tensorflow.axes", "nerva/table2.tensorflow.others", "TensorFlow",
     ("tensorflow", TENSORFLOW, np.asarray), right, ", without X.T and inverse(X),",
     ", with transpose(X) in place of X.T and reciprocal(X) in place of inverse(X)"),
):  # fmt: skip
    column = common(at=f"Table 2, {_name}", assumptions=STANDS_IN.format(_name))
    column(
        _id, says=f"the entries of {_name} for diag, and for sums, maxima and means of columns and rows, compute the "
        "operations of Table 1, in value and shape", quote=getattr(REDUCED[1], _column[0]),
        experiment=column_of(_column, REDUCED, str, "", lambda column=_column, form=_form: {
            "the code with the axes kept": not failing(*column, form)
        }), expects=wrong("assumption", correct=_right),
        note=AXES,
    )  # fmt: skip
    column(
        _others, note=VALUES,
        says=f"the other entries of {_name}{_but} compute the operations of Table 1, in value and shape{PROVIDED}",
        experiment=column_of(_column, OTHERS, str, "correct values and shapes at six sizes", lambda column=_column: {
            "those that lose an axis": len(failing(*column, rows=REDUCED)) == len(REDUCED)
        }),
    )  # fmt: skip
    column(
        _right, says=f"the column of {_name} computes the operations of Table 1 if the axes are kept{_too}{PROVIDED}",
        experiment=column_of(
            _column, ROWS, _form,
            f"all {PRINTED_ROWS} entries, run with NumPy functions at six sizes, have the correct values and shapes",
            lambda column=_column: {"the published code": bool(failing(*column))},
        ),
        kind=Kind.ADDITIONAL,
        note=VALUES,
    )  # fmt: skip


def column_of_two(_context):
    """The entries of NumPy's column that fail, those that claims are on; with their axes none."""
    found = set(failing("numpy", NUMPY, np.asarray))
    as_said = found == {BY_NAME[name].numpy for name, *_ in OTHER_SHAPE.values()}
    says = f"these of the {PRINTED_ROWS} entries fail: {', '.join(sorted(found))}"
    return concluded(as_said and not failing("numpy", NUMPY, np.asarray, mended), says, {"no entry fails": bool(found)})


additional(
    "nerva/table2.jax", at="additional to Table 2, NumPy + JAX", experiment=column_of_two,
    says="in the column NumPy + JAX exactly these entries fail: diag(X), diag(x), and sum, max and mean with an axis. "
    f"If the axes are kept, all entries compute the operations of Table 1{PROVIDED}",
    assumptions="NumPy is run. JAX documents that its functions do the same as NumPy's",
    note="sums, maxima, means and the diagonal of a matrix have only one axis in NumPy, JAX, PyTorch and TensorFlow, "
    "but Table 1 defines row or column vectors with two axes. The paper says that it does not use broadcasting. The "
    "correct code has keepdims=True (keepdim=True in PyTorch), diag(X)[:, None], and diag(x.flatten()) for Diag in "
    "NumPy and JAX. Db, Dbeta and Dgamma of section 4 use columns_sum and lack the axis as well. The package "
    "nerva-numpy (commit c013ddb of March 2024) keeps arrays with one axis and adds the axis in the repeats: "
    "nerva/table2.layers.numpy.repeat. Tested with f(x) = x^2 - x/2, e = 2^-70 and entries from 1/4 to 4. For other "
    "values see nerva/table2.apply.any, nerva/table2.inv_sqrt.e and the claims about log_sigmoid",
)  # fmt: skip
