"""Section 1: its claims, in the order of the paper."""

from paper_checks.papers.neural_arithmetic_units.section_1 import (  # noqa: F401
    abstract,
    findings,
)
