"""Figures 5, 8 and 10, as a whole and in parts: fractions of correct answers from one setting to another."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from montecarlo import Sweep
from montecarlo.training.smooth.robustness import NORMS
from paper_checks import Finding, Status, concluded
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import at_lengths, medians
from paper_checks.rules.means import combine
from paper_checks.rules.proportions import Sign, sign_test
from paper_checks.rules.rates import RATE

NOISES = (0.1, 0.2, 0.4, 0.6, 0.8)
SIGN, ASCENT = (tuple(f"{attack}_{v:g}" for v in NORMS) for attack in ("sign", "ascent"))
NOISE = tuple(f"noise_{v:g}" for v in NOISES)


def everywhere(
    sweep: Sweep, columns: tuple[str, ...], by: Callable[[Sweep, list, str], dict[float, np.ndarray]],
    rate: float = RATE,
):  # fmt: skip
    """An experiment: whether shares of correct answers rise at each step of a setting, at every strength."""

    def named(name: str, sign: Sign) -> str:
        return name if rate == RATE else f"{name} (p = {sign.p:.2g})"

    def experiment(context) -> Finding:
        rows, steps = context.rows(sweep), {}
        for column in columns:
            found = by(sweep, rows, column)
            steps |= {f"{column}, {one:g} to {other:g}": found[other] - found[one] for one, other in pairwise(found)}
        signs = {name: sign_test(d, rate) for name, d in steps.items()}
        told = {s: [named(name, sign) for name, sign in signs.items() if sign.status is s] for s in Status}
        says = f"rises: {', '.join(told[Status.CONFIRMED])}; falls: {', '.join(told[Status.REFUTED])}; the others are "
        return concluded(combine([s.status for s in signs.values()]), f"{says}not significant")

    return experiment


def falls_at_all(
    sweep: Sweep, columns: tuple[str, ...], one: float, other: float, rate: float = RATE
) -> Callable[[Any], Finding]:
    """An experiment: whether shares of correct answers fall from one 1/sigma to another, at every strength."""

    def experiment(context) -> Finding:
        found = {column: by_length(sweep, context.rows(sweep), column) for column in columns}
        return decided({column: v[one] - v[other] for column, v in found.items()}, rate=rate)

    return experiment


def step_down(
    sweep: Sweep, column: str, one: float, other: float, by: Callable, rate: float = RATE
) -> Callable[[Any], Finding]:
    """An experiment: whether a share of correct answers falls from one setting to another."""

    def experiment(context) -> Finding:
        found = by(sweep, context.rows(sweep), column)
        return decided({f"{one:g} less {other:g}": found[one] - found[other]}, f"medians: {medians(found)}", rate)

    return experiment


def by_length(sweep: Sweep, rows: list[np.ndarray], column: str) -> dict[float, np.ndarray]:
    """A column of the tanh networks by 1/sigma."""
    return at_lengths(sweep, rows, column, kind="tanh")
