"""Section 3: its claims, in the order of the paper."""

from paper_checks.papers.dying_relu.section_3 import (  # noqa: F401, I001
    targets,
    descent,
    relu,
    errors,
)
