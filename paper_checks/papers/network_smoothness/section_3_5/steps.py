"""Figures 5, 8 and 10, as a whole and in parts: fractions of correct answers from one setting to another."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from montecarlo import Sweep
from montecarlo.training.smooth.robustness import NORMS
from paper_checks import Finding, Status, concluded
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import asked, at_lengths, in_words, medians
from paper_checks.rules.proportions import sign_test
from paper_checks.rules.rates import RATE

DIRECTION = {Status.CONFIRMED: 1, Status.REFUTED: -1, Status.INCONCLUSIVE: 0}
NOISES = (0.1, 0.2, 0.4, 0.6, 0.8)
SIGN, ASCENT = (tuple(f"{attack}_{v:g}" for v in NORMS) for attack in ("sign", "ascent"))
NOISE = tuple(f"noise_{v:g}" for v in NOISES)


By = Callable[[Sweep, list, str], dict[float, np.ndarray]]


def on_average(sweep: Sweep, rows: list[np.ndarray], columns: tuple[str, ...], by: By) -> dict[float, np.ndarray]:
    """Accuracies by setting, averaged over the strengths of a perturbation, run by run."""
    found = [by(sweep, rows, column) for column in columns]
    return {setting: np.mean([f[setting] for f in found], axis=0) for setting in found[0]}


@asked
def trade_off(context, sweep: Sweep, rate: float = RATE, lengths: tuple[float, ...] = ()) -> Finding:
    """An experiment: whether the average accuracy under steps and noise rises with 1/sigma, and the clean one falls."""
    rows, rises, says = context.rows(sweep), {}, []
    for name, columns, sign in (("sign steps", SIGN, 1), ("noise", NOISE, 1), ("no perturbation", ("clean",), -1)):
        found = on_average(sweep, rows, columns, by_length)
        for one, other in pairwise(lengths or found):
            first, last = (other, one)[::sign]
            rises[f"{name}, at {first:g} less at {last:g}"] = found[first] - found[last]
        says.append(f"median accuracy under {name} by 1/sigma: {medians(found)}")
    return decided(rises, "; ".join(says), rate)


def directions(sweep: Sweep, rows: list[np.ndarray], columns: tuple[str, ...], rate: float) -> np.ndarray:
    """For each strength and step of 1/sigma: 1 where the accuracy rises, -1 where it falls, 0 if not significant."""
    found = [by_length(sweep, rows, column) for column in columns]
    return np.array([DIRECTION[sign_test(f[b] - f[a], rate).status] for f in found for a, b in pairwise(f)])


@asked
def alike(context, sweep: Sweep, declared: Callable[[Any], Finding], rate: float = RATE) -> Finding:
    """An experiment: what was declared, and that ascents reverse no effect of 1/sigma under the sign step."""
    rows, first = context.rows(sweep), declared(context)
    same = directions(sweep, rows, SIGN, rate) * directions(sweep, rows, ASCENT, rate)
    says = f"{first.says}; significant under both attacks: {(same != 0).sum()} of {len(same)} steps, "
    says += f"{(same < 0).sum()} of them reversed"
    status = Status.REFUTED if (same < 0).any() else first.printed
    return concluded(status, says, {"labels of ascents swapped": bool((same > 0).any())})


@asked
def falls_at_all(
    context, sweep: Sweep, columns: tuple[str, ...], one: float, other: float, rate: float = RATE
) -> Finding:
    """An experiment: whether shares of correct answers fall from one 1/sigma to another, at every strength."""
    found = {column: by_length(sweep, context.rows(sweep), column) for column in columns}
    return decided(
        {f"{in_words(c)}, at {one:g} less at {other:g}": v[one] - v[other] for c, v in found.items()}, rate=rate
    )


@asked
def step_down(
    context, sweep: Sweep, column: str, one: float, other: float, by: Callable, rate: float = RATE
) -> Finding:
    """An experiment: whether a share of correct answers falls from one setting to another."""
    found = by(sweep, context.rows(sweep), column)
    return decided({f"at {one:g} less at {other:g}": found[one] - found[other]}, f"medians: {medians(found)}", rate)


def by_length(sweep: Sweep, rows: list[np.ndarray], column: str) -> dict[float, np.ndarray]:
    """A column of the tanh networks by 1/sigma."""
    return at_lengths(sweep, rows, column, kind="tanh")
