"""Section 6: what it says it gives for each loss, and what the mean squared error lacks."""

from paper_checks import Kind, claim, wrong
from paper_checks.papers.nerva.identities import stated
from paper_checks.papers.nerva.notation import N_, T, Y, gradient, summed
from paper_checks.papers.nerva.overviews import has_all
from paper_checks.papers.nerva.section_6.losses import t, y
from theory.matrix_calculus import hadamard, size

BOTH = ("the loss of a single output", "its gradient", "the loss of a batch", "the gradient for a batch")
NUMBERED = (
    "squared error",
    "cross-entropy",
    "softmax cross-entropy",
    "logistic cross-entropy",
    "negative log-likelihood",
)
K_ = size("K")

claim(
    "nerva/sec6.both",
    at="section 6, first paragraph",
    says="section 6 gives each of its losses, and the gradient of each, for single inputs and for batches",
    quote="In this section we give an overview of some loss functions and their gradients, both for single inputs and "
    "for batches.",
    experiment=has_all({**dict.fromkeys(NUMBERED, BOTH), "mean squared error": BOTH[2:3]}, BOTH),
    expects=wrong("general", correct="nerva/mse.gradient nerva/sec6.both.numbered"),
    note="of the mean squared error it gives only the loss of a batch",
)

stated(
    "nerva/mse.gradient", "additional to section 6, mean squared error",
    "the mean squared error has the gradient 2(Y - T)/(K N) for a batch. For a single output it is (y - t)(y - t)^T/K, "
    "with the gradient 2(y - t)/K",
    lambda: gradient(summed(hadamard(Y - T, Y - T)) / (K_ * N_), Y, 2 * (Y - T) / (K_ * N_)),
    lambda: gradient((y - t) @ (y - t).T / K_, y, 2 * (y - t) / K_),
    kind=Kind.ADDITIONAL,
)  # fmt: skip

claim(
    "nerva/sec6.both.numbered",
    at="section 6, first paragraph",
    says="section 6 gives the five losses (29) to (33), and the gradient of each, for single outputs and for batches",
    experiment=has_all(dict.fromkeys(NUMBERED, BOTH), BOTH),
    kind=Kind.ADDITIONAL,
)
