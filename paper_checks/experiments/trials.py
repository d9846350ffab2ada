"""Trained networks as a practitioner asks for them: by task, which unit or setting succeeds how often, and how soon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from paper_checks.experiments.success_rates import success_rate
from paper_checks.rules.reproduction import p_value

__all__ = ["LEVEL", "Answer", "Trial", "answer"]

# The customary level: of intervals, and of the test by which choices are told apart.
LEVEL = 0.05
# A choice is taken that succeeds in half of its runs; weights are discrete that are within a quarter of -1, 0 and 1.
HALF, NEAR = 1 / 2, 1 / 4


@dataclass(frozen=True)
class Trial:
    """Networks of one kind trained on one task.

    Attributes
    ----------
    question : str
        What is to be chosen: the unit, the regulariser.
    operation : str
    inputs, hidden : int
        Units of the network's first two layers.
    task : str
        What was to be learnt, in words; trials of one task and one question are compared.
    choice : str
        What was taken, in words.
    layers : sequence of (unit, criterion)
        Units and criteria of :mod:`theory.initialisation`, layer by layer; empty where these do not describe it.
    regulariser : str
        In words; empty without one.
    sweep : str
        The name of the runs, with which ``paper-checks train`` makes them.
    successes, runs : int
        No runs where they are not trained yet.
    median : float, optional
        When half of those that succeed had been solved first; None where none has.
    sparsity : float, optional
        Of those that succeed, the median of the largest distance of a weight from -1, 0 and 1; None where none has.

    Examples
    --------
    >>> print(Trial("unit", "addition", 4, 2, "addition, 4 inputs", "NAU", (), "", "mine/runs", 9, 10, 2000.0, 0.001))
    NAU 9/10 [0.60, 0.98], solved at 2,000, sparsity error 0.001
    >>> print(Trial("unit", "addition", 4, 2, "addition, 4 inputs", "NMU", (), "", "mine/runs"))
    NMU not trained
    """

    question: str
    operation: str
    inputs: int
    hidden: int
    task: str
    choice: str
    layers: Sequence[tuple[str, str]]
    regulariser: str
    sweep: str
    successes: int = 0
    runs: int = 0
    median: float | None = None
    sparsity: float | None = None

    def rate(self) -> str:
        """The count with the 95 % interval of Wilson for the success rate."""
        if not self.runs:
            return "not trained"
        return success_rate(self.successes, self.runs)

    def __str__(self) -> str:
        when = f", solved at {self.median:,.0f}" if self.median is not None else ""
        sparse = f", sparsity error {self.sparsity:.2g}" if self.sparsity is not None else ""
        return f"{self.choice} {self.rate()}{when}{sparse}"


class Answer(NamedTuple):
    """What to take for a task, and what became of the other choices.

    Attributes
    ----------
    take : Trial or None
        None where no choice succeeds in half of its runs, or none was compared with another.
    alike : list of Trial
        Those that Fisher's exact test at 5 % does not tell from it.
    others, missing : list of Trial
        Those that were trained besides, and those that were not.
    """

    take: Trial | None
    alike: list[Trial]
    others: list[Trial]
    missing: list[Trial]


def answer(trials: Sequence[Trial]) -> Answer:
    """The choice that succeeds most often; of equally good ones that with discrete weights, then that solved first.

    Examples
    --------
    >>> kinds = [("NMU", 92), ("NAU", 0), ("NAC", 88)]
    >>> trials = [Trial("unit", "addition", 4, 2, "a task", name, (), "", "mine/runs", n, 100) for name, n in kinds]
    >>> found = answer(trials)
    >>> found.take.choice, [t.choice for t in found.alike], [t.choice for t in found.others]
    ('NMU', ['NAC'], ['NAU'])
    """
    trained = sorted((t for t in trials if t.runs), key=_merit)
    missing = [t for t in trials if not t.runs]
    if len(trained) < 2 or trained[0].successes < HALF * trained[0].runs:
        return Answer(None, [], trained, missing)
    take, *rest = trained
    alike = [t for t in rest if p_value(t.successes, t.runs, take.successes, take.runs) > LEVEL]
    return Answer(take, alike, [t for t in rest if t not in alike], missing)


def _merit(trial: Trial) -> tuple[float, bool, float]:
    """The least is the best."""
    blurred = trial.sparsity is not None and trial.sparsity > NEAR
    return -trial.successes / trial.runs, blurred, float("inf") if trial.median is None else trial.median
