"""Section 6: its claims, in the order of the paper."""

from paper_checks.papers.nerva.section_6 import (  # noqa: F401
    losses,
    numerics,
    numerics_softmax,
)
