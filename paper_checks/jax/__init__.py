"""Initialisers for JAX, and for libraries of layers that take what ``jax.nn.initializers`` gives."""
