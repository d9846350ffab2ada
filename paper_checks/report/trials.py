"""Recommendations by task, from trained networks, with the claims on these runs."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from paper_checks.claims.claim import Claim
from paper_checks.experiments.trials import Trial, answer
from paper_checks.report.text import escape, tabular

# The question of which sums are made over tasks, from so many tasks of an operation on.
MANY = ("unit", 5)


def to_take(trials: Sequence[Trial], claims: Iterable[Claim]) -> list[str]:
    """A section of Markdown; nothing where there are no trials.

    Parameters
    ----------
    trials : sequence of Trial
    claims : iterable of Claim
        Those on the same runs are named below.
    """
    if not trials:
        return []
    lines = [
        "## Recommendations", "",
        "For each task, the table recommends the choice with the highest success rate among our trained networks, if "
        "it succeeds in at least half of the runs. Choices that Fisher's exact test at 5 % does not distinguish from "
        "it are listed beside it; ten runs have little power. Ties are broken by weights within 1/4 of -1, 0 and 1, "
        "then by the earlier solution. Success rates have 95 % Wilson intervals. Of successful networks, 'solved at' "
        "is the median iteration of the solution, 'sparsity error' the median of the largest distance of a weight "
        "from -1, 0 and 1. Initial values are those of `paper-checks init` by the named criterion, 'published' those "
        "of the authors' code. Settings without an alternative are left out, and so are runs that were added at "
        "other seeds; claims may use them.", "",
    ]  # fmt: skip
    for question, some in groupby(trials, lambda trial: trial.question):
        tasks = [group for group in by_task(some) if compared(group)]
        if tasks:
            head = (f"{question} for", "recommended", "initial values", "regulariser", "not distinguished", "others")
            lines += [*tabular(head, map(_row, tasks)), *_together(question, tasks)]
    claims = list(claims)
    return [*lines, *_judged(trials, claims), *_missing(trials, claims)]


def by_task(trials: Iterable[Trial]) -> list[list[Trial]]:
    """Trials of one question and one task."""
    return [list(group) for _, group in groupby(trials, lambda trial: (trial.question, trial.task))]


def compared(trials: Iterable[Trial]) -> bool:
    """Whether there is a choice: at least two have been trained."""
    return sum(t.runs > 0 for t in trials) > 1


def start_of(trial: Trial) -> str:
    """Units and criteria, layer by layer."""
    return ", then ".join(f"{unit.replace('_', '-')} {criterion}" for unit, criterion in trial.layers)


def _row(trials: Sequence[Trial]) -> list[str]:
    found = answer(trials)
    others = [str(trial) for trial in found.others]
    others += [f"not trained: {', '.join(t.choice for t in found.missing)}"] if found.missing else []
    take = found.take
    cells = [
        trials[0].task,
        *((str(take), start_of(take) or "–", take.regulariser or "–") if take else ("none succeeds in half", "", "")),
        "; ".join(map(str, found.alike)),
        "; ".join(others),
    ]
    return [*map(escape, cells)]


def _together(question: str, tasks: Sequence[Sequence[Trial]]) -> list[str]:
    """Of an operation with many tasks: what those choices do over all that were trained on each."""
    lines = []
    for operation in dict.fromkeys(group[0].operation for group in tasks):
        some = [{t.choice: t for t in group if t.runs} for group in tasks if group[0].operation == operation]
        everywhere = [choice for choice in some[0] if all(choice in group for group in some)]
        if question == MANY[0] and len(some) >= MANY[1] and everywhere:
            by = {choice: [group[choice] for group in some] for choice in everywhere}
            sums = (f"{c} {sum(t.successes for t in ts)} of {sum(t.runs for t in ts)}" for c, ts in by.items())
            lines += [f"All {len(some)} tasks of {operation} together: {', '.join(sums)}.", ""]
    return lines


def _judged(trials: Sequence[Trial], claims: Iterable[Claim]) -> list[str]:
    """The claims on these runs, by sweep."""
    named: Mapping[str, list[str]] = {trial.sweep: [] for trial in trials if trial.runs}
    for claim in claims:
        for sweep in claim.runs:
            if sweep.name in named and not claim.unchecked:
                named[sweep.name].append(f"`{claim.id}`")
    lines = [f"- `{sweep}`: {', '.join(ids) or 'none yet'}" for sweep, ids in named.items()]
    return ["Claims on these runs:", "", *lines, ""] if lines else []


def _missing(trials: Sequence[Trial], claims: Iterable[Claim]) -> list[str]:
    """What these trials and open claims wait for."""
    names = dict.fromkeys(trial.sweep for trial in trials if not trial.runs)
    waiting = [claim for claim in claims if claim.unchecked]
    names |= dict.fromkeys(sweep.name for claim in waiting for sweep in claim.runs if not sweep.path.is_file())
    if not names:
        return []
    return [f"Declared but not trained: `paper-checks train {' '.join(names)}`.", ""]
