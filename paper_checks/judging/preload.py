"""Imports for the process from which workers are forked: the judging package and the papers."""

import os

# Before NumPy is imported: each worker uses one thread for linear algebra.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import contextlib

names = os.environ.get("PAPER_CHECKS_PRELOAD", "").split()
# What is wrong with a paper the command says itself.
with contextlib.suppress(Exception):
    import paper_checks.judging.worker  # noqa: F401
    from paper_checks.claims import catalogue

    if names:
        catalogue.load(names)
