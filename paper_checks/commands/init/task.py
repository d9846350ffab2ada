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
    from paper_checks.experiments.trials import Trial

__all__ = ["OPERATIONS", "add_arguments", "nearest", "run"]

OPERATIONS = ("addition", "subtraction", "multiplication")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options that only this question has."""
    group = parser.add_argument_group("task", "which unit for sums of some of --fan-in inputs, by trained networks of "
                                      "two layers; --fan-out is their hidden size (default 2)")  # fmt: skip
    group.add_argument("--operation", choices=OPERATIONS, help="between two sums (default: each)")


def nearest(trials: Sequence[Trial], operation: str, inputs: int, hidden: int = 2) -> list[Trial]:
    """Trials of an operation with the number of inputs, by ratio, nearest to one, of these with the nearest number of
    hidden units; only numbers that were trained.

    Examples
    --------
    >>> from paper_checks.experiments.trials import Trial
    >>> def trained(inputs, hidden):
    ...     return Trial("unit", "addition", inputs, hidden, "a task", "NAU", (), "", "mine/runs", 9, 10)
    >>> some = [trained(4, 2), trained(100, 2), trained(100, 3)]
    >>> [(trial.inputs, trial.hidden) for trial in nearest(some, "addition", 40, 5)]
    [(100, 3)]
    """
    known = [t for t in trials if t.operation == operation]
    for name, wanted in (("inputs", inputs), ("hidden", hidden)):
        sizes = {getattr(t, name) for t in known if t.runs}
        if not sizes:
            return []
        size = min(sizes, key=lambda n, wanted=wanted: (abs(math.log(n / wanted)), n))
        known = [t for t in known if getattr(t, name) == size]
    return known


def run(options: argparse.Namespace) -> int:
    """Print what was trained with about as many inputs, and how to start that.

    Raises
    ------
    ValueError
        For a number of inputs below 1.
    """
    from paper_checks.claims import catalogue

    inputs, hidden = options.fan_in, 2 if options.fan_out is None else options.fan_out
    for name, value in (("fan-in", inputs), ("fan-out", hidden)):
        if value < 1:
            raise ValueError(f"init: --{name} must be at least 1, got {value}; give a number of units")
    trials = [trial for paper in catalogue.load().papers.values() for trial in paper.trials()]
    operations = [options.operation] if options.operation else OPERATIONS
    if options.json:
        found = [t for operation in operations for t in _judged(nearest(trials, operation, inputs, hidden))]
        print(json.dumps({"fan_in": inputs, "fan_out": hidden, "trials": found}, ensure_ascii=False))
        return os.EX_OK
    for operation in operations:
        some = nearest(trials, operation, inputs, hidden)
        print("\n".join(_answer(some, inputs, hidden)) or _nothing(trials, operation))
    return os.EX_OK


def _judged(trials: Sequence[Trial]) -> Iterator[dict[str, Any]]:
    from paper_checks.experiments.trials import answer
    from paper_checks.report.trials import by_task

    for some in by_task(trials):
        found = answer(some)
        yield from ({**asdict(t), "take": t == found.take, "alike": t in found.alike} for t in some)


def _nothing(trials: Sequence[Trial], operation: str) -> str:
    names = dict.fromkeys(t.sweep for t in trials if t.operation == operation and not t.runs)
    if not names:
        return f"{operation}: no two choices were trained"
    return f"{operation}: no runs as declared are stored; paper-checks train {' '.join(names)}"


def _answer(trials: Sequence[Trial], inputs: int, hidden: int) -> Iterator[str]:
    """Task by task; how to start what is taken where that is first said."""
    from paper_checks.experiments.trials import answer
    from paper_checks.report.trials import by_task, compared

    told: set[tuple] = set()
    for some in filter(compared, by_task(trials)):
        found = answer(some)
        yield f"{some[0].question} for {some[0].task}"
        if found.take is None:
            yield "  none succeeds in half of its runs"
        else:
            yield f"  take {found.take}" + (f"; {found.take.regulariser}" if found.take.regulariser else "")
            if (layers := tuple(found.take.layers)) not in told:
                yield from (f"         {line}" for line in _starts(found.take, inputs, hidden))
            told.add(layers)
        yield from (f"  or   {trial}, not told apart by so many runs" for trial in found.alike)
        yield from (f"  not  {trial}" for trial in found.others)
        if found.missing:
            yield f"  not trained: {', '.join(trial.choice for trial in found.missing)}"


def _starts(trial: Trial, inputs: int, hidden: int) -> Iterator[str]:
    """The laws of the weights, layer by layer, and whether networks of this size were trained."""
    from theory import initialisation

    for (unit, criterion), fans in zip(trial.layers, ((inputs, hidden), (hidden, 1)), strict=False):
        made = getattr(initialisation, unit)(*fans, criterion)
        yield f"{unit.replace('_', '-')} {fans[0]} -> {fans[1]}, {criterion}: {made.law}"
    if trial.layers and (inputs, hidden) != (trial.inputs, trial.hidden):
        yield f"trained were {trial.inputs} -> {trial.hidden} -> 1, by the same criteria"
