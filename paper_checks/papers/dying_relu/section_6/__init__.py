"""Section 6: its claims, in the order of the paper."""

from paper_checks.papers.dying_relu.section_6 import start, training, rescaling, depth, descent  # noqa: F401, I001
