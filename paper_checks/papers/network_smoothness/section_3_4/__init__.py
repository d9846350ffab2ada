"""Section 3.4: its claims, in the order of the paper."""

from paper_checks.papers.network_smoothness.section_3_4 import operations, remedy  # noqa: F401
