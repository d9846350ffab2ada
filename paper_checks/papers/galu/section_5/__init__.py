"""Section 5: its claims, in the order of the paper."""

from paper_checks.papers.galu.section_5 import outputs, cost, figure_5  # noqa: F401, I001
