"""*Decoupling Gating from Linearity*: its claims, one module per part, in the order of the paper.

The copy of the paper that is checked here has lost the definition of X-bar and the closed-form solution: X-bar is read
as the matrix whose rows are the features of the inputs, the solution as its pseudo-inverse times y.
"""

from paper_checks import paper

paper("galu", "Decoupling Gating from Linearity", "Anonymous authors")

from paper_checks.papers.galu import (  # noqa: E402, F401, I001
    sections_1_2,
    figure_1,
    section_4,
    section_4_1,
    theorem_1,
    section_4_1_rank,
    rank_plane,
    rank_open_rows,
    rank_special_sizes,
    rank_smallest_k,
    section_4_1_sizes,
    figure_2,
    algorithm_1,
    generalisation,
    figure_3,
    figure_3_caption,
    figure_4,
    section_4_2_2,
    lemma_1,
    lemma_1_laws,
    lemma_1_independence,
    section_4_2_2_comparison,
    double_descent,
    section_5,
    section_5_cost,
    figure_5,
    section_6,
    initialisation,
)
