"""Section 2: its claims, in the order of the paper."""

from paper_checks.papers.galu.section_2 import (  # noqa: F401
    neurons,
)
