"""Section 4.1: lemmas on vector functions, and properties (10) to (15) of rows and columns.

A differentiable function has the same value and Jacobian at a point as an affine one. What products and compositions
have there depends on these alone, so that f(x) = f + F x with arbitrary f and F stands for any of them.
"""

from __future__ import annotations

from paper_checks import AllSizes, claim
from theory.matrix_calculus import Equal, Jacobian, column, diag, hadamard, matrix, ones, row

x = matrix("x", "p", 1)
A = matrix("A", "m", "n")
ANY = "f and g are differentiable; at a point they are replaced by affine functions of the same value and Jacobian"


def affine(name: str, size: str | int):
    """A column f + F x, and its Jacobian F."""
    slope = matrix(name.upper(), size, "p")
    return matrix(name, size, 1) + slope @ x, slope


scalar, scalar_slope = affine("g", 1)
other, other_slope = affine("f", 1)

claim(
    "nerva/lemma1.scalar",
    at="Lemma 1, before eq. (5)",
    says="(u v)' = u' v + u v' for scalar functions",
    evidence=[AllSizes(lambda: Jacobian(other * scalar, x, other_slope * scalar + other * scalar_slope))],
    assumptions=ANY,
)

claim(
    "nerva/eq5",
    at="eq. (5)",
    says="a column times a scalar has the Jacobian f' g + f g'",
    evidence=[AllSizes(lambda: Jacobian(
        affine("f", "n")[0] * scalar, x, affine("f", "n")[1] * scalar + affine("f", "n")[0] @ scalar_slope
    ))],
    assumptions=ANY,
)  # fmt: skip

claim(
    "nerva/eq6",
    at="eq. (6)",
    says="a row times a scalar has the Jacobian f' g + f^T g'",
    evidence=[AllSizes(lambda: Jacobian(
        affine("f", "n")[0].T * scalar, x, affine("f", "n")[1] * scalar + affine("f", "n")[0].T.T @ scalar_slope
    ))],
    assumptions=ANY,
)  # fmt: skip

claim(
    "nerva/eq7",
    at="eq. (7)",
    says="a constant matrix times a column has the Jacobian A g'",
    evidence=[AllSizes(lambda: Jacobian(A @ affine("g", "n")[0], x, A @ affine("g", "n")[1]))],
    assumptions=ANY,
)

claim(
    "nerva/eq8",
    at="eq. (8)",
    says="a row times a constant matrix has the Jacobian A^T f'",
    evidence=[AllSizes(lambda: Jacobian(affine("f", "m")[0].T @ A, x, A.T @ affine("f", "m")[1]))],
    assumptions=ANY,
)

F, G = matrix("F", "m", "n"), matrix("G", "p", "m")
inner, point = matrix("f", "m", 1), matrix("x", "n", 1)

claim(
    "nerva/eq9",
    at="eq. (9)",
    says="g(f(x)) has the Jacobian g'(y) f'(x)",
    evidence=[AllSizes(lambda: Jacobian(matrix("g", "p", 1) + G @ (inner + F @ point), point, G @ F))],
    assumptions=ANY,
)

claim(
    "nerva/eq9.orientation",
    at="after eq. (9)",
    says="(9) holds for a row f(x) as for a column",
    quote="this equations holds irrespective of whether",
    evidence=[AllSizes(lambda: Jacobian(
        matrix("g", 1, "p") + (inner + F @ point).T @ G.T, point, G @ F
    ))],
    assumptions=ANY,
)  # fmt: skip

# --- properties ---------------------------------------------------------------------------------------------------

X, Y = matrix("X", "m", "n"), matrix("Y", "m", "n")
xj, yj, xi, yi = column(X, "j"), column(Y, "j"), row(X, "i"), row(Y, "i")
DOT = "whatever the number of rows m and columns n"

for _id, _says, _each, _whole in (
    ("nerva/eq10", "z^j = x^j (x^j)^T y^j for all j is Z = X (.) (1_m diag(X^T Y)^T)",
     lambda: xj @ xj.T @ yj, lambda: column(hadamard(X, ones("m") @ diag(X.T @ Y).T), "j")),
    ("nerva/eq11", "z^j = 1_m (x^j)^T y^j for all j is Z = 1_m diag(X^T Y)^T",
     lambda: ones("m") @ xj.T @ yj, lambda: column(ones("m") @ diag(X.T @ Y).T, "j")),
    ("nerva/eq12", "z^j = x^j 1_m^T y^j for all j is Z = X (.) (1_m 1_m^T Y)",
     lambda: xj @ ones("m").T @ yj, lambda: column(hadamard(X, ones("m") @ ones("m").T @ Y), "j")),
    ("nerva/eq13", "z_i = x_i y_i^T y_i for all i is Z = (diag(X Y^T) 1_n^T) (.) Y",
     lambda: xi @ yi.T @ yi, lambda: row(hadamard(diag(X @ Y.T) @ ones("n").T, Y), "i")),
    ("nerva/eq14", "z_i = x_i y_i^T 1_n^T for all i is Z = diag(X Y^T) 1_n^T",
     lambda: xi @ yi.T @ ones("n").T, lambda: row(diag(X @ Y.T) @ ones("n").T, "i")),
    ("nerva/eq15", "z_i = x_i 1_n y_i for all i is Z = (X 1_n 1_n^T) (.) Y",
     lambda: xi @ ones("n") @ yi, lambda: row(hadamard(X @ ones("n") @ ones("n").T, Y), "i")),
):  # fmt: skip
    claim(
        _id,
        at=f"eq. ({_id[len('nerva/eq') :]})",
        says=_says,
        evidence=[AllSizes(lambda each=_each, whole=_whole: Equal(whole(), each()))],
        note=DOT,
    )

claim(
    "nerva/eq13.proof",
    at="after eq. (15)",
    says="diag(X Y^T) holds the numbers x_i y_i^T, so that R with r_ij = x_i y_i^T is diag(X Y^T) 1_n^T",
    evidence=[AllSizes(lambda: Equal(row(diag(X @ Y.T), "i"), xi @ yi.T))],
)
