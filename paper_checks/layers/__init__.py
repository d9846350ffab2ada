"""Common parts of the layers and initialisers for PyTorch, JAX and Keras."""

from paper_checks.claims.clashes import refuse_clashes

refuse_clashes("theory")
