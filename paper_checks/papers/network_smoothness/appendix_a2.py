"""Appendix A.2.2: the second layer by least squares, eq. (9)."""

from __future__ import annotations

from paper_checks import AllSizes, claim
from theory.matrix_calculus import Gradient, Matrix, matrix

H, Y, beta = matrix("H", "N", "D"), matrix("Y", "D", 1), matrix("beta", "N", 1)
features = H.T  # one row for each of the D data
residual = features @ beta - Y


def least(difference: Matrix) -> Gradient:
    """That the gradient of |H^T beta - Y|^2 is twice this: the weights of least squares are where it vanishes."""
    return Gradient(residual.T @ residual, beta, matrix("c", 1, 1) * (2 * difference), cotangent="c")


claim(
    "smooth/eq9.shape",
    at="eq. (9)",
    quote=r"given the hidden activations  $H \in \mathbb{R}^{N \times D}$",
    fault="misprint",
    says="with activations H of N x D and targets Y of D, (H^T H)^+ H^T Y has a value, the weights of N units",
    evidence=[AllSizes(
        lambda: least(H.T @ H @ beta - H.T @ Y),
        lambda: least(H @ H.T @ beta - H @ Y),
    )],
    refuted=True,
    note="H^T is D x N and Y has D entries. With H as defined, one column for each datum, right is (H H^T)^+ H Y; as "
    "printed (9) is right for the transposed H, one row for each datum",
)  # fmt: skip

claim(
    "smooth/eq9.normal",
    at="eq. (9), with H as defined before it, one column for each datum",
    says="the gradient of |H^T beta - Y|^2 is 2 (H H^T beta - H Y): where it vanishes the loss is least",
    evidence=[AllSizes(lambda: least(H @ H.T @ beta - H @ Y))],
)
