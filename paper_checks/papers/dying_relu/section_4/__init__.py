"""Section 4: its claims, in the order of the paper."""

from paper_checks.papers.dying_relu.section_4 import (  # noqa: F401, I001
    identical, momentum, eigenvalues, thresholds, paths, overshoot, libraries,
)  # fmt: skip
