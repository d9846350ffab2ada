"""Appendix C.2 and C.3, Tables 5 and 6: what their printed numbers say of themselves."""

from __future__ import annotations

import sympy

from paper_checks import Status, claim, concluded
from paper_checks.papers.neural_arithmetic_units.printed_tables import CUSTOMARY, TABLE_3, TABLE_5, TABLE_6, Row, fisher

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
    beyond=True,
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
    beyond=True,
)


def one_configuration(_context):
    """The default task of multiplication, in Table 5 and again in Table 6."""
    pairs = {name: (TABLE_5["x", name], TABLE_6[name]) for name in ("NAC mul", "NMU")}
    differ = all(one != other for one, other in pairs.values())
    says = "; ".join(
        f"{name}: {one.wilson()}, median {one.median:.2g} and {other.wilson()}, median {other.median:.2g}, "
        f"p = {fisher(one, other):.2g}"
        for name, (one, other) in pairs.items()
    )
    chance = all(fisher(one, other) > CUSTOMARY for one, other in pairs.values())
    return concluded(Status.CONFIRMED if differ and chance else Status.REFUTED, says)


claim(
    "nau/beyond.tables.recurring",
    at="beyond Tables 4 to 6",
    says="the default task of multiplication is in Tables 4 and 5 and again, with other results, in Table 6: such "
    "differences are what chance among 10 seeds makes",
    experiment=one_configuration,
    beyond=True,
)


def rectified_sum_is_exact() -> bool:
    """(1/d) min(max(d s, 0), 6) = s for 0 <= s <= 6/d: two units of ReLU6 hold a and b of any bounded range."""
    share, most = sympy.Symbol("t", nonnegative=True), sympy.Symbol("M", positive=True)
    s = most * share / (1 + share)  # every number in [0, M)
    d = 6 / most
    unit = sympy.Min(sympy.Max(d * s, 0), 6)
    return bool(sympy.simplify(unit / d - s) == 0 and sympy.limit(s, share, sympy.oo) == most)


claim(
    "nau/beyond.tables.relu6",
    at="beyond Table 5",
    says="a network of two ReLU6 units represents a + b and a - b exactly on the ranges of Table 1: that it never "
    "succeeds is not for want of a solution",
    proof=rectified_sum_is_exact,
    note="with first weights d = 6/M, M = 150 the largest sum of 25 inputs from U[2, 6], and second weights 1/d = 25",
    beyond=True,
)
