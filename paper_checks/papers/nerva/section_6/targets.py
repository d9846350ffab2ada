"""Section 6, after (31), and section 6.1: one-hot targets, targets with the sum 1, and derivations of gradients."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from paper_checks import Finding, claim, common, concluded, wrong
from paper_checks.papers.nerva.identities import stated_at
from paper_checks.papers.nerva.notation import T, Y, gradient, log_softmax, sigmoid, softmax
from paper_checks.papers.nerva.section_6.losses import OUTPUTS, one, t, y
from theory.matrix_calculus import Diag, Equal, Jacobian, hadamard, identity, log, matrix, reciprocal, row

Row = tuple[Fraction, ...]
ENTRIES = tuple(Fraction(n, 4) for n in (-2, 0, 1, 2, 3, 4, 8))


def is_one_hot(t: Row) -> bool:
    """One value 1 and all other values 0, as the paper defines it."""
    return sorted(t) == [0] * (len(t) - 1) + [1]


def rows() -> Iterator[Row]:
    """All rows of up to five values from ENTRIES."""
    return (t for K in range(1, 6) for t in product(ENTRIES, repeat=K))


def differ(condition: Callable[[Row], bool]) -> list[Row]:
    """The rows that satisfy a condition and are not one-hot, or the other way round."""
    return [t for t in rows() if condition(t) != is_one_hot(t)]


def binary(t: Row) -> bool:
    return set(t) <= {0, 1}


def shown(t: Row) -> str:
    return f"({', '.join(map(str, t))})"


def same_as_the_sum(_context) -> Finding:
    """Among the rows with the sum 1, those without a negative entry first."""
    found = sorted(differ(lambda t: sum(t) == 1), key=lambda t: (min(t) < 0, len(t), t))
    says = f"t = {shown(found[0])} satisfies t 1_K = 1 and is not one-hot" if found else "no row differs"
    return concluded(not found, says, {"entries 0 and 1 alone": not differ(lambda t: binary(t) and sum(t) == 1)})


def binary_with_the_sum(_context) -> Finding:
    """Both conditions together, and each of them alone."""
    says = f"the same {sum(map(is_one_hot, rows()))} of {sum(1 for _ in rows())} rows of up to five values"
    slips = {"t 1_K = 1 alone": bool(differ(lambda t: sum(t) == 1)), "entries 0 and 1 alone": bool(differ(binary))}
    return concluded(not differ(lambda t: binary(t) and sum(t) == 1), says, slips)


def sums_of_one_hot(_context) -> Finding:
    sums = {sum(t) for t in rows() if is_one_hot(t)}
    slips = {"two values 1": any(sum(t) != 1 for t in rows() if binary(t) and sum(t) > 1)}
    return concluded(sums == {1}, "t 1_K = 1 for all one-hot t of up to five values", slips)


claim(
    "nerva/eq31.one-hot.sum",
    at="section 6, after (31), and section 6.1, after (35)",
    says="a one-hot t satisfies t 1_K = 1",
    quote="it is a vector consisting of one value 1 and all others values 0. In other words we have "
    r" $t \cdot \mathbf{1}_K = 1$",
    experiment=sums_of_one_hot,
)

after_31 = common(at="section 6, after (31)")

after_31.alternative(
    "nerva/eq31.one-hot.words",
    says="t is one-hot if t 1_K = 1",
    experiment=same_as_the_sum,
    expects=wrong(correct="nerva/eq31.one-hot.entries nerva/eq31.one-hot.sum"),
    note="the words 'In other words' may be taken so. The paper uses only that t 1_K = 1 follows from one-hot, and the "
    "simplified gradients need no more: nerva/eq31.one-hot.row and nerva/eq31.one-hot",
)

after_31.additional(
    "nerva/eq31.one-hot.entries",
    says="t is one-hot if and only if its entries are in {0, 1} and t 1_K = 1",
    experiment=binary_with_the_sum,
    note="t 1_K is the number of entries 1 if all entries are in {0, 1}",
)

# --- 6.1: the derivations of the gradients of losses ------------------------------------------------------------------

point = matrix("x", "p", 1)
any_column, any_slope = matrix("g", "K", 1) + matrix("G", "K", "p") @ point, matrix("G", "K", "p")

stated_at(
    "section 6, derivations, 6.1",
    ("nerva/eq34.log", "the Jacobian of log(y) is Diag(1/y)",
     lambda: Jacobian(log(y), y, Diag(reciprocal(y)))),
    ("nerva/eq34.product", "the gradient of -t log(y)^T with respect to y is -t Diag(1/y)",
     lambda: gradient(-(t @ log(y).T), y, -(t @ Diag(reciprocal(y))))),
    ("nerva/eq34", "-t Diag(1/y) = -t (.) 1/y",
     lambda: Equal(-hadamard(t, reciprocal(y)), -(t @ Diag(reciprocal(y))))),
    where=OUTPUTS,
)  # fmt: skip

stated_at(
    "section 6, derivations, 6.1",
    ("nerva/eq34.lemma", "by (7), with the row t as the constant matrix, the Jacobian of t g(x) is t g'(x)",
     lambda: Jacobian(t @ any_column, point, t @ any_slope)),
    ("nerva/eq35.product", "the gradient of -t log-softmax(y)^T with respect to y is -t (I_K - 1_K softmax(y))",
     lambda: gradient(-(t @ log_softmax(y).T), y, -(t @ (identity("K") - one @ softmax(y))))),
    ("nerva/eq35", "-t (I_K - 1_K softmax(y)) = t 1_K softmax(y) - t",
     lambda: Equal(t @ one @ softmax(y) - t, -(t @ (identity("K") - one @ softmax(y))))),
    ("nerva/eq35.generalised", "by property (15) row i of softmax(Y) (.) (T 1_K 1_K^T) - T is the gradient (35) of "
    "y_i and t_i",
     lambda: Equal(row(hadamard(softmax(Y), T @ one @ one.T) - T, "i"),
                   row(T, "i") @ one @ softmax(row(Y, "i")) - row(T, "i"))),
    ("nerva/lce.jacobian", "the Jacobian of log(sigma(y)) is Diag(1_K^T - sigma(y))",
     lambda: Jacobian(log(sigmoid(y)), y, Diag(one.T - sigmoid(y)))),
    ("nerva/lce.product", "-t Diag(1_K^T - sigma(y)) = t (.) sigma(y) - t",
     lambda: Equal(hadamard(t, sigmoid(y)) - t, -(t @ Diag(one.T - sigmoid(y))))),
)  # fmt: skip
