"""Stored runs in pairs, and tests of their differences that suppose no law of the results.

What is compared are differences by run, or by draw of the data, which are independent. Each test errs with a
probability of at most ``RATE``, like every comparison in this project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import binom

from paper_checks.findings import Finding
from paper_checks.verdict import FAMILY, FAMILY_ERROR, Status, combine

__all__ = [
    "RATE",
    "Sign",
    "compare_signs",
    "decided",
    "judged",
    "listed",
    "median_interval",
    "sign_test",
    "signs_text",
]

RATE = FAMILY_ERROR / FAMILY


@dataclass(frozen=True)
class Sign:
    """How many differences are above and below 0, and whether that decides that more of them are above.

    CONFIRMED or REFUTED where a fair coin would show as many on one side with a probability of at most ``RATE``, both
    sides together; differences of 0 are left out, as the test asks on which side a difference falls.
    """

    above: int
    below: int
    status: Status

    def __str__(self) -> str:
        return f"{self.above} above, {self.below} below"


def sign_test(differences: np.ndarray) -> Sign:
    """The exact sign test.

    Examples
    --------
    >>> print(sign_test(np.ones(48)), sign_test(np.ones(48)).status)
    48 above, 0 below CONFIRMED
    >>> sign_test(np.arange(-10, 30)).status
    <Status.INCONCLUSIVE: 'INCONCLUSIVE'>
    """
    above, below = int((differences > 0).sum()), int((differences < 0).sum())
    chance = 2 * binom.cdf(min(above, below), above + below, 0.5)
    if above + below == 0 or chance > RATE:
        return Sign(above, below, Status.INCONCLUSIVE)
    return Sign(above, below, Status.CONFIRMED if above > below else Status.REFUTED)


def median_interval(values: np.ndarray) -> tuple[float, float]:
    """Two order statistics that miss the median of the values' law with a probability of at most ``RATE``.

    Raises
    ------
    ValueError
        For fewer values than can tell.

    Examples
    --------
    >>> median_interval(np.arange(48.0))
    (2.0, 45.0)
    """
    n = len(values)
    left_out = int(binom.ppf(RATE / 2, n, 0.5))
    while left_out >= 0 and 2 * binom.cdf(left_out, n, 0.5) > RATE:
        left_out -= 1
    if left_out < 0:
        raise ValueError(f"median_interval: values must be at least 37, got {n}; take more runs")
    ordered = np.sort(values)
    return float(ordered[left_out]), float(ordered[n - 1 - left_out])


def compare_signs(differences: Mapping[str, np.ndarray], seed: int = 1) -> tuple[dict[str, Sign], dict[str, bool]]:
    """Sign tests by name, and for each mistake whether it would have been noticed in all of them.

    The mistakes: labels that are swapped in every run, and in every other one.
    """
    rng = np.random.default_rng(seed)
    signs = {name: sign_test(d) for name, d in differences.items()}
    swapped = all(sign_test(-d).status is not Status.CONFIRMED for d in differences.values())
    mixed = all(
        sign_test(d * rng.permutation(np.resize([1, -1], len(d)))).status is not Status.CONFIRMED
        for d in differences.values()
    )
    return signs, {"labels swapped": swapped, "labels swapped in half of the runs": mixed}


def decided(differences: Mapping[str, np.ndarray], says: str = "") -> Finding:
    """A finding from sign tests: CONFIRMED where all are, REFUTED where one is, with their counts."""
    signs, slips = compare_signs(differences)
    status = combine([s.status for s in signs.values()])
    text = "; ".join(t for t in (says, signs_text(signs)) if t)
    return judged(status, text, slips if status is Status.CONFIRMED else None)


def judged(status: Status, says: str, slips: Mapping[str, bool] | None = None) -> Finding:
    """A finding from stored runs; ``slips`` says of each mistake whether it was rejected.

    A sentence that is refuted is so by a check that holds: its opposite is confirmed.
    """
    slips = slips or {}
    kept = tuple(name for name, rejected in slips.items() if not rejected)
    truth = Status.INCONCLUSIVE if status is Status.INCONCLUSIVE else Status.CONFIRMED
    return Finding("experiment", truth, status, says, len(slips) - len(kept), len(slips), kept)


def signs_text(signs: Mapping[str, Sign]) -> str:
    """Counts by name."""
    return listed(signs.items(), lambda name, sign: f"{name}: {sign}")


def listed(items: Iterable[Any], text: Callable[..., str]) -> str:
    """Texts of items, separated by semicolons."""
    return "; ".join(text(*item) for item in items)
