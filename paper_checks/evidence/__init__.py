"""Kinds of evidence, one per module with a ``RUNG``; see :mod:`paper_checks.evidence.ladder`."""
