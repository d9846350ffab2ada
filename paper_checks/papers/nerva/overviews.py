"""Whether an overview of formulas has all that the first sentence of its section says."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from paper_checks import Finding, Status, concluded


def missing(given: Mapping[str, Sequence[str]], wanted: Sequence[str]) -> dict[str, list[str]]:
    """What the overview lacks, by function.

    Examples
    --------
    >>> missing({"f": ["value", "slope"], "g": ["value"]}, ["value", "slope"])
    {'g': ['slope']}
    """
    lacking = {name: [what for what in wanted if what not in found] for name, found in given.items()}
    return {name: what for name, what in lacking.items() if what}


def has_all(given: Mapping[str, Sequence[str]], wanted: Sequence[str]) -> Callable[[Any], Finding]:
    """An experiment: whether each function has each formula; for one formula less the outcome must differ."""

    def experiment(_context) -> Finding:
        lacking = missing(given, wanted)
        says = f"{len(given) - len(lacking)} of {len(given)} functions have {', '.join(wanted)}"
        says += "".join(f"; {name} lacks {', '.join(what)}" for name, what in lacking.items())
        complete = dict.fromkeys(given, wanted)
        less = {name: list(wanted)[1:] for name in given}
        slips = {"a complete overview": not missing(complete, wanted), "one formula less": bool(missing(less, wanted))}
        return concluded(Status.REFUTED if lacking else Status.CONFIRMED, says, slips)

    return experiment
