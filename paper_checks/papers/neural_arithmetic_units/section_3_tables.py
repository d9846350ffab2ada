"""Sections 3.1.3-3.1.5 and Tables 3-6: what arithmetic and exact tests on the printed numbers decide.

No network is trained here. Success rates are counts, of 100 seeds in Table 3 and of 10 in the others, which print
multiples of 10 % only. Two counts are compared by Fisher's exact test. Where a sentence speaks of significance it is
judged at the 5 % of the paper's own intervals, which for printed counts is arithmetic: no seed enters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import sympy
from scipy.stats import binomtest, fisher_exact

from paper_checks import Always, Reproduces, Status, claim, concluded, grid
from paper_checks.rules.rates import RATE
from theory import Formula, Source
from theory.arithmetic import nearly_perfect

CUSTOMARY = 0.05


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
        """The 95 % interval of Wilson for the success rate."""
        limits = binomtest(self.successes, self.seeds).proportion_ci(0.95, "wilson")
        return f"{self.successes}/{self.seeds} [{limits.low:.2f}, {limits.high:.2f}]"


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


def fisher(one: Row, other: Row) -> float:
    """The two-sided p-value for equal success rates."""
    table = [[r.successes, r.seeds - r.successes] for r in (one, other)]
    return float(fisher_exact(table).pvalue)


def more_often(one: Row, other: Row, level: float) -> Status:
    """Whether one row succeeds more often, as far as the counts decide at a level."""
    if fisher(one, other) > level:
        return Status.INCONCLUSIVE
    return Status.CONFIRMED if one.successes * other.seeds > other.successes * one.seeds else Status.REFUTED


def apart(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether the first interval, mean -+ half width, lies below the second."""
    return one[0] + one[1] < other[0] - other[1]


def compared(best: Row, rest: Mapping[str, Row], level: float):
    """An experiment: the row succeeds more often than each of the others."""

    def experiment(_context):
        found = {name: more_often(best, row, level) for name, row in rest.items()}
        undecided = Status.INCONCLUSIVE in found.values()
        status = Status.INCONCLUSIVE if undecided else Status.CONFIRMED
        if Status.REFUTED in found.values():
            status = Status.REFUTED
        says = "; ".join(f"{name} {row.wilson()}, p = {fisher(best, row):.2g}" for name, row in rest.items())
        swapped = any(more_often(row, best, level) is not Status.CONFIRMED for row in rest.values())
        return concluded(status, f"{best.wilson()} against {says}", {"rows exchanged": swapped})

    return experiment


# --- Table 3 ----------------------------------------------------------------------------------------------------

OTHERS_3 = {name: TABLE_3[name] for name in ("NAC mul", "NALU")}

claim(
    "nau/text.table3.success",
    at="3.1.3, on Table 3",
    says="on the very simple problem the NMU succeeds more often than NAC multiplication and NALU",
    quote="show that NMU has a higher success rate and converges faster.",
    relation=Reproduces(),
    experiment=compared(TABLE_3["NMU"], OTHERS_3, RATE),
    note="Fisher's exact test on the printed counts of 100 seeds, at the rate of all tests here",
)


def faster(best: Row, rest: Iterable[Row]):
    """By the printed medians, and by intervals of the mean that do not meet."""
    rest = list(rest)

    def experiment(_context):
        by_median = all(best.median < row.median for row in rest)
        by_mean = all(apart(best.solved, row.solved) for row in rest)
        says = f"median {best.median:.2g} against " + ", ".join(f"{row.median:.2g}" for row in rest)
        says += "; the intervals of the means lie apart" if by_mean else "; the intervals of the means meet"
        status = Status.CONFIRMED if by_median and by_mean else Status.INCONCLUSIVE
        if not by_median:
            status = Status.REFUTED
        slips = {"rows exchanged": any(not apart(row.solved, best.solved) for row in rest)}
        return concluded(status, says, slips if status is Status.CONFIRMED else None)

    return experiment


claim(
    "nau/text.table3.speed",
    at="3.1.3, on Table 3",
    says="on the very simple problem the NMU is solved earlier, by the printed medians and intervals",
    quote="show that NMU has a higher success rate and converges faster.",
    relation=Reproduces(),
    experiment=faster(TABLE_3["NMU"], OTHERS_3.values()),
    note="among runs that succeed, which are 13, 26 and 94: those that would have taken longer are not in the means",
)

claim(
    "nau/text.table3.six",
    at="3.1.3, on Table 3",
    says="6 % of the NMUs did not converge, as 94 % of 100 leaves",
    proof=lambda: TABLE_3["NMU"].seeds - TABLE_3["NMU"].successes == 6,
    note="that underflow at w = 0 is the cause needs training runs",
)


def discrete_values(_context):
    """The sparsity error of the NMU against those of the others, in Table 3."""
    found = [apart(row.sparsity, TABLE_3["NMU"].sparsity) for row in OTHERS_3.values()]
    says = "; ".join(f"{name} {row.sparsity[0]:.1e} -+ {row.sparsity[1]:.1e}" for name, row in TABLE_3.items())
    return concluded(Status.REFUTED if all(found) else Status.INCONCLUSIVE, says)


claim(
    "nau/abstract.discrete",
    at="abstract, on Table 3",
    says="the weights of NMU are closer to discrete values than those of NALU and its arithmetic components",
    quote="have more meaningful discrete values than the NALU and its arithmetic components",
    relation=Reproduces(),
    experiment=discrete_values,
    refuted=True,
    note="in Table 3 the sparsity error of the NMU is 7 and 6 times that of NAC multiplication and NALU, and the "
    "intervals do not meet; in Table 4 it is 4.6 times that of NAC multiplication, in Table 6 a seventeenth. Of NAU "
    "the sentence holds: nau/text.table4.sparser",
)

# --- Table 4 ----------------------------------------------------------------------------------------------------

TIMES = {name: TABLE_4["x", name] for name in ("NAC mul", "Linear", "NALU")}

claim(
    "nau/text.table4.success",
    at="3.1.4, on Table 4",
    says="for multiplication the NMU succeeds more often than NAC multiplication, Linear and NALU",
    quote="For multiplication, the NMU success more often and converges faster.",
    relation=Reproduces(),
    experiment=compared(TABLE_4["x", "NMU"], TIMES, RATE),
    expected=Status.INCONCLUSIVE,
    note="9 of 10 seeds against 3 and 0: at the customary 5 % it does, at the rate of all tests here no two counts of "
    "10 seeds can be told apart. From 20 seeds on, 0 and all of them can",
)

claim(
    "nau/text.table4.speed",
    at="3.1.4, on Table 4",
    says="for multiplication the NMU is solved earlier than NAC multiplication",
    quote="For multiplication, the NMU success more often and converges faster.",
    relation=Reproduces(),
    experiment=faster(TABLE_4["x", "NMU"], [TABLE_4["x", "NAC mul"]]),
    expected=Status.INCONCLUSIVE,
    note="by the median it is; the interval of NAC multiplication, of 3 runs, contains that of the NMU",
)


def median_is_least(_context):
    """The NAU's median against those that succeed at all, for + and -."""
    seen, fewest = [], []
    for operation in "+-":
        nau = TABLE_4[operation, "NAU"]
        others = [r for (o, name), r in TABLE_4.items() if o == operation and name != "NAU" and r.median]
        seen += [nau.median < r.median for r in others]
        fewest += [nau.solved[0] < r.solved[0] for r in others]
    says = f"{sum(seen)} of {len(seen)} medians are later than the NAU's, {sum(fewest)} of {len(fewest)} means are"
    slips = {"means for medians": not all(fewest)}
    return concluded(Status.CONFIRMED if all(seen) else Status.REFUTED, says, slips)


claim(
    "nau/text.table4.median",
    at="3.1.4, on Table 4",
    says="for addition and subtraction the NAU is solved earlier than the others, by the printed medians",
    quote="the NAU model converges faster, given the median, and has a more sparse solution.",
    relation=Reproduces(),
    experiment=median_is_least,
    note="by the printed means it is not for addition: 7.0e5 for NAU, 4.2e4 for Linear, 7.1e4 for NAC addition",
)


def sparser(_context):
    """The NAU's sparsity error against those of the others, for + and -."""
    pairs = [
        (TABLE_4[operation, "NAU"].sparsity, r.sparsity)
        for operation in "+-"
        for (o, name), r in TABLE_4.items()
        if o == operation and name != "NAU" and r.sparsity
    ]
    least = min(other[0] / own[0] for own, other in pairs)
    holds = all(apart(own, other) for own, other in pairs)
    says = f"{len(pairs)} others are at least {least:.0f} times as far from discrete weights, all intervals lie apart"
    return concluded(
        Status.CONFIRMED if holds else Status.INCONCLUSIVE, says, {"rows exchanged": not apart(*pairs[0][::-1])}
    )


claim(
    "nau/text.table4.sparser",
    at="3.1.4, on Table 4",
    says="for addition and subtraction the NAU has the sparser solution",
    quote="the NAU model converges faster, given the median, and has a more sparse solution.",
    relation=Reproduces(),
    experiment=sparser,
)

claim(
    "nau/text.table4.nalu-addition",
    at="section 1, on Table 4",
    says="NALU succeeds significantly less often than NAC addition, for addition and for subtraction",
    quote="where the NALU performs significantly worse than",
    relation=Reproduces(),
    experiment=compared(TABLE_4["+", "NAC add"], {o: TABLE_4[o, "NALU"] for o in "+-"}, CUSTOMARY),
    note="Fisher's exact test on the printed counts of 10 seeds, at the 5 % of the paper's intervals; NAC addition "
    "succeeds with all 10 for either operation",
)


def nalu_against_multiplication(_context):
    """NALU against NAC multiplication in the tables that have both."""
    small, large = TABLE_4["x", "NALU"], TABLE_4["x", "NAC mul"]
    p, p_simple = fisher(small, large), fisher(TABLE_3["NALU"], TABLE_3["NAC mul"])
    reversed_ = TABLE_3["NALU"].successes > TABLE_3["NAC mul"].successes and p_simple <= CUSTOMARY
    says = (
        f"Table 4: {small.wilson()} against {large.wilson()}, p = {p:.2g}; Table 3: {TABLE_3['NALU'].wilson()} against "
        f"{TABLE_3['NAC mul'].wilson()}, p = {p_simple:.2g} the other way round"
    )
    return concluded(Status.REFUTED if p > CUSTOMARY and reversed_ else Status.INCONCLUSIVE, says)


claim(
    "nau/text.table4.nalu-multiplication",
    at="section 1, on Table 4",
    says="NALU succeeds significantly less often than NAC multiplication",
    quote="where the NALU performs significantly worse than",
    relation=Reproduces(),
    experiment=nalu_against_multiplication,
    refuted=True,
    note="0 against 3 of 10 seeds is no significant difference at the 5 % of the paper's intervals; in Table 3 NALU "
    "succeeds twice as often, and there the difference is significant",
)

claim(
    "nau/text.all-parameters",
    at="3.1.5",
    says="the NMU outperforms NAC multiplication and NALU for all parameters of the data",
    unchecked="the values are in Figures 3 to 7, which are pictures; to play them needs training runs",
)


def loss_of_the_perfect() -> Formula:
    """The threshold that the captions name: the perfect solution instead of the nearly perfect one."""
    form = nearly_perfect.simple_mse_multiplication
    rest = [s for s in form.arguments if s != nearly_perfect.eps]
    return Formula(
        "mean squared error of the perfect solution", form.expr.subs(nearly_perfect.eps, 0), rest,
        source=Source("nau", "Table 3, caption"),
    )  # fmt: skip


claim(
    "nau/table3.criterion",
    at="Tables 3, 5 and 6, captions",
    says="success is a loss below that of the perfect solution, as the captions have it",
    quote="Shows the success-rate for",
    copy=True,
    printed=loss_of_the_perfect(),
    relation=Always("a squared error can be below it: it is above 0", lambda value: value > 0),
    points=grid(lower=[1, 2], upper=6),
    refuted=True,
    note="nothing is below 0. The text of 3.1.1 compares with the nearly perfect solution, W_1^eps; the caption of "
    "Table 4 compares the loss with itself",
)

# --- what cannot be -----------------------------------------------------------------------------------------------

ITERATIONS = {3: 2e5, 4: 5e6, 5: 5e6, 6: 5e6}
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
