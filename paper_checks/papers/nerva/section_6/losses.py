"""Section 6: losses and their gradients, of one output (a row) and of a batch, for all sizes."""

from collections.abc import Callable
from typing import Any

import sympy
from sympy import Expr, exp as exp_of, log as log_of

from paper_checks import AllSizes, Finding, Kind, additional, alternative, claim, common, concluded, wrong
from paper_checks.papers.nerva.identities import stated, stated_at
from paper_checks.papers.nerva.notation import N_, T, Y, gradient, log_softmax, sigmoid, softmax, with_row_sums_of_one
from theory.matrix_calculus import Equal, diag, hadamard, log, matrix, ones, power, reciprocal, size, total
from theory.matrix_calculus.expression import names_in
from theory.symbols import positive, real

y, t = matrix("y", 1, "K"), matrix("t", 1, "K")
one, rows = ones("K"), ones("N")
t_one, T_one = with_row_sums_of_one("t", 1, "K"), with_row_sums_of_one("T", "N", "K")


OUTPUTS = "the entries of y and Y are positive"
PRODUCTS = "y t^T and the entries of (Y (.) T) 1_K are positive"

stated_at(
    "section 6, squared error loss, (29)",
    ("nerva/eq29.row", "the gradient of (y - t)(y - t)^T with respect to y is 2(y - t)",
     lambda: gradient((y - t) @ (y - t).T, y, 2 * (y - t))),
    ("nerva/eq29.sum", "1_N^T ((Y - T) (.) (Y - T)) 1_K is the sum of the losses of all rows",
     lambda: Equal(total(hadamard(Y - T, Y - T)), rows.T @ diag((Y - T) @ (Y - T).T))),
    ("nerva/eq29", "the gradient of 1_N^T ((Y - T) (.) (Y - T)) 1_K with respect to Y is 2(Y - T)",
     lambda: gradient(total(hadamard(Y - T, Y - T)), Y, 2 * (Y - T))),
    ("nerva/mse", "L_SE/(K N) is the mean of the squared entries of Y - T",
     lambda: Equal(total(hadamard(Y - T, Y - T)) / (size("K") * N_),
                   (rows / N_).T @ power(Y - T, 2) @ (one / size("K")))),
)  # fmt: skip

stated_at(
    "section 6, cross-entropy loss, (30)",
    ("nerva/eq30.row", "the gradient of -t log(y)^T with respect to y is -t (.) 1/y",
     lambda: gradient(-(t @ log(y).T), y, -hadamard(t, reciprocal(y)))),
    ("nerva/eq30.sum", "-1_N^T (T (.) log(Y)) 1_K is the sum of the losses of all rows",
     lambda: Equal(-total(hadamard(T, log(Y))), -(rows.T @ diag(T @ log(Y).T)))),
    ("nerva/eq30", "the gradient of -1_N^T (T (.) log(Y)) 1_K with respect to Y is -T (.) 1/Y",
     lambda: gradient(-total(hadamard(T, log(Y))), Y, -hadamard(T, reciprocal(Y)))),
    where=OUTPUTS,
)  # fmt: skip

stated_at(
    "section 6, softmax cross-entropy loss, (31)",
    ("nerva/eq31.row", "the gradient of -t log-softmax(y)^T with respect to y is t 1_K softmax(y) - t",
     lambda: gradient(-(t @ log_softmax(y).T), y, t @ one @ softmax(y) - t)),
    ("nerva/eq31.sum", "-1_N^T (T (.) log-softmax(Y)) 1_K is the sum of the losses of all rows",
     lambda: Equal(-total(hadamard(T, log_softmax(Y))), -(rows.T @ diag(T @ log_softmax(Y).T)))),
    ("nerva/eq31", "the gradient of -1_N^T (T (.) log-softmax(Y)) 1_K with respect to Y is softmax(Y) (.) (T 1_K "
    "1_K^T) - T",
     lambda: gradient(-total(hadamard(T, log_softmax(Y))), Y, hadamard(softmax(Y), T @ one @ one.T) - T)),
    ("nerva/eq31.one-hot.row", "if t 1_K = 1, the gradient with respect to y is softmax(y) - t",
     lambda: gradient(-(t_one @ log_softmax(y).T), y, softmax(y) - t_one)),
    ("nerva/eq31.one-hot", "if T 1_K = 1_N, the gradient with respect to Y is softmax(Y) - T",
     lambda: gradient(-total(hadamard(T_one, log_softmax(Y))), Y, softmax(Y) - T_one)),
)  # fmt: skip

stated_at(
    "section 6, logistic cross-entropy loss, (32)",
    ("nerva/eq32.row", "the gradient of -t log(sigma(y))^T with respect to y is t (.) sigma(y) - t",
     lambda: gradient(-(t @ log(sigmoid(y)).T), y, hadamard(t, sigmoid(y)) - t)),
    ("nerva/eq32.sum", "-1_N^T (T (.) log(sigma(Y))) 1_K is the sum of the losses of all rows",
     lambda: Equal(-total(hadamard(T, log(sigmoid(Y)))), -(rows.T @ diag(T @ log(sigmoid(Y)).T)))),
    ("nerva/eq32", "the gradient of -1_N^T (T (.) log(sigma(Y))) 1_K with respect to Y is T (.) sigma(Y) - T",
     lambda: gradient(-total(hadamard(T, log(sigmoid(Y)))), Y, hadamard(T, sigmoid(Y)) - T)),
)  # fmt: skip

nll = log(hadamard(Y, T) @ one)

stated_at(
    "section 6, negative log-likelihood loss, (33)",
    ("nerva/eq33.row", "the gradient of -log(y t^T) with respect to y is -1/(y t^T) t",
     lambda: gradient(-log(y @ t.T), y, -(reciprocal(y @ t.T) * t))),
    ("nerva/eq33", "the gradient with respect to Y of the sum of the losses of all rows is -(1/((Y (.) T) 1_K) 1_K^T) "
     "(.) T. For the published loss of a batch see nerva/eq33.batch",
     lambda: gradient(-(rows.T @ nll), Y, -hadamard(reciprocal(hadamard(Y, T) @ one) @ one.T, T))),
    where=PRODUCTS,
)  # fmt: skip

sum_of_rows = -(rows.T @ log(diag(Y @ T.T)))
LOSS_33 = "section 6, negative log-likelihood loss, (33)"

claim(
    "nerva/eq33.batch",
    at=LOSS_33,
    assumptions=PRODUCTS,
    expects=wrong("misprint", correct="nerva/eq33.sum"),
    says="the loss of a batch, the sum of the losses of all rows, is -1_N^T log((Y (.) T) 1_K) 1_K",
    quote=r"-1_N^\top \cdot (\log((Y \odot T) \cdot 1_K)) \cdot 1_K",
    evidence=[AllSizes(
        lambda: Equal(-(rows.T @ nll @ one), sum_of_rows), lambda: Equal(-(rows.T @ nll), sum_of_rows),
        misfit="log((Y (.) T) 1_K) is N x 1, so that 1_N^T log((Y (.) T) 1_K) is already a number. The 1_K after it is "
        "K x 1",
    )],
)  # fmt: skip

stated(
    "nerva/eq33.sum", LOSS_33,
    "the loss of a batch, the sum of the losses of all rows, is -1_N^T log((Y (.) T) 1_K), without the last factor 1_K",
    lambda: Equal(-(rows.T @ nll), sum_of_rows),
    kind=Kind.ADDITIONAL, assumptions=PRODUCTS,
)  # fmt: skip

# --- the output batch ---------------------------------------------------------------------------------------------

BATCHES = {
    "squared error": total(hadamard(Y - T, Y - T)),
    "mean squared error": total(hadamard(Y - T, Y - T)) / (size("K") * N_),
    "cross-entropy": -total(hadamard(T, log(Y))),
    "softmax cross-entropy": -total(hadamard(T, log_softmax(Y))),
    "logistic cross-entropy": -total(hadamard(T, log(sigmoid(Y)))),
    "negative log-likelihood": -(rows.T @ nll),
}


def functions_of(name: str) -> list[str]:
    """The losses of a batch that are functions of a matrix of this name and of T, and of nothing else."""
    return [loss for loss, of in BATCHES.items() if set(names_in([of]).matrices) == {name, "T"}]


def output_batch(name: str, other: str) -> Callable[[Any], Finding]:
    """Whether each loss of a batch is a function of a matrix of this name and of T."""

    def experiment(_context):
        of_both = {n: functions_of(n) for n in (name, other)}
        says = "; ".join(f"{len(of)} of {len(BATCHES)} losses are functions of {n} and T" for n, of in of_both.items())
        slips = {f"the name {other}": len(of_both[other]) < len(BATCHES)} if other == "Z" else None
        return concluded(len(of_both[name]) == len(BATCHES), says, slips)

    return experiment


notation = common(at="section 6, list of notations")

notation(
    "nerva/sec6.output-batch",
    says="the losses of a batch are functions of the output batch Z, N x K, and of T",
    quote="$Z \\in \\mathbb{R}^{N \\times K}$ is an output batch",
    expects=wrong("misprint", correct="nerva/sec6.output-batch.Y"),
    experiment=output_batch("Z", "Y"),
    note="Z occurs in none of the losses. The next line of the list has 'an output batch Y': nerva/sec6.output-batch.Y",
)

notation(
    "nerva/sec6.output-batch.Y",
    says="the losses of a batch are functions of the output batch Y, N x K, and of its targets T",
    quote="contains the targets for an output batch",
    experiment=output_batch("Y", "Z"),
)

# --- the loss of binary targets ---------------------------------------------------------------------------------------

# Targets between 0 and 1.
targets = sigmoid(2 * matrix("V", "N", "K"))
binary = total(hadamard(targets, log(sigmoid(Y))) + hadamard(ones("N", "K") - targets, log(sigmoid(-Y))))

alternative(
    "nerva/eq32.binary",
    at="section 6, logistic cross-entropy loss, (32)",
    says="T (.) sigma(Y) - T is the gradient of the cross-entropy of K independent binary targets",
    evidence=[AllSizes(
        lambda: gradient(-binary, Y, hadamard(targets, sigmoid(Y)) - targets),
        lambda: gradient(-binary, Y, sigmoid(Y) - targets),
    )],
    assumptions="targets between 0 and 1, T = sigma(2 V)",
    expects=wrong(correct="nerva/eq32.binary.gradient nerva/eq32"),
    note="the published loss lacks the term (1 - T) log(1 - sigma(Y)) of that cross-entropy and has no minimum: "
    "nerva/eq32.no-minimum. The published gradient is correct for the published loss: nerva/eq32",
)  # fmt: skip

target, output = positive("t"), real("y")


def falls_without_end(loss: Expr = -target * log_of(1 / (1 + exp_of(-output)))) -> bool:
    """Its derivative is -t/(1 + e^y), negative at every y, and its limit is 0."""
    slope = sympy.simplify(sympy.diff(loss, output) + target / (1 + exp_of(output)))
    return slope == 0 and sympy.limit(sympy.expand_log(loss), output, sympy.oo) == 0


additional(
    "nerva/eq32.no-minimum",
    at="additional to eq. (32)",
    says="the logistic cross-entropy loss has no minimum: for every t > 0, -t log(sigma(y)) decreases in y and tends "
    "to 0 as y tends to infinity",
    proof=falls_without_end,
    note="the cross-entropy of a binary target 0 < t < 1 has a minimum at sigma(y) = t: nerva/eq32.binary.gradient",
)

stated(
    "nerva/eq32.binary.gradient", "additional to eq. (32)",
    "the cross-entropy of K independent binary targets has the gradient sigma(Y) - T",
    lambda: gradient(-binary, Y, sigmoid(Y) - targets),
    assumptions="targets between 0 and 1, T = sigma(2 V)",
    kind=Kind.ADDITIONAL,
)  # fmt: skip

stated(
    "nerva/mse.gradient", "additional to section 6, mean squared error",
    "the mean squared error has the gradient 2(Y - T)/(K N) for a batch. For a single output it is (y - t)(y - t)^T/K, "
    "with the gradient 2(y - t)/K",
    lambda: gradient(total(hadamard(Y - T, Y - T)) / (size("K") * N_), Y, 2 * (Y - T) / (size("K") * N_)),
    lambda: gradient((y - t) @ (y - t).T / size("K"), y, 2 * (y - t) / size("K")),
    kind=Kind.ADDITIONAL,
    note="section 6 gives only the loss of a batch, and says that it is the scaled squared error",
)  # fmt: skip
