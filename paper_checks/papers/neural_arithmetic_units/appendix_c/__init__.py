"""Appendix C: its claims, in the order of the paper."""

from paper_checks.papers.neural_arithmetic_units.appendix_c import (  # noqa: F401, I001
    settings, tables, trained_again, reach, ablation, regularisation,
)  # fmt: skip
