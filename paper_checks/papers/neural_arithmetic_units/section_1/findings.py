"""Abstract and section 1: sentences on contributions and weights, judged by the published tables."""

from collections.abc import Iterable

from paper_checks import Kind, Reproduces, Status, common, concluded, wrong
from paper_checks.evidence.finding import Finding
from paper_checks.papers.neural_arithmetic_units.printed_tables import (
    CUSTOMARY,
    TABLE_4,
    TABLE_5,
    TABLE_6,
    fisher,
)
from paper_checks.rules.proportions import listed

of_numbers = common(relation=Reproduces())
interpreted = common(relation=Reproduces(), kind=Kind.ALTERNATIVE)


# --- abstract ---------------------------------------------------------------------------------------------------

# By operation, our unit and those of NALU.
AGAINST = {"+": ("NAU", ("NAC add", "NALU")), "-": ("NAU", ("NAC add", "NALU")), "x": ("NMU", ("NAC mul", "NALU"))}


def not_more_often(table) -> list[str]:
    """Comparisons of Table 4 in which the unit of the paper does not succeed more often."""
    return [
        f"{operation}: {own} {table[operation, own].successes}, {other} {table[operation, other].successes} of 10"
        for operation, (own, others) in AGAINST.items()
        for other in others
        if table[operation, own].successes <= table[operation, other].successes
    ]


def more_consistent(_context) -> Finding:
    level = not_more_often(TABLE_4)
    none = {key: TABLE_4["+", "NALU"] if key[1] in ("NAC add", "NALU") else row for key, row in TABLE_4.items()}
    says = f"not more often in {len(level)} of 6 comparisons; {'; '.join(level)}"
    return concluded(
        Status.REFUTED if level else Status.CONFIRMED,
        says,
        {"no network of NAC addition or NALU succeeds": not not_more_often(none)},
    )


of_numbers(
    "nau/abstract.consistent",
    at="abstract, on Table 4",
    says="NAU and NMU succeed more often than NALU and its arithmetic components, for each operation",
    quote="Our NAU and NMU have fewer parameters, converges more consistently, learns faster and have more meaningful "
    "discrete values than the NALU and its arithmetic components.",
    experiment=more_consistent,
    expects=wrong("general", correct="nau/text.conclusion.outperforms"),
    note="NAC addition succeeds with all 10 seeds, as NAU does. If 'consistently' means a narrow confidence interval "
    "of 'solved at', the sentence is false for addition too: the published half width is "
    f"{TABLE_4['+', 'NAU'].solved[1]:.1e} iterations for NAU and {TABLE_4['+', 'NAC add'].solved[1]:.1e} for NAC "
    "addition. The other parts: nau/abstract.parameters, nau/text.table4.median, nau/text.table4.speed and "
    "nau/abstract.discrete",
)


def slower(table) -> list[str]:
    """Operations for which the published mean of 'solved at' of our unit is above that of another one."""
    return [
        f"{operation}: {own} {mine[0]:.1e}, {other} {theirs[0]:.1e} iterations"
        for operation, (own, others) in AGAINST.items()
        for other in others
        if (mine := table[operation, own].solved) and (theirs := table[operation, other].solved) and mine[0] > theirs[0]
    ]


def faster_by_means(_context) -> Finding:
    found = slower(TABLE_4)
    early = {**TABLE_4, ("+", "NAU"): TABLE_4["-", "NAU"]}
    says = f"published means of 'solved at' that are higher: {'; '.join(found) or 'none'}"
    return concluded(
        Status.REFUTED if found else Status.CONFIRMED, says, {"subtraction for addition": not slower(early)}
    )


interpreted(
    "nau/abstract.faster",
    at="abstract, on Table 4",
    says="by the published means NAU and NMU are solved earlier than NALU and its components, for each operation",
    quote="learns faster and have more meaningful discrete values than the NALU and its arithmetic components.",
    experiment=faster_by_means,
    expects=wrong(correct="nau/text.table4.median"),
    note="the intervals of the means for addition overlap. By the published medians NAU is solved earlier: "
    "nau/text.table4.median. In our runs: nau/table4.text.addition. For the late runs of NAU see "
    "nau/export.table5.late",
)

# --- section 1 --------------------------------------------------------------------------------------------------

NEAR = 1 / 4


def share_within(mean: float) -> float:
    """The largest share of networks with all weights that near: sparsity errors are at most 1/2 (Markov's bound)."""
    return min(1.0, (1 / 2 - mean) / (1 / 2 - NEAR))


def seldom_discrete(_context) -> Finding:
    found = {o: share_within(TABLE_5[o, "NAC add"].sparsity[0]) for o in "+-"}
    says = listed(found.items(), lambda o, share: f"{o}: at most {share:.0%} of networks")
    other = share_within(TABLE_5["+", "NAU"].sparsity[0])
    status = Status.CONFIRMED if max(found.values()) < 1 / 2 else Status.INCONCLUSIVE
    return concluded(status, f"all weights within 1/4 of -1, 0 or 1; {says}", {"NAU for NAC addition": other >= 1 / 2})


interpreted(
    "nau/text.sparse-rarely-found",
    at="section 1, third finding, on Table 4",
    says="fewer than half of the successful networks of NAC addition have all weights near -1, 0 or 1",
    quote="Using the addition module $\\text{NAC}_+$, we observe that the wanted weight matrix values of $\\{-1, 0, "
    "1\\}$ is rarely found.",
    experiment=seldom_discrete,
    note=f"'near' means within 1/4. The published mean sparsity errors are {TABLE_4['-', 'NAC add'].sparsity[0]:.2f} "
    f"and {TABLE_4['+', 'NAC add'].sparsity[0]:.2f}, of at most 1/2, so that few networks can have a small one. The "
    "sparsity error is the largest error of a network; the tables do not contain its other weights",
)

ABLATED = ("NMU (W = W_hat)", "NMU (no R_oob)", "NMU (no R_sparse)", "NMU (no R_sparse, no R_oob)")


def needed(base: str, without: Iterable[str]) -> bool:
    """Whether networks succeed significantly more often with a part than without it, for each part."""
    return all(fisher(TABLE_6[base], TABLE_6[name]) <= CUSTOMARY for name in without)


def each_matters(_context) -> Finding:
    says = listed(((name, TABLE_6[name]) for name in ABLATED), lambda name, row: f"{name} {row.wilson()}")
    status = Status.CONFIRMED if needed("NMU", ABLATED) else Status.REFUTED
    slips = {"NAC multiplication with and without sigmoid weights": needed("NAC mul (W = sigmoid)", ["NAC mul"])}
    return concluded(status, f"NMU {TABLE_6['NMU'].wilson()}; {says}", slips)


interpreted(
    "nau/text.contributions.each",
    at="section 1, on Table 6",
    says="in the paper's ablation significantly fewer NMUs succeed without the clamp or without a regulariser",
    quote="All of which significantly improves upon the existing $NAC_+$ and $NAC_\\bullet$ units as shown through "
    "extensive testing on arithmetic constructions.",
    experiment=each_matters,
    expects=wrong(correct="nau/text.all-parameters nau/text.table4.sparser"),
    assumptions="Fisher's exact test on the published counts of 10 seeds, at the 5 % of the paper's intervals",
    note="all ten networks of each variant succeed, as do those of NAC multiplication with sigmoid weights. The "
    "confidence intervals of 'solved at' overlap. Together the three contributions do improve on NAC multiplication: "
    "nau/text.all-parameters. On U[0.1, 0.2] the regulariser makes NMUs fail: nau/beyond.narrow-range-unregularised",
)
