"""Section 4: its claims, in the order of the paper."""

from paper_checks.papers.network_smoothness.section_4 import (  # noqa: F401
    more_layers,
    pipeline,
)
