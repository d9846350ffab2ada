"""Section 3.5: its claims, in the order of the paper."""

from paper_checks.papers.network_smoothness.section_3_5 import attacks, images, mnist, digits  # noqa: F401, I001
