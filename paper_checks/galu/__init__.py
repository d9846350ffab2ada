"""*Decoupling Gating from Linearity*: its claims, in the order of the paper.

One module per part of the paper. They are imported in its order, which is the order of the claims. The copy of the
paper that is checked here has lost the definition of X-bar and the closed-form solution: X-bar is read as the matrix
whose rows are the features of the inputs, the solution as its pseudo-inverse times y.
"""

# ruff: noqa: E402, I001
from paper_checks.claim import registry

registry.paper("galu", "Decoupling Gating from Linearity", "Anonymous authors")

from paper_checks.galu import sections_1_2
from paper_checks.galu import figure_1
from paper_checks.galu import section_4
from paper_checks.galu import section_4_1
from paper_checks.galu import section_4_1_rank
from paper_checks.galu import section_4_1_sizes

from paper_checks.galu import section_4_1_1
from paper_checks.galu import generalisation
from paper_checks.galu import figure_3
from paper_checks.galu import figure_3_caption
from paper_checks.galu import figure_4
from paper_checks.galu import lemma_1
from paper_checks.galu import lemma_1_laws
from paper_checks.galu import double_descent
from paper_checks.galu import section_5
from paper_checks.galu import section_5_cost
from paper_checks.galu import initialisation

__all__ = [
    "double_descent",
    "figure_1",
    "figure_3",
    "figure_3_caption",
    "figure_4",
    "generalisation",
    "initialisation",
    "lemma_1",
    "lemma_1_laws",
    "section_4",
    "section_4_1",
    "section_4_1_1",
    "section_4_1_rank",
    "section_4_1_sizes",
    "section_5",
    "section_5_cost",
    "sections_1_2",
]
