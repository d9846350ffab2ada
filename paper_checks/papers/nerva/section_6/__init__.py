"""Section 6: its claims, in the order of the paper."""

from paper_checks.papers.nerva.section_6 import losses, overview, targets, derivations, numerics  # noqa: F401, I001
from paper_checks.papers.nerva.section_6 import numerics_softmax  # noqa: F401
