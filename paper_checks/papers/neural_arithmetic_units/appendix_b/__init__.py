"""Appendix B: its claims, in the order of the paper."""

from paper_checks.papers.neural_arithmetic_units.appendix_b import (  # noqa: F401, I001
    b1, b1_backward, b2, b3, figure_8, b3_exact, b3_backward, b3_backward_variance, b3_backward_exact,
)  # fmt: skip
