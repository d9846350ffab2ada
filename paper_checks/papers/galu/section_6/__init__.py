"""Section 6: its claims, in the order of the paper."""

from paper_checks.papers.galu.section_6 import summary, initialisation  # noqa: F401, I001
