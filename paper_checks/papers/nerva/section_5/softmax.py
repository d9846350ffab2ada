"""Sections 5.1 and 5.2: softmax and log-softmax, their stable forms and derivatives, for all sizes."""

from __future__ import annotations

from paper_checks import AllSizes, Kind, claim, wrong
from paper_checks.papers.nerva.notation import log_softmax, shifted, softmax
from theory.matrix_calculus import Diag, Equal, Jacobian, exp, hadamard, identity, log, matrix, ones, reciprocal, row

x, X, y = matrix("x", 1, "D"), matrix("X", "N", "D"), matrix("y", 1, "D")
one = ones("D")
SHIFT = "the largest entry is any number of which it is only used that it is taken from all entries of its row"
total = exp(x) @ one

for _id, _says, _left, _right in (
    ("nerva/softmax.stable", "stable-softmax(x) = softmax(x)", lambda: softmax(shifted(x)), lambda: softmax(x)),
    ("nerva/softmax.stable.matrix", "stable-softmax(X) = softmax(X)",
     lambda: softmax(shifted(X)), lambda: softmax(X)),
    ("nerva/log-softmax.stable", "stable-log-softmax(x) = log-softmax(x)",
     lambda: log_softmax(shifted(x)), lambda: log_softmax(x)),
    ("nerva/log-softmax.stable.matrix", "stable-log-softmax(X) = log-softmax(X)",
     lambda: log_softmax(shifted(X)), lambda: log_softmax(X)),
    ("nerva/log-softmax.definition", "log(softmax(x)) = x - log(e^x 1_D) 1_D^T",
     lambda: x - log(total) @ one.T, lambda: log(softmax(x))),
):  # fmt: skip
    claim(
        _id,
        at="section 5.1",
        says=_says,
        evidence=[AllSizes(lambda left=_left, right=_right: Equal(left(), right()))],
        assumptions=SHIFT if "stable" in _id else "",
    )

for _id, _says, _left, _right in (
    ("nerva/softmax.vector", "softmax(x) = e^x/(e^x 1_D)",
     lambda: reciprocal(total) * exp(x), lambda: softmax(x)),
    ("nerva/softmax.rows", "row i of softmax(X) = e^X (.) (1/(e^X 1_D) 1_D^T) is softmax(x_i)",
     lambda: row(hadamard(exp(X), reciprocal(exp(X) @ one) @ one.T), "i"),
     lambda: reciprocal(exp(row(X, "i")) @ one) * exp(row(X, "i"))),
    ("nerva/log-softmax.rows", "row i of log-softmax(X) = X - log(e^X 1_D) 1_D^T is log-softmax(x_i)",
     lambda: row(X - log(exp(X) @ one) @ one.T, "i"),
     lambda: row(X, "i") - log(exp(row(X, "i")) @ one) @ one.T),
    ("nerva/softmax.sum", "the entries of softmax(x) have the sum 1", lambda: softmax(x) @ one, lambda: ones(1)),
):  # fmt: skip
    claim(
        _id,
        at="section 5.1",
        says=_says,
        evidence=[AllSizes(lambda left=_left, right=_right: Equal(left(), right()))],
        kind=Kind.ADDITIONAL if _id == "nerva/softmax.sum" else Kind.PUBLISHED,
    )

# --- derivatives ----------------------------------------------------------------------------------------------------

claim(
    "nerva/eq26",
    at="eq. (26)",
    says="the Jacobian of softmax is Diag(softmax(x)) - softmax(x)^T softmax(x)",
    evidence=[AllSizes(lambda: Jacobian(softmax(x), x, Diag(softmax(x)) - softmax(x).T @ softmax(x)))],
    note="so it is for stable-softmax, the same function: nerva/softmax.stable",
)

claim(
    "nerva/eq27",
    at="eq. (27)",
    says="the Jacobian of log-softmax is I_D - 1_D softmax(x)",
    evidence=[AllSizes(lambda: Jacobian(log_softmax(x), x, identity("D") - one @ softmax(x)))],
    note="so it is for stable-log-softmax, the same function: nerva/log-softmax.stable",
)

claim(
    "nerva/eq28.log",
    at="eq. (28), first two lines",
    says="the Jacobian of log(y) is Diag(1/y)",
    evidence=[AllSizes(lambda: Jacobian(log(y), y, Diag(reciprocal(y))))],
)

S = softmax(x)

claim(
    "nerva/eq28.product",
    at="eq. (28), second line",
    says="the Jacobian of log(softmax(x)) is Diag(1/y) (Diag(y) - y^T y) with y = softmax(x)",
    evidence=[AllSizes(lambda: Jacobian(log(S), x, Diag(reciprocal(S)) @ (Diag(S) - S.T @ S)))],
    note="the reference above its sign of equality is broken in print, (??); meant is (26)",
)

claim(
    "nerva/eq28.third",
    at="eq. (28), third line",
    expects=wrong("misprint"),
    says="Diag(1/y) (Diag(y) - y^T y) = I_D - Diag(y) y^T y",
    quote=r"\mathbb{I}_D - \text{Diag}(y) y^\top y",
    evidence=[AllSizes(
        lambda: Equal(identity("D") - Diag(y) @ y.T @ y, Diag(reciprocal(y)) @ (Diag(y) - y.T @ y)),
        lambda: Equal(identity("D") - Diag(reciprocal(y)) @ y.T @ y, Diag(reciprocal(y)) @ (Diag(y) - y.T @ y)),
    )],
    note="Diag(1/y) has become Diag(y); with it the next line follows, as Diag(1/y) y^T = 1_D",
)  # fmt: skip

claim(
    "nerva/eq28.fourth",
    at="eq. (28), fourth line",
    says="Diag(1/y) (Diag(y) - y^T y) = I_D - 1_D y",
    evidence=[AllSizes(lambda: Equal(identity("D") - one @ y, Diag(reciprocal(y)) @ (Diag(y) - y.T @ y)))],
)

claim(
    "nerva/eq28",
    at="eq. (28)",
    says="the Jacobian of log(softmax(x)) is I_D - 1_D softmax(x)",
    evidence=[AllSizes(lambda: Jacobian(log(S), x, identity("D") - one @ S))],
)
