"""Sections 3.1.3-3.1.5, Tables 3 and 4: what arithmetic and exact tests on the printed numbers decide.

No network is trained here. Two counts are compared by Fisher's exact test. Where a sentence speaks of significance it
is judged at the 5 % of the paper's own intervals, which for printed counts is arithmetic: no seed enters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paper_checks import OPEN, WRONG, Always, Kind, Reproduces, Status, claim, concluded, grid, wrong
from paper_checks.papers.neural_arithmetic_units.printed_tables import (
    CUSTOMARY,
    INTERVALS,
    TABLE_3,
    TABLE_4,
    Row,
    apart,
    fisher,
)
from paper_checks.rules.rates import RATE
from theory import Formula, Source
from theory.arithmetic import nearly_perfect


def more_often(one: Row, other: Row, level: float) -> Status:
    """Whether one row succeeds more often, as far as the counts decide at a level."""
    if fisher(one, other) > level:
        return Status.INCONCLUSIVE
    return Status.CONFIRMED if one.successes * other.seeds > other.successes * one.seeds else Status.REFUTED


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
    assumptions=INTERVALS,
    note="among runs that succeed, which are 13, 26 and 94: those that would have taken longer are not in the means",
)

claim(
    "nau/text.table3.six",
    at="3.1.3, on Table 3",
    says="6 % of the NMUs did not converge, as 94 % of 100 leaves",
    proof=lambda: TABLE_3["NMU"].seeds - TABLE_3["NMU"].successes == 6,
    note="whether underflow at w = 0 is the cause: nau/text.table3.underflow",
)


def discrete_values(_context):
    """The sparsity error of the NMU against those of the others, in Table 3."""
    found = [apart(TABLE_3["NMU"].sparsity, row.sparsity) for row in OTHERS_3.values()]
    says = "; ".join(f"{name} {row.sparsity[0]:.1e} -+ {row.sparsity[1]:.1e}" for name, row in TABLE_3.items())
    return concluded(Status.CONFIRMED if all(found) else Status.INCONCLUSIVE, f"sparsity errors of Table 3: {says}")


claim(
    "nau/abstract.discrete",
    at="abstract, on Table 3",
    says="the weights of NMU are closer to discrete values than those of NALU and its arithmetic components",
    quote="have more meaningful discrete values than the NALU and its arithmetic components",
    relation=Reproduces(),
    experiment=discrete_values,
    expects=OPEN,
    note="by the paper's intervals the printed numbers say the opposite, at the rate of all tests here "
    "nothing: more printed seeds would decide. In Table 3 the mean of the NMU is 7 and 6 times those of NAC "
    "multiplication and NALU, 2.2 and 2.1 standard errors above them. Trained anew it is the smaller one: "
    "nau/table3.text.discrete. In Table 4 it is 4.6 times that of NAC multiplication, in Table 6 a seventeenth, and "
    "the intervals meet. Of NAU the sentence holds: nau/text.table4.sparser",
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
    expects=OPEN,
    note="9 of 10 seeds against 3 and 0: at 5 % it does, at the rate of all tests here 20 seeds and more can tell",
)

claim(
    "nau/text.table4.speed",
    at="3.1.4, on Table 4",
    says="for multiplication the NMU is solved earlier than NAC multiplication",
    quote="For multiplication, the NMU success more often and converges faster.",
    relation=Reproduces(),
    experiment=faster(TABLE_4["x", "NMU"], [TABLE_4["x", "NAC mul"]]),
    expects=OPEN,
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
    assumptions=INTERVALS,
    note="that of NALU is of two runs; trained anew: nau/table5.text.sparser",
)

claim(
    "nau/text.table4.nalu-addition",
    at="section 1, on Table 4",
    says="in Table 4 NALU succeeds significantly less often than NAC addition, for addition and for subtraction",
    quote="where the NALU performs significantly worse than $\\text{NAC}_+$ and $\\text{NAC}_\\bullet$",
    relation=Reproduces(),
    experiment=compared(TABLE_4["+", "NAC add"], {o: TABLE_4[o, "NALU"] for o in "+-"}, CUSTOMARY),
    note="Fisher's exact test on the printed counts of 10 seeds, at the 5 % of the paper's intervals; NAC addition "
    "succeeds with all 10 for either operation",
)


def significantly_less(row: Row, other: Row) -> bool:
    return fisher(row, other) <= CUSTOMARY and row.successes * other.seeds < other.successes * row.seeds


def nalu_against_multiplication(_context):
    """NALU against NAC multiplication; the other table that has both is told."""
    small, large = TABLE_4["x", "NALU"], TABLE_4["x", "NAC mul"]
    says = (
        f"Table 4: {small.wilson()} against {large.wilson()}, p = {fisher(small, large):.2g}; Table 3: "
        f"{TABLE_3['NALU'].wilson()} against {TABLE_3['NAC mul'].wilson()}, "
        f"p = {fisher(TABLE_3['NALU'], TABLE_3['NAC mul']):.2g} the other way round"
    )
    status = Status.CONFIRMED if significantly_less(small, large) else Status.REFUTED
    slips = {"NAC addition for NAC multiplication": significantly_less(TABLE_4["+", "NALU"], TABLE_4["+", "NAC add"])}
    return concluded(status, says, slips)


claim(
    "nau/text.table4.nalu-multiplication",
    at="section 1, on Table 4",
    says="in Table 4 NALU succeeds significantly less often than NAC multiplication",
    quote="where the NALU performs significantly worse than $\\text{NAC}_+$ and $\\text{NAC}_\\bullet$",
    relation=Reproduces(),
    experiment=nalu_against_multiplication,
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="0 against 3 of 10 seeds is no significant difference at the 5 % of the paper's intervals; in Table 3 NALU "
    "succeeds twice as often, and there the difference is significant; trained anew both succeed alike, "
    "nau/table3.nalu.rate and nau/table3.nac-mul.rate. 'Significantly' is read as in statistics; as 'much worse' the "
    "sentence stays open for these two",
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
    quote="Shows the success-rate for $\\mathcal{L}_{\\mathbf{w}_1, \\mathbf{w}_2} < \\mathcal{L}_{\\mathbf{w}_1^*, "
    "\\mathbf{w}_2^*}$",
    expects=wrong(copy=True),
    printed=loss_of_the_perfect(),
    relation=Always("a squared error can be below it: it is above 0", lambda value: value > 0),
    points=grid(lower=[1, 2], upper=6),
    note="nothing is below 0. The text of 3.1.1 compares with the nearly perfect solution, W_1^eps; the caption of "
    "Table 4 compares the loss with itself",
)
