"""Sentences whose setting is lost in our copy: what can be said of them from settings of our own."""

from __future__ import annotations

from collections.abc import Mapping

from paper_checks import concluded
from paper_checks.evidence.finding import Finding
from paper_checks.rules.means import Status

__all__ = ["counted", "in_all_settings", "over_settings"]


def in_all_settings(statuses: Mapping[str, Status]) -> Status:
    """Right, or wrong, where it is so in every setting that was tried; INCONCLUSIVE where that depends on the setting.

    Examples
    --------
    >>> in_all_settings({"gamma = 1": Status.CONFIRMED, "gamma = 0.1": Status.REFUTED})
    <Status.INCONCLUSIVE: 'INCONCLUSIVE'>
    """
    found = set(statuses.values())
    return found.pop() if len(found) == 1 else Status.INCONCLUSIVE


def over_settings(statuses: Mapping[str, Status], says: str, slips: Mapping[str, bool] | None = None) -> Finding:
    """A finding by the status in each setting; ``slips`` says of each mistake whether it was rejected."""
    return concluded(in_all_settings(statuses), says, slips)


def counted(statuses: Mapping[str, Status]) -> str:
    """How many settings decide how, as text."""
    values = list(statuses.values())
    return ", ".join(
        f"{text} in {values.count(status)}"
        for status, text in ((Status.CONFIRMED, "right"), (Status.REFUTED, "wrong"), (Status.INCONCLUSIVE, "open"))
    ) + f" of {len(values)}"  # fmt: skip
