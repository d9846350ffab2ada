"""Sentences about the author's software, by the public repositories of the paper's time, and the names in its code."""

from collections.abc import Callable
from typing import Any

import sympy

from paper_checks import Finding, Kind, Status, claim, common, concluded, unchecked, wrong
from paper_checks.papers.nerva.layer_code import TURNED
from paper_checks.papers.nerva.pieces import orders, wrong_at
from theory import activations
from theory.activations.piecewise import a_r, t_l, t_r, x

claim(
    "nerva/sec1.repository",
    at="section 1",
    says="the code in the repository closely matches the equations",
    quote="closely matches the equations in this document",
    expects=unchecked(
        "the word 'closely' has no measure. On 9 September 2024 (nerva-rowwise, commit 8ad2beb) the code has the "
        "published T^r. It differs in dropout (nerva/dropout.R.code) and in the multi-step scheduler "
        "(nerva/sec9.multi-step.once)"
    ),
)

claim(
    "nerva/sec4.1.validated",
    at="section 4.1, below Property 1",
    says="the properties have been validated with SymPy",
    quote="All properties have been validated with SymPy.",
    expects=unchecked(
        "the published tests have only (13) to (15): nerva/sec4.tests. We do not know whether the author validated "
        "(10) to (12) elsewhere. The properties themselves are correct: nerva/eq10 to nerva/eq15"
    ),
)

# --- the packages -----------------------------------------------------------------------------------------------------

# The five Python packages that their README lists, each at its last public commit before 10 September 2024.
COMMITS = {
    "nerva-sympy": "abc2101", "nerva-numpy": "c013ddb", "nerva-jax": "32271b3", "nerva-tensorflow": "6d066f1",
    "nerva-torch": "ddde6b0",
}  # fmt: skip
# Their classes of layers are the same. No class, function or argument of theirs has "dropout" in its name.
CLASSES = (
    "LinearLayer", "ActivationLayer", "SReLULayer", "SoftmaxLayer", "LogSoftmaxLayer", "BatchNormalizationLayer",
)  # fmt: skip
WITHOUT_DROPOUT = (
    "linear layer", "activation layer", "srelu layer", "softmax layer", "log-softmax layer",
    "batch normalization layer",
)  # fmt: skip
WITH_DROPOUT = (*WITHOUT_DROPOUT, "linear dropout layer", "activation dropout layer")


def have(layers: tuple[str, ...]) -> Callable[[Any], Finding]:
    """An experiment: whether the packages have a class for each of some layers of section 4."""

    def missing(classes: tuple[str, ...]) -> list[str]:
        names = {name.lower() for name in classes}
        return [layer for layer in layers if layer.replace(" ", "").replace("-", "") not in names]

    def experiment(_context) -> Finding:
        lacking = missing(CLASSES)
        says = f"none of the {len(COMMITS)} packages has a {' or an '.join(lacking)}" if lacking else "all have them"
        slips = {"without SReLULayer": "srelu layer" in missing(tuple(c for c in CLASSES if c != "SReLULayer"))}
        return concluded(Status.REFUTED if lacking else Status.CONFIRMED, says, slips)

    return experiment


packages = common(
    at="section 4, first paragraph",
    assumptions="the Nerva Python packages are the five of their README, at their last public commits before 10 "
    f"September 2024: {', '.join(f'{name} {commit}' for name, commit in COMMITS.items())}",
)

packages(
    "nerva/sec4.implemented",
    says="all layers of section 4 are implemented in the Nerva Python packages",
    quote="All layers are implemented in our Nerva Python packages",
    experiment=have(WITH_DROPOUT),
    expects=wrong("general", correct="nerva/sec4.implemented.six"),
    note="the commits of October 2024 have no dropout layers either. The Python interface of the C++ library "
    "nerva-rowwise has dropout, but the README does not list it",
)

packages(
    "nerva/sec4.implemented.six",
    says="the six layers without dropout are implemented in each of the five Nerva Python packages",
    experiment=have(WITHOUT_DROPOUT),
    kind=Kind.ADDITIONAL,
)

# --- validation -------------------------------------------------------------------------------------------------------

ORDERS = orders(x, t_l, t_r)
PUBLISHED_T = sympy.Piecewise((1 - a_r, x >= t_r), (0, True))
# In test_layer_srelu.py.
TESTED_T = sympy.Piecewise((0, x <= t_l), (0, x < t_r), (1 - a_r, True))


def validates(_context) -> Finding:
    """The T^r of the paper, and that of the test."""
    found = wrong_at(activations.srelu.expr, PUBLISHED_T, t_r, ORDERS)
    says = f"the published T^r is not the derivative in {len(found)} of {len(ORDERS)} cases of x, t_l and t_r"
    slips = {"T^r of the test": not wrong_at(activations.srelu.expr, TESTED_T, t_r, ORDERS)}
    return concluded(Status.REFUTED if found else Status.CONFIRMED, says, slips)


claim(
    "nerva/sec4.validated",
    at="section 4, first paragraph",
    says="the equations and derivations of section 4 are correct, which SymPy has validated",
    quote="the correctness of the equations and derivations has been validated using SymPy",
    experiment=validates,
    expects=wrong("general", correct="nerva/sec4.srelu.T-r.guarded nerva/eq16.e.column nerva/dropout.R.shape"),
    note="a wrong equation cannot have been validated. The tests of nerva-sympy (commit abc2101) have the correct T^r, "
    "an e_i of K elements and an R of D x K. Wrong are also nerva/eq16.sums, nerva/eq21, nerva/sec4.code-names and "
    "nerva/sec4.srelu.apply",
)

# test_lemmas.py, test_derivatives.py: the tests of lemmas and properties, by the numbers of the equations.
TESTS = {
    5: "test_product_rule1", 6: "test_product_rule2", 7: "test_product_rule4", 8: "test_product_rule3",
    9: "test_chain_rule", 13: "test_lemma1", 14: "test_lemma2", 15: "test_lemma3",
}  # fmt: skip


def have_tests(*numbers: int) -> Callable[[Any], Finding]:
    """An experiment: whether each of some equations has a test."""

    def missing(tested: set[int]) -> list[str]:
        return [f"({number})" for number in numbers if number not in tested]

    def experiment(_context) -> Finding:
        lacking, tested = missing({*TESTS}), {*TESTS, 10, 11, 12}
        says = f"no test in the directory is of {', '.join(lacking)}" if lacking else "each of them has a test"
        slips = {"tests of (10) to (12) as well": not missing(tested), "no test of (13)": missing(tested - {13}) != []}
        return concluded(Status.REFUTED if lacking else Status.CONFIRMED, says, slips)

    return experiment


tests = common(
    at="section 4, first paragraph",
    assumptions="the tests directory of nerva-sympy at its last public commit before 10 September 2024, abc2101",
)

tests(
    "nerva/sec4.tests",
    says="the tests directory of nerva-sympy has a validation of all equations and derivations, (5) to (15) among them",
    quote="a validation of all equations and derivations can be found",
    experiment=have_tests(*range(5, 16)),
    expects=wrong("general", correct="nerva/sec4.tests.rows"),
    note="the next commit, of October 2024, has the same tests. Tests of (10) to (12) came in October 2025 (commit "
    "3a7aa16). The tests of T^r, e_i and R are of other equations than the published ones: nerva/sec4.validated",
)

tests(
    "nerva/sec4.tests.rows",
    says="the tests directory of nerva-sympy has tests of (5) to (9) and of the properties of rows, (13) to (15)",
    experiment=have_tests(*range(5, 10), *range(13, 16)),
    kind=Kind.ADDITIONAL,
)

# --- names ------------------------------------------------------------------------------------------------------------

TABLE_1 = (
    "zeros ones identity dot hadamard diag Diag elements_sum column_repeat row_repeat columns_sum rows_sum columns_max "
    "rows_max columns_mean rows_mean apply exp log reciprocal sqrt inv_sqrt log_sigmoid"
)


def names_of_table_1(_context):
    """The three names that are not listed."""
    listed = set(TABLE_1.split())
    unknown = [name for name in TURNED if name not in listed]
    says = f"Table 1 lists {', '.join(TURNED.values())}, but not {', '.join(unknown)}"
    slips = {"the two words swapped": listed.issuperset(TURNED.values())}
    return concluded(Status.REFUTED if unknown else Status.CONFIRMED, says, slips)


claim(
    "nerva/sec4.code-names",
    at="section 4, code of the SReLU layer",
    says="repeat_row, sum_columns and sum_elements are operations of Table 1",
    quote=r"\text{repeat\_row}(b, N)",
    experiment=names_of_table_1,
    expects=wrong("misprint", correct="nerva/srelu.Z.code nerva/srelu.Db.code nerva/srelu.parameters.code"),
    note="the two words of each name are swapped. The code of the other layers uses the names of Table 1",
)
