"""*Controlling Neural Network Smoothness for Neural Algorithmic Reasoning*: its claims, in the order of the paper.

Formulas are proved or refuted; sentences on trained networks and Gaussian processes are judged by stored runs and by
printed numbers. What needs MNIST, CIFAR-10 or a ResNet9 is said to be open.
"""

from paper_checks import paper

paper("smooth", "Controlling Neural Network Smoothness for Neural Algorithmic Reasoning", "D. A. Klindt")

from paper_checks.papers.network_smoothness import (  # noqa: E402, F401, I001
    section_2,
    section_3_1,
    section_3_3,
    section_3_4,
    section_3_5,
    appendix_a,
    table_1,
)
