"""Section 2: its claims, in the order of the paper."""

from paper_checks.papers.dying_relu.section_2 import initial_laws  # noqa: F401
