"""Section 1: its claims, in the order of the paper."""

from paper_checks.papers.dying_relu.section_1 import dead_units, error, dead  # noqa: F401, I001
