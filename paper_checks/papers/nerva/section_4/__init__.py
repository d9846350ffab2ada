"""Section 4: its claims, in the order of the paper."""

from paper_checks.papers.nerva.section_4 import (  # noqa: F401, I001
    layers,
    batchnorm_layer,
    dropout_layers,
    code,
    properties,
    derivations,
    batchnorm,
)
