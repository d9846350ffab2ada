"""Section 5: its claims, in the order of the paper."""

from paper_checks.papers.neural_arithmetic_units.section_5 import (  # noqa: F401
    conclusion,
)
