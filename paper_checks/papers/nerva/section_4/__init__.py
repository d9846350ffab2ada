"""Section 4: its claims, in the order of the paper."""

from paper_checks.papers.nerva.section_4 import layers, batchnorm_layer, dropout_layers, code  # noqa: F401, I001
from paper_checks.papers.nerva.section_4 import properties, derivations, batchnorm  # noqa: F401
