"""Section 5: its claims, in the order of the paper."""

from paper_checks.papers.galu.section_5 import (  # noqa: F401, I001
    outputs,
    cost,
    figure_5,
)
