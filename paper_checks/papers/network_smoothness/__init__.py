"""*Controlling Neural Network Smoothness for Neural Algorithmic Reasoning*: its claims, in the order of the paper.

Formulas are proved or refuted; sentences on trained networks and Gaussian processes are judged by stored runs and by
printed numbers. What needs MNIST, CIFAR-10 or a ResNet9 is said to be open.
"""

from paper_checks import paper

paper("smooth", "Controlling Neural Network Smoothness for Neural Algorithmic Reasoning", "D. A. Klindt")

from paper_checks.papers.network_smoothness import (  # noqa: E402, F401, I001
    section_2,
    section_3_1,
    section_3_1_networks,
    figure_2_networks,
    linear_regions,
    flat_limit,
    figure_3_processes,
    section_3_3,
    section_3_3_sine,
    section_3_4,
    wide_networks,
    random_slopes,
    length_scales,
    inverse_sigma,
    turns_along_lines,
    section_3_5,
    section_3_5_images,
    appendix_a1,
    appendix_a2,
    figure_7_losses,
    figure_7_second_layers,
    figure_7_barrier,
    appendix_a2_variants,
    table_1,
    table_1_processes,
    table_1_networks,
    table_1_exact,
)
