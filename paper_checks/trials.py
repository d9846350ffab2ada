"""Trained networks as a practitioner asks for them: by task, which unit or setting succeeds how often, and how soon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paper_checks.rules.reproduction import p_value
from paper_checks.success_rates import success_rate

__all__ = ["LEVEL", "Trial", "preferred"]

# The customary level: of intervals, and of the test by which choices are told apart.
LEVEL = 0.05


@dataclass(frozen=True)
class Trial:
    """Networks of one kind trained on one task.

    Attributes
    ----------
    question : str
        What is to be chosen: the unit, the regulariser.
    operation : str
    inputs : int
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

    Examples
    --------
    >>> print(Trial("unit", "addition", 4, "addition, 4 inputs", "NAU", (), "", "mine/runs", 9, 10, 2000.0))
    NAU 9/10 [0.60, 0.98], solved at 2,000
    >>> print(Trial("unit", "addition", 4, "addition, 4 inputs", "NMU", (), "", "mine/runs"))
    NMU not trained
    """

    question: str
    operation: str
    inputs: int
    task: str
    choice: str
    layers: Sequence[tuple[str, str]]
    regulariser: str
    sweep: str
    successes: int = 0
    runs: int = 0
    median: float | None = None

    def rate(self) -> str:
        """The count with the 95 % interval of Wilson for the success rate."""
        if not self.runs:
            return "not trained"
        return success_rate(self.successes, self.runs)

    def __str__(self) -> str:
        when = f", solved at {self.median:,.0f}" if self.median is not None else ""
        return f"{self.choice} {self.rate()}{when}"


def preferred(trials: Sequence[Trial]) -> list[Trial]:
    """The one that succeeds most often, and those that Fisher's exact test does not tell from it at 5 %.

    The best comes first, of equally good ones that which is solved first. None where none has succeeded.

    Examples
    --------
    >>> kinds = [("NMU", 92), ("NAU", 0), ("NAC", 88)]
    >>> trials = [Trial("unit", "addition", 4, "a task", name, (), "", "mine/runs", n, 100) for name, n in kinds]
    >>> [trial.choice for trial in preferred(trials)]
    ['NMU', 'NAC']
    """
    able = [trial for trial in trials if trial.successes]
    able.sort(key=lambda t: (-t.successes / t.runs, float("inf") if t.median is None else t.median))
    return [t for t in able if p_value(t.successes, t.runs, able[0].successes, able[0].runs) > LEVEL]
