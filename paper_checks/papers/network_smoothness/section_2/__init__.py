"""Section 2: its claims, in the order of the paper."""

from paper_checks.papers.network_smoothness.section_2 import functions  # noqa: F401
