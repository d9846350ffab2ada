"""Section 7: its claims, in the order of the paper."""

from paper_checks.papers.dying_relu.section_7 import (  # noqa: F401
    conclusion,
    oscillation,
)
