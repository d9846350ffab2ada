"""Appendix A.2.2: the second layer by least squares, eq. (9)."""

from __future__ import annotations

import sympy

from paper_checks import AllSizes, AtPoints, Kind, claim, wrong
from paper_checks.evidence.symbolic import vanishes
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
    expects=wrong("misprint"),
    says="with activations H of N x D and targets Y of D, (H^T H)^+ H^T Y has a value, the weights of N units",
    evidence=[AllSizes(
        lambda: least(H.T @ H @ beta - H.T @ Y),
        lambda: least(H @ H.T @ beta - H @ Y),
    )],
    note="H^T is D x N and Y has D entries. With H as defined, one column for each datum, right is (H H^T)^+ H Y; as "
    "printed (9) is right for the transposed H, one row for each datum",
)  # fmt: skip

claim(
    "smooth/eq9.normal",
    at="eq. (9), with H as defined before it, one column for each datum",
    says="the gradient of |H^T beta - Y|^2 is 2 (H H^T beta - H Y): where it vanishes the loss is least",
    evidence=[AllSizes(lambda: least(H @ H.T @ beta - H @ Y))],
)

# --- which of the solutions, and how well it is conditioned -------------------------------------------------------


def exact_features(units: int, data: int) -> tuple[sympy.Matrix, sympy.Matrix]:
    """Hidden activations (N, D) of small whole numbers, some of them 0, and targets (D, 1)."""
    activations = sympy.Matrix(units, data, lambda i, j: max(0, (7 * i * i + 11 * j + 3 * i * j) % 13 - 5))
    return activations, sympy.Matrix(data, 1, lambda j, _: (5 * j) % 7 - 3)


SHAPES = ((4, 3), (3, 5), (5, 2))


def shortest() -> bool:
    """(H H^T)^+ H Y solves the normal equations, fits exactly with units enough, and is orthogonal to ker H^T."""
    holds = []
    for units, data in SHAPES:
        h, y = exact_features(units, data)
        weights = (h * h.T).pinv() * h * y
        normal = h * (h.T * weights - y) == sympy.zeros(units, 1)
        kernel = h.T.nullspace()
        holds.append(normal and all((v.T * weights)[0] == 0 for v in kernel) and len(kernel) >= units - data)
        holds.append(h.rank() < data or units < data or h.T * weights == y)
    return all(holds)


claim(
    "smooth/beyond.eq9.shortest",
    at="beyond eq. (9)",
    says="of all weights of least squares (H H^T)^+ H Y has the least norm; with more units than data, N = 256 for D = "
    "128, it goes through the data, and H H^T has a kernel of at least N - D dimensions",
    evidence=[AtPoints("exactly, for 4 x 3, 3 x 5 and 5 x 2 activations of whole numbers", shortest)],
    note="so the pseudo-inverse is needed: at least half of the eigenvalues of H H^T are 0, and which of those that "
    "float32 computes count as 0 is up to a cutoff that the paper does not state",
    kind=Kind.ADDITIONAL,
)


def squared_condition(power: int = 2) -> bool:
    """H = U S V^T, S diagonal without zeros, U^T U = V^T V = 1, has H H^T = U S^2 U^T: squares, for any sizes."""
    u, s, v_t, v, u_t = sympy.symbols("U S V^T V U^T", commutative=False)
    squared = ((u * s * v_t) * (v * s * u_t)).subs(v_t * v, 1)
    most, least = sympy.symbols("most least", positive=True)
    return squared == u * s**power * u_t and vanishes(most**2 / least**2 - (most / least) ** power)


claim(
    "smooth/beyond.eq9.condition",
    at="beyond eq. (9)",
    says="the condition number of H H^T is the square of that of H",
    proof=squared_condition,
    assumptions="the largest singular value over the least that is not 0",
    note="float32 has 7 digits: features whose singular values span more than a factor of 3,000 are lost in (9), and "
    "not in least squares on H itself",
    kind=Kind.ADDITIONAL,
)
