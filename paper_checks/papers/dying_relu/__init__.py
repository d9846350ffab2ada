"""*The effect of Target Normalization and Momentum on Dying ReLU*: its claims, one module per part, in its order.

Our copy of the paper has lost its formulas and most of its numbers. Formulas are reconstructed from the text around
them. Where more than one interpretation is possible, the claim says which one it tests.
"""

from pathlib import Path

from paper_checks import paper

paper(
    "relu",
    "The effect of Target Normalization and Momentum on Dying ReLU",
    "I. Arnekvist, J. F. Carvalho, D. Kragic and J. A. Stork",
    year=2020,
    url="https://arxiv.org/abs/2005.06195",
    headlines=("relu/text.recovery",),
    lost="Our copy of this paper has lost all of its formulas and most of its numbers (scales, step sizes, momenta, "
    "windows, widths, numbers of runs). We reconstructed each formula from the text around it. Where the paper has "
    "words, the formula is ours. We chose all settings, and each claim names them. Where more than one interpretation "
    "is possible, the claim says which one it tests. A statement that is wrong here may be correct in the published "
    "paper, if our reconstruction differs from it.",
    finding="what the paper says of Figures 3 and 4 contradicts the gradients (25) and (26), as we reconstruct them: "
    "our copy has lost all formulas. Along these, units from the lower left quadrant die for every gamma "
    "(relu/text.lower-left.fate, relu/fig4.region). Without the sign alpha in (32), everything that the paper says of "
    "Figures 3 to 5 holds together in some settings (relu/beyond.joint-settings). The authors can check in minutes "
    "whether their figures use this sign",
    statements=Path(__file__).parent / "statements.txt",
    symbols={
        "gamma": "scale of the target, ||Lambda||",
        "Lambda": "weights of the target",
        "lambda_i": "component i of Lambda",
        "w_i": "component i of w",
        "w_l": "last weight, on the axis of the target",
        "w_0": "initial weight on the axis of the target",
        "b": "bias of the unit",
        "b_0": "initial bias",
        "b_1": "bias of the output of a network with one hidden layer",
        "s": "length of w, ||w||",
        "p": "component of Lambda along w",
        "rho": "cosine of the angle between w and Lambda, in (-1, 1)",
        "kappa": "b/||w||",
        "eps": "activity below which a unit counts as dead, in (0, 1/2)",
        "norm_d": "length of the deviation d = w - Lambda",
        "m": "momentum of a parameter",
        "e": "deviation of a parameter from its optimum",
        "beta": "rate of momentum, in [0, 1)",
        "eta": "step size",
        "h": "effective step: eta (1 - beta), or eta for momentum as a sum",
        "lambda": "argument of the characteristic polynomial",
        "t": "number of updates",
        "o": "overshoot relative to the initial deviation",
        "z": "minus the b/||w|| on the surface of the dead cone: 3.09 for eps = 0.001",
    },
)

from paper_checks.papers.dying_relu import (  # noqa: E402, F401, I001
    section_1, section_2, section_3, section_4, section_5, section_6, section_7, appendices, beyond,
)  # fmt: skip
