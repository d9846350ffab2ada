"""Tables 1 and 2: its claims, in the order of the paper."""

from paper_checks.papers.nerva.tables import table_1, table_2, table_2_use, table_2_eigen  # noqa: F401, I001
