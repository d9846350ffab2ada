"""Table 2: the NumPy code, run as it is printed, against the definitions of Table 1 in value and in shape.

PyTorch and JAX are compared by tests where they are installed: a verdict must not depend on what a machine has.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from paper_checks import Status, claim, concluded, wrong
from paper_checks.papers.nerva.matrix_operations import ROWS, Row, outcome

AT = "Table 2, NumPy + JAX"
BY_NAME = {row.operation: row for row in ROWS}
NUMPY = vars(np)


def as_printed(row: Row) -> Callable:
    """The printed code at six sizes; the wrong one must have other numbers."""

    def experiment(_context):
        numbers, shape, first = outcome(row, row.numpy, NUMPY)
        slips = {row.wrong: not outcome(row, row.wrong, NUMPY)[0]}
        if numbers and shape:
            return concluded(Status.CONFIRMED, f"{row.numpy}: values and shapes at six sizes", slips)
        kind = "the numbers are right, the shape is not" if numbers else "other numbers"
        return concluded(Status.REFUTED, f"{row.numpy}: {kind}; {first}", slips)

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
NOTES = {
    "apply": "for f made of NumPy's own operations",
    "inv_sqrt": "with e = 2^-70, which is lost beside entries of at least 1/4; see nerva/table2.inv_sqrt.e",
}

for _id, _name in RIGHT.items():
    claim(
        _id,
        at=AT,
        says=f"{BY_NAME[_name].numpy} is the operation {_name} of Table 1",
        experiment=as_printed(BY_NAME[_name]),
        note=NOTES.get(_name, ""),
    )

OTHER_SHAPE = {
    "nerva/table2.diag.numpy": ("diag", "a column vector", "a vector without a second axis"),
    "nerva/table2.columns_sum.numpy": ("columns_sum", "a 1 x n row vector", "a vector without a first axis"),
    "nerva/table2.rows_sum.numpy": ("rows_sum", "an m x 1 column vector", "a vector without a second axis"),
    "nerva/table2.columns_max.numpy": ("columns_max", "a 1 x n row vector", "a vector without a first axis"),
    "nerva/table2.rows_max.numpy": ("rows_max", "an m x 1 column vector", "a vector without a second axis"),
    "nerva/table2.columns_mean.numpy": ("columns_mean", "a 1 x n row vector", "a vector without a first axis"),
    "nerva/table2.rows_mean.numpy": ("rows_mean", "an m x 1 column vector", "a vector without a second axis"),
    "nerva/table2.Diag.row.numpy": ("Diag.row", "n x n with a 1 x n row on its diagonal", "its first entry alone"),
    "nerva/table2.Diag.column.numpy": (
        "Diag.column",
        "m x m with an m x 1 column on its diagonal",
        "its first entry alone",
    ),
}

for _id, (_name, _wanted, _found) in OTHER_SHAPE.items():
    claim(
        _id,
        at=AT,
        expects=wrong("misprint"),
        says=f"{BY_NAME[_name].numpy} is the operation {_name.split('.')[0]} of Table 1, {_wanted}; NumPy gives "
        f"{_found}",
        quote=BY_NAME[_name].numpy,
        experiment=as_printed(BY_NAME[_name]),
        note="the text says that explicit dimensions are used and no broadcasting. keepdims=True mends sums, maxima "
        "and means; x.flatten(), as in the column of PyTorch, mends Diag; diag(X)[:, None] mends diag. With vectors "
        "of one axis column_repeat would be the row that is wrong. Versions of the published code add the axis "
        "here or in column_repeat, and have diagflat for Diag",
    )
