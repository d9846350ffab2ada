"""Section 3: its claims, in the order of the paper."""

from paper_checks.papers.neural_arithmetic_units.section_3 import (  # noqa: F401, I001
    task, threshold, protocol, narrow, tables, very_simple, failures, comparison, figures, stress, figure_6, captions,
    population, export, export_order, export_figures, look_before,
)  # fmt: skip
