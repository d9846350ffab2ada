"""Section 3: its claims, in the order of the paper."""

from paper_checks.papers.neural_arithmetic_units.section_3 import (  # noqa: F401, I001
    task,
    threshold,
    criterion,
    narrow,
    tables,
    very_simple,
    failures,
    table_3_again,
    comparison,
    figures,
    stress,
    population,
)
