"""Section 3.1: its claims, in the order of the paper."""

from paper_checks.papers.network_smoothness.section_3_1 import (  # noqa: F401, I001
    addition,
    networks,
    figure_2,
    linear_regions,
    flat_limit,
    emulation,
)
