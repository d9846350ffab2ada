"""Sentences about the author's software, by the public repositories of the paper's time, and the names in its code."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import sympy

from paper_checks import Finding, Kind, claim, common, unchecked, wrong
from paper_checks.papers.nerva.layer_code import TURNED
from paper_checks.papers.nerva.outcomes import verdict
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

# The five Python packages that their README lists, each at its last public commit before 10 September 2024.
COMMITS = {
    "nerva-sympy": "abc2101", "nerva-numpy": "c013ddb", "nerva-jax": "32271b3", "nerva-tensorflow": "6d066f1",
    "nerva-torch": "ddde6b0",
}  # fmt: skip
# The layers of section 4.
SECTION_4 = (
    "linear layer", "activation layer", "srelu layer", "softmax layer", "log-softmax layer",
    "batch normalization layer", "linear dropout layer", "activation dropout layer",
)  # fmt: skip
# What all five have. No class, function or argument of theirs has "dropout" in its name.
FIVE = {
    "linear layer", "activation layer", "srelu layer", "softmax layer", "log-softmax layer",
    "batch normalization layer",
}  # fmt: skip
# The Python module nerva of nerva-rowwise, commit 8ad2beb, has these, also with softmax, log-softmax and SReLU.
MODULE = {"linear dropout layer", "activation dropout layer"}
# The attributes of the layers of the five packages, and what the notations of section 4 list besides Y and R.
ATTRIBUTES = {
    "X", "W", "b", "Z", "gamma", "beta", "DX", "DW", "Db", "DZ", "Dgamma", "Dbeta", "inv_sqrt_Sigma",
}  # fmt: skip
NOTATIONS = ("X", "W", "b", "Z", "beta", "gamma", "Sigma")
# The tests of lemmas and properties, by the numbers of the equations: test_lemmas.py and test_derivatives.py.
TESTS = {
    5: "test_product_rule1", 6: "test_product_rule2", 7: "test_product_rule4", 8: "test_product_rule3",
    9: "test_chain_rule", 13: "test_lemma1", 14: "test_lemma2", 15: "test_lemma3",
}  # fmt: skip
TABLE_1 = (
    "zeros ones identity dot hadamard diag Diag elements_sum column_repeat row_repeat columns_sum rows_sum columns_max "
    "rows_max columns_mean rows_mean apply exp log reciprocal sqrt inv_sqrt log_sigmoid"
)


def listed(wanted: Sequence[Any], there: Collection[Any], lacking: str) -> Callable[[Any], Finding]:
    """An experiment: whether a list has all that a sentence speaks of."""

    def missing(there: Collection[Any]) -> list[Any]:
        return [one for one in wanted if one not in there]

    def experiment(_context) -> Finding:
        found = missing(there)
        # What would have given the other verdict.
        without = {*there} - {wanted[0]}
        slips = {"all of them": missing(wanted) == []} if found else {f"no {wanted[0]}": missing(without) != []}
        says = f"{lacking} {', '.join(map(str, found))}" if found else "it has all of them"
        return verdict(not found, says, slips)

    return experiment


# --- the packages -----------------------------------------------------------------------------------------------------

packages = common(
    at="section 4, first paragraph",
    assumptions="the Python packages are the five of their README. We compare what we read in their code at the last "
    f"public commits before 10 September 2024: {', '.join(map(' '.join, COMMITS.items()))}",
)
NO_LAYER = "none of the five packages has a"

packages(
    "nerva/sec4.implemented",
    says="each of the five Nerva Python packages implements all layers of section 4",
    quote="All layers are implemented in our Nerva Python packages",
    experiment=listed(SECTION_4, FIVE, NO_LAYER),
    kind=Kind.ALTERNATIVE,
    expects=wrong(correct="nerva/sec4.implemented.six nerva/sec4.implemented.together"),
    note="the sentence does not say 'in each package'. The Python bindings of the C++ library nerva-rowwise (module "
    "nerva, commit 8ad2beb) have dropout layers: nerva/sec4.implemented.together",
)

packages(
    "nerva/sec4.implemented.together",
    says="together the Nerva Python packages implement all layers of section 4. They are the five packages and the "
    "Python module nerva of the C++ library nerva-rowwise",
    quote="All layers are implemented in our Nerva Python packages",
    experiment=listed(SECTION_4, FIVE | MODULE, NO_LAYER),
    assumptions="we count as Python packages the five of their README and the module nerva, which it does not list. We "
    "compare what we read in their code, at commit 8ad2beb of nerva-rowwise and those of nerva/sec4.implemented",
    note="the module nerva has the dropout layers (make_dense_linear_dropout_layer). The five packages alone do not: "
    "nerva/sec4.implemented",
)

packages(
    "nerva/sec4.implemented.six",
    says="the six layers without dropout are implemented in each of the five Nerva Python packages",
    experiment=listed([layer for layer in SECTION_4 if "dropout" not in layer], FIVE, NO_LAYER),
    kind=Kind.ADDITIONAL,
)

packages(
    "nerva/sec4.attributes",
    at="section 4, second paragraph",
    says="the input X, the parameters of a layer and their gradients are stored in the attributes of a layer. Only Y "
    "and DY are not",
    quote="The only exception is the output  $Y$  and its gradient  $DY$",
    experiment=listed(NOTATIONS, ATTRIBUTES, "besides Y these have no attribute of a layer:"),
    expects=wrong("general", correct="nerva/sec4.attributes.stored"),
    note="the layers store inv_sqrt_Sigma, but neither Sigma nor DSigma. So does the C++ code of 9 September 2024 "
    "(nerva-rowwise, commit 8ad2beb). The parameters of SReLU are stored in the attribute of the activation function",
)

packages(
    "nerva/sec4.attributes.stored",
    at="section 4, second paragraph",
    says="X, Z, W, b, beta, gamma and their gradients are stored in the attributes of a layer",
    experiment=listed([d + name for name in NOTATIONS[:-1] for d in ("", "D")], ATTRIBUTES, "no layer stores"),
    kind=Kind.ADDITIONAL,
)

# --- validation -------------------------------------------------------------------------------------------------------

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
        slips = {f"the {other} T^r": bool(found) != bool(beside)}
        return verdict(not found, says, slips)

    return experiment


tests = common(
    at="section 4, first paragraph",
    assumptions="we compare the tests that we read in the tests directory of nerva-sympy, at its last public commit "
    "before 10 September 2024, abc2101",
)


def numbered(equations: Iterable[int]) -> list[str]:
    return [f"({number})" for number in equations]


# The same words in both places, by which the report knows that it is one error.
VALIDATED = (
    "the tests have another T^r and R than the published ones, and none is of (10) to (12). Their e_i is a column of "
    "I_K. In one test it is a column of I_N, which is the same there, as N = K = 2. The next commit, of October 2024, "
    "has the same tests. Tests of (10) to (12) came in October 2025 (commit 3a7aa16). As published, these are not "
    "correct: nerva/sec4.srelu.T-r, nerva/eq16.e, nerva/dropout.R, nerva/eq16.sums and nerva/eq21"
)

tests(
    "nerva/sec4.validated",
    says="the published equations and derivations of section 4 have been validated with SymPy",
    quote="the correctness of the equations and derivations has been validated using SymPy",
    experiment=validates("published", "tested"),
    expects=wrong("general", correct="nerva/sec4.validated.tests"),
    note=VALIDATED,
)

tests(
    "nerva/sec4.validated.tests",
    says="the SymPy tests at commit abc2101 have the correct T^r, and not the published one",
    experiment=validates("tested", "published"),
    kind=Kind.ADDITIONAL,
    note="it is that of nerva/sec4.srelu.T-r.guarded. As we read them, the tests also have R of D x K and e_i as "
    "column i of I_K: nerva/dropout.R.shape, nerva/eq16.e.column",
)

tests(
    "nerva/sec4.tests",
    says="the tests directory of nerva-sympy has a validation of all equations and derivations, (5) to (15) among them",
    quote="a validation of all equations and derivations can be found",
    experiment=listed(numbered(range(5, 16)), numbered(TESTS), "no test in the directory is of"),
    expects=wrong("general", correct="nerva/sec4.tests.rows"),
    note=VALIDATED,
)

tests(
    "nerva/sec4.tests.rows",
    says="the tests directory of nerva-sympy has tests of (5) to (9) and of the properties of rows, (13) to (15)",
    experiment=listed(numbered([*range(5, 10), *range(13, 16)]), numbered(TESTS), "no test in the directory is of"),
    kind=Kind.ADDITIONAL,
)

# --- names ------------------------------------------------------------------------------------------------------------

claim(
    "nerva/sec4.code-names",
    at="section 4, code of the SReLU layer",
    says="repeat_row, sum_columns and sum_elements are operations of Table 1",
    quote=r"\text{repeat\_row}(b, N)",
    experiment=listed([*TURNED], TABLE_1.split(), f"Table 1 lists {', '.join(TURNED.values())}, but not"),
    expects=wrong("misprint", correct="nerva/srelu.Z.code nerva/srelu.Db.code nerva/srelu.parameters.code"),
    note="the two words of each name are swapped. The code of the other layers uses the names of Table 1",
)
