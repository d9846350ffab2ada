"""Appendix B.4: its claims, in the order of the paper."""

from paper_checks.papers.neural_arithmetic_units.appendix_b4 import (  # noqa: F401, I001
    forward, backward, backward_variance, initialisation, quarter, attainable, depth_nmu, depth_nac_mul,
    initialisation_linear, initialisation_units,
)  # fmt: skip
