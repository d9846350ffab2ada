"""Appendix C.2 and C.3, Tables 5 and 6: what their printed numbers say of themselves."""

from __future__ import annotations

import math

import scipy
import sympy

from paper_checks import Kind, Status, claim, concluded
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.printed_figures import (
    COUNTS,
    DEFAULT,
    REGULARISED,
    SOLVED_BY_DEFAULT,
    Mean,
)
from paper_checks.papers.neural_arithmetic_units.printed_tables import CUSTOMARY, TABLE_3, TABLE_5, TABLE_6, Row
from paper_checks.rules.strata import p_value_of_one_probability

ITERATIONS = {3: 2e5, 5: 5e6, 6: 5e6}
BOUNDED = ("NAC add", "NAC mul", "NALU", "NAU", "NMU")
ALL_ROWS = {
    **{(3, name): row for name, row in TABLE_3.items()},
    **{(5, *name): row for name, row in TABLE_5.items()},
    **{(6, name): row for name, row in TABLE_6.items()},
}


def leaves_its_range(table: int, name: tuple, row: Row) -> list[str]:
    """Which of a row's intervals contain values that the quantity cannot have."""
    found = []
    if row.solved:
        mean, half = row.solved
        if mean - half < 0 or mean + half > ITERATIONS[table]:
            found.append("solved at")
        mean, half = row.sparsity
        # Weights on [-1, 1] are at most 1/2 from a discrete value: nau/eq14.range.
        most = sympy.Rational(1, 2) if name[-1].split(" (")[0] in BOUNDED else sympy.oo
        if mean - half < 0 or mean + half > most:
            found.append("sparsity error")
    return found


def impossible(_context):
    found = {key: leaves_its_range(key[0], key[1:], row) for key, row in ALL_ROWS.items()}
    bad = [f"Table {key[0]} {' '.join(key[1:])}: {', '.join(what)}" for key, what in found.items() if what]
    number, total = sum(map(len, found.values())), 2 * sum(row.solved is not None for row in ALL_ROWS.values())
    says = f"{number} of {total} intervals: {'; '.join(bad)}"
    return concluded(Status.CONFIRMED if number else Status.REFUTED, says)


claim(
    "nau/beyond.tables.intervals",
    at="beyond Tables 3, 5 and 6",
    says="some printed intervals contain values that cannot occur: below 0, after the last iteration, or a sparsity "
    "error above 1/2 of weights on [-1, 1]",
    experiment=impossible,
    note="intervals that are symmetric about a mean, of two or three runs in the worst cases: 3.6e6 -+ 1.3e7 "
    "iterations of 5e6. Table 4 has rows of Table 5",
    kind=Kind.ADDITIONAL,
)


def rows_agree() -> bool:
    """All that is printed of the two rows."""
    return TABLE_6["NMU"] == TABLE_6["NMU (z = W x)"] and TABLE_6["NMU"] != TABLE_6["NMU (no R_oob)"]


claim(
    "nau/beyond.tables.repeated",
    at="beyond Table 6",
    says="Table 6 prints the same six numbers for the NMU and for the NMU with z = W x, units that differ",
    proof=rows_agree,
    note="no other two rows of it agree in all numbers. Without 1 - W a weight of 0 makes the output 0 in place of "
    "leaving an input out",
    kind=Kind.ADDITIONAL,
)


def one_configuration() -> dict[str, list[int]]:
    """Successes of 10 wherever the settings of Table 1 are printed: Tables 4 and 5, Table 6, Figures 3, 4, 5 and 7."""
    found = {}
    for name, model in (("NMU", "nmu"), ("NAC mul", "nac_mul")):
        tables = [TABLE_5["x", name].successes, TABLE_6[name].successes]
        found[name] = tables + [COUNTS[figure][model][index] for figure, index in DEFAULT.items()]
    return found


def solved_intervals() -> list[tuple[float, float]]:
    """Of the mean of "solved at" of the NMU, in tables and figures."""
    tables = [TABLE_5["x", "NMU"].solved, TABLE_6["NMU"].solved]
    figures = [(mean.low, mean.high) for mean in SOLVED_BY_DEFAULT.values()]
    return [(mean - half, mean + half) for mean, half in tables] + figures


def meet(intervals: list[tuple[float, float]]) -> bool:
    """Whether there is a value in all of them."""
    return max(low for low, _ in intervals) <= min(high for _, high in intervals)


def chance(counts: list[int]) -> bool:
    return p_value_of_one_probability(counts, 10) > CUSTOMARY


def recurring(_context):
    """One configuration, printed again and again."""
    counts, intervals = one_configuration(), solved_intervals()
    differ = all(len(set(some)) > 1 for some in counts.values())
    says = "; ".join(
        f"{name}: {', '.join(map(str, some))} of 10, p = {p_value_of_one_probability(some, 10):.2g}"
        for name, some in counts.items()
    )
    says += f"; {len(intervals)} intervals of the mean of NMU's 'solved at'"
    says += " have values in common" if meet(intervals) else " have no value in common"
    sigmoid = [*counts["NAC mul"], TABLE_6["NAC mul (W = sigmoid)"].successes]
    slips = {
        "the second row of Table 6 among them": not chance(sigmoid),
        "an interval of NAU among them": not meet([*intervals, (REGULARISED[10][0].low, REGULARISED[10][0].high)]),
    }
    holds = differ and all(map(chance, counts.values())) and meet(intervals)
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, slips)


claim(
    "nau/beyond.tables.recurring",
    at="beyond Tables 4 to 6 and Figures 3 to 7 and 12",
    says="the default task of multiplication is printed again and again with other results, which at the 5 % of the "
    "paper's intervals are not told apart",
    experiment=recurring,
    assumptions="exact test that all counts have one probability, and intervals of means that share a value, at the "
    "5 % of the paper's intervals",
    note="counts from Tables 4 and 5, Table 6, Figures 3, 4, 5 and 7. Figure 12 repeats the numbers of Table 6 and is "
    "counted for its interval alone. The published seeds are 0 to 9 each time: with the same code and seeds counts "
    "would be the same, were training not done by several threads, whose sums have no order",
    kind=Kind.ADDITIONAL,
)


# Iterations by which NAU is solved, if it is not held up: 18,000 at addition and 4,000 at subtraction in the median.
LATE = 1e5


def least_late(mean: float, n: int) -> int:
    """How many of n networks are solved after LATE, at the least, as none is after the last iteration."""
    return max(0, math.ceil(n * (mean - LATE) / (ITERATIONS[5] - LATE)))


def latest(mean: Mean, n: int) -> float:
    """When the last of n networks is solved, at the most, by an interval of Student's t."""
    return mean.value + (mean.high - mean.value) * (n - 1) / scipy.stats.t.ppf(1 - CUSTOMARY / 2, n - 1)


def held_up(operation: str, figure: int) -> tuple[int, float]:
    """Late networks of NAU in Table 4, at the least, and the last one in a figure, at the same settings."""
    row, usual = TABLE_5[operation, "NAU"], REGULARISED[figure][2]
    return least_late(row.solved[0], row.seeds), latest(usual, row.seeds)


def sums_recur(_context):
    late, last = held_up("+", 10)
    none, _ = held_up("-", 11)
    mean, usual = TABLE_5["+", "NAU"].solved[0], REGULARISED[10][2]
    p = scipy.stats.fisher_exact([[late, 10 - late], [0, 10]]).pvalue
    says = (
        f"mean {mean:.2g} in Table 4, {usual.value:.3g} in Figure 10; at least {late} of 10 are solved after "
        f"{LATE:,.0f} iterations there, all by {last:,.0f} here, p = {p:.2g}"
    )
    status = Status.CONFIRMED if late > 0 and last < LATE else Status.REFUTED
    return concluded(status, says, {"subtraction, Figure 11": none == 0})


claim(
    "nau/beyond.tables.recurring-sums",
    at="beyond Tables 4 and 5 and Figure 10",
    says="addition by NAU at the settings of Table 1 is printed twice, solved after 7.0e5 iterations in the mean and "
    "after 1.71e4: some networks are late in Table 4, none is in Figure 10",
    experiment=sums_recur,
    assumptions="no network is solved after the last iteration; the interval of Figure 10 is Student's",
    note="two late networks of ten and none of ten is what chance makes. Trained anew all are solved early, "
    "nau/table4.addition.nau.solved-at. Subtraction agrees, Table 4 with Figure 11, and so does Table 6 without "
    "R_sparse with Figure 12 at c = 0",
    kind=Kind.ADDITIONAL,
)


def rectified_sum_is_exact() -> bool:
    """(1/d) min(max(d s, 0), 6) = s for 0 <= s <= 6/d: two units of ReLU6 hold a and b of any bounded range."""
    share, most = sympy.Symbol("t", nonnegative=True), sympy.Symbol("M", positive=True)
    s = most * share / (1 + share)  # every number in [0, M)
    d = 6 / most
    unit = sympy.Min(sympy.Max(d * s, 0), 6)
    return bool(vanishes(unit / d - s) and sympy.limit(s, share, sympy.oo) == most)


claim(
    "nau/beyond.tables.relu6",
    at="beyond Table 5",
    says="a network of two ReLU6 units represents a + b and a - b exactly on the ranges of Table 1: that it never "
    "succeeds is not for want of a solution",
    proof=rectified_sum_is_exact,
    note="with first weights d = 6/M, M = 150 the largest sum of 25 inputs from U[2, 6], and second weights 1/d = 25",
    kind=Kind.ADDITIONAL,
)
