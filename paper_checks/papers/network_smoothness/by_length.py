"""What experiments have in common: settings and findings, columns of runs by name and by 1/sigma, whether they fall."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import scipy

from montecarlo import Sweep
from paper_checks import Finding, Status, concluded
from paper_checks.evidence.experiment import decided
from paper_checks.rules.means import told
from paper_checks.rules.rates import RATE


def asked(find: Callable[..., Finding]) -> Callable[..., Callable[[Any], Finding]]:
    """An experiment by its settings: what ``find`` is given after the context, when the experiment is declared."""
    return lambda *settings, **named: lambda context: find(context, *settings, **named)


def columns(context, sweep: Sweep, **point: Any) -> dict[str, np.ndarray]:
    """Columns of the runs by name, at the first setting that has these values."""
    index = next(i for i, p in enumerate(sweep.points) if point.items() <= p.items())
    return dict(zip(sweep.columns, context.rows(sweep)[index].T, strict=True))


def at_lengths(
    sweep: Sweep, rows: list[np.ndarray], column: str, by: str = "inverse_sigma", **point: Any
) -> dict[float, np.ndarray]:
    """A column by 1/sigma, or by another parameter, of the settings that have these values."""
    return {
        p[by]: r[:, sweep.columns.index(column)]
        for p, r in zip(sweep.points, rows, strict=True)
        if all({**sweep.settings, **p}[name] == value for name, value in point.items())
    }


# Columns of the runs of classifiers, before the underscore.
PERTURBED = {
    "sign": "accuracy under a sign step of norm", "step": "accuracy under a gradient step of norm",
    "ascent": "accuracy under gradient ascent of norm", "noise": "accuracy under noise of standard deviation",
}  # fmt: skip


def in_words(column: str) -> str:
    """A column of the runs as it is called in a text."""
    name, _, strength = column.partition("_")
    return f"{PERTURBED[name]} {strength}" if name in PERTURBED else {"clean": "clean accuracy"}.get(column, column)


def medians(found: Mapping[float, np.ndarray]) -> str:
    """Medians over the runs, as text."""
    return ", ".join(f"{np.median(v):.3g} at {length:g}" for length, v in found.items())


def steps_down(
    sweep: Sweep, rows: list[np.ndarray], column: str, points: Mapping[str, Mapping[str, Any]],
    chosen: tuple[float, ...] = (),
) -> tuple[dict[str, np.ndarray], str]:  # fmt: skip
    """What a column loses, run by run, from each value of 1/sigma to the next, at named settings; and its medians."""
    differences, says = {}, []
    for name, point in points.items():
        found = at_lengths(sweep, rows, column, **point)
        found = {length: v for length, v in found.items() if not chosen or length in chosen}
        for one, other in pairwise(found):
            differences[f"{name}, at {one:g} less at {other:g}"] = found[one] - found[other]
        says.append(f"{in_words(column)} by 1/sigma, {name}: {medians(found)}")
    return differences, "; ".join(says)


@asked
def falls(
    context,
    sweep: Sweep,
    column: str,
    points: Mapping[str, Mapping[str, Any]],
    chosen: tuple[float, ...] = (),
    rate: float = RATE,
) -> Finding:
    """An experiment: whether a column falls with 1/sigma in all of these settings, by sign tests."""
    return decided(*steps_down(sweep, context.rows(sweep), column, points, chosen), rate)


def _trend(values: np.ndarray) -> Status:
    """Whether values (runs, lengths) fall from left to right, by Page's exact test, both sides."""
    falling, rising = (scipy.stats.page_trend_test(sign * values, method="exact").pvalue for sign in (-1, 1))
    return told(2 * falling <= RATE, 2 * rising <= RATE)


@asked
def falls_in_order(context, sweep: Sweep, column: str, points: Mapping[str, Mapping[str, Any]]) -> Finding:
    """An experiment: whether a column falls with 1/sigma over all runs at these settings together.

    Page's exact test of the orders: fewer runs tell it than sign tests need, for each step less.
    """
    rows = context.rows(sweep)
    found = {name: at_lengths(sweep, rows, column, **point) for name, point in points.items()}
    values = np.concatenate([np.column_stack(list(v.values())) for v in found.values()])
    ordered = int((np.diff(values, axis=1) < 0).all(axis=1).sum())
    half = values.copy()
    half[::2] = half[::2, ::-1]
    slips = {
        "labels swapped": _trend(values[:, ::-1]) is not Status.CONFIRMED,
        "labels swapped in half of the runs": _trend(half) is not Status.CONFIRMED,
    }
    says = "; ".join(f"{column} by 1/sigma, {name}: {medians(v)}" for name, v in found.items())
    says += f"; in {ordered} of {len(values)} runs each is below the one before"
    status = _trend(values)
    return concluded(status, says, slips if status is Status.CONFIRMED else None)
