"""Compiled expected fields of gradients, and what follows them."""
