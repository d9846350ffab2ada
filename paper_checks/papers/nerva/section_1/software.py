"""Sentences about the author's software, by the public repositories of the paper's time, and the names in its code."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from paper_checks import Finding, Kind, claim, common, unchecked, wrong
from paper_checks.papers.nerva.layer_code import TURNED
from paper_checks.papers.nerva.matrix_operations import ROWS
from paper_checks.papers.nerva.outcomes import verdict

claim(
    "nerva/sec1.repository",
    at="section 1",
    says="the code in the repository closely matches the equations",
    quote="closely matches the equations in this document",
    expects=unchecked(
        "the word 'closely' has no measure. On 9 September 2024 (nerva-rowwise, commit 8ad2beb) the code has the "
        "published T^r. It differs in dropout (nerva/dropout.R.code), in the multi-step scheduler "
        "(nerva/sec9.multi-step.once) and in the time-based one, where eta_(i-1) is divided by 1 + d i and not by "
        "1 + d (i - 1). Its i counts epochs. Its step-based scheduler calls the factor d drop rate and r change rate; "
        "section 9 has these two names the other way round"
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
# Table 2 has all operations of Table 1 but dot. Diag has two rows in the list.
TABLE_1 = {"dot", *(row.operation.split(".")[0] for row in ROWS)}


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
    assumptions="the Python packages are the five of their README. We compare lists of what we read in their "
    f"src/*/layers.py at the last public commits before 10 September 2024: {', '.join(map(' '.join, COMMITS.items()))}",
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
    "compare lists of what we read in python/nerva/layers.py of nerva-rowwise, commit 8ad2beb, and in the files of "
    "nerva/sec4.implemented",
    note="the module nerva has the dropout layers (make_dense_linear_dropout_layer). The five packages alone do not: "
    "nerva/sec4.implemented",
)

packages(
    "nerva/sec4.implemented.six",
    says="the six layers without dropout are implemented in each of the five Nerva Python packages",
    experiment=listed([layer for layer in SECTION_4 if "dropout" not in layer], FIVE, NO_LAYER),
    kind=Kind.ADDITIONAL,
    note="in nerva-sympy the SReLU layer has its equations, but not its optimiser: set_optimizer uses act.x, which the "
    "activation function does not have",
)

packages(
    "nerva/sec4.attributes",
    at="section 4, second paragraph",
    says="the input X, the parameters of a layer and their gradients are stored in the attributes of a layer. Only Y "
    "and DY are not",
    quote="The only exception is the output  $Y$  and its gradient  $DY$",
    experiment=listed(NOTATIONS, ATTRIBUTES, "no layer has an attribute for Y and DY, nor for"),
    expects=wrong("general", correct="nerva/sec4.attributes.stored"),
    note="the layers store inv_sqrt_Sigma, but neither Sigma nor DSigma. The same holds for the C++ code of 9 "
    "September 2024 (nerva-rowwise, commit 8ad2beb). The parameters of SReLU and their gradients are the vectors x and "
    "Dx of the activation function, an attribute of the layer. In nerva-sympy they are al, tl, ar, tr there, and Dal, "
    "Dtl, Dar, Dtr in the layer",
)

packages(
    "nerva/sec4.attributes.stored",
    at="section 4, second paragraph",
    says="X, Z, W, b, beta, gamma and their gradients are stored in the attributes of a layer",
    experiment=listed([d + name for name in NOTATIONS[:-1] for d in ("", "D")], ATTRIBUTES, "no layer stores"),
    kind=Kind.ADDITIONAL,
)

# --- names ------------------------------------------------------------------------------------------------------------

claim(
    "nerva/sec4.code-names",
    at="section 4, code of the SReLU layer",
    says="repeat_row, sum_columns and sum_elements are operations of Table 1",
    quote=r"\text{repeat\_row}(b, N)",
    experiment=listed([*TURNED], TABLE_1, f"Table 1 lists {', '.join(TURNED.values())}, but not"),
    expects=wrong("misprint", correct="nerva/srelu.Z.code nerva/srelu.Db.code nerva/srelu.parameters.code"),
    note="the two words of each name are swapped. The code of the other layers uses the names of Table 1",
)
