"""Section 4: whether the published code of each layer computes its equations."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paper_checks import Finding, additional, alternative, claim, concluded, wrong
from paper_checks.papers.nerva.layer_code import LINES, corrected, failing, lines

MISTAKES = {"columns_sum": "rows_sum", ".T": "", "row_repeat": "column_repeat", "DY - ": "DY + "}


def run(layers: Sequence[str], form: Callable[[str], str] = str) -> Callable[[Any], Finding]:
    """An experiment: the lines of some layers."""

    def experiment(_context) -> Finding:
        count = sum(len(lines(layer)) for layer in layers)
        failed = [f"{name} ({layer})" for layer in layers for name in failing(layer, form)]
        says = f"{count - len(failed)} of {count} lines agree with their equations at two sizes"
        slips = {
            f"{layer}: {wrong or 'nothing'} for {right}": bool(
                failing(layer, lambda code, pair=(right, wrong): corrected(code).replace(*pair))
            )
            for layer in layers for right, wrong in MISTAKES.items() if right in corrected(LINES[layer])
        }  # fmt: skip
        return concluded(not failed, f"{says}. These fail: {', '.join(failed)}" if failed else says, slips)  # fmt: skip

    return experiment


PRODUCT = (
    "the * of the code is the product of matrices, as in Table 1, and / N is the scalar multiplication with 1/N. act "
    "is applied to each entry"
)

for _id, _place, _too in (
    ("nerva/linear.code", "linear layer", ""),
    ("nerva/activation.code", "activation layer", ""),
    ("nerva/softmax.code", "softmax layer", ""),
    ("nerva/log-softmax.code", "log-softmax layer", ""),
    ("nerva/batchnorm.code", "batch normalization layer", ". D = K, and columns_mean is the mean of each column"),
    ("nerva/linear-dropout.code", "linear dropout layer", ". R is D x K, see nerva/dropout.R"),
    ("nerva/activation-dropout.code", "activation dropout layer", ". R is D x K, see nerva/dropout.R"),
):
    claim(
        _id, at=f"section 4, {_place}", says=f"each published line of code of the {_place} computes its equation",
        experiment=run([_id.removeprefix("nerva/").removesuffix(".code")]), assumptions=PRODUCT + _too,
    )  # fmt: skip

additional(
    "nerva/sec4.code.names",
    at="section 4, first paragraph",
    says="with the names of Table 1 and with the functions A^l, A^r, T^l and T^r in apply, all published lines of code "
    "compute their equations",
    experiment=run(list(LINES), corrected),
    assumptions=f"{PRODUCT}. In the SReLU layer act is srelu and act_prime is its derivative",
    note="as published, lines of the SReLU layer fail: nerva/sec4.code-names and nerva/sec4.srelu.apply. The lines run "
    "on SymPy's matrices of two sizes. The equations have claims of their own, for all sizes",
)


def product_of_numpy(_context) -> Finding:
    """X * W.T of the linear layer, with W = I."""
    x, w = np.array([[1, 2], [3, 4]]), np.eye(2, dtype=int)
    says = f"for X = {x.tolist()} and W = I, X * W.T is {(x * w.T).tolist()} in NumPy, and X W^T is {x.tolist()}"
    return concluded((x * w.T == x).all(), says, {"X @ W.T": bool((x @ w.T == x).all())})


alternative(
    "nerva/sec4.code.numpy",
    at="section 4, first paragraph",
    says="the code of section 4 is code for NumPy, in which X * W.T is the product of matrices",
    quote="the corresponding Python implementation is given",
    experiment=product_of_numpy,
    expects=wrong(correct="nerva/table2.product.numpy nerva/sec4.code.names"),
    note="Table 1 defines the * of the code as the product of matrices. Table 2 translates it to @ in NumPy, where * "
    "is the element-wise product: nerva/table2.hadamard.numpy",
)
