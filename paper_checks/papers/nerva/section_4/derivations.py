"""Section 4.1: the derivations of the linear and of the log-softmax layer, step by step, (16) and (17)."""

from paper_checks import AllSizes, Kind, claim, wrong
from paper_checks.papers.nerva.identities import stated, stated_each
from paper_checks.papers.nerva.notation import DY, N_, W, X, Z, b, log_softmax, softmax
from theory.matrix_calculus import Equal, Gradient, Jacobian, column, hadamard, identity, matrix, ones, row

x, y_row = matrix("x", 1, "D"), matrix("z", 1, "K")

# --- linear layer -------------------------------------------------------------------------------------------------

stated_each(
    ("nerva/eq16.x", "eq. (16), first line",
     "the Jacobian of y_i = x_i W^T + b with respect to x_i is W, so that Dx_i = Dy_i W",
     lambda: Jacobian(x @ W.T + b, x, W)),
    ("nerva/eq16.rows", "before eq. (16)", "row i of Y is y_i = x_i W^T + b_i with b_i = b",
     lambda: Equal(row(X @ W.T + ones("N") @ b, "i"), row(X, "i") @ W.T + b)),
    ("nerva/eq16.b", "eq. (16), second line",
     "the Jacobian of y_k = x_k W^T + b with respect to b is I_K, so that Db is the sum of all Dy_k",
     lambda: Jacobian(x @ W.T + b, b, identity("K"))),
)  # fmt: skip

# Row k of X W^T + 1_N b, as w_ij changes alone by a number w.
w = matrix("w", 1, 1)
e_K = column(identity("K"), "i")
only_ij = e_K @ row(identity("D"), "j")
y_k = row(X, "k") @ (W + w * only_ij).T + b
x_kj = column(row(X, "k"), "j")


def derivative_by_w_ij() -> Jacobian:
    """The Jacobian of y_k, K numbers, by a number is K x 1 (Definition 3)."""
    return Jacobian(y_k, w, x_kj * e_K)


claim(
    "nerva/eq16.e",
    at="eq. (16), with the definition of e_i before it",
    expects=wrong("misprint", correct="nerva/eq16.e.column"),
    says="the derivative of y_k with respect to w_ij is x_kj e_i, where e_i is row i of the unit matrix I_N",
    quote=r"let  $e_i$  be the  $i^{\text{th}}$  row of the unit matrix  $\mathbb{I}_N$",
    evidence=[AllSizes(
        lambda: Jacobian(y_k, w, x_kj * row(identity("N"), "i")), derivative_by_w_ij,
        misfit="the left-hand side is K x 1 by Definition 3, because y_k has K elements. Row i of I_N is 1 x N",
    )],
)  # fmt: skip

stated(
    "nerva/eq16.e.column", "eq. (16), with the definition of e_i before it",
    "the derivative of y_k with respect to w_ij is x_kj e_i, where e_i is column i of the unit matrix I_K",
    derivative_by_w_ij,
    kind=Kind.ADDITIONAL,
    note="this replaces row i of I_N, see nerva/eq16.e. The sums over l = 1..K in (16) need an e_i of K elements",
)  # fmt: skip

# Column j of DY^T X, and its element i.
gradients = DY.T @ column(X, "j")
element = row(gradients, "i")

claim(
    "nerva/eq16.sums",
    at="eq. (16), last line",
    expects=wrong("misprint", correct="nerva/eq16.sums.exchanged"),
    says="the sum over k = 1..N of (e_i)_l (DY^T X)_lj is (DY^T X)_ij",
    quote=r"\sum_{k=1}^N (e_i)_l \sum_{l=1}^K \frac{\partial \mathcal{L}}{\partial y_{kl}} x_{kj} = \sum_{k=1}^N "
    r"(e_i)_l (D Y^\top \cdot X)_{lj} = (D Y^\top \cdot X)_{ij}",
    evidence=[
        AllSizes(lambda: Equal(N_ * (row(e_K, "l") @ row(gradients, "l")), element),
                 lambda: Equal(e_K.T @ gradients, element)),
        AllSizes(lambda: Equal(N_ * (e_K.T @ gradients), element), lambda: Equal(e_K.T @ gradients, element)),
    ],
    note="the last sum runs over k, but its summand does not depend on k, and l is free. The indices of the sums are "
    "swapped. With a sum over l added, the sum over k counts the result N times. DW = DY^T X is correct: "
    "nerva/linear.DW",
)  # fmt: skip

stated_each(
    ("nerva/eq16.sums.exchanged", "eq. (16), last line",
     "the sum over l = 1..K of (e_i)_l times the sum over k = 1..N of dL/dy_kl x_kj is (DY^T X)_ij",
     lambda: Equal(row(gradients, "l"), column(DY, "l").T @ column(X, "j")),
     lambda: Equal(e_K.T @ gradients, element),
     lambda: Equal(e_K.T @ gradients, column(row(DY.T @ X, "i"), "j")),
     {"kind": Kind.ADDITIONAL}),
    ("nerva/eq16.entries", "eq. (16), fourth line",
     "the derivative of the loss with respect to w_ij is the sum over k of dL/dy_k x_kj e_i, which is the sum over k "
     "and l of dL/dy_kl x_kj (e_i)_l",
     lambda: Equal(row(DY, "k") @ (x_kj * e_K), x_kj * (row(DY, "k") @ e_K)),
     lambda: Equal(column(X, "j").T @ (DY @ e_K), element),
     lambda: Gradient(X @ (W + w * only_ij).T + ones("N") @ b, w, column(X, "j").T @ (DY @ e_K)),
     {"where": "e_i is column i of I_K, see nerva/eq16.e"}),
)  # fmt: skip

# --- log-softmax layer --------------------------------------------------------------------------------------------

stated_each(
    ("nerva/eq17", "eq. (17)", "DZ = DY - softmax(Z) (.) (DY 1_K 1_K^T)",
     lambda: Gradient(log_softmax(Z), Z, DY - hadamard(softmax(Z), DY @ ones("K") @ ones("K").T))),
    ("nerva/eq17.row", "before eq. (17)", "Dz_i = Dy_i (I_K - 1_K softmax(z_i)) = Dy_i - Dy_i 1_K softmax(z_i)",
     lambda: Gradient(log_softmax(y_row), y_row, matrix("DY", 1, "K") @ (identity("K") - ones("K") @ softmax(y_row))),
     lambda: Gradient(log_softmax(y_row), y_row,
         matrix("DY", 1, "K") - matrix("DY", 1, "K") @ ones("K") @ softmax(y_row))),
    ("nerva/eq17.property", "before eq. (17)",
     "by property (15) the rows Dy_i 1_K softmax(z_i) form the matrix softmax(Z) (.) (DY 1_K 1_K^T)",
     lambda: Equal(row(hadamard(softmax(Z), DY @ ones("K") @ ones("K").T), "i"),
         row(DY, "i") @ ones("K") @ softmax(row(Z, "i"))),
     {"quote": "This can be generalized to matrices using property 15"}),
)  # fmt: skip
