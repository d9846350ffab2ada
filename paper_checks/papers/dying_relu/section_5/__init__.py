"""Section 5: its claims, in the order of the paper."""

from paper_checks.papers.dying_relu.section_5 import (  # noqa: F401, I001
    activity, gradients, cones, critical, rest, saddle, escape, axis, nullclines, text, other_regions, figure_3,
    several_inputs, fresh_inputs, figure_4, basins, overshoot_alone, figure_5,
)  # fmt: skip
