"""Section 5: its claims, in the order of the paper."""

from paper_checks.papers.nerva.section_5 import (  # noqa: F401, I001
    activations,
    srelu,
    softmax,
)
