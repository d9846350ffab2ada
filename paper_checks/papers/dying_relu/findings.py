"""What an experiment finds: of one setting, or where the setting is lost in our copy, of all that we tried."""

from collections.abc import Mapping, Sequence
from typing import Any

from paper_checks import Finding, Status, concluded

COUNTS = (
    "The statement counts as correct if it holds in all settings, as wrong if it holds in none, and as open otherwise"
)


def in_all_settings(statuses: Mapping[str, Status]) -> Status:
    """Correct, or wrong, if it is so in every setting that was tried; INCONCLUSIVE if that depends on the setting.

    Examples
    --------
    >>> in_all_settings({"gamma = 1": Status.CONFIRMED, "gamma = 0.1": Status.REFUTED})
    <Status.INCONCLUSIVE: 'INCONCLUSIVE'>
    """
    found = set(statuses.values())
    return found.pop() if len(found) == 1 else Status.INCONCLUSIVE


def over_settings(
    statuses: Mapping[str, Status], says: str, slips: Mapping[str, bool] | None = None,
    table: Sequence[Mapping[str, Any]] = (),
) -> Finding:  # fmt: skip
    """A finding by the status in each setting; ``slips`` says of each mistake whether it was rejected."""
    return concluded(in_all_settings(statuses), says, slips, table=table)


def counted(statuses: Mapping[str, Status]) -> str:
    """In how many settings a sentence is correct, wrong or open, as text."""
    values = list(statuses.values())
    return ", ".join(
        f"{text} in {values.count(status)}"
        for status, text in ((Status.CONFIRMED, "correct"), (Status.REFUTED, "wrong"), (Status.INCONCLUSIVE, "open"))
    ) + f" of {len(values)}"  # fmt: skip
