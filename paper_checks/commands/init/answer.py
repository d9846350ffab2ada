"""The recommended initialisation of a layer, and the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paper_checks.commands.init.evidence import Evidence, evidence
from paper_checks.experiments import trained

if TYPE_CHECKING:
    from theory.initialisation import Initialisation


@dataclass(frozen=True)
class Answer:
    """A layer, its initialisation by each criterion, and the recommended one.

    Attributes
    ----------
    unit : str
    others : mapping of str to Initialisation or str
        By criterion; a text where it is not feasible.
    evidence : Evidence
    recommended : str
        By trained networks where there are some; else the criterion with gains nearest to 1.
    asked : str or None
        The criterion that was asked for.
    arguments : mapping
        Of the unit's function.
    """

    unit: str
    others: Mapping[str, Initialisation | str]
    evidence: Evidence
    recommended: str
    asked: str | None
    arguments: Mapping[str, Any]

    @property
    def chosen(self) -> Initialisation:
        """The initialisation that is shown first."""
        found = self.others[self.asked or self.recommended]
        assert not isinstance(found, str), "only what is feasible is chosen"
        return found


def answered(
    unit: str, fans: tuple[int, int], others: Mapping[str, Initialisation | str], arguments: Mapping[str, Any],
    asked: str | None = None,
) -> Answer:  # fmt: skip
    """Recommendation for a layer.

    Raises
    ------
    ValueError
        If no criterion is feasible.

    Examples
    --------
    >>> from paper_checks.commands.init.gains import alternatives
    >>> found = answered("nmu", (10, 5), alternatives("nmu", 10, 5), {})
    >>> found.recommended, found.evidence.near
    ('published', True)
    """
    feasible = {name: made for name, made in others.items() if not isinstance(made, str)}
    if not feasible:
        raise ValueError(next(iter(others.values())))
    one = next(iter(feasible.values()))
    known = "relu" if unit == "dense" and arguments.get("behind") == "relu" else unit

    def error(criterion: str) -> float:
        return round(feasible[criterion].gain_error, 9)  # the first one of equals

    found = evidence(trained.read(), known, fans, (one.input_mean, one.input_variance), feasible)
    return Answer(unit, others, found, found.recommended or min(feasible, key=error), asked, arguments)
