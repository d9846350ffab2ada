"""*Neural Arithmetic Units* (Madsen and Johansen): its claims, in the order of the paper.

One module per part of the paper. They are imported in its order, which is the order of the claims.
"""

# ruff: noqa: E402, I001
from paper_checks.claim import registry

registry.paper("nau", "Neural Arithmetic Units", "A. Madsen and A. Rosenberg Johansen")

from paper_checks.neural_arithmetic_units import section_2_definitions
from paper_checks.neural_arithmetic_units import section_2_constraints
from paper_checks.neural_arithmetic_units import section_2
from paper_checks.neural_arithmetic_units import section_3
from paper_checks.neural_arithmetic_units import section_3_threshold
from paper_checks.neural_arithmetic_units import appendix_b1
from paper_checks.neural_arithmetic_units import appendix_b2
from paper_checks.neural_arithmetic_units import appendix_b3
from paper_checks.neural_arithmetic_units import appendix_b4
from paper_checks.neural_arithmetic_units import appendix_c

__all__ = [
    "appendix_b1",
    "appendix_b2",
    "appendix_b3",
    "appendix_b4",
    "appendix_c",
    "section_2",
    "section_2_constraints",
    "section_2_definitions",
    "section_3",
    "section_3_threshold",
]
