"""Section 4: its claims, in the order of the paper."""

from paper_checks.papers.network_smoothness.section_4 import more_layers, pipeline  # noqa: F401
