"""Section 3: its claims, in the order of the paper."""

from paper_checks.papers.dying_relu.section_3 import targets, descent, relu, errors  # noqa: F401, I001
