"""Initialisers for Keras 3, on any of its backends; importing this package registers them with Keras."""

from paper_checks.claims.clashes import refuse_clashes

refuse_clashes("theory")

from paper_checks.keras import initializers  # noqa: E402

__all__ = ["initializers"]
