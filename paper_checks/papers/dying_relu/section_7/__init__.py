"""Section 7: its claims, in the order of the paper."""

from paper_checks.papers.dying_relu.section_7 import conclusion, oscillation  # noqa: F401
