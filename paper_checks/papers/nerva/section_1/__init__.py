"""Section 1: its claims, in the order of the paper."""

from paper_checks.papers.nerva.section_1 import software, validation  # noqa: F401
