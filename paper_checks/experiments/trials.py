"""Results of trained networks by task: how often each unit or setting succeeds, and how fast.

Success rates have Wilson's interval, for tables and figures; no verdict uses it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import scipy

from paper_checks.rules.published import CUSTOMARY
from paper_checks.rules.strata import p_value


def wilson(successes: int, n: int) -> tuple[float, float]:
    """Ends of Wilson's 95 % interval for a probability.

    Parameters
    ----------
    successes, n : int
        Of n runs, at least one.

    Raises
    ------
    ValueError
        When n is 0, or successes are negative or more than runs.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927; the level: nau,
    3.1.1.

    Examples
    --------
    >>> [round(x, 3) for x in wilson(10, 10)]
    [0.722, 1.0]
    """
    limits = scipy.stats.binomtest(successes, n).proportion_ci(CUSTOMARY, "wilson")
    return float(limits.low), float(limits.high)


def success_rate(successes: int, n: int) -> str:
    """A count with Wilson's interval, as text.

    Examples
    --------
    >>> success_rate(13, 100)
    '13/100 [0.08, 0.21]'
    """
    low, high = wilson(successes, n)
    return f"{successes}/{n} [{low:.2f}, {high:.2f}]"


# The usual level of intervals, and of the test that compares choices.
LEVEL = 0.05
# A recommended choice succeeds in half of its runs. Weights within a quarter of -1, 0 and 1 count as discrete.
HALF, NEAR = 1 / 2, 1 / 4


@dataclass(frozen=True)
class Trial:
    """Networks of one kind trained on one task.

    Attributes
    ----------
    question : str
        The kind of choice: the unit, the regulariser.
    operation : str
    inputs, hidden : int
        Units of the network's first two layers.
    task : str
        The task in words; trials of one task and one question are compared.
    choice : str
        The choice in words.
    layers : sequence of (unit, criterion)
        Units and criteria of :mod:`theory.initialisation`, layer by layer; empty where these do not describe it.
    regulariser : str
        In words; empty without one.
    sweep : str
        The name of the runs, with which ``paper-checks train`` makes them.
    successes, runs : int
        No runs where they are not trained yet.
    median : float, optional
        Median of the iterations after which successful networks were solved; None where there are none.
    sparsity : float, optional
        Median over successful networks of the largest distance of a weight from -1, 0 and 1; None without any.
    fans : (int, int), optional
        Inputs and outputs of the layer whose initialisations are compared; empty for other questions.
    moments : (float, float), optional
        Mean and variance of its inputs, as far as the initialisation takes them.

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
    fans: Sequence[int] = ()
    moments: Sequence[float] = ()

    def rate(self) -> str:
        """The count with Wilson's 95 % interval for the success rate."""
        if not self.runs:
            return "not trained"
        return success_rate(self.successes, self.runs)

    def __str__(self) -> str:
        when = f", solved at {self.median:,.0f}" if self.median is not None else ""
        sparse = f", sparsity error {self.sparsity:.2g}" if self.sparsity is not None else ""
        return f"{self.choice} {self.rate()}{when}{sparse}"


class Answer(NamedTuple):
    """The recommended choice for a task, and the other choices.

    Attributes
    ----------
    take : Trial or None
        None where no choice succeeds in half of its runs, or none was compared with another.
    alike : list of Trial
        Choices that do not differ significantly from it (Fisher's exact test, 5 %).
    others, missing : list of Trial
        Other choices that were trained, and choices that were not.
    """

    take: Trial | None
    alike: list[Trial]
    others: list[Trial]
    missing: list[Trial]


def answer(trials: Sequence[Trial]) -> Answer:
    """The recommended choice: it succeeds most often; ties go to discrete weights, then to the fastest.

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
    """Sort key of a choice; the least is the best."""
    blurred = trial.sparsity is not None and trial.sparsity > NEAR
    return -trial.successes / trial.runs, blurred, float("inf") if trial.median is None else trial.median
