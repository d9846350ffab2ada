"""Section 5: the conclusion, judged by the published tables and figures, and by our runs."""

import numpy as np
import sympy

from paper_checks import Kind, Reproduces, Status, common, concluded, wrong
from paper_checks.evidence.finding import Finding
from paper_checks.papers.neural_arithmetic_units.printed_figures import COUNTS, against
from paper_checks.papers.neural_arithmetic_units.printed_tables import TABLE_3, TABLE_5, Row
from paper_checks.papers.neural_arithmetic_units.section_3.very_simple import trained
from paper_checks.papers.neural_arithmetic_units.sweeps import CRITERION_EPS
from paper_checks.papers.neural_arithmetic_units.sweeps import TABLE_3 as VERY_SIMPLE
from theory.arithmetic import nmu_loss, success_threshold

STRESSED = (
    "In experiments stress-testing arithmetic operations, the NAU and NMU consistently outperforms recent approaches "
    "and neural networks."
)
sentence = common(relation=Reproduces())
OWN = {"+": "NAU", "-": "NAU", "x": "NMU"}


def never_behind(own: dict[str, str]) -> tuple[bool, str]:
    """Whether no model succeeds more often than the unit that is meant for an operation, row by row."""
    rows = [
        (TABLE_5[operation, own[operation]].successes, other.successes)
        for (operation, name), other in TABLE_5.items()
        if name != own[operation]
    ]
    rows += [(TABLE_3["NMU"].successes, row.successes) for name, row in TABLE_3.items() if name != "NMU"]
    rows += [(s.successes, s.others) for f in COUNTS for model in ("nac_mul", "nalu") for s in against(f, "nmu", model)]
    more, alike = sum(mine > theirs for mine, theirs in rows), sum(mine == theirs for mine, theirs in rows)
    return all(
        mine >= theirs for mine, theirs in rows
    ), f"more successes in {more} of {len(rows)} comparisons, as many in {alike}"


def outperforms(_context) -> Finding:
    holds, says = never_behind(OWN)
    slips = {"units exchanged": not never_behind({"+": "NMU", "-": "NMU", "x": "NAU"})[0]}
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, slips)


stressed = common(relation=Reproduces(), quote=STRESSED, kind=Kind.ALTERNATIVE)

stressed(
    "nau/text.conclusion.outperforms",
    at="section 5, on Tables 3 and 5 and Figures 3, 4, 5 and 7",
    says="in no published setting does another model succeed more often than the unit proposed for the operation",
    experiment=outperforms,
    note="compares the published counts. For addition and subtraction NAC addition and Linear succeed with all 10 "
    "seeds, as NAU does. NAU is better there in the median of 'solved at' and in sparsity: nau/text.table4.median "
    "and nau/text.table4.sparser",
)


def ahead_in_sums(others: dict[tuple[str, str], Row]) -> bool:
    """Whether more networks of NAU succeed than of each of these, for addition and for subtraction."""
    return all(TABLE_5[operation, "NAU"].successes > row.successes for (operation, _), row in others.items())


def sums(*names: str) -> dict[tuple[str, str], Row]:
    return {(operation, name): TABLE_5[operation, name] for operation in "+-" for name in names}


def ahead_of_addition(_context) -> Finding:
    others = sums("NAC add", "Linear")
    says = "; ".join(
        f"{operation}: {row.successes} of 10 networks of {name}" for (operation, name), row in others.items()
    )
    status = Status.CONFIRMED if ahead_in_sums(others) else Status.REFUTED
    return concluded(status, f"{says}, and of NAU", {"NALU for the others": ahead_in_sums(sums("NALU"))})


stressed(
    "nau/text.conclusion.more-often",
    at="section 5, on Table 5",
    says="for addition and subtraction more networks of NAU than of NAC addition or Linear succeed",
    experiment=ahead_of_addition,
    expects=wrong(correct="nau/text.conclusion.outperforms"),
    note="all of them succeed with all 10 seeds. The abstract says 'converges more consistently': "
    "nau/abstract.consistent",
)


def signs_multiply() -> bool:
    """An NMU with both weights 1 is the product for all real inputs."""
    (a, b), w = sympy.symbols("a b", real=True), sympy.Symbol("w")
    return sympy.prod(w * z + 1 - w for z in (a, b)).subs(w, 1) == a * b


NEGATIVE = {"lower": -6.0, "upper": -2.0}
LEFT, RIGHT = (1, 1, 0, 0), (1, 1, 1, 1)


def solve_negative(context) -> Finding:
    """Networks that were trained on [1, 2], by their exact error on negative inputs: one that can is enough."""
    runs = trained(context, "nmu")
    first = np.array([[runs.columns[f"w1_{o}{h}"] for h in range(4)] for o in range(2)])
    second = np.array([runs.columns[f"w2_{o}"] for o in range(2)])
    loss = nmu_loss(np.moveaxis(first, -1, 0), second.T, LEFT, RIGHT, **NEGATIVE)
    limit = float(success_threshold("multiplication", 4, 2, 2, *NEGATIVE.values(), CRITERION_EPS, size_b=4))
    can = loss < limit
    says = f"{can.sum()} of {len(runs)} NMUs trained on U[1, 2] solve the very simple function on U[-6, -2]"
    slips = {"those that fail on U[2, 6]": not can[~runs.solved].any()}
    return concluded(Status.CONFIRMED if can.any() else Status.INCONCLUSIVE, says, slips)


sentence(
    "nau/text.conclusion.negative",
    at="section 5, in our runs",
    says="the NMU can extrapolate to negative numbers for multiplication",
    quote="While the NMU can not divide it is capable of extrapolate into the negative range for multiplication.",
    proof=signs_multiply,
    runs=VERY_SIMPLE,
    experiment=solve_negative,
    assumptions="one network that was trained without negative numbers and meets the criterion of 3.1.1 on U[-6, "
    "-2], by its exact error, is enough. In addition, weights of 1 give the product for all real inputs",
    note="the networks of Figure 7 for U[-2, 2] are trained on both signs. NAC multiplication loses the sign: "
    "nau/text.multiplication-sign. The other half of the sentence: nau/text.no-division",
)
