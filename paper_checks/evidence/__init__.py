"""The ladder of evidence: one rung per file, each a module with a ``RUNG``; see :mod:`paper_checks.evidence.ladder`."""
