"""Beyond the paper: its claims, in the order of the paper."""

from paper_checks.papers.dying_relu.beyond import relu_target, relu_target_axis, dead_cone, relu_curvature, starts_dead  # noqa: F401, I001
