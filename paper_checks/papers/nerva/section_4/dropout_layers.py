"""Section 4: the dropout layers, with a dropout matrix R of D x K."""

from paper_checks import AllSizes, Kind, claim, wrong
from paper_checks.papers.nerva.identities import stated_at, stated_each
from paper_checks.papers.nerva.notation import DY, R, W, X, Z, b, columns_sum, row_repeat
from paper_checks.papers.nerva.section_4.layers import SMOOTH, act, slope
from theory.matrix_calculus import Equal, Gradient, column, hadamard, matrix, ones, row

SHAPE = "R is D x K, see nerva/dropout.R"
dropped = X @ hadamard(W.T, R) + ones("N") @ b
dropped_DZ = hadamard(DY, slope(dropped))

stated_at(
    "section 4, linear dropout layer",
    ("nerva/linear-dropout.DW", "DW = (DY^T X) (.) R^T", lambda: Gradient(dropped, W, hadamard(DY.T @ X, R.T))),
    ("nerva/linear-dropout.Db", "Db = 1_N^T DY", lambda: Gradient(dropped, b, ones("N").T @ DY)),
    ("nerva/linear-dropout.DX", "DX = DY (W (.) R^T)", lambda: Gradient(dropped, X, DY @ hadamard(W, R.T))),
    ("nerva/linear-dropout.Y.code", "the code X * hadamard(W.T, R) + row_repeat(b, N) computes X (W^T (.) R) + 1_N b",
     lambda: Equal(X @ hadamard(W.T, R) + row_repeat(b, "N"), dropped)),
    ("nerva/linear-dropout.Db.code", "Db = columns_sum(DY)", lambda: Gradient(dropped, b, columns_sum(DY))),
    ("nerva/linear-dropout.DW.code", "DW = hadamard(DY.T * X, R.T)",
     lambda: Gradient(dropped, W, hadamard(DY.T @ X, R.T))),
    ("nerva/linear-dropout.DX.code", "DX = DY * hadamard(W, R.T)",
     lambda: Gradient(dropped, X, DY @ hadamard(W, R.T))),
    where=SHAPE,
)  # fmt: skip

stated_at(
    "section 4, activation dropout layer",
    ("nerva/activation-dropout.DZ", "DZ = DY (.) act'(Z)", lambda: Gradient(act(Z), Z, hadamard(DY, slope(Z)))),
    ("nerva/activation-dropout.DW", "DW = (DZ^T X) (.) R^T",
     lambda: Gradient(act(dropped), W, hadamard(dropped_DZ.T @ X, R.T))),
    ("nerva/activation-dropout.Db", "Db = 1_N^T DZ", lambda: Gradient(act(dropped), b, ones("N").T @ dropped_DZ)),
    ("nerva/activation-dropout.DX", "DX = DZ (W (.) R^T)",
     lambda: Gradient(act(dropped), X, dropped_DZ @ hadamard(W, R.T))),
    ("nerva/activation-dropout.Db.code", "Db = columns_sum(DZ)",
     lambda: Gradient(act(dropped), b, columns_sum(dropped_DZ))),
    where=f"{SMOOTH}; {SHAPE}",
)  # fmt: skip

NOTATIONS = "section 4, notations, and dropout layers"
beside_W = matrix("R", "K", "D")
as_in_the_code = X @ hadamard(W, beside_W).T + ones("N") @ b


def entries() -> Equal:
    """Entry (n, k) of Y."""
    return Equal(column(row(dropped, "n"), "k"), row(X, "n") @ hadamard(row(W, "k").T, column(R, "k")) + column(b, "k"))


claim(
    "nerva/dropout.R",
    at=NOTATIONS,
    expects=wrong("misprint", correct="nerva/dropout.R.shape nerva/dropout.R.code"),
    says="the dropout matrix R of Y = X (W^T (.) R) + 1_N b is K x D",
    quote=r"$R \in \mathbb{R}^{K \times D}$ is a dropout matrix.",
    evidence=[AllSizes(
        lambda: Equal(X @ hadamard(W.T, beside_W) + ones("N") @ b, as_in_the_code),
        entries,
        misfit="W^T is D x K and R is K x D, so that W^T (.) R is defined only if D = K",
    )],
    note="for an R of D x K all equations of both dropout layers are correct. The author's test has this shape "
    "(nerva-sympy, commit abc2101)",
)  # fmt: skip

stated_each(
    ("nerva/dropout.R.shape", NOTATIONS,
     "with R of D x K, y_nk of Y = X (W^T (.) R) + 1_N b is the sum of x_nd w_kd r_dk over d, plus b_k",
     entries,
     {"kind": Kind.ADDITIONAL}),
    ("nerva/dropout.R.code", NOTATIONS,
     "with R of K x D, Y = X (W (.) R)^T + 1_N b has DW = (DY^T X) (.) R and DX = DY (W (.) R)",
     lambda: Gradient(as_in_the_code, W, hadamard(DY.T @ X, beside_W)),
     lambda: Gradient(as_in_the_code, X, DY @ hadamard(W, beside_W)),
     {"note": "the author's C++ code of 9 September 2024 has these equations (nerva-rowwise, commit 8ad2beb)",
         "kind": Kind.ADDITIONAL}),
)  # fmt: skip
