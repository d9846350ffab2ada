"""Section 3.1: its claims, in the order of the paper."""

from paper_checks.papers.network_smoothness.section_3_1 import addition, networks, figure_2, linear_regions, processes  # noqa: F401, I001
