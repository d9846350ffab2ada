"""Section 4.1: lemmas on vector functions, and properties (10) to (15) of rows and columns.

A differentiable function has the same value and Jacobian at a point as an affine one. What products and compositions
have there depends on these alone, so that f(x) = f + F x with arbitrary f and F stands for any of them.
"""

from paper_checks.papers.nerva.identities import stated, stated_each
from theory.matrix_calculus import Equal, Jacobian, column, diag, hadamard, matrix, ones, row

x = matrix("x", "p", 1)
A = matrix("A", "m", "n")
ANY = "f and g are differentiable. At a point they are replaced by affine functions with the same value and Jacobian"


def affine(name: str, size: str | int):
    """A column f + F x, and its Jacobian F."""
    slope = matrix(name.upper(), size, "p")
    return matrix(name, size, 1) + slope @ x, slope


scalar, scalar_slope = affine("g", 1)
other, other_slope = affine("f", 1)

F, G = matrix("F", "m", "n"), matrix("G", "p", "m")
inner, point = matrix("f", "m", 1), matrix("x", "n", 1)

stated_each(
    ("nerva/lemma1.scalar", "Lemma 1, before eq. (5)", "(u v)' = u' v + u v' for scalar functions u and v",
     lambda: Jacobian(other * scalar, x, other_slope * scalar + other * scalar_slope)),
    ("nerva/eq5", "eq. (5)", "a column f times a scalar g has the Jacobian f' g + f g'",
     lambda: Jacobian(affine("f", "n")[0] * scalar, x,
         affine("f", "n")[1] * scalar + affine("f", "n")[0] @ scalar_slope)),
    ("nerva/eq6", "eq. (6)", "a row f times a scalar g has the Jacobian f' g + f^T g'",
     lambda: Jacobian(affine("f", "n")[0].T * scalar, x,
         affine("f", "n")[1] * scalar + affine("f", "n")[0].T.T @ scalar_slope)),
    ("nerva/eq7", "eq. (7)", "a constant matrix A times a column g has the Jacobian A g'",
     lambda: Jacobian(A @ affine("g", "n")[0], x, A @ affine("g", "n")[1])),
    ("nerva/eq8", "eq. (8)", "a row f times a constant matrix A has the Jacobian A^T f'",
     lambda: Jacobian(affine("f", "m")[0].T @ A, x, A.T @ affine("f", "m")[1])),
    ("nerva/eq9", "eq. (9)", "g(f(x)) has the Jacobian g'(y) f'(x)",
     lambda: Jacobian(matrix("g", "p", 1) + G @ (inner + F @ point), point, G @ F)),
    ("nerva/eq9.orientation", "after eq. (9)", "(9) holds if f(x) is a row as well as if it is a column",
     lambda: Jacobian(matrix("g", 1, "p") + (inner + F @ point).T @ G.T, point, G @ F),
     {"quote": "this equations holds irrespective of whether"}),
    assumptions=ANY,
)  # fmt: skip

# --- properties ---------------------------------------------------------------------------------------------------

X, Y = matrix("X", "m", "n"), matrix("Y", "m", "n")
xj, yj, xi, yi = column(X, "j"), column(Y, "j"), row(X, "i"), row(Y, "i")

for _id, _says, _each, _whole in (
    ("nerva/eq10", "z^j = x^j (x^j)^T y^j for all j means Z = X (.) (1_m diag(X^T Y)^T)",
     xj @ xj.T @ yj, column(hadamard(X, ones("m") @ diag(X.T @ Y).T), "j")),
    ("nerva/eq11", "z^j = 1_m (x^j)^T y^j for all j means Z = 1_m diag(X^T Y)^T",
     ones("m") @ xj.T @ yj, column(ones("m") @ diag(X.T @ Y).T, "j")),
    ("nerva/eq12", "z^j = x^j 1_m^T y^j for all j means Z = X (.) (1_m 1_m^T Y)",
     xj @ ones("m").T @ yj, column(hadamard(X, ones("m") @ ones("m").T @ Y), "j")),
    ("nerva/eq13", "z_i = x_i y_i^T y_i for all i means Z = (diag(X Y^T) 1_n^T) (.) Y",
     xi @ yi.T @ yi, row(hadamard(diag(X @ Y.T) @ ones("n").T, Y), "i")),
    ("nerva/eq14", "z_i = x_i y_i^T 1_n^T for all i means Z = diag(X Y^T) 1_n^T",
     xi @ yi.T @ ones("n").T, row(diag(X @ Y.T) @ ones("n").T, "i")),
    ("nerva/eq15", "z_i = x_i 1_n y_i for all i means Z = (X 1_n 1_n^T) (.) Y",
     xi @ ones("n") @ yi, row(hadamard(X @ ones("n") @ ones("n").T, Y), "i")),
):  # fmt: skip
    stated(
        _id, f"eq. ({_id[len('nerva/eq') :]})", _says, lambda each=_each, whole=_whole: Equal(whole, each)
    )  # fmt: skip

stated(
    "nerva/eq13.proof", "after eq. (15)",
    "diag(X Y^T) has the entries x_i y_i^T, so that the matrix R with r_ij = x_i y_i^T is diag(X Y^T) 1_n^T",
    lambda: Equal(row(diag(X @ Y.T), "i"), xi @ yi.T),
)  # fmt: skip
