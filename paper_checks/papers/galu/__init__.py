"""*Decoupling Gating from Linearity*: its claims, one module per part, in the order of the paper.

The copy of the paper that is checked here has lost the definition of X-bar and the closed-form solution: X-bar is read
as the matrix whose rows are the features of the inputs, the solution as its pseudo-inverse times y.
"""

from paper_checks import paper

paper("galu", "Decoupling Gating from Linearity", "Anonymous authors")

from paper_checks.papers.galu import (  # noqa: E402, F401
    section_2,
    section_3,
    section_4,
    section_5,
    section_6,
)
