"""Section 8: its claims, in the order of the paper."""

from paper_checks.papers.nerva.section_8 import (  # noqa: F401
    optimisers,
)
