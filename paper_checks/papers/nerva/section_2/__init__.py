"""Section 2: its claims, in the order of the paper."""

from paper_checks.papers.nerva.section_2 import definitions  # noqa: F401
