"""Appendix A: its claims, in the order of the paper."""

from paper_checks.papers.network_smoothness.appendix_a import (  # noqa: F401, I001
    a1, a2, figure_7_losses, figure_7_second_layers, second_layer, a2_variants,
)  # fmt: skip
