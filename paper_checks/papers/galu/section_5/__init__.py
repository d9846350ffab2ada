"""Section 5: its claims, in the order of the paper."""

from paper_checks.papers.galu.section_5 import outputs, cost, figure_5, figure_5_numbers, figure_5_one_output  # noqa: F401, I001
