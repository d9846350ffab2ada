"""Sentences about the author's software, by the public repositories of the paper's time, and the names in its code."""

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from typing import Any

from paper_checks import Finding, claim, common, concluded, unchecked, wrong
from paper_checks.papers.nerva.layer_code import TURNED
from paper_checks.papers.nerva.matrix_operations import ROWS

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
# The notations of section 4, with a_l, t_l, a_r and t_r as the code writes them.
MATRICES = ("Y", "X", "W", "b", "Z", "beta", "gamma", "Sigma", "R")
PARAMETERS = ("al", "tl", "ar", "tr")
# The words for them in the code of the layers, and the attributes of layers; R is one in nerva-rowwise.
WORDS = {
    *MATRICES, *PARAMETERS, "DY", "DX", "DW", "Db", "DZ", "Dbeta", "Dgamma", "Dal", "Dtl", "Dar", "Dtr",
}  # fmt: skip
ATTRIBUTES = {
    "X", "W", "b", "Z", "gamma", "beta", "DX", "DW", "Db", "DZ", "Dgamma", "Dbeta", "inv_sqrt_Sigma", "R",
}  # fmt: skip
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
        return concluded(not found, f"{lacking} {', '.join(map(str, found))}" if found else "it has all of them", slips)

    return experiment


def with_gradients(names: Sequence[str]) -> list[str]:
    return [d + name for name in names for d in ("", "D")]


def all_but(lacking: str, names: Sequence[str], there: Collection[str]) -> Callable[[Any], Finding]:
    """An experiment: whether a list has names and gradients but for these."""

    def experiment(_context) -> Finding:
        found = [name for name in with_gradients(names) if name not in there]
        says = f"of {', '.join(names)} and their gradients it lacks {', '.join(found)}"
        return concluded(found == lacking.split(), says, {"all of them": bool(found)})

    return experiment


# --- the packages -----------------------------------------------------------------------------------------------------

READ = (
    "the Python packages are the five of their README. We compare lists of what we read in their src/*/layers.py at "
    f"the last public commits before 10 September 2024: {', '.join(map(' '.join, COMMITS.items()))}"
)
packages = common(at="section 4, first paragraph", assumptions=READ)
NO_LAYER = "none of the five packages has a"

packages.alternative(
    "nerva/sec4.implemented",
    says="each of the five Nerva Python packages implements all layers of section 4",
    quote="All layers are implemented in our Nerva Python packages",
    experiment=listed(SECTION_4, FIVE, NO_LAYER),
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

packages.additional(
    "nerva/sec4.implemented.six",
    says="the six layers without dropout are implemented in each of the five Nerva Python packages",
    experiment=listed([layer for layer in SECTION_4 if "dropout" not in layer], FIVE, NO_LAYER),
    note="in nerva-sympy the SReLU layer has its equations, but not its optimiser: set_optimizer uses act.x, which the "
    "activation function does not have",
)

second = common(
    at="section 4, second paragraph",
    assumptions=f"{READ}. The dropout matrix R is in dropout_layers.h of nerva-rowwise, commit 8ad2beb",
)

second(
    "nerva/sec4.names",
    says="the code of the layers has the names of the notations, and D before them for the gradients. It writes al, "
    "tl, ar and tr for a_l, t_l, a_r and t_r. It computes no DSigma and no DR",
    quote="The implementation uses the same names.",
    experiment=all_but("DSigma DR", MATRICES + PARAMETERS, WORDS),
)

second(
    "nerva/sec4.attributes",
    says="the input X, the parameters of a layer and their gradients are stored in the attributes of a layer. Only Y "
    "and DY are not",
    quote="The only exception is the output  $Y$  and its gradient  $DY$",
    experiment=listed(with_gradients(MATRICES[1:]), ATTRIBUTES, "apart from Y and DY, no layer has attributes for"),
    expects=wrong("general", correct="nerva/sec4.attributes.stored"),
    note="the layers store inv_sqrt_Sigma in place of Sigma. DSigma and DR are not computed. The same "
    "holds for the C++ code of 9 September 2024 (nerva-rowwise, commit 8ad2beb). The parameters of SReLU and their "
    "gradients are the vectors x and Dx of the activation function, an attribute of the layer. In nerva-sympy they are "
    "al, tl, ar, tr there, and Dal, Dtl, Dar, Dtr in the layer",
)

second.additional(
    "nerva/sec4.attributes.stored",
    says="X, W, b, Z, beta, gamma, their gradients and the dropout matrix R are stored in the attributes of a layer. "
    "Besides Y and DY, the exceptions are Sigma and what is not computed, DSigma and DR",
    experiment=all_but("Y DY Sigma DSigma DR", MATRICES, ATTRIBUTES),
)


class Layer:
    """What a layer of the packages stores of its input, and its Y and DY, which are here names."""

    def feedforward(self, X: str) -> str:
        self.X, self.Y = X, f"Y for {X}"
        return self.Y

    def backpropagate(self, _Y: str, DY: str) -> None:
        self.DY, self.DX = DY, f"DX for {DY}"


def handed_on(_context) -> Finding:
    """The loops of the class MultilayerPerceptron, over three layers."""
    layers, X = [Layer(), Layer(), Layer()], "X"
    for layer in layers:
        X = layer.feedforward(X)
    Y, DY = X, "DY"
    for layer in reversed(layers):
        layer.backpropagate(Y, DY)
        Y, DY = layer.X, layer.DX
    kept = [(one.Y, one.DY) == (after.X, after.DX) for one, after in pairwise(layers)]
    slips = {"in the layer itself": all((one.Y, one.DY) != (one.X, one.DX) for one in layers)}
    return concluded(all(kept), f"so it is in {sum(kept)} of 3 layers, and the third is the last", slips)


second(
    "nerva/sec4.attributes.next",
    says="each layer but the last has its Y and DY in the attributes X and DX of the next layer",
    quote="stored in the  $X$  and  $DX$  attributes of the next layer",
    experiment=handed_on,
    assumptions="the loops are those that we read in multilayer_perceptron.py of the five packages, at the commits in "
    "nerva/sec4.implemented",
    note="nerva-rowwise (commit 8ad2beb) writes Y directly into X of the next layer. The Y and DY of the last layer "
    "are variables of the code that calls the network",
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
