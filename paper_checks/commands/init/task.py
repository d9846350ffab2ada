"""``paper-checks init task``: recommended units for an operation, by networks trained with a similar size."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paper_checks.experiments.trials import Trial

OPTIONS = ("operation", "details")
OPERATIONS = ("addition", "subtraction", "multiplication")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that only this question has."""
    group = parser.add_argument_group("task", "which unit for sums of some of --fan-in inputs, by trained networks of "
                                      "two layers; --fan-out is their hidden size (default 2)")  # fmt: skip
    group.add_argument("--operation", choices=OPERATIONS, help="operation between two sums (default: each)")
    group.add_argument(
        "--details", action="store_true", default=None, help="show all tasks and regularisers (default: one task each)"
    )  # fmt: skip


def nearest(trials: Sequence[Trial], operation: str, inputs: int, hidden: int = 2) -> list[Trial]:
    """Trials of an operation with the nearest trained number of inputs, and of these with the nearest hidden size.

    Nearest by ratio.

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


def run(options: argparse.Namespace) -> None:
    """Print the results of networks with about as many inputs, and their initialisation."""
    from paper_checks.experiments import trained

    inputs, hidden = options.fan_in, 2 if options.fan_out is None else options.fan_out
    trials = [trial for trial in trained.read() if not trial.fans]
    operations = [options.operation] if options.operation else OPERATIONS
    if options.json:
        found = [t for operation in operations for t in _judged(nearest(trials, operation, inputs, hidden))]
        print(json.dumps({"fan_in": inputs, "fan_out": hidden, "trials": found}, ensure_ascii=False))
        return
    if not options.details:
        print(f"Units for sums of some of {inputs} inputs, in networks {inputs} -> {hidden} -> 1, by trained networks.")
        print("All tasks and regularisers: add --details")
    for operation in operations:
        some = nearest(trials, operation, inputs, hidden)
        found = _answer(some, inputs, hidden) if options.details else _summary(some, inputs, hidden)
        print("\n".join(found) or _nothing(trials, operation))


def _summary(trials: Sequence[Trial], inputs: int, hidden: int) -> Iterator[str]:
    """Recommended unit for an operation, by the task with most trained networks."""
    from paper_checks.experiments.trials import answer
    from paper_checks.report.trials import by_task, compared

    tasks = [some for some in by_task(t for t in trials if t.question == "unit") if compared(some)]
    if not tasks:
        return
    some = max(tasks, key=lambda task: (sum(t.runs for t in task), -len(task)))
    found, size = answer(some), f"{some[0].inputs} -> {some[0].hidden} -> 1"
    yield f"\n{some[0].operation.capitalize()}, trained on {some[0].task}, {size}:"
    if found.take is None:
        yield "  No unit solves half of its networks."
    else:
        yield f"  take         {_counted(found.take)}"
        for line in _laws(found.take, inputs, hidden):
            yield f"               {line}"
        if found.take.regulariser:
            yield f"  regulariser  {found.take.regulariser}"
    if found.alike:
        yield f"  as good      {'; '.join(map(_counted, found.alike))} (Fisher's exact test, p > 5 %)"
    if found.others:
        yield f"  worse        {'; '.join(map(_counted, found.others))}"


def _counted(trial: Trial) -> str:
    when = f", median {trial.median:,.0f} iterations" if trial.median is not None else ""
    return f"{trial.choice}: {trial.successes} of {trial.runs} networks solved{when}"


def _judged(trials: Sequence[Trial]) -> Iterator[dict[str, Any]]:
    from paper_checks.experiments.trials import answer
    from paper_checks.report.trials import by_task

    for some in by_task(trials):
        found = answer(some)
        yield from ({**asdict(t), "take": t == found.take, "alike": t in found.alike} for t in some)


def _nothing(trials: Sequence[Trial], operation: str) -> str:
    names = dict.fromkeys(t.sweep for t in trials if t.operation == operation and not t.runs)
    if not names:
        return f"{operation}: fewer than two choices were trained"
    return f"{operation}: no runs with the declared settings are stored; run paper-checks train {' '.join(names)}"


def _answer(trials: Sequence[Trial], inputs: int, hidden: int) -> Iterator[str]:
    """Results task by task; the initialisation of a choice where it is first recommended."""
    from paper_checks.experiments.trials import answer
    from paper_checks.report.trials import by_task, compared

    shown: set[tuple] = set()
    for some in filter(compared, by_task(trials)):
        found = answer(some)
        yield f"{some[0].question} for {some[0].task}"
        if found.take is None:
            yield "  no choice succeeds in half of its runs"
        else:
            yield f"  take {found.take}" + (f"; {found.take.regulariser}" if found.take.regulariser else "")
            if (layers := tuple(found.take.layers)) not in shown:
                yield from (f"         {line}" for line in _laws(found.take, inputs, hidden))
                if layers and (inputs, hidden) != (found.take.inputs, found.take.hidden):
                    size = f"{found.take.inputs} -> {found.take.hidden} -> 1"
                    yield f"         the trained networks were {size}, initialised by the same criteria"
            shown.add(layers)
        yield from (
            f"  or   {trial}, not significantly different (Fisher's exact test, p > 5 %)" for trial in found.alike
        )
        yield from (f"  not  {trial}" for trial in found.others)
        if found.missing:
            yield f"  not trained: {', '.join(trial.choice for trial in found.missing)}"


def _laws(trial: Trial, inputs: int, hidden: int) -> Iterator[str]:
    """The initialisation of each layer."""
    from theory import initialisation

    for (unit, criterion), fans in zip(trial.layers, ((inputs, hidden), (hidden, 1)), strict=False):
        made = getattr(initialisation, unit)(*fans, criterion)
        yield f"{unit.replace('_', '-')} {fans[0]} -> {fans[1]}, {criterion}: {made.law}"
