"""Matrix calculus with proofs for all sizes.

State an output and what its gradient is said to be; get a proof, an exact test, or a counterexample:

>>> from theory.matrix_calculus import Gradient, diag, exp, hadamard, matrix, ones, reciprocal
>>> Z, DY = matrix("Z", "N", "K"), matrix("DY", "N", "K")
>>> Y = hadamard(exp(Z), reciprocal(exp(Z) @ ones("K")) @ ones("K").T)  # softmax of each row
>>> claimed = Gradient(Y, by=Z, stated=hadamard(Y, DY - diag(DY @ Y.T) @ ones("K").T))
>>> claimed.proved(), claimed.tested().by
(True, 'exactly, in a field of 2^61 - 2373 elements')
"""

from theory.matrix_calculus.expression import Matrix, ShapeError, matrix, number, size
from theory.matrix_calculus.identities import Identity
from theory.matrix_calculus.operations import (
    Diag,
    apply,
    column,
    columns_max,
    diag,
    exp,
    function,
    hadamard,
    identity,
    inv_sqrt,
    log,
    ones,
    power,
    reciprocal,
    row,
    rows_max,
    sqrt,
    zeros,
)
from theory.matrix_calculus.results import Counterexample, Tested
from theory.matrix_calculus.statements import Equal, Gradient, Jacobian

__all__ = [
    "Counterexample", "Diag", "Equal", "Gradient", "Identity", "Jacobian", "Matrix", "ShapeError", "Tested", "apply",
    "column", "columns_max", "diag", "exp", "function", "hadamard", "identity", "inv_sqrt", "log", "matrix", "number",
    "ones", "power", "reciprocal", "row", "rows_max", "size", "sqrt", "zeros",
]  # fmt: skip
