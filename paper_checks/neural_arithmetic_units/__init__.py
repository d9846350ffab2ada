"""*Neural Arithmetic Units* (Madsen and Johansen): its claims, in the order of the paper.

One module per part of the paper. They are imported in its order, which is the order of the claims.
"""

# ruff: noqa: E402, I001
from paper_checks.claim import registry

registry.paper("nau", "Neural Arithmetic Units", "A. Madsen and A. Rosenberg Johansen")

from paper_checks.neural_arithmetic_units import section_2_definitions
from paper_checks.neural_arithmetic_units import section_2_constraints
from paper_checks.neural_arithmetic_units import section_2_gradients
from paper_checks.neural_arithmetic_units import section_2_division
from paper_checks.neural_arithmetic_units import section_2
from paper_checks.neural_arithmetic_units import section_3
from paper_checks.neural_arithmetic_units import section_3_threshold
from paper_checks.neural_arithmetic_units import appendix_a
from paper_checks.neural_arithmetic_units import appendix_b1
from paper_checks.neural_arithmetic_units import appendix_b1_backward
from paper_checks.neural_arithmetic_units import appendix_b2
from paper_checks.neural_arithmetic_units import appendix_b3
from paper_checks.neural_arithmetic_units import appendix_b3_backward
from paper_checks.neural_arithmetic_units import appendix_b3_backward_exact
from paper_checks.neural_arithmetic_units import appendix_b4
from paper_checks.neural_arithmetic_units import appendix_b4_backward
from paper_checks.neural_arithmetic_units import appendix_b4_backward_real
from paper_checks.neural_arithmetic_units import appendix_b4_initialisation
from paper_checks.neural_arithmetic_units import appendix_b4_initialisation_attainable
from paper_checks.neural_arithmetic_units import depth
from paper_checks.neural_arithmetic_units import initialisation
from paper_checks.neural_arithmetic_units import appendix_c

__all__ = [
    "appendix_a",
    "appendix_b1",
    "appendix_b1_backward",
    "appendix_b2",
    "appendix_b3",
    "appendix_b3_backward",
    "appendix_b3_backward_exact",
    "appendix_b4",
    "appendix_b4_backward",
    "appendix_b4_backward_real",
    "appendix_b4_initialisation",
    "appendix_b4_initialisation_attainable",
    "appendix_c",
    "depth",
    "initialisation",
    "section_2",
    "section_2_constraints",
    "section_2_definitions",
    "section_2_division",
    "section_2_gradients",
    "section_3",
    "section_3_threshold",
]
