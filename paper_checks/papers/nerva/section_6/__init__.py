"""Section 6: its claims, in the order of the paper."""

from paper_checks.papers.nerva.section_6 import (  # noqa: F401, I001
    losses,
    overview,
    targets,
    derivations,
    numerics,
    numerics_softmax,
)
