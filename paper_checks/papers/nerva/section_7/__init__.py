"""Section 7: its claims, in the order of the paper."""

from paper_checks.papers.nerva.section_7 import (  # noqa: F401
    initialisation,
)
