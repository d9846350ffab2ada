"""Table 2: the published code, run at six sizes, against the definitions of Table 1 in value and in shape.

NumPy itself runs. NumPy functions stand for those of PyTorch and TensorFlow, see
:mod:`paper_checks.papers.nerva.matrix_operations`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from paper_checks import Finding, Kind, Status, claim, common, concluded, wrong
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
        slips = {row.wrong: not outcome(row, row.wrong, NUMPY)[0]}
        if numbers and shape:
            return concluded(Status.CONFIRMED, f"{code} has the correct values and shapes at six sizes", slips)
        return concluded(Status.REFUTED, f"{code}: {first}", slips)

    return experiment


RIGHT = {
    "nerva/table2.zeros.numpy": "zeros",
    "nerva/table2.ones.numpy": "ones",
    "nerva/table2.identity.numpy": "identity",
    "nerva/table2.transposition.numpy": "transposition",
    "nerva/table2.scalar.numpy": "scalar",
    "nerva/table2.addition.numpy": "addition",
    "nerva/table2.subtraction.numpy": "subtraction",
    "nerva/table2.product.numpy": "product",
    "nerva/table2.hadamard.numpy": "hadamard",
    "nerva/table2.elements_sum.numpy": "elements_sum",
    "nerva/table2.column_repeat.numpy": "column_repeat",
    "nerva/table2.row_repeat.numpy": "row_repeat",
    "nerva/table2.apply.numpy": "apply",
    "nerva/table2.exp.numpy": "exp",
    "nerva/table2.log.numpy": "log",
    "nerva/table2.reciprocal.numpy": "reciprocal",
    "nerva/table2.sqrt.numpy": "sqrt",
    "nerva/table2.inv_sqrt.numpy": "inv_sqrt",
    "nerva/table2.log_sigmoid.numpy": "log_sigmoid",
}
ONLY = {
    "apply": " if NumPy applies f to each entry, as f(x) = x^2 - x/2. For other f see nerva/table2.apply.any",
    "inv_sqrt": " to rounding, for e = 2^-70 and entries of at least 1/4. For larger e see nerva/table2.inv_sqrt.e",
}

for _id, _name in RIGHT.items():
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
    claim(
        _right, at=AT, says=f"{mended(_code)} {_is}", kind=Kind.ADDITIONAL, experiment=code_of(_name, mended),
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


def column_as_published(
    framework: str, names: Mapping[str, Any], array: Callable, form: Callable[[str], str]
) -> Callable[[Any], Finding]:
    """The entries of a column that lose an axis; with their axes none may fail."""

    def experiment(_context):
        found = failing(framework, names, array, rows=REDUCED)
        first = next(iter(found))
        says = f"{first}: {found[first]}. These entries fail as well: {', '.join(list(found)[1:])}"
        slips = {"the code with the axes kept": not failing(framework, names, array, form)}
        return concluded(Status.REFUTED, says, slips)

    return experiment


def other_entries(framework: str, names: Mapping[str, Any], array: Callable) -> Callable[[Any], Finding]:
    """The entries of a column that lose no axis; those that do must fail."""

    def experiment(_context):
        found = failing(framework, names, array, rows=OTHERS)
        says = "; ".join(f"{code}: {first}" for code, first in found.items())
        slips = {"those that lose an axis": len(failing(framework, names, array, rows=REDUCED)) == len(REDUCED)}
        return concluded(
            Status.REFUTED if found else Status.CONFIRMED, says or "correct values and shapes at six sizes", slips
        )

    return experiment


def column_mended(
    framework: str, names: Mapping[str, Any], array: Callable, form: Callable[[str], str]
) -> Callable[[Any], Finding]:
    """All entries of a column with their axes; as published some must fail."""

    def experiment(_context):
        found, slips = (
            failing(framework, names, array, form),
            {"the published code": bool(failing(framework, names, array))},
        )
        if found:
            return concluded(Status.REFUTED, "; ".join(f"{code}: {first}" for code, first in found.items()), slips)
        says = f"all {PRINTED_ROWS} entries, run with NumPy functions at six sizes, have the correct values and shapes"
        return concluded(Status.CONFIRMED, says, slips)

    return experiment


OF_F = ": f(X) for an f that the framework applies to each entry"
STANDS_IN = "{} is not run. NumPy functions do what its documentation says"

for _id, _right, _others, _name, _framework, _names, _array, _form, _but, _too in (
    ("nerva/table2.pytorch", "nerva/table2.pytorch.axes", "nerva/table2.pytorch.others", "PyTorch", "torch", TORCH,
     tensor, mended, "", ""),
    ("nerva/table2.tensorflow", "nerva/table2.tensorflow.axes", "nerva/table2.tensorflow.others", "TensorFlow",
     "tensorflow", TENSORFLOW, np.asarray, right, " other than X.T and inverse(X)",
     ", with transpose(X) in place of X.T and reciprocal(X) in place of inverse(X)"),
):  # fmt: skip
    column = common(at=f"Table 2, {_name}", assumptions=STANDS_IN.format(_name))
    column(
        _id, says=f"the entries of {_name} for diag, and for sums, maxima and means of columns and rows, compute the "
        "operations of Table 1, in value and shape", quote=getattr(REDUCED[1], _framework),
        experiment=column_as_published(_framework, _names, _array, _form), expects=wrong("assumption", correct=_right),
        note=AXES,
    )  # fmt: skip
    column(
        _others, note="tested with the values named in nerva/table2.jax",
        says=f"the other entries of {_name}{_but} compute the operations of Table 1, in value and shape{OF_F}",
        experiment=other_entries(_framework, _names, _array),
    )  # fmt: skip
    column(
        _right, says=f"the column of {_name} computes the operations of Table 1 if the axes are kept{_too}{OF_F}",
        experiment=column_mended(_framework, _names, _array, _form), kind=Kind.ADDITIONAL,
        note="tested with the values named in nerva/table2.jax",
    )  # fmt: skip


def column_of_two(_context):
    """The entries of NumPy's column that fail, those that claims are on; with their axes none."""
    found, refuted = (
        set(failing("numpy", NUMPY, np.asarray)),
        {BY_NAME[name].numpy for name, *_ in OTHER_SHAPE.values()},
    )
    mends = not failing("numpy", NUMPY, np.asarray, mended)
    status = Status.CONFIRMED if found == refuted and mends else Status.REFUTED
    return concluded(status, f"these of the {PRINTED_ROWS} entries fail: {', '.join(sorted(found))}", {
        "no entry fails": bool(found)
    })  # fmt: skip


claim(
    "nerva/table2.jax", at="additional to Table 2, NumPy + JAX", kind=Kind.ADDITIONAL, experiment=column_of_two,
    says="in the column NumPy + JAX exactly these entries fail: diag(X), diag(x), and sum, max and mean with an axis. "
    f"If the axes are kept, all entries compute the operations of Table 1{OF_F}",
    assumptions="NumPy is run. JAX documents that its functions do the same as NumPy's",
    note="sums, maxima, means and the diagonal of a matrix have only one axis in NumPy, JAX, PyTorch and TensorFlow, "
    "but Table 1 defines row or column vectors with two axes. The paper says that it does not use broadcasting. "
    "The correct code has keepdims=True (keepdim=True in PyTorch), diag(X)[:, None], and diag(x.flatten()) for Diag in "
    "NumPy and JAX. Db, Dbeta and Dgamma of section 4 use columns_sum and lack the axis as well. The package "
    "nerva-numpy (commit c013ddb of March 2024) keeps arrays with one axis and adds the axis in the repeats: "
    "nerva/table2.layers.numpy.repeat. "
    "Tested with f(x) = x^2 - x/2, e = 2^-70 and entries from 1/4 to 4. For other values see nerva/table2.apply.any, "
    "nerva/table2.inv_sqrt.e and the claims about log_sigmoid",
)  # fmt: skip
