"""Appendix C.2 and C.3, Tables 5 and 6: what their printed numbers say of themselves."""

import math
from itertools import combinations

import scipy
import sympy

from paper_checks import additional, claim, common, concluded, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units import printed_figures as figures, printed_tables as tables
from paper_checks.papers.neural_arithmetic_units.printed_tables import TABLE_5, TABLE_6, Z_IS_W_X, Row
from paper_checks.rules.proportions import listed
from paper_checks.rules.strata import p_value_of_one_probability

ITERATIONS = {3: 2e5, 5: 5e6, 6: 5e6}
BOUNDED = ("NAC add", "NAC mul", "NALU", "NAU", "NMU")
ALL_ROWS = {
    **{(3, name): row for name, row in tables.TABLE_3.items()},
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
    says = f"{number} of {total} intervals contain impossible values: {'; '.join(bad)}"
    slips = {
        "all intervals contain one": number < total,
        "no interval of sparsity errors contains one": any("sparsity" in b for b in bad),
    }
    return concluded(bool(number), says, slips)


additional(
    "nau/beyond.tables.intervals",
    at="additional to Tables 3, 5 and 6",
    says="some published intervals contain impossible values: below 0, after the last iteration, or a sparsity error "
    "above 1/2 of weights on [-1, 1]",
    experiment=impossible,
    note="the intervals are symmetric about a mean, in the worst cases of two or three runs. An example is 3.6e6 -+ "
    "1.3e7 iterations, where training has 5e6. Table 4 has rows of Table 5",
)


def means_drawn() -> dict[str, list[figures.Mean]]:
    """Means of two runs or more, by figure."""
    found = {
        figure: [
            mean
            for panel in (figures.SOLVED_AT, figures.SPARSITY)
            for model, counts in models.items()
            for n, mean in zip(counts, panel[figure][model], strict=True)
            if n > 1
        ]
        for figure, models in figures.COUNTS.items()
    }
    found |= {number: [*means, *figures.REGULARISED_SPARSITY[number]] for number, means in figures.REGULARISED.items()}
    return {f"Figure {figure}": means for figure, means in found.items()}


def every_mean_has_an_interval(_context):
    drawn = means_drawn()
    bare = {name: sum(mean.low is None for mean in means) for name, means in drawn.items()}
    says = "means without an interval: " + listed(drawn.items(), lambda name, m: f"{name} {bare[name]} of {len(m)}")
    return concluded(not any(bare.values()), says, {"Figure 12 alone": not bare["Figure 12"]})


def every_row_has_intervals(_context):
    """Half widths above 0 of both means, in each row with a success."""
    halves = [half for row in ALL_ROWS.values() if row.successes for _, half in (row.solved, row.sparsity)]
    all_have_one = min(halves) > 0
    says = f"{sum(half > 0 for half in halves)} of {len(halves)} means have an interval"
    slips = {"a half width of 0": (min([0.0, *halves[1:]]) > 0) is not all_have_one}
    return concluded(all_have_one, says, slips)


reported = common(quote='For sparsity error and "solved at" the 95% confidence interval is reported.')

reported(
    "nau/text.intervals",
    at="3.1.1, on Tables 3 to 6",
    says="Tables 3 to 6 have an interval of each mean of 'solved at' and of the sparsity error",
    experiment=every_row_has_intervals,
    note="some of these intervals contain impossible values: nau/beyond.tables.intervals. Figures: "
    "nau/text.intervals.figures",
)

reported.alternative(
    "nau/text.intervals.figures",
    at="3.1.1, on Figures 3 to 7 and 10 to 12",
    says="the figures, too, have an interval of each mean of two runs or more",
    experiment=every_mean_has_an_interval,
    expects=wrong(correct="nau/text.intervals"),
    note="the authors' R code begins the axes at 0, and ggplot2 then removes every interval that reaches below. The "
    "widest intervals are therefore missing, and a mean without one looks more certain than the others",
)

CORRECTED = tables.CORRECTED_6[Z_IS_W_X]


def error_of(row: Row) -> str:
    return "{:.1e} -+ {:.1e}".format(*row.sparsity)


def not_of_the_unit(row: Row) -> list[str]:
    nmu, unit = error_of(TABLE_6["NMU"]), error_of(CORRECTED)
    says = f"sparsity error {error_of(row)}, that of the NMU {nmu}, corrected {unit}"
    return [] if row == CORRECTED else [says]


claim(
    "nau/table6.repeated-row",
    at="Table 6, row 5",
    says="row 5 has the results of the unit z = W x",
    quote="NMU ( $\\mathbf{z} = \\mathbf{W} \\odot \\mathbf{x}$ )",
    experiment=tables.without_exception(not_of_the_unit, TABLE_6[Z_IS_W_X], {"the corrected row": CORRECTED}),
    expects=wrong("algebra", correct="nau/beyond.tables.repeated"),
    note="by the authors' code of the draft row 5 is the NMU once more, with the same seeds. They corrected code and "
    "row the next day. We infer this from stable-nalu: in commit 131bd93 the layer of row 5 multiplies W z + 1 - W, "
    "as the NMU does, and in 046ba27 W z. In an earlier table (a1bd0e6) both rows have the mean 1,181,800 of 'solved "
    "at'. All 10 networks succeed in the corrected row, too, and in our runs of z = W x (nau/table6.nmu-masked.rate)",
)


def alike(table: dict[str, Row]) -> list[tuple[str, str]]:
    return [pair for pair in combinations(table, 2) if table[pair[0]] == table[pair[1]]]


def rows_agree(_context):
    """Rows 3 and 5 alone, of all pairs; the corrected row 5 with none."""
    found, corrected = alike(TABLE_6), alike(tables.CORRECTED_6)
    holds = found == [("NMU", Z_IS_W_X)] and not corrected
    says = f"equal rows: {', '.join(map(' = '.join, found))}; in the corrected table: {corrected or 'none'}"
    return concluded(holds, says, {"the corrected table": not corrected})


additional(
    "nau/beyond.tables.repeated",
    at="additional to Table 6",
    says="row 5 has the same six numbers as row 3, the NMU; no other two rows are equal. In the authors' corrected "
    f"table z = W x has the sparsity error {error_of(CORRECTED)}, and all 10 networks succeed",
    experiment=rows_agree,
    note="we infer from the authors' public code that row 5 is the NMU, trained once more: nau/table6.repeated-row. "
    "The correction changes no other number. In the NMU a weight of 0 leaves its input out. In the unit with z = W x "
    "it makes the output 0",
)


def one_configuration() -> dict[str, list[int]]:
    """Successes of 10 wherever the settings of Table 1 are printed: Tables 4 and 5, Table 6, Figures 3 to 7."""
    found = {}
    for name, model in (("NMU", "nmu"), ("NAC mul", "nac_mul")):
        in_tables = [TABLE_5["x", name].successes, TABLE_6[name].successes]
        found[name] = in_tables + [figures.COUNTS[figure][model][index] for figure, index in figures.DEFAULT.items()]
    return found


def solved_intervals() -> list[tuple[float, float]]:
    """Of the mean of "solved at" of the NMU, in tables and figures."""
    in_tables = [TABLE_5["x", "NMU"].solved, TABLE_6["NMU"].solved]
    in_figures = [(mean.low, mean.high) for mean in figures.SOLVED_BY_DEFAULT.values()]
    return [(mean - half, mean + half) for mean, half in in_tables] + in_figures


def meet(intervals: list[tuple[float, float]]) -> bool:
    """Whether there is a value in all of them."""
    return max(low for low, _ in intervals) <= min(high for _, high in intervals)


def chance(counts: list[int]) -> bool:
    return p_value_of_one_probability(counts, 10) > tables.CUSTOMARY


def recurring(_context):
    """One configuration, printed again and again."""
    counts, intervals = one_configuration(), solved_intervals()
    differ = all(len(set(some)) > 1 for some in counts.values())
    says = "; ".join(
        f"{name}: {', '.join(map(str, some))} of 10, p = {p_value_of_one_probability(some, 10):.2g}"
        for name, some in counts.items()
    )
    says += f". The {len(intervals)} intervals of the mean 'solved at' of the NMU have "
    says += "a value in common" if meet(intervals) else "no value in common"
    sigmoid = [*counts["NAC mul"], TABLE_6["NAC mul (W = sigmoid)"].successes]
    slips = {
        "with the second row of Table 6": not chance(sigmoid),
        "with an interval of NAU": not meet([*intervals, figures.REGULARISED[10][0][1:]]),
    }
    holds = differ and all(map(chance, counts.values())) and meet(intervals)
    return concluded(holds, says, slips)


additional(
    "nau/beyond.tables.recurring",
    at="additional to Tables 4 to 6 and Figures 3 to 7 and 12",
    says="the results of the default multiplication task differ between tables and figures, but not significantly at "
    "the 5 % of the paper's intervals",
    experiment=recurring,
    assumptions="an exact test that all counts have one probability, at 5 %; 95 % intervals of means that have a value "
    "in common",
    note="the counts are from Tables 4 and 5, Table 6, and Figures 3 to 7. Figure 12 repeats the numbers of Table 6, "
    "so that only its interval is used. Figure 6, which was read last, has the same mean of 'solved at'. The published "
    "seeds are 0 to 9 each time. The same runs can appear with other results, because the public export puts rows in "
    "an order that depends on their file: nau/export.order",
)

# Iterations by which NAU is solved, if it is not held up: 18,000 at addition and 4,000 at subtraction in the median.
LATE = 1e5


def held_up(operation: str, figure: int) -> tuple[int, float]:
    """Late networks of NAU in Table 4, at the least, and the last one in a figure, at the same settings.

    None is solved after the last iteration; when the last is solved, at the most, follows from an interval of
    Student's t.
    """
    row, usual = TABLE_5[operation, "NAU"], figures.REGULARISED[figure][2]
    n = row.seeds
    least = math.ceil(n * (row.solved[0] - LATE) / (ITERATIONS[5] - LATE))
    last = usual.value + (usual.high - usual.value) * (n - 1) / scipy.stats.t.ppf(1 - tables.CUSTOMARY / 2, n - 1)
    return max(0, least), last


def sums_recur(_context):
    late, last = held_up("+", 10)
    none, _ = held_up("-", 11)
    mean, usual = TABLE_5["+", "NAU"].solved[0], figures.REGULARISED[10][2]
    p = scipy.stats.fisher_exact([[late, 10 - late], [0, 10]]).pvalue
    says = (
        f"the mean is {mean:.2g} in Table 4 and {usual.value:.3g} in Figure 10. In Table 4 at least {late} of 10 "
        f"networks are solved after more than {LATE:,.0f} iterations. In Figure 10 all are solved after at most "
        f"{last:,.0f} (p = {p:.2g})"
    )
    return concluded(late > 0 and last < LATE, says, {"subtraction, Figure 11": none == 0})


additional(
    "nau/beyond.tables.recurring-sums",
    at="additional to Tables 4 and 5 and Figure 10",
    says="addition by NAU at the settings of Table 1 has two published means, 7.0e5 iterations (Table 4) and 1.71e4 "
    "(Figure 10). Some networks are solved late in Table 4, none in Figure 10",
    experiment=sums_recur,
    assumptions="no network is solved after the last iteration; the interval of Figure 10 is Student's",
    note="in our runs all networks are solved early: nau/table4.addition.nau.solved-at. The order of rows in the "
    "public export explains two late networks in Table 4: nau/export.table5.late, nau/export.order. The published "
    "results for subtraction agree between Table 4 and Figure 11. Those without R_sparse agree between Table 6 and "
    "Figure 12",
)


def rectified_sum_is_exact() -> bool:
    """(1/d) min(max(d s, 0), 6) = s for 0 <= s <= 6/d: two units of ReLU6 hold a and b of any bounded range."""
    share, most = sympy.Symbol("t", nonnegative=True), sympy.Symbol("M", positive=True)
    s = most * share / (1 + share)  # every number in [0, M)
    d = 6 / most
    unit = sympy.Min(sympy.Max(d * s, 0), 6)
    return bool(vanishes(unit / d - s) and sympy.limit(s, share, sympy.oo) == most)


additional(
    "nau/beyond.tables.relu6",
    at="additional to Table 5",
    says="a network of two ReLU6 units represents a + b and a - b exactly on the ranges of Table 1, although ReLU6 "
    "never succeeds in Table 5",
    proof=rectified_sum_is_exact,
    note="the first weights are d = 6/M, where M = 150 is the largest sum of 25 inputs from U[2, 6]. The second "
    "weights are 1/d = 25",
)
