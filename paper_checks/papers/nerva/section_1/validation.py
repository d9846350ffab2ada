"""Section 4: what the author's SymPy tests validate, by the public repository of the paper's time."""

from collections.abc import Callable, Iterable
from typing import Any

import sympy
from sympy import Expr, Matrix

from paper_checks import Finding, common, concluded, wrong
from paper_checks.papers.nerva.layer_code import inputs, lines
from paper_checks.papers.nerva.pieces import orders, wrong_at
from paper_checks.papers.nerva.section_1.software import listed
from theory import activations
from theory.activations.entrywise import a_r, t_l, t_r, x

# The tests of lemmas and properties, by the numbers of the equations: test_lemmas.py and test_derivatives.py.
TESTS = {
    5: "test_product_rule1", 6: "test_product_rule2", 7: "test_product_rule4", 8: "test_product_rule3",
    9: "test_chain_rule", 13: "test_lemma1", 14: "test_lemma2", 15: "test_lemma3",
}  # fmt: skip
ORDERS = orders(x, t_l, t_r)
# The second is that of test_layer_srelu.py.
T_R = {
    "published": sympy.Piecewise((1 - a_r, x >= t_r), (0, True)),
    "tested": sympy.Piecewise((0, x <= t_l), (0, x < t_r), (1 - a_r, True)),
}


def validates(name: str, other: str) -> Callable[[Any], Finding]:
    """An experiment: whether one T^r is the derivative. The other one must have the other outcome."""

    def experiment(_context) -> Finding:
        found, beside = (len(wrong_at(activations.srelu.expr, T_R[one], t_r, ORDERS)) for one in (name, other))
        says = f"the {name} T^r is not the derivative in {found} of {len(ORDERS)} cases of x, t_l and t_r"
        return concluded(not found, says, {f"the {other} T^r": bool(found) != bool(beside)})

    return experiment


tests = common(
    at="section 4, first paragraph",
    assumptions="we compare the tests that we read in the tests directory of nerva-sympy, at its last public commit "
    "before 10 September 2024, abc2101: T^r in test_layer_srelu.py, (5) to (15) in test_lemmas.py and "
    "test_derivatives.py",
)


def numbered(equations: Iterable[int]) -> list[str]:
    return [f"({number})" for number in equations]


# The same words in both places, by which the report knows that it is one error.
VALIDATED = (
    "the tests have another T^r and R than the published ones, and none is of (10) to (12). Those of DX of batch "
    "normalization compare 0 with 0: nerva/sec4.tests.batchnorm. Their e_i is a column of I_K. In one test it is a "
    "column of I_N, which is the same there, as N = K = 2. The next commit, of October 2024, has the same tests. Tests "
    "of (10) to (12) came in October 2025 (commit 3a7aa16). As published, these are not correct: nerva/sec4.srelu.T-r, "
    "nerva/eq16.e, nerva/dropout.R, nerva/eq16.sums and nerva/eq21"
)

tests(
    "nerva/sec4.validated",
    says="the published equations and derivations of section 4 have been validated with SymPy",
    quote="the correctness of the equations and derivations has been validated using SymPy",
    experiment=validates("published", "tested"),
    expects=wrong("general", correct="nerva/sec4.validated.tests"),
    note=VALIDATED,
)

tests.additional(
    "nerva/sec4.validated.tests",
    says="the SymPy tests at commit abc2101 have the correct T^r, and not the published one",
    experiment=validates("tested", "published"),
    note="their T^r is that of nerva/sec4.srelu.T-r.guarded. As we read them, the tests also have R of D x K and e_i "
    "as column i of I_K: nerva/dropout.R.shape, nerva/eq16.e.column",
)

tests(
    "nerva/sec4.tests",
    says="the tests directory of nerva-sympy has a validation of all equations and derivations, (5) to (15) among them",
    quote="a validation of all equations and derivations can be found",
    experiment=listed(numbered(range(5, 16)), numbered(TESTS), "no test in the directory is of"),
    expects=wrong("general", correct="nerva/sec4.tests.rows"),
    note=VALIDATED,
)

tests.additional(
    "nerva/sec4.tests.rows",
    says="the tests directory of nerva-sympy has tests of (5) to (9) and of the properties of rows, (13) to (15)",
    experiment=listed(numbered([*range(5, 10), *range(13, 16)]), numbered(TESTS), "no test in the directory is of"),
)

# --- the tests of batch normalization ---------------------------------------------------------------------------------

PUBLISHED = lines("batchnorm")[-1][2]
# The last one is in test_yeh_batch_normalization_layer. Its * is the matrix product.
FORMS = {
    "the published DX": PUBLISHED,
    "DX without its factor": PUBLISHED.replace("row_repeat(inv_sqrt_Sigma / N, N)", "ones(N, D)"),
    "0": "0 * DY",
    "the second DX of the tests": "(-hadamard(row_repeat(Dgamma, N), Z) + N * DY - row_repeat(Dbeta, N)) / N * "
    "row_repeat(hadamard(gamma, Sigma), D)",
}


def length(y: Matrix) -> Expr:
    return sympy.sqrt(sum(v * v for v in y))


def weighted(y: Matrix) -> Expr:
    return sum(k * v for k, v in enumerate(y, start=1))


# N, D, the loss, and whether gamma = 1 and beta = 0: test_layer_batch_normalization.py, test_layer_derivations.py.
DX_TESTS = ((3, 2, sum, True), (2, 3, sum, True), (3, 2, sum, False), (2, 3, sum, False), (2, 1, length, True))


def gradients(N: int, D: int, loss: Callable[[Matrix], Expr], plain: bool) -> list[str]:
    """The forms of DX that are the gradient of a loss, by SymPy's derivatives at given entries, to 20 digits."""
    names = inputs("batchnorm", N, D, D) | ({"gamma": sympy.ones(1, D), "beta": sympy.zeros(1, D)} if plain else {})
    X, Y = (Matrix(N, D, sympy.symbols(f"{name}:{N * D}", real=True)) for name in "xy")
    at, names["X"] = dict(zip(X, names["X"], strict=True)), X
    for name, _, code in lines("batchnorm"):
        names[name] = eval(code, names)
        if name == "Y":
            names["DY"] = Matrix(N, D, [loss(Y).diff(v) for v in Y]).subs(dict(zip(Y, names["Y"], strict=True)))
    wanted = Matrix(N, D, [loss(names["Y"]).diff(v) for v in X]).subs(at)
    names = {name: value.subs(at) if isinstance(value, Matrix) else value for name, value in names.items()}
    errors = {form: (eval(code, names) - wanted).evalf(30) for form, code in FORMS.items()}
    return [form for form, error in errors.items() if all(abs(v) < 1e-20 for v in error)]


def nothing_but_zero(_context) -> Finding:
    """The forms in the tests of DX; with another loss one is left."""
    found, beside = [gradients(*test) for test in DX_TESTS], gradients(3, 2, weighted, False)
    says = f"in {len(DX_TESTS)} cases these agree with the gradient: {', '.join(FORMS)}. With the weights 1 to 6 "
    says += f"in the sum of the entries only {', '.join(beside)} does"
    slips = {"weights in the sum": beside == ["the published DX"]}
    return concluded(all(forms == [*FORMS] for forms in found), says, slips)


tests.additional(
    "nerva/sec4.tests.batchnorm",
    says="in each test of DX of batch normalization at commit abc2101 both sides are 0, so that a DX without the "
    "factor Sigma^(-1/2)/N, or a DX of 0, passes as well",
    experiment=nothing_but_zero,
    assumptions="the sizes and losses are those that we read in test_layer_batch_normalization.py and in "
    "test_layer_derivations.py of nerva-sympy, commit abc2101",
    note="the loss in the tests of the layer is the sum of the entries of Y, which is N times the sum of beta for "
    "every X. In the derivation it is |z|, which is sqrt(N) for every r. Of (21) to (25) only (22) is tested with "
    "values other than 0. test_affine_layer tests DZ, Dbeta and Dgamma with such values. For N = 2 every loss gives "
    "0: nerva/eq25. The published DX is correct: nerva/batchnorm.DX. The tests have a second DX, with the comment "
    "'this is probably it' and a reference to [Yeh17]. It passes too, and as written in the test it is not correct. We "
    "have not compared it with [Yeh17]",
)
