"""Section 2: its claims, in the order of the paper."""

from paper_checks.papers.neural_arithmetic_units.section_2 import (  # noqa: F401, I001
    definitions, precision, gating, gradients, zero_mean, nau, division, figure_2, nmu, start,
)  # fmt: skip
