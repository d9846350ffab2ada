"""Matrix expressions: what they print, and errors that say what to do."""

import pytest

from theory.matrix_calculus.expression import ShapeError, matrix, number, scalar, size, symmetric
from theory.matrix_calculus.functions import apply, clip, exp, function, power
from theory.matrix_calculus.operations import Diag, column, det, diag, hadamard, inverse, ones, row, total
from theory.matrix_calculus.statements import Equal, Gradient, Jacobian

X, W, b = matrix("X", "N", "D"), matrix("W", "K", "D"), matrix("b", 1, "K")
DY, x = matrix("DY", "N", "K"), matrix("x", "D", 1)

SHAPES = {
    "product": (lambda: X @ W, "got (N x D) @ (K x D); transpose one"),
    "sum": (lambda: X + W, "got (N x D) + (K x D); repeat rows or columns"),
    "difference": (lambda: X - W, "got (N x D) - (K x D)"),
    "hadamard": (lambda: hadamard(X, W), "got (N x D) (.) (K x D)"),
    "star": (lambda: X * W, "use hadamard(A, B) or A @ B"),
    "quotient": (lambda: X / W, "must be a number or 1 x 1"),
    "diag": (lambda: diag(X), "must be square, got (N x D); a product X @ Y.T is"),
    "Diag": (lambda: Diag(X), "must be a row or a column, got (N x D)"),
    "inverse": (lambda: inverse(X), "inverse: X must be square, got (N x D)"),
    "det": (lambda: det(X), "det: X must be square, got (N x D)"),
    "fixed sizes": (lambda: ones(3, 2) @ ones(3, 2), "got (3 x 2) @ (3 x 2); transpose one"),
    "Equal": (lambda: Equal(X, W), "must have the shape K x D, got N x D"),
    "Gradient": (lambda: Gradient(X @ W.T, W, X.T @ DY), "must have the shape K x D, got D x K"),
    "Jacobian": (lambda: Jacobian(X @ x, x, X.T), "must have the shape N x D, got D x N"),
    "Jacobian of a matrix": (lambda: Jacobian(X, x, X), "output must be a row or a column, got N x D; take one"),
}


ARGUMENTS = {
    "a number in a product": (lambda: X @ 2, "must be a matrix, got 2; write a number times a matrix with *"),
    "a number in a sum": (lambda: X + 1, "must be a matrix expression, got 1; make it by matrix or number"),
    "a number in a function": (lambda: exp(2), "must be a matrix expression, got 2"),
    "a size of half a row": (lambda: matrix("X", 0.5, "D"), "must be a name or 1, 2, 3, ..., got 0.5; write 'N' or 3"),
    "a size of ones": (lambda: ones(0), "ones: a size must be a name or 1, 2, 3, ..., got 0"),
    "two kinds": (lambda: Equal(scalar("c"), scalar("c", positive=True)), "of one kind, got positive and free"),
    "a function that is not available": (lambda: function("gelu"), "got 'gelu'; give an arbitrary function"),
    "a function by another name": (lambda: function("swish"), "got 'swish'; write silu"),
    "a function in capitals": (lambda: apply("ReLU", X), "got 'ReLU'; write relu"),
    "limits that are exchanged": (lambda: clip(X, 1, 0), "low must be below high, got 1 and 0; exchange them"),
    "by a symmetric matrix": (
        lambda: Gradient(total(symmetric("S", "n")), symmetric("S", "n"), ones("n", "n")), "the symmetric S; write it"
    ),
    "True as a size": (lambda: ones(True), "got True"),
    "a name with a space": (lambda: matrix("X Y", "N", "D"), "got 'X Y'; write 'X', say"),
    "a name of a size": (lambda: size("N + 1"), "size: a size must be a name or 1, 2, 3"),
    "an index": (lambda: column(X, 1), "column: a name must be letters, digits and underscores, got 1"),
    "an order": (lambda: apply("act", X, -1), "order must be 0, 1, 2, ..., got -1"),
    "text as a number": (lambda: number("two"), "must be a rational number, got 'two'; write 2 or '1/3', say"),
    "infinity": (lambda: number(float("inf")), "must be a rational number, got inf"),
    "a float": (lambda: number(0.1), "must be exact, got 0.1; write '1/10' if that is meant"),
    "an exponent": (lambda: power(X, 1 / 3), "power: exponent must be exact, got 0.333"),
    "by an expression": (lambda: Gradient(X @ W.T, W.T, X.T @ DY), "by must be a matrix of free entries, got W^T"),
    "a cotangent of the output": (lambda: Gradient(hadamard(DY, DY), DY, 2 * DY), "cotangent must be a name that"),
    "one name, two shapes": (lambda: Equal(X, matrix("Y", "N", "D") @ matrix("X", "D", "D")), "D x D and N x D; use"),
    "one index, two sizes": (lambda: Equal(row(X, "i") @ column(W.T, "i"), number(1)), "index i: must have one size"),
    "an index and a matrix": (lambda: Equal(column(X, "X"), column(X, "X")), "must not have the name of a matrix"),
}  # fmt: skip


@pytest.mark.parametrize("name", [*SHAPES, *ARGUMENTS])
def test_shapes_that_do_not_fit_and_arguments_that_cannot_be_meant(name):
    make, text = (SHAPES | ARGUMENTS)[name]
    with pytest.raises(ValueError) as error:
        make()
    assert isinstance(error.value, ShapeError) == (name in SHAPES)
    assert text in str(error.value)


PRINTED = {
    "(X W^T)^T": (X @ W.T).T,
    "(X + X) W^T": (X + X) @ W.T,
    "(X W^T)^(1/2)": power(X @ W.T, 0.5),
    "X_i 1_D 1_N^T X^j": (row(X, "i") @ ones("D")) @ ones("N").T @ column(X, "j"),
    "1": ones(1),
    "inv(X X^T)": inverse(X @ X.T),
    "det(X X^T)^(-1)": power(det(X @ X.T), -1),
    "abs(X)": abs(X),
    "1_3": ones(3),
    "-X": -X,
    "X - X": X - X,
    "(X (.) (X + X))": hadamard(X, X + X),
    "1/2 (-2) X": number("1/2") * (number(-2) * X),
}


@pytest.mark.parametrize(("text", "m"), PRINTED.items(), ids=PRINTED)
def test_expressions_print_as_they_are_written(text, m):
    assert str(m) == text
