"""Section 6: the gradient that the mean squared error lacks there."""

from paper_checks import Kind
from paper_checks.papers.nerva.identities import stated
from paper_checks.papers.nerva.notation import N_, T, Y, gradient, summed
from paper_checks.papers.nerva.section_6.losses import t, y
from theory.matrix_calculus import hadamard, size

K_ = size("K")

stated(
    "nerva/mse.gradient", "additional to section 6, mean squared error",
    "the mean squared error has the gradient 2(Y - T)/(K N) for a batch. For a single output it is (y - t)(y - t)^T/K, "
    "with the gradient 2(y - t)/K",
    lambda: gradient(summed(hadamard(Y - T, Y - T)) / (K_ * N_), Y, 2 * (Y - T) / (K_ * N_)),
    lambda: gradient((y - t) @ (y - t).T / K_, y, 2 * (y - t) / K_),
    kind=Kind.ADDITIONAL,
    note="section 6 gives only the loss of a batch, and says that it is the scaled squared error",
)  # fmt: skip
