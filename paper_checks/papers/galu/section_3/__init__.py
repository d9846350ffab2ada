"""Section 3: its claims, in the order of the paper."""

from paper_checks.papers.galu.section_3 import errors, figure_1  # noqa: F401
