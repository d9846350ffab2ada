"""Initialisers for Keras 3, on any of its backends; importing this package registers them with Keras."""

from paper_checks.keras import initializers

__all__ = ["initializers"]
