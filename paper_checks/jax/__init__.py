"""Initialisers for JAX, and for libraries of layers that take what ``jax.nn.initializers`` gives."""

from paper_checks.claims.clashes import refuse_clashes

refuse_clashes("theory")
