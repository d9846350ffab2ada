"""Sections 1 and 2.1: what is said of gate, weights and contributions, by what tables and figures print."""

from __future__ import annotations

from collections.abc import Iterable

from paper_checks import WRONG, Kind, Reproduces, Status, claim, concluded, wrong
from paper_checks.evidence.finding import Finding
from paper_checks.papers.neural_arithmetic_units.printed_figures import COUNTS, SEEDS
from paper_checks.papers.neural_arithmetic_units.printed_tables import (
    CUSTOMARY,
    TABLE_3,
    TABLE_4,
    TABLE_5,
    TABLE_6,
    fisher,
)
from paper_checks.rules.proportions import listed
from paper_checks.rules.strata import average


def counts_of(name: str, model: str) -> list[tuple[int, int]]:
    """Successes and runs of all printed rows and settings with a model."""
    rows = [TABLE_3[name], *(TABLE_5[operation, name] for operation in "+-x")]
    return [(r.successes, r.seeds) for r in rows] + [(k, SEEDS) for figure in COUNTS.values() for k in figure[model]]


def gated_fail(_context) -> Finding:
    gated = average(counts_of("NALU", "nalu"))
    nmu = average([(TABLE_3["NMU"].successes, 100), *((k, SEEDS) for figure in COUNTS.values() for k in figure["nmu"])])
    says = f"NALU succeeds on average with a probability of {gated}"
    return concluded(gated.below(1 / 2), says, {"NMU for NALU": nmu.below(1 / 2) is not Status.CONFIRMED})


claim(
    "nau/text.gating",
    at="2.1, on Tables 3 and 5 and Figures 3, 4, 5 and 7",
    says="with its gate a NALU succeeds, on average over all experiments, in fewer than half of the runs",
    quote="We have not had any consistent success of convergence using the gating mechanism using the NALU",
    relation=Reproduces(),
    experiment=gated_fail,
    assumptions="interval for an average of unequal probabilities, error rate 2e-11; runs of different settings are "
    "taken for independent, though their published seeds are 0 to 9 everywhere",
    kind=Kind.ALTERNATIVE,
    note="'consistent' is read as half of the runs. Table 4, which the sentence names, has 2 of 30, too few to tell it "
    "alone",
)


WITHOUT_OWN_GATE = {"NAC add", "NAC mul", "NALU", "NAU", "NMU", "Linear", "ReLU", "ReLU6"}


def rows_under_a_gate(names: Iterable[str]) -> list[str]:
    """Rows of NAU and NMU under a gate; that of NALU holds NAC addition and NAC multiplication."""
    return [name for name in names if name not in WITHOUT_OWN_GATE]


def shown_under_a_gate(_context) -> Finding:
    names = list(dict.fromkeys(name for _, name in TABLE_4))
    found = rows_under_a_gate(names)
    slips = {"a row of NAU and NMU under a gate": rows_under_a_gate([*names, "gated NAU/NMU"]) != []}
    return concluded(Status.CONFIRMED if found else Status.REFUTED, f"rows of Table 4: {', '.join(names)}", slips)


claim(
    "nau/text.gating.own-units",
    at="2.1, on Table 4",
    says="Table 4 shows how NAU and NMU fare under a gate",
    quote="or by combining our own proposed sub-units (NAU, NMU), as shown in table 4.",
    experiment=shown_under_a_gate,
    expects=wrong("misprint"),
    note="no row of it, and none of Table 5, has NAU and NMU under a gate",
)


def earlier_by(add: str, multiply: str) -> float:
    """How many times later the second is solved at multiplication than the first at addition, by printed medians."""
    return TABLE_4["x", multiply].median / TABLE_4["+", add].median


TENFOLD = 10


def much_later(factors: Iterable[float]) -> bool:
    return min(factors) > TENFOLD


def addition_first(_context) -> Finding:
    factors = {
        "NAC addition and NAC multiplication": earlier_by("NAC add", "NAC mul"),
        "NAU and NMU": earlier_by("NAU", "NMU"),
    }
    says = listed(factors.items(), lambda name, factor: f"{name}: a factor of {factor:.0f}")
    status = Status.CONFIRMED if much_later(factors.values()) else Status.REFUTED
    slips = {"operations exchanged": not much_later([1 / factor for factor in factors.values()])}
    return concluded(status, f"medians of 'solved at'; {says}", slips)


claim(
    "nau/text.addition-faster",
    at="2.1, on Table 4",
    says="by the printed medians addition is learnt more than ten times as fast as multiplication, each by its units",
    quote="This is likely due to the vastly different gradients, causing addition to be learned much faster than "
    "multiplication.",
    relation=Reproduces(),
    experiment=addition_first,
    kind=Kind.ALTERNATIVE,
    note="'much' is read as ten times. Each unit alone, without a gate: that gradients are the cause, and what they do "
    "under a gate, no table tells",
)

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


claim(
    "nau/text.sparse-rarely-found",
    at="section 1, third finding, on Table 4",
    says="fewer than half of the networks of NAC addition that succeed have all weights near -1, 0 or 1",
    quote="Using the addition module $\\text{NAC}_+$, we observe that the wanted weight matrix values of $\\{-1, 0, "
    "1\\}$ is rarely found.",
    relation=Reproduces(),
    experiment=seldom_discrete,
    kind=Kind.ALTERNATIVE,
    note="near is within 1/4. A mean sparsity error of 0.46 or 0.48, of at most 1/2, leaves room for few that are "
    "small. It is the largest of all weights of a network; of the others the tables do not tell",
)


def nearly_all_within(mean: float) -> float:
    """The least share of networks with all weights that near (Markov's bound)."""
    return max(0.0, 1 - mean / NEAR)


def never_discrete(_context) -> Finding:
    """Networks with the weights of (2) that are discrete all the same."""
    found = {
        "Table 3, NAC multiplication": nearly_all_within(TABLE_3["NAC mul"].sparsity[0]),
        "Table 4, NAC multiplication": nearly_all_within(TABLE_4["x", "NAC mul"].sparsity[0]),
    }
    adding = [nearly_all_within(TABLE_4[o, "NAC add"].sparsity[0]) for o in "+-"]
    says = listed(found.items(), lambda name, share: f"{name}: at least {share:.1%} of networks")
    status = Status.REFUTED if min(found.values()) > 1 / 2 else Status.INCONCLUSIVE
    return concluded(status, f"all weights within 1/4 of -1, 0 or 1; {says}", {"NAC addition": max(adding) <= 1 / 2})


claim(
    "nau/text.no-bias",
    at="2.1.1, on Tables 3 and 4",
    says="networks with the weights of (2) that succeed do not come near -1, 0 and 1, whatever the unit",
    quote="In our empirical analysis we find that equation 2 does not create the desired bias for $\\{-1, 0, 1\\}$ , "
    "as it doesn't converge towards those values.",
    relation=Reproduces(),
    experiment=never_discrete,
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="of NAC addition it holds, nau/text.sparse-rarely-found. NAC multiplication, with the same weights, has a "
    "printed sparsity error of 7.5e-6 in Table 3 and 3.9e-4 in Table 4 where it succeeds: the task asks for discrete "
    "weights there, and they come",
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


claim(
    "nau/text.contributions.each",
    at="section 1, on Table 6",
    says="without clamp or regulariser significantly fewer NMUs succeed, in the paper's own ablation",
    quote="All of which significantly improves upon the existing $NAC_+$ and $NAC_\\bullet$ units as shown through "
    "extensive testing on arithmetic constructions.",
    relation=Reproduces(),
    experiment=each_matters,
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    assumptions="Fisher's exact test on the printed counts of 10 seeds, at the 5 % of the paper's intervals",
    note="all succeed, as NAC multiplication with sigmoid weights does, and the intervals of 'solved at' meet. "
    "Together the three do improve on NAC multiplication: nau/text.all-parameters. On U[0.1, 0.2] all fail with the "
    "regulariser that succeed without it, nau/beyond.narrow-range-unregularised",
)
