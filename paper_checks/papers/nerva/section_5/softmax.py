"""Sections 5.1 and 5.2: softmax and log-softmax, their stable forms and derivatives, for all sizes."""

from paper_checks import AllSizes, Finding, Kind, additional, claim, concluded, wrong
from paper_checks.papers.nerva.identities import stated_at, stated_each
from paper_checks.papers.nerva.notation import log_softmax, shifted, softmax
from theory.matrix_calculus import Diag, Equal, Jacobian, exp, hadamard, identity, log, matrix, ones, reciprocal, row

x, X, y = matrix("x", 1, "D"), matrix("X", "N", "D"), matrix("y", 1, "D")
one = ones("D")
SHIFT = "the proof subtracts an arbitrary number from all entries of a row; the largest entry is such a number"
total = exp(x) @ one

stated_at(
    "section 5.1",
    ("nerva/softmax.stable", "stable-softmax(x) = softmax(x)", lambda: Equal(softmax(shifted(x)), softmax(x))),
    ("nerva/softmax.stable.matrix", "stable-softmax(X) = softmax(X)", lambda: Equal(softmax(shifted(X)), softmax(X))),
    ("nerva/log-softmax.stable", "stable-log-softmax(x) = log-softmax(x)",
     lambda: Equal(log_softmax(shifted(x)), log_softmax(x))),
    ("nerva/log-softmax.stable.matrix", "stable-log-softmax(X) = log-softmax(X)",
     lambda: Equal(log_softmax(shifted(X)), log_softmax(X))),
    assumptions=SHIFT,
)  # fmt: skip

stated_at(
    "section 5.1",
    ("nerva/log-softmax.definition", "log(softmax(x)) = x - log(e^x 1_D) 1_D^T",
     lambda: Equal(x - log(total) @ one.T, log(softmax(x)))),
    ("nerva/softmax.vector", "softmax(x) = e^x/(e^x 1_D)", lambda: Equal(reciprocal(total) * exp(x), softmax(x))),
    ("nerva/softmax.rows", "row i of softmax(X) = e^X (.) (1/(e^X 1_D) 1_D^T) is softmax(x_i)",
     lambda: Equal(row(hadamard(exp(X), reciprocal(exp(X) @ one) @ one.T), "i"),
                   reciprocal(exp(row(X, "i")) @ one) * exp(row(X, "i")))),
    ("nerva/log-softmax.rows", "row i of log-softmax(X) = X - log(e^X 1_D) 1_D^T is log-softmax(x_i)",
     lambda: Equal(row(X - log(exp(X) @ one) @ one.T, "i"), row(X, "i") - log(exp(row(X, "i")) @ one) @ one.T)),
)  # fmt: skip

stated_at(
    "additional to section 5.1",
    ("nerva/softmax.sum", "the entries of softmax(x) have the sum 1", lambda: Equal(softmax(x) @ one, ones(1))),
    kind=Kind.ADDITIONAL,
)

# --- derivatives ----------------------------------------------------------------------------------------------------

S = softmax(x)

stated_each(
    ("nerva/eq26", "eq. (26)", "the Jacobian of softmax is Diag(softmax(x)) - softmax(x)^T softmax(x)",
     lambda: Jacobian(softmax(x), x, Diag(softmax(x)) - softmax(x).T @ softmax(x)),
     {"note": "stable-softmax is the same function and has the same Jacobian: nerva/softmax.stable"}),
    ("nerva/eq27", "eq. (27)", "the Jacobian of log-softmax is I_D - 1_D softmax(x)",
     lambda: Jacobian(log_softmax(x), x, identity("D") - one @ softmax(x)),
     {"note": "stable-log-softmax is the same function and has the same Jacobian: nerva/log-softmax.stable"}),
    ("nerva/eq28.log", "eq. (28), first two lines", "the Jacobian of log(y) is Diag(1/y)",
     lambda: Jacobian(log(y), y, Diag(reciprocal(y)))),
    ("nerva/eq28.product", "eq. (28), second line",
     "by (26), the Jacobian of log(softmax(x)) is Diag(1/y) (Diag(y) - y^T y) with y = softmax(x)",
     lambda: Jacobian(log(S), x, Diag(reciprocal(S)) @ (Diag(S) - S.T @ S))),
)  # fmt: skip

EQUATIONS = range(1, 36)


def names_an_equation(reference: str) -> bool:
    """Whether a reference is the number of one of the paper's equations, (1) to (35)."""
    return reference.isdigit() and int(reference) in EQUATIONS


def reference_of_the_second_line(_context):
    """What stands above the second sign of equality, and above the first."""
    says = f"the reference is (??), but the paper's equations are ({EQUATIONS[0]}) to ({EQUATIONS[-1]})"
    slips = {"(26)": names_an_equation("26"), "(9), which stands above the first": names_an_equation("9")}
    return concluded(names_an_equation("??"), says, slips)


claim(
    "nerva/eq28.reference",
    at="eq. (28), second line",
    says="the second equality of (28) refers to the equation that justifies it",
    quote=r"\stackrel{(\text{??})}{=}",
    experiment=reference_of_the_second_line,
    expects=wrong("misprint", correct="nerva/eq28.product"),
    note="the reference to (26) is missing",
)


def third_line() -> Equal:
    """With Diag(1/y) in both products, for y = softmax(x)."""
    return Equal(identity("D") - Diag(reciprocal(S)) @ S.T @ S, Diag(reciprocal(S)) @ (Diag(S) - S.T @ S))


claim(
    "nerva/eq28.third",
    at="eq. (28), third line",
    expects=wrong("misprint", correct="nerva/eq28.third.reciprocal"),
    says="Diag(1/y) (Diag(y) - y^T y) = I_D - Diag(y) y^T y, with y = softmax(x)",
    quote=r"\mathbb{I}_D - \text{Diag}(y) y^\top y",
    evidence=[AllSizes(lambda: third_line().restated(identity("D") - Diag(S) @ S.T @ S), third_line)],
    note="the second term has Diag(y) where Diag(1/y) belongs. The author's test has Diag(1/y) (nerva-sympy, "
    "commit abc2101)",
)

stated_each(
    ("nerva/eq28.third.reciprocal", "eq. (28), third line",
     "Diag(1/y) (Diag(y) - y^T y) = I_D - Diag(1/y) y^T y, with y = softmax(x)",
     third_line,
     {"kind": Kind.ADDITIONAL, "note": "the next line of (28) follows from Diag(1/y) y^T = 1_D"}),
    ("nerva/eq28.fourth", "eq. (28), fourth line", "Diag(1/y) (Diag(y) - y^T y) = I_D - 1_D y",
     lambda: Equal(identity("D") - one @ y, Diag(reciprocal(y)) @ (Diag(y) - y.T @ y))),
    ("nerva/eq28", "eq. (28)", "the Jacobian of log(softmax(x)) is I_D - 1_D softmax(x)",
     lambda: Jacobian(log(S), x, identity("D") - one @ S)),
)  # fmt: skip

# --- matrix forms ---------------------------------------------------------------------------------------------------

# The matrix functions of 5.1, and the equations after it that have them.
LATER = {"softmax(X)": "(31)", "stable-softmax(X)": "", "log-softmax(X)": "(31)", "stable-log-softmax(X)": ""}


def needed_later(_context) -> Finding:
    """Whether two of the matrix functions have an equation later on, and their stable forms have none."""
    says = "; ".join(
        f"{name} is used in {place or 'no equation of sections 5.2 to 9'}" for name, place in LATER.items()
    )
    good = [name for name, place in LATER.items() if place] == ["softmax(X)", "log-softmax(X)"]
    return concluded(good, says, {"all four": not all(LATER.values())})


additional(
    "nerva/sec5.1.matrix-forms.used",
    at="section 5.1, second paragraph",
    says="of the four matrix functions of section 5.1, softmax(X) and log-softmax(X) have a later equation, (31)",
    experiment=needed_later,
    note="the other two are their numerically stable forms and have the same values: nerva/softmax.stable.matrix and "
    "nerva/log-softmax.stable.matrix",
)
