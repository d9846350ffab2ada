"""Table 1: its claims, in the order of the paper."""

from paper_checks.papers.network_smoothness.table_1 import printed, processes, networks, exact  # noqa: F401, I001
