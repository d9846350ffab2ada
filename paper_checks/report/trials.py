"""Which unit and which setting to take for which task: trained networks in a table, with what judges them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from paper_checks.claims.claim import Claim
from paper_checks.report.text import escape
from paper_checks.trials import Trial, preferred

__all__ = ["by_task", "compared", "start_of", "taken", "to_take"]


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
        "## What to take", "",
        "By task, what succeeds most often of the networks that were trained, and what Fisher's exact test at 5 % does "
        "not tell from it; with the 95 % interval of Wilson for the success rate, and the iteration at which half of "
        "the networks that succeed had been solved. Starts are those of `paper-checks init` by the named criterion; "
        "others were not trained. Where one setting alone was trained, nothing is said.", "",
    ]  # fmt: skip
    for question, some in groupby(trials, lambda trial: trial.question):
        tasks = [group for group in by_task(some) if compared(group)]
        if tasks:
            lines += [f"| {question} for | take | start | regulariser | others |", "|---|---|---|---|---|"]
            lines += [_row(group) for group in tasks]
            lines.append("")
    claims = list(claims)
    return [*lines, *_judged(trials, claims), *_missing(trials, claims)]


def by_task(trials: Iterable[Trial]) -> list[list[Trial]]:
    """Trials of one question and one task."""
    return [list(group) for _, group in groupby(trials, lambda trial: (trial.question, trial.task))]


def compared(trials: Iterable[Trial]) -> bool:
    """Whether there is a choice: at least two have been trained."""
    return sum(t.runs > 0 for t in trials) > 1


def taken(trials: Sequence[Trial]) -> tuple[list[Trial], list[Trial], list[Trial]]:
    """Of one task: what to take, nothing without a choice, what has been trained besides, and what has not."""
    best = preferred(trials) if compared(trials) else []
    return best, [t for t in trials if t.runs and t not in best], [t for t in trials if not t.runs]


def start_of(trial: Trial) -> str:
    """Units and criteria, layer by layer."""
    return ", then ".join(f"{unit.replace('_', '-')} {criterion}" for unit, criterion in trial.layers)


def _row(trials: Sequence[Trial]) -> str:
    best, rest, missing = taken(trials)
    others = [str(trial) for trial in rest] + ([f"not trained: {_choices(missing)}"] if missing else [])
    cells = [
        trials[0].task, "<br>".join(escape(str(t)) for t in best) or "none succeeds", _cell(start_of(t) for t in best),
        _cell(t.regulariser for t in best), "; ".join(others),
    ]  # fmt: skip
    return "| " + " | ".join([escape(cells[0]), *cells[1:4], escape(cells[4])]) + " |"


def _cell(texts: Iterable[str]) -> str:
    return "<br>".join(escape(text) or "–" for text in texts)


def _choices(trials: Iterable[Trial]) -> str:
    return ", ".join(trial.choice for trial in trials)


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
    return [f"Declared and not trained: `paper-checks train {' '.join(names)}`.", ""]
