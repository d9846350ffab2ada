"""Compiled expected gradients, and descent along them."""
