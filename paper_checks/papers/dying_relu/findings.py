"""What an experiment finds that has one of two outcomes."""

from collections.abc import Mapping, Sequence
from typing import Any

from paper_checks import Finding, Status, concluded


def verdict(
    good: bool, says: str, slips: Mapping[str, bool] | None = None, table: Sequence[Mapping[str, Any]] = ()
) -> Finding:
    """A finding that is CONFIRMED or REFUTED; ``slips`` says of each mistake whether it was rejected."""
    status = Status.CONFIRMED if good else Status.REFUTED
    return concluded(status, says, {name: bool(rejected) for name, rejected in (slips or {}).items()}, table=table)
