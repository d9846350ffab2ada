"""Section 1: its claims, in the order of the paper."""

from paper_checks.papers.galu.section_1 import (  # noqa: F401
    neurons,
)
