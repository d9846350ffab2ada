"""*The effect of Target Normalization and Momentum on Dying ReLU*: its claims, one module per part, in its order.

The copy of the paper that is checked here has lost its formulas and most of its numbers: forms are reconstructed from
the text around them, and a claim says so where a reading had to be chosen.
"""

from paper_checks import paper

paper(
    "relu",
    "The effect of Target Normalization and Momentum on Dying ReLU",
    "I. Arnekvist, J. F. Carvalho, D. Kragic and J. A. Stork",
    lost="Our copy of this paper has lost all of its formulas and most of its numbers (scales, step sizes, momenta, "
    "windows, widths, numbers of runs). Every form below is a reconstruction from the text around it, and every "
    "setting is chosen here and named; where a reading had to be chosen the claim says so. What is wrong below may be "
    "wrong in our reconstruction and right in print.",
)

from paper_checks.papers.dying_relu import (  # noqa: E402, F401, I001
    section_1_error,
    section_1_dead,
    appendix_a,
    section_3_targets,
    section_3_descent,
    section_3_relu,
    section_4,
    section_4_eigenvalues,
    section_4_thresholds,
    section_4_paths,
    section_4_overshoot,
    section_4_libraries,
    section_5_activity,
    section_5,
    section_5_cones,
    section_5_critical,
    section_5_rest,
    section_5_saddle,
    escape,
    section_5_axis,
    section_5_nullclines,
    section_5_text,
    figure_3,
    several_inputs,
    fresh_inputs,
    figure_4,
    basins,
    overshoot,
    figure_5,
    section_7,
    oscillation,
    section_6_start,
    section_6_training,
    section_6_rescaling,
    section_6_depth,
    section_6_descent,
    appendix_b,
    appendix_c,
    appendix_d,
    appendix_d_training,
    appendix_d_theorem,
    relu_target,
    relu_target_axis,
    dead_cone,
    relu_curvature,
    relu_noise,
    starts_dead,
)
