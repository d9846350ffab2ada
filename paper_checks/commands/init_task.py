"""paper-checks init task: which unit for which operation, by the networks that were trained with as many inputs."""

from __future__ import annotations

import argparse
import json
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paper_checks.trials import Trial

__all__ = ["OPERATIONS", "add_arguments", "nearest", "run"]

OPERATIONS = ("addition", "subtraction", "multiplication")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options that only this question has."""
    group = parser.add_argument_group("task", "which unit for sums of some of --fan-in inputs, by trained networks of "
                                      "two layers; --fan-out is their hidden size (default 2)")  # fmt: skip
    group.add_argument("--operation", choices=OPERATIONS, help="between two sums (default: each)")


def nearest(trials: Sequence[Trial], operation: str, inputs: int) -> list[Trial]:
    """Trials of an operation with the number of inputs, by ratio, nearest to one; only numbers that were trained.

    Examples
    --------
    >>> from paper_checks.trials import Trial
    >>> def trained(inputs):
    ...     return Trial("unit", "addition", inputs, "a task", "NAU", (), "", "mine/runs", 9, 10)
    >>> [trial.inputs for trial in nearest([trained(4), trained(100)], "addition", 10)]
    [4]
    """
    known = [t for t in trials if t.operation == operation]
    sizes = {t.inputs for t in known if t.runs}
    if not sizes:
        return []
    size = min(sizes, key=lambda n: (abs(math.log(n / inputs)), n))
    return [t for t in known if t.inputs == size]


def run(options: argparse.Namespace) -> int:
    """Print what was trained with about as many inputs, and how to start that.

    Raises
    ------
    ValueError
        For a number of inputs below 1.
    """
    from paper_checks import catalogue

    inputs, hidden = options.fan_in, 2 if options.fan_out is None else options.fan_out
    for name, value in (("fan-in", inputs), ("fan-out", hidden)):
        if value < 1:
            raise ValueError(f"init: --{name} must be at least 1, got {value}; give a number of units")
    trials = [trial for paper in catalogue.load().papers.values() for trial in paper.trials()]
    operations = [options.operation] if options.operation else OPERATIONS
    if options.json:
        found = [t for operation in operations for t in _judged(nearest(trials, operation, inputs))]
        print(json.dumps({"fan_in": inputs, "trials": found}, ensure_ascii=False))
        return os.EX_OK
    for operation in operations:
        some = nearest(trials, operation, inputs)
        print("\n".join(_answer(some, inputs, hidden)) or f"{operation}: no two choices were trained")
    return os.EX_OK


def _judged(trials: Sequence[Trial]) -> Iterator[dict[str, Any]]:
    from paper_checks.report.trials import by_task, taken

    for some in by_task(trials):
        best, _, _ = taken(some)
        yield from ({**asdict(trial), "take": trial in best} for trial in some)


def _answer(trials: Sequence[Trial], inputs: int, hidden: int) -> Iterator[str]:
    from paper_checks.report.trials import by_task, compared, taken

    for some in filter(compared, by_task(trials)):
        best, rest, missing = taken(some)
        yield f"{some[0].question} for {some[0].task}"
        for place, trial in enumerate(best):
            yield f"  {'or  ' if place else 'take'} {trial}" + (f"; {trial.regulariser}" if trial.regulariser else "")
            yield from (f"         {start}" for start in _starts(trial, inputs, hidden))
        yield from (f"  not  {trial}" for trial in rest)
        if missing:
            yield f"  not trained: {', '.join(trial.choice for trial in missing)}"


def _starts(trial: Trial, inputs: int, hidden: int) -> Iterator[str]:
    """The laws of the weights, layer by layer."""
    from theory import initialisation

    for (unit, criterion), fans in zip(trial.layers, ((inputs, hidden), (hidden, 1)), strict=False):
        made = getattr(initialisation, unit)(*fans, criterion)
        yield f"{unit.replace('_', '-')} {fans[0]} -> {fans[1]}, {criterion}: {made.law}"
