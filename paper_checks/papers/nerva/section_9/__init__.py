"""Section 9: its claims, in the order of the paper."""

from paper_checks.papers.nerva.section_9 import schedules, networks  # noqa: F401, I001
