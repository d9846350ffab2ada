"""*The effect of Target Normalization and Momentum on Dying ReLU*: its claims, one module per part, in its order.

The copy of the paper that is checked here has lost its formulas and most of its numbers: forms are reconstructed from
the text around them, and a claim says so where a reading had to be chosen.
"""

from paper_checks import paper

paper(
    "relu",
    "The effect of Target Normalization and Momentum on Dying ReLU",
    "I. Arnekvist, J. F. Carvalho, D. Kragic and J. A. Stork",
    lost="Our copy of this paper has lost all of its formulas and most of its numbers (scales, step sizes, momenta, "
    "windows, widths, numbers of runs). Every form below is a reconstruction from the text around it, and every "
    "setting is chosen here and named; where a reading had to be chosen the claim says so. What is wrong below may be "
    "wrong in our reconstruction and right in print.",
)

from paper_checks.papers.dying_relu import (  # noqa: E402, F401, I001
    section_1,
    section_3,
    section_4,
    section_5,
    section_6,
    section_7,
    appendices,
    beyond,
)
