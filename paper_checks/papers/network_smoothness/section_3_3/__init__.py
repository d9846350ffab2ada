"""Section 3.3: its claims, in the order of the paper."""

from paper_checks.papers.network_smoothness.section_3_3 import (  # noqa: F401, I001
    figure_3_processes, sigma, sine, wide_networks, random_slopes, length_scales, turns_along_lines,
)  # fmt: skip
