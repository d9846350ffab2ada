"""Section 6: its claims, in the order of the paper."""

from paper_checks.papers.nerva.section_6 import losses, targets, numerics, numerics_softmax  # noqa: F401, I001
