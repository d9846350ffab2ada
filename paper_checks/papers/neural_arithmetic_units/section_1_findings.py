"""Sections 1 and 2.1: what is said of the gate and of NAC addition, by what tables and figures print."""

from __future__ import annotations

from paper_checks import Reproduces, Status, claim, concluded
from paper_checks.findings import Finding
from paper_checks.papers.neural_arithmetic_units.printed_figures import COUNTS, SEEDS
from paper_checks.papers.neural_arithmetic_units.printed_tables import TABLE_3, TABLE_5
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
    assumptions="interval for an average of unequal probabilities, error rate 2e-11",
    note="Table 4, which the sentence names, has 2 of 30, too few to tell it alone; of NAU and NMU under a gate it has "
    "no row",
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
    note="near is within 1/4. A mean sparsity error of 0.46 or 0.48, of at most 1/2, leaves room for few that are "
    "small. It is the largest of all weights of a network; of the others the tables do not tell",
)
