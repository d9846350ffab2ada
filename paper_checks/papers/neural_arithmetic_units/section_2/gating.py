"""Sections 2.1 and 2.1.1: what is said of the gate and of discrete weights, by published tables and figures."""

from collections.abc import Iterable

from paper_checks import Finding, Kind, Reproduces, Status, common, concluded, wrong
from paper_checks.papers.neural_arithmetic_units.printed_figures import COUNTS, SEEDS
from paper_checks.papers.neural_arithmetic_units.printed_tables import TABLE_3, TABLE_4, TABLE_5
from paper_checks.papers.neural_arithmetic_units.section_1 import NEAR
from paper_checks.rules.proportions import listed
from paper_checks.rules.strata import average

of_numbers = common(relation=Reproduces())
interpreted = common(relation=Reproduces(), kind=Kind.ALTERNATIVE)

GATING = "We have not had any consistent success of convergence using the gating mechanism using the NALU"


def gated_fail(_context) -> Finding:
    """NALUs of all published rows and settings, and NMUs of Table 3 and the figures."""
    of_nalu = [TABLE_3["NALU"], *(TABLE_5[operation, "NALU"] for operation in "+-x")]
    gated, nmu = (
        average([*((r.successes, r.seeds) for r in rows), *((k, SEEDS) for f in COUNTS.values() for k in f[model])])
        for rows, model in ((of_nalu, "nalu"), ([TABLE_3["NMU"]], "nmu"))
    )
    says = f"NALU succeeds on average with a probability of {gated}"
    return concluded(gated.below(1 / 2), says, {"NMU for NALU": nmu.below(1 / 2) is not Status.CONFIRMED})


interpreted(
    "nau/text.gating",
    at="2.1, on Tables 3 and 5 and Figures 3 to 7",
    says="with its gate a NALU succeeds, on average over all experiments, in fewer than half of the runs",
    quote=GATING,
    experiment=gated_fail,
    assumptions="confidence interval for an average of unequal probabilities, error rate 2e-11; runs of different "
    "settings are assumed independent, although all use the seeds 0 to 9",
    note="we interpret 'consistent success' as success in at least half of the runs. Table 4, to which the sentence "
    "refers, has too few runs of NALU to test this: nau/text.gating.table4",
)

WITHOUT_OWN_GATE = {"NAC add", "NAC mul", "NALU", "NAU", "NMU", "Linear", "ReLU", "ReLU6"}
MODELS_OF_TABLE_4 = list(dict.fromkeys(name for _, name in TABLE_4))


def rows_under_a_gate(names: Iterable[str]) -> list[str]:
    """Rows of NAU and NMU under a gate; that of NALU holds NAC addition and NAC multiplication."""
    return [name for name in names if name not in WITHOUT_OWN_GATE]


def shown_under_a_gate(_context) -> Finding:
    found = rows_under_a_gate(MODELS_OF_TABLE_4)
    slips = {"a row of NAU and NMU under a gate": rows_under_a_gate([*MODELS_OF_TABLE_4, "gated NAU/NMU"]) != []}
    return concluded(bool(found), f"rows of Table 4: {', '.join(MODELS_OF_TABLE_4)}", slips)


on_table_4 = common(at="2.1, on Table 4")

on_table_4(
    "nau/text.gating.own-units",
    says="Table 4 shows results of NAU and NMU combined by a gate",
    quote="or by combining our own proposed sub-units (NAU, NMU), as shown in table 4.",
    experiment=shown_under_a_gate,
    expects=wrong("general", correct="nau/text.gating.table4"),
    note="the table shows it of NALU, the only gated model. The experiment with NAU and NMU is missing: no row of "
    "Table 4 or Table 5 has them combined by a gate",
)

NALUS = [row for (_, name), row in TABLE_4.items() if name == "NALU"]

on_table_4(
    "nau/text.gating.table4",
    says="the only gated model in Table 4 is NALU, of which 2 of 30 networks succeed",
    quote=GATING,
    proof=lambda: (sum(row.successes for row in NALUS), sum(row.seeds for row in NALUS)) == (2, 30),
    note="the rest of the sentence, on NAU and NMU combined by a gate: nau/text.gating.own-units",
)


PAIRS = {"NAC addition and NAC multiplication": ("NAC add", "NAC mul"), "NAU and NMU": ("NAU", "NMU")}
TENFOLD = 10


def addition_first(_context) -> Finding:
    """How many times later each unit is solved at multiplication than its partner at addition."""
    medians = {name: (TABLE_4["+", add].median, TABLE_4["x", mul].median) for name, (add, mul) in PAIRS.items()}
    says = listed(medians.items(), lambda name, pair: f"{name}: a factor of {pair[1] / pair[0]:.0f}")
    slips = {"operations exchanged": not all(add / mul > TENFOLD for add, mul in medians.values())}
    holds = all(mul / add > TENFOLD for add, mul in medians.values())
    return concluded(holds, f"medians of 'solved at'; {says}", slips)


interpreted(
    "nau/text.addition-faster",
    at="2.1, on Table 4",
    says="by the published medians addition is learnt more than ten times as fast as multiplication",
    quote="This is likely due to the vastly different gradients, causing addition to be learned much faster than "
    "multiplication.",
    experiment=addition_first,
    note="we interpret 'much faster' as ten times. NAC addition is compared with NAC multiplication and NAU with NMU, "
    "all without a gate. No table shows whether the gradients are the cause, or what happens with a gate",
)


def nearly_all_within(mean: float) -> float:
    """The least share of networks with all weights that near (Markov's bound)."""
    return max(0.0, 1 - mean / NEAR)


DISCRETE = {
    "Table 3, NAC multiplication": nearly_all_within(TABLE_3["NAC mul"].sparsity[0]),
    "Table 4, NAC multiplication": nearly_all_within(TABLE_4["x", "NAC mul"].sparsity[0]),
}
ADDING = [nearly_all_within(TABLE_4[o, "NAC add"].sparsity[0]) for o in "+-"]


def discrete(converges: Status, otherwise: Status) -> Finding:
    """Whether nearly all networks of NAC multiplication that succeed have discrete weights."""
    says = listed(DISCRETE.items(), lambda name, share: f"{name}: at least {share:.1%} of networks")
    status = converges if min(DISCRETE.values()) > 0.99 else otherwise
    return concluded(status, f"all weights within 1/4 of -1, 0 or 1; {says}", {"NAC addition": max(ADDING) <= 0.99})


of_numbers.alternative(
    "nau/text.no-bias",
    at="2.1.1, on Tables 3 and 4",
    says="the weights of equation (2) do not converge towards -1, 0 and 1, for either unit",
    quote="In our empirical analysis we find that equation 2 does not create the desired bias for $\\{-1, 0, 1\\}$ , "
    "as it doesn't converge towards those values.",
    experiment=lambda _: discrete(Status.REFUTED, Status.INCONCLUSIVE),
    expects=wrong(correct="nau/text.sparse-rarely-found nau/text.no-bias.multiplication"),
    note="NAC addition and NAC multiplication both have these weights. For NAC addition the sentence is correct: "
    "nau/text.sparse-rarely-found. The third finding of section 1 names NAC addition only. Networks of "
    "NAC multiplication that succeed have published sparsity errors of "
    f"{TABLE_3['NAC mul'].sparsity[0]:.1e} in Table 3 and {TABLE_4['x', 'NAC mul'].sparsity[0]:.1e} in Table 4. Their "
    "task needs discrete weights: nau/text.no-bias.multiplication",
)

of_numbers.additional(
    "nau/text.no-bias.multiplication",
    at="2.1.1, on Tables 3 and 4",
    says="at least 99 % of the successful networks of NAC multiplication have all weights within 1/4 of -1, 0 or 1",
    experiment=lambda _: discrete(Status.CONFIRMED, Status.INCONCLUSIVE),
    note="the published means of the sparsity error imply it by Markov's bound; see nau/text.no-bias",
)
