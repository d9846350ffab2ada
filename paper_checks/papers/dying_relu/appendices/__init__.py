"""Appendices A to D: its claims, in the order of the paper."""

from paper_checks.papers.dying_relu.appendices import a, b, c, d, d_training, d_theorem, d_given  # noqa: F401, I001
