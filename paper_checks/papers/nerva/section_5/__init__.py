"""Section 5: its claims, in the order of the paper."""

from paper_checks.papers.nerva.section_5 import activations, srelu, softmax  # noqa: F401, I001
