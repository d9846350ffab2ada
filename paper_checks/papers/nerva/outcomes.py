"""Findings of experiments that decide whether a statement holds."""

from collections.abc import Mapping
from typing import Any

from paper_checks import Finding, Status, concluded


def verdict(holds: Any, says: str, slips: Mapping[str, bool] | None = None) -> Finding:
    """Confirmed or refuted, in words, with the plausible mistakes that were rejected."""
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, slips)
