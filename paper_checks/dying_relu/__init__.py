"""*The effect of Target Normalization and Momentum on Dying ReLU*: its claims, in the order of the paper.

One module per part of the paper. They are imported in its order, which is the order of the claims. The copy of the
paper that is checked here has lost its formulas and most of its numbers: forms are reconstructed from the text around
them, and a claim says so where a reading had to be chosen.
"""

# ruff: noqa: E402, I001
from paper_checks.claim import registry

registry.paper(
    "relu",
    "The effect of Target Normalization and Momentum on Dying ReLU",
    "I. Arnekvist, J. F. Carvalho, D. Kragic and J. A. Stork",
    lost="Our copy of this paper has lost all of its formulas and most of its numbers (scales, step sizes, momenta, "
    "windows, widths, numbers of runs). Every form below is a reconstruction from the text around it, and every "
    "setting is chosen here and named; where a reading had to be chosen the claim says so. What is wrong below may be "
    "wrong in our reconstruction and right in print.",
)

from paper_checks.dying_relu import section_1
from paper_checks.dying_relu import preliminaries
from paper_checks.dying_relu import section_3_relu
from paper_checks.dying_relu import section_4
from paper_checks.dying_relu import section_4_eigenvalues
from paper_checks.dying_relu import section_4_paths
from paper_checks.dying_relu import section_5
from paper_checks.dying_relu import section_5_cones
from paper_checks.dying_relu import section_5_critical
from paper_checks.dying_relu import section_5_rest
from paper_checks.dying_relu import section_5_axis
from paper_checks.dying_relu import section_5_text
from paper_checks.dying_relu import dynamics
from paper_checks.dying_relu import section_5_starts
from paper_checks.dying_relu import section_6
from paper_checks.dying_relu import section_6_depth
from paper_checks.dying_relu import appendix_b
from paper_checks.dying_relu import appendix_c
from paper_checks.dying_relu import appendix_d
from paper_checks.dying_relu import appendix_d_theorem
from paper_checks.dying_relu import relu_target
from paper_checks.dying_relu import dead_cone
from paper_checks.dying_relu import relu_curvature

__all__ = [
    "appendix_b",
    "appendix_c",
    "appendix_d",
    "appendix_d_theorem",
    "dead_cone",
    "dynamics",
    "preliminaries",
    "relu_curvature",
    "relu_target",
    "section_1",
    "section_3_relu",
    "section_4",
    "section_4_eigenvalues",
    "section_4_paths",
    "section_5",
    "section_5_axis",
    "section_5_cones",
    "section_5_critical",
    "section_5_rest",
    "section_5_starts",
    "section_5_text",
    "section_6",
    "section_6_depth",
]
