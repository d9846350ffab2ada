"""Section 4.1: the derivations of the linear and of the log-softmax layer, step by step, (16) and (17)."""

from __future__ import annotations

from paper_checks import AllSizes, claim, wrong
from paper_checks.papers.nerva.notation import DY, N_, W, X, Z, b, log_softmax, softmax
from theory.matrix_calculus import Equal, Gradient, Jacobian, column, hadamard, identity, matrix, ones, row

x, y_row = matrix("x", 1, "D"), matrix("z", 1, "K")

# --- linear layer -------------------------------------------------------------------------------------------------

claim(
    "nerva/eq16.x",
    at="eq. (16), first line",
    says="the Jacobian of y_i = x_i W^T + b by x_i is W, so that Dx_i = Dy_i W",
    evidence=[AllSizes(lambda: Jacobian(x @ W.T + b, x, W))],
)

claim(
    "nerva/eq16.rows",
    at="before eq. (16)",
    says="row i of Y is y_i = x_i W^T + b_i with b_i = b",
    evidence=[AllSizes(lambda: Equal(row(X @ W.T + ones("N") @ b, "i"), row(X, "i") @ W.T + b))],
)

claim(
    "nerva/eq16.b",
    at="eq. (16), second line",
    says="the Jacobian of y_k = x_k W^T + b by b is I_K, so that Db is the sum of all Dy_k",
    evidence=[AllSizes(lambda: Jacobian(x @ W.T + b, b, identity("K")))],
)

# y_k depends on w_1j, ..., w_Kj, column j of W, through x_kj alone.
w = matrix("w", "K", 1)
through_column = row(X, "k") @ row(identity("D"), "j").T @ w.T
x_kj = row(X, "k") @ row(identity("D"), "j").T

claim(
    "nerva/eq16.e",
    at="eq. (16), with the definition of e_i before it",
    expects=wrong("misprint"),
    says="the derivative of y_k by w_ij is x_kj e_i, where e_i is row i of the unit matrix I_N",
    quote="be the $i^{\\text{th}}$ row of the unit matrix",
    evidence=[AllSizes(
        lambda: Jacobian(through_column, w, x_kj * identity("N")),
        lambda: Jacobian(through_column, w, x_kj * identity("K")),
    )],
    note="y_k is 1 x K, and so is e_i: row i of I_K. All rows at once: the derivative of y_k by column j of W is "
    "x_kj I_K",
)  # fmt: skip

claim(
    "nerva/eq16.sums",
    at="eq. (16), last line",
    expects=wrong("misprint"),
    says="the sum over k = 1..N of (e_i)_l (DY^T X)_lj, for any l or summed over l, is (DY^T X)_ij",
    quote=r"\sum_{k=1}^N (e_i)_l (D Y^\top \cdot X)_{lj} = (D Y^\top \cdot X)_{ij}",
    evidence=[
        AllSizes(
            lambda: Equal(N_ * (column(identity("K"), "i").T @ column(identity("K"), "l")
                                @ row(column(DY.T @ X, "j"), "l")), row(column(DY.T @ X, "j"), "i")),
            lambda: Equal(column(identity("K"), "i").T @ column(DY.T @ X, "j"), row(column(DY.T @ X, "j"), "i")),
        ),
        AllSizes(
            lambda: Equal(N_ * (DY.T @ X), DY.T @ X),
            lambda: Equal(identity("K") @ (DY.T @ X), DY.T @ X),
        ),
    ],
    note="the two sums have changed their indices: as printed l is bound by no sum in the last two expressions, and "
    "with one over it the sum over k counts the result N times. Right is the sum over l = 1..K of (e_i)_l times the "
    "sum over k = 1..N of dL/dy_kl x_kj. The result is right, nerva/linear.DW",
)  # fmt: skip

claim(
    "nerva/eq16.entries",
    at="eq. (16), third line",
    says="the derivative by w_ij is the sum over k of dL/dy_ki x_kj, entry (i, j) of DY^T X",
    evidence=[AllSizes(lambda: Equal(
        column(row(DY.T @ X, "i"), "j"), column(DY, "i").T @ column(X, "j")
    ))],
)  # fmt: skip

# --- log-softmax layer --------------------------------------------------------------------------------------------

claim(
    "nerva/eq17",
    at="eq. (17)",
    says="DZ = DY - softmax(Z) (.) (DY 1_K 1_K^T)",
    evidence=[AllSizes(lambda: Gradient(
        log_softmax(Z), Z, DY - hadamard(softmax(Z), DY @ ones("K") @ ones("K").T)
    ))],
)  # fmt: skip

claim(
    "nerva/eq17.row",
    at="before eq. (17)",
    says="Dz_i = Dy_i (I_K - 1_K softmax(z_i)) = Dy_i - Dy_i 1_K softmax(z_i)",
    evidence=[
        AllSizes(lambda: Gradient(
            log_softmax(y_row), y_row,
            matrix("DY", 1, "K") @ (identity("K") - ones("K") @ softmax(y_row)),
        )),
        AllSizes(lambda: Gradient(
            log_softmax(y_row), y_row,
            matrix("DY", 1, "K") - matrix("DY", 1, "K") @ ones("K") @ softmax(y_row),
        )),
    ],
)  # fmt: skip

claim(
    "nerva/eq17.property",
    at="before eq. (17)",
    says="by property (15) the rows Dy_i 1_K softmax(z_i) are softmax(Z) (.) (DY 1_K 1_K^T)",
    quote="This can be generalized to matrices using property 15",
    evidence=[AllSizes(lambda: Equal(
        row(hadamard(softmax(Z), DY @ ones("K") @ ones("K").T), "i"),
        row(DY, "i") @ ones("K") @ softmax(row(Z, "i")),
    ))],
)  # fmt: skip
