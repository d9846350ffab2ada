"""Results of networks that were trained from the initialisations of a layer, and the one that they recommend."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paper_checks.experiments import trained

if TYPE_CHECKING:
    from paper_checks.experiments.trials import Trial
    from theory.initialisation import Initialisation

# Networks count for a layer whose numbers of inputs and outputs differ by at most these factors from theirs, ...
FAN_IN, FAN_OUT = 2.0, 4.0
# ... whose inputs have a mean within half of a standard deviation, and a variance within this factor.
VARIANCE = 2.0
LEVEL = 0.01
# Criteria with the same distribution, by the name under which they were trained.
SAME = {("relu", "forward"): "he", ("relu", "lecun"): "glorot"}


@dataclass(frozen=True)
class Count:
    """Networks that were trained from one initialisation.

    Attributes
    ----------
    solved, runs : int
    rate : float
        Fraction of networks that solve their task; for several tasks the mean of their fractions.
    median : float or None
        Iterations after which half of the networks solve it, for several tasks their mean; None where fewer do.
    """

    solved: int
    runs: int
    rate: float
    median: float | None

    def __str__(self) -> str:
        one = math.isclose(self.rate, self.solved / self.runs)
        return f"{self.solved} of {self.runs}" if one else f"{100 * self.rate:.0f} % of"


@dataclass(frozen=True)
class Evidence:
    """Trained networks that count for a layer.

    Attributes
    ----------
    near : bool
        Whether they have a similar layer with similar inputs; otherwise they are all networks with this unit.
    tasks : tuple of str
    counts : mapping of str to Count
        By criterion.
    recommended : str or None
        The criterion with which most networks solve their task, among equal ones the fastest; None without networks.
    elsewhere : mapping of str to (str, Count, Count)
        By task, where another criterion solves more networks (Fisher's exact test, p < 1 %): that criterion, its count
        and that of the recommended one.
    """

    near: bool
    tasks: tuple[str, ...]
    counts: Mapping[str, Count]
    recommended: str | None
    elsewhere: Mapping[str, tuple[str, Count, Count]]


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
    found = evidence(trained.read(), known, fans, (one.input_mean, one.input_variance), feasible)
    nearest = min(feasible, key=lambda name: round(feasible[name].gain_error, 9))  # the first one of equals
    return Answer(unit, others, found, found.recommended or nearest, asked, arguments)


def evidence(
    trials: Iterable[Trial], unit: str, fans: tuple[int, int], moments: tuple[float, float],
    feasible: Mapping[str, Initialisation],
) -> Evidence:  # fmt: skip
    """Networks that were trained with the most similar layers.

    Parameters
    ----------
    trials : iterable of Trial
    unit : str
        As in the question of a trial, "start of nmu".
    fans : (int, int)
    moments : (float, float)
        Mean and variance of the inputs.
    feasible : mapping
        Initialisations by criterion; only these are recommended.
    """
    known = [t for t in trials if t.question == f"start of {unit}" and t.runs]
    names = _trained_names(unit, known, feasible)
    groups: dict[tuple, list[Trial]] = {}
    for trial in known:
        groups.setdefault((trial.task, tuple(trial.moments)), []).append(trial)
    by_distance: dict[float, list[list[Trial]]] = {}
    for group in groups.values():
        distance = _distance(group[0], fans, moments, unit)
        if distance is not None and len({t.choice for t in group} & set(names.values())) > 1:
            by_distance.setdefault(round(distance, 6), []).append(group)
    near = bool(by_distance)
    chosen = by_distance[min(by_distance)] if near else list(groups.values())
    counts = {}
    for criterion, name in names.items():
        some = [[t for t in group if t.choice == name] for group in chosen]
        if all(some):  # of several tasks only what was trained on each can be compared
            counts[criterion] = _over_tasks([_count(trials) for trials in some])
    best = _best(counts)
    tasks = tuple(dict.fromkeys(g[0].task for g in chosen))
    return Evidence(near, tasks, counts, best, _elsewhere(chosen, names, best) if near and best else {})


def _elsewhere(
    groups: Sequence[Sequence[Trial]], names: Mapping[str, str], best: str
) -> dict[str, tuple[str, Count, Count]]:
    """Tasks on which another criterion is significantly better."""
    from paper_checks.rules.strata import p_value

    found = {}
    for group in groups:
        some = {c: [t for t in group if t.choice == name] for c, name in names.items()}
        counts = {c: _count(trials) for c, trials in some.items() if trials}
        top = _best(counts)
        if top is None or best not in counts:
            continue
        one, other = counts[top], counts[best]
        if p_value(one.solved, one.runs, other.solved, other.runs) < LEVEL:
            found[group[0].task] = (top, one, other)
    return found


def _trained_names(unit: str, known: Sequence[Trial], feasible: Mapping[str, Any]) -> dict[str, str]:
    """By feasible criterion: the criterion that was trained with the same distribution."""
    trained = {t.choice for t in known}
    found: dict[str, str] = {}
    for criterion, made in feasible.items():
        same = [c for c in feasible if feasible[c].law == made.law and feasible[c].parameters == made.parameters]
        names = [SAME.get((unit, criterion), criterion), *same]
        if name := next((n for n in names if n in trained), None):
            found[criterion] = name
    return found


def _distance(trial: Trial, fans: tuple[int, int], moments: tuple[float, float], unit: str) -> float | None:
    """Distance of a trial's layer from one with these fans; None where it is too different."""
    off = [abs(math.log(a / b)) for a, b in zip(fans, trial.fans, strict=True)]
    if unit == "relu":  # which keeps its gain at every size and scale
        return 0.0 if trial.task.startswith("|x_1| by 20") else None
    (mean, variance), (its_mean, its_variance) = moments, trial.moments
    alike = abs(mean - its_mean) <= math.sqrt(its_variance) / 2
    if off[0] > math.log(FAN_IN) or off[1] > math.log(FAN_OUT) or not alike:
        return None
    scale = abs(math.log(variance / its_variance))
    return None if scale > math.log(VARIANCE) else off[0] + off[1] / 2 + scale


def _count(trials: Sequence[Trial]) -> Count:
    """Networks of one task, in one or more sweeps."""
    solved, runs, medians = sum(t.successes for t in trials), sum(t.runs for t in trials), [t.median for t in trials]
    return Count(solved, runs, solved / runs, None if None in medians else _mean(medians))


def _over_tasks(counts: Sequence[Count]) -> Count:
    medians = [c.median for c in counts]
    solved, runs = sum(c.solved for c in counts), sum(c.runs for c in counts)
    return Count(solved, runs, _mean([c.rate for c in counts]), None if None in medians else _mean(medians))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _best(counts: Mapping[str, Count]) -> str | None:
    """The criterion with most solved networks, among equal ones the fastest."""
    if not any(count.solved for count in counts.values()):
        return None
    return min(counts, key=lambda c: (-counts[c].rate, math.inf if counts[c].median is None else counts[c].median))
