"""Section 1: its claims, in the order of the paper."""

from paper_checks.papers.dying_relu.section_1 import (  # noqa: F401, I001
    dead_units,
    error,
    dead,
)
