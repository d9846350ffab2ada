"""Table 1: what its printed numbers say of sentences in the text.

Brackets are standard errors of ten repetitions, of which the paper says nothing: smooth/beyond.table1.brackets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import scipy

from paper_checks import OPEN, WRONG, Kind, Reproduces, Status, claim, concluded
from paper_checks.evidence.finding import Finding


class Row(NamedTuple):
    """Mean squared errors with standard errors: training set, test set, outside."""

    train: tuple[float, float]
    test: tuple[float, float]
    outside: tuple[float, float]


RELU = {
    16: Row((2.93e-11, 2.39e-11), (8.46e-06, 2.89e-06), (1.99e-02, 4.49e-03)),
    64: Row((8.05e-08, 1.20e-08), (6.22e-06, 1.10e-06), (6.94e-03, 1.91e-03)),
    256: Row((1.46e-09, 3.20e-10), (6.10e-06, 5.94e-07), (2.46e-03, 4.31e-04)),
    1024: Row((1.95e-10, 6.30e-11), (5.54e-06, 6.10e-07), (1.48e-03, 1.51e-04)),
}
GP = {
    0.2: Row((2.09e-14, 1.79e-14), (1.58e-03, 5.11e-04), (1.55, 1.12e-02)),
    1: Row((3.67e-12, 1.09e-13), (1.12e-10, 3.41e-11), (9.29e-04, 8.08e-05)),
    5: Row((1.18e-12, 4.50e-14), (2.12e-12, 2.71e-13), (4.24e-08, 3.77e-09)),
    50: Row((2.43e-14, 2.69e-15), (3.04e-14, 4.34e-15), (6.97e-12, 9.52e-13)),
}
REPETITIONS = 10
# The level of the paper's intervals, if they were of two standard errors.
CUSTOMARY = 0.05


def p_value(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Of Welch's test that two means are equal, two-sided, with the standard errors that are printed.

    Those of the processes divide squares by the number of repetitions; all are read so. Welch's test takes one less.
    """
    (mean, error), (mean_of_other, error_of_other) = one, other
    root = REPETITIONS / math.sqrt(REPETITIONS - 1)
    test = scipy.stats.ttest_ind_from_stats(
        mean, error * root, REPETITIONS, mean_of_other, error_of_other * root, REPETITIONS, equal_var=False
    )
    return float(test.pvalue)


def falls(values: Sequence[tuple[float, float]]) -> tuple[Status, str]:
    """Whether the last mean lies below the first."""
    first, last = values[0], values[-1]
    p = p_value(first, last)
    if p > CUSTOMARY:
        return Status.INCONCLUSIVE, f"{first[0]:.3g} and {last[0]:.3g}: p = {p:.2g}"
    status = Status.CONFIRMED if last[0] < first[0] else Status.REFUTED
    return status, f"{first[0]:.3g} and {last[0]:.3g}: p = {p:.2g}"


def falling(rows: dict, column: str):
    def experiment(_context) -> Finding:
        values = [getattr(row, column) for row in rows.values()]
        status, says = falls(values)
        slips = {"rows in the other order": falls(values[::-1])[0] is not Status.CONFIRMED}
        return concluded(status, says, slips if status is Status.CONFIRMED else None)

    return experiment


WELCH = (
    "Welch's test on printed means and standard errors of ten repetitions, at 5 %; it takes means of ten for normal, "
    "of which those of networks have too heavy tails: what runs tell is said of smooth/text.performance and its kin"
)

claim(
    "smooth/table1.relu.test",
    at="3.1, on Table 1",
    says="with more units the error on the test set falls, from 16 to 1024",
    quote="While the performance does increase (Appendix A.2.1)",
    relation=Reproduces(),
    experiment=falling(RELU, "test"),
    expects=OPEN,
    assumptions=WELCH,
    note="8.5e-6 with 16 units and 5.5e-6 with 1024, with a standard error of 2.9e-6: no difference is told, more "
    "printed repetitions would decide",
)

claim(
    "smooth/table1.relu.outside",
    at="3.1, on Table 1",
    says="with more units the error outside the disc falls, from 16 to 1024",
    relation=Reproduces(),
    experiment=falling(RELU, "outside"),
    assumptions=WELCH,
    kind=Kind.ALTERNATIVE,
)

claim(
    "smooth/table1.gp.test",
    at="3.1, on Table 1",
    says="the error of Gaussian processes on the test set falls with the length scale, from 0.2 to 50",
    relation=Reproduces(),
    experiment=falling(GP, "test"),
    assumptions=WELCH,
    kind=Kind.ALTERNATIVE,
)


def severity(_context) -> Finding:
    """Training, test and outside, model by model, for the networks."""
    found = {}
    for units, row in RELU.items():
        first, second = p_value(row.train, row.test), p_value(row.test, row.outside)
        found[units] = max(first, second) <= CUSTOMARY and row.train[0] < row.test[0] < row.outside[0]
    reversed_ = all(not row.outside[0] < row.test[0] for row in RELU.values())
    status = Status.CONFIRMED if all(found.values()) else Status.INCONCLUSIVE
    says = f"training < test < outside for {sum(found.values())} of {len(found)} widths"
    return concluded(status, says, {"columns reversed": reversed_})


claim(
    "smooth/table1.severity",
    at="abstract, on Table 1",
    says="the errors of the networks grow from the training data to the test set of the disc to what lies outside",
    quote="the network fails to generalise with increasing severity",
    relation=Reproduces(),
    experiment=severity,
    assumptions=WELCH,
    kind=Kind.ALTERNATIVE,
    note="the abstract speaks of the annulus, Table 1 of the disc: of the hole see smooth/fig2.severity",
)


def interpolation(_context) -> Finding:
    """The training errors of 16 and of 64 units."""
    status, says = falls([RELU[16].train, RELU[64].train])
    exchanged = falls([RELU[64].train, RELU[16].train])[0]
    return concluded(status, says, {"rows exchanged": exchanged is Status.CONFIRMED})


claim(
    "smooth/table1.interpolation",
    at="3.1, on Table 1",
    says="with more units than 16 the training error falls, as the regime of interpolation is entered",
    quote="With more units we are entering the *interpolation regime* (i.e., zero training error)",
    relation=Reproduces(),
    experiment=interpolation,
    assumptions=WELCH,
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="3e-11 with 16 units, 8e-8 with 64, 1.5e-9 and 2e-10 with more: in print the narrowest network has the least "
    "training error. A training error near zero all of them have",
)
