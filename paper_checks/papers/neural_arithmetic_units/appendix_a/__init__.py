"""Appendix A: its claims, in the order of the paper."""

from paper_checks.papers.neural_arithmetic_units.appendix_a import formulas, nmu  # noqa: F401
