"""The constants of initialisers: what PyTorch, JAX and Keras document, and what it does.

Sentences and numbers are those of the documentation of PyTorch 2.13, JAX 0.10 and Keras 3.
"""

from paper_checks import paper
from paper_checks.experiments.tables import Table


def _tables() -> list[Table]:
    """Read when somebody asks."""
    from paper_checks.papers.constants import advice

    return [advice.by_activation()]


paper("constants", "Initialisers of PyTorch, JAX and Keras", "their documentation", tables=_tables)

from paper_checks.papers.constants import (  # noqa: E402, F401, I001
    gains,
    selu,
    variance_scaling,
    truncated,
    modes,
    linear_layers,
    convolutions,
    other_layers,
    orthogonal,
    special_layers,
    transformers,
    propagation,
    correlations,
    depth,
)
