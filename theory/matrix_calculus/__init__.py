"""Matrix calculus with proofs for all sizes.

State an output and what its gradient is said to be; get a proof, an exact test, or a counterexample:

>>> from theory.matrix_calculus import Gradient, diag, exp, hadamard, matrix, ones, reciprocal
>>> Z, DY = matrix("Z", "N", "K"), matrix("DY", "N", "K")
>>> Y = hadamard(exp(Z), reciprocal(exp(Z) @ ones("K")) @ ones("K").T)  # softmax of each row
>>> claimed = Gradient(Y, by=Z, stated=hadamard(Y, DY - diag(DY @ Y.T) @ ones("K").T))
>>> claimed.proved(), claimed.tested().by
(True, 'exactly, in a field of 2^61 - 107629375353 elements')
"""

from theory.matrix_calculus.expression import Matrix, ShapeError, matrix, number, orthogonal, scalar, size, symmetric
from theory.matrix_calculus.functions import (
    apply,
    clip,
    exp,
    function,
    inv_sqrt,
    log,
    maximum,
    minimum,
    power,
    reciprocal,
    relu,
    sigmoid,
    sqrt,
    tanh,
)
from theory.matrix_calculus.gradients import gradient_of
from theory.matrix_calculus.identities import Counterexample, Identity, Tested
from theory.matrix_calculus.operations import (
    Diag,
    column,
    columns_max,
    det,
    diag,
    hadamard,
    identity,
    inverse,
    ones,
    row,
    rows_max,
    total,
    trace,
    zeros,
)
from theory.matrix_calculus.statements import Equal, Gradient, Jacobian

__all__ = ["Matrix", "ShapeError", "matrix", "number", "orthogonal", "scalar", "size", "symmetric"]
__all__ += ["apply", "clip", "exp", "function", "inv_sqrt", "log", "maximum"]
__all__ += ["minimum", "power", "reciprocal", "relu", "sigmoid", "sqrt", "tanh"]
__all__ += ["Identity", "gradient_of"]
__all__ += ["Diag", "column", "columns_max", "det", "diag", "hadamard", "identity"]
__all__ += ["inverse", "ones", "row", "rows_max", "total", "trace", "zeros"]
__all__ += ["Counterexample", "Equal", "Gradient", "Jacobian", "Tested"]
