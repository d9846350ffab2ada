"""Tables 3 to 6 as printed, how two of their rows compare, and what the tests of this paper share.

Success rates are counts, of 100 seeds in Table 3 and of 10 in the others, which print multiples of 10 % only.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import scipy

from paper_checks import concluded, standard_error
from paper_checks.evidence.finding import Finding
from paper_checks.experiments.trials import success_rate
from paper_checks.rules.means import Status
from paper_checks.rules.replication import FAMILY_WISE
from paper_checks.rules.strata import p_value

# The level of the paper's own intervals.
CUSTOMARY = 0.05

# Published numbers that are compared with our runs, and pooled tests of published counts, over all claims. A test
# counts them.
COMPARISONS = 546
# Sentences of the form "A succeeds more often than B" or "A is solved earlier than B" that are judged at 1 % within the
# paper: published numbers against published ones, and runs against runs where more of them take hours. A test counts
# them.
COMPARED_SENTENCES = 24
SENTENCE = FAMILY_WISE / COMPARED_SENTENCES
SHARED = f"{COMPARED_SENTENCES} compared sentences of the paper share an error rate of 1 %, {SENTENCE:.1e} each"


@dataclass(frozen=True)
class Row:
    """A row of a table as printed: successes of a number of seeds, and where some succeed the median, and mean and half
    width of the interval of "solved at" and of the sparsity error."""

    successes: int
    seeds: int
    median: float | None = None
    solved: tuple[float, float] | None = None
    sparsity: tuple[float, float] | None = None

    def wilson(self) -> str:
        """The count with the 95 % interval of Wilson for the success rate."""
        return success_rate(self.successes, self.seeds)


def of_ten(rate: int, *rest) -> Row:
    return Row(rate // 10, 10, *rest)


TABLE_3 = {
    "NAC mul": Row(13, 100, 4.1e4, (4.4e4, 6.6e3), (7.5e-6, 2.0e-6)),
    "NALU": Row(26, 100, 4.7e4, (5.4e4, 8.2e3), (9.2e-6, 1.7e-6)),
    "NMU": Row(94, 100, 1.3e4, (1.7e4, 3.3e3), (5.2e-5, 4.0e-5)),
}
TABLE_4 = {
    ("-", "NAC add"): of_ten(100, 8.0e3, (1.5e6, 1.5e6), (4.6e-1, 2.9e-2)),
    ("-", "Linear"): of_ten(100, 1.1e6, (1.9e6, 1.3e6), (3.7e-1, 1.1e-1)),
    ("-", "NALU"): of_ten(20, 3.6e6, (3.6e6, 1.3e7), (4.7e-1, 3.3e-1)),
    ("-", "NAU"): of_ten(100, 4.0e3, (4.2e3, 3.0e2), (1.9e-3, 4.2e-4)),
    ("x", "NAC mul"): of_ten(30, 2.5e6, (2.5e6, 1.5e6), (3.9e-4, 9.4e-4)),
    ("x", "Linear"): of_ten(0),
    ("x", "NALU"): of_ten(0),
    ("x", "NMU"): of_ten(90, 1.4e6, (1.6e6, 5.6e5), (1.8e-3, 1.1e-3)),
    ("+", "NAC add"): of_ten(100, 6.0e4, (7.1e4, 2.4e4), (4.8e-1, 2.0e-2)),
    ("+", "Linear"): of_ten(100, 4.2e4, (4.2e4, 1.9e3), (6.1e-1, 1.2e-1)),
    ("+", "NALU"): of_ten(0),
    ("+", "NAU"): of_ten(100, 1.8e4, (7.0e5, 9.2e5), (1.7e-3, 8.0e-4)),
}
# Table 5 has the rows of Table 4 and these.
TABLE_5 = TABLE_4 | {
    ("-", "NAC mul"): of_ten(0),
    ("-", "NMU"): of_ten(60, 3.1e5, (3.0e5, 8.8e3), (1.2e-4, 1.6e-4)),
    ("-", "ReLU"): of_ten(0),
    ("-", "ReLU6"): of_ten(0),
    ("x", "NAC add"): of_ten(0),
    ("x", "NAU"): of_ten(0),
    ("x", "ReLU"): of_ten(0),
    ("x", "ReLU6"): of_ten(0),
    ("+", "NAC mul"): of_ten(0),
    ("+", "NMU"): of_ten(0),
    ("+", "ReLU"): of_ten(80, 4.2e4, (8.4e5, 1.1e6), (7.3e-1, 2.3e-1)),
    ("+", "ReLU6"): of_ten(0),
}
TABLE_6 = {
    "NAC mul": of_ten(40, 2.8e6, (3.1e6, 2.0e6), (2.8e-2, 8.9e-2)),
    "NAC mul (W = sigmoid)": of_ten(100, 1.9e6, (1.9e6, 3.1e5), (1.1e-4, 1.0e-4)),
    "NMU": of_ten(100, 1.2e6, (1.2e6, 2.0e5), (1.6e-3, 9.2e-4)),
    "NMU (W = W_hat)": of_ten(100, 1.3e6, (1.2e6, 1.9e5), (3.9e-3, 1.2e-3)),
    "NMU (z = W x)": of_ten(100, 1.2e6, (1.2e6, 2.0e5), (1.6e-3, 9.2e-4)),
    "NMU (no R_oob)": of_ten(100, 1.2e6, (1.2e6, 1.9e5), (1.7e-3, 4.6e-4)),
    "NMU (no R_sparse, no R_oob)": of_ten(100, 1.1e6, (1.1e6, 1.8e5), (3.3e-4, 4.5e-5)),
    "NMU (no R_sparse)": of_ten(100, 1.2e6, (1.2e6, 1.9e5), (1.7e-3, 9.0e-4)),
}
# In the authors' corrected table, stable-nalu, commit 046ba27, which has all other rows as published.
Z_IS_W_X = "NMU (z = W x)"
CORRECTED_6 = TABLE_6 | {Z_IS_W_X: replace(TABLE_6[Z_IS_W_X], sparsity=(1.9e-3, 4.9e-4))}


def fisher(one: Row, other: Row) -> float:
    """The two-sided p-value for equal success rates, of rows or of runs."""
    return p_value(one.successes, one.seeds, other.successes, other.seeds)


def more_often(one: Row, other: Row) -> tuple[float, bool]:
    """Fisher's p-value, and whether the first succeeds more often."""
    return fisher(one, other), one.successes * other.seeds > other.successes * one.seeds


def welch(one: tuple[float, float], n: int, other: tuple[float, float], m: int) -> float:
    """The two-sided p-value for equal means, of n and m runs, by their printed half widths (Welch's t).

    Examples
    --------
    >>> round(welch((1.6e6, 5.6e5), 9, (2.5e6, 1.5e6), 3), 2)
    0.1
    """
    sample, others = ((mean, standard_error(half, k) * k**0.5, k) for (mean, half), k in ((one, n), (other, m)))
    return float(scipy.stats.ttest_ind_from_stats(*sample, *others, equal_var=False).pvalue)


def ordered(tests: Iterable[tuple[float, bool]], level: float = SENTENCE) -> Status:
    """Whether a sentence on several pairs holds: by each pair's two-sided p-value, and whether its order is as said.

    It is confirmed where every pair confirms it, and refuted where one contradicts it, at its part of the level.

    Examples
    --------
    >>> ordered([(1e-9, True), (0.02, True)]), ordered([(1e-9, False), (0.02, True)])
    (<Status.INCONCLUSIVE: 'INCONCLUSIVE'>, <Status.REFUTED: 'REFUTED'>)
    """
    tests = list(tests)
    if any(p <= level / len(tests) and not right for p, right in tests):
        return Status.REFUTED
    return Status.CONFIRMED if all(p <= level and right for p, right in tests) else Status.INCONCLUSIVE


def without_exception(exceptions: Callable[..., list[str]], given, slips: Mapping[str, Any], says: str = ""):
    """An experiment on what the paper says without exception: by the exceptions in it, and in altered data."""

    def experiment(_context) -> Finding:
        found = exceptions(given)
        noticed = {name: not exceptions(altered) for name, altered in slips.items()}
        return concluded(Status.REFUTED if found else Status.CONFIRMED, says + ", ".join(found), noticed)

    return experiment


def apart(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether the first interval, mean -+ half width, lies below the second."""
    return one[0] + one[1] < other[0] - other[1]
