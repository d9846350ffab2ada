"""Section 5: the conclusion, judged by the published tables and figures, and by our runs."""

import numpy as np
import sympy

from paper_checks import Finding, Kind, Reproduces, Status, claim, common, concluded, wrong
from paper_checks.papers.neural_arithmetic_units.printed_figures import COUNTS, against
from paper_checks.papers.neural_arithmetic_units.printed_tables import TABLE_3, TABLE_5
from paper_checks.papers.neural_arithmetic_units.section_3.very_simple import trained
from paper_checks.papers.neural_arithmetic_units.sweeps import CRITERION_EPS, TABLE_3 as VERY_SIMPLE
from theory.arithmetic import nmu_loss, success_threshold

OWN = {"+": "NAU", "-": "NAU", "x": "NMU"}
EXCHANGED = {"+": "NMU", "-": "NMU", "x": "NAU"}

# Successes of the NMU and of another model in Table 3.
TABLE_3_COUNTS = [(TABLE_3["NMU"].successes, row.successes) for name, row in TABLE_3.items() if name != "NMU"]


def successes(own: dict[str, str]) -> list[tuple[int, int]]:
    """Of the unit that is meant for an operation and of another model, row by row and setting by setting."""
    rows = [(TABLE_5[o, own[o]].successes, row.successes) for (o, name), row in TABLE_5.items() if name != own[o]]
    figures = [(s.successes, s.others) for f in COUNTS for m in ("nac_mul", "nalu") for s in against(f, "nmu", m)]
    return rows + TABLE_3_COUNTS + figures


def compared(holds: bool, slips: dict[str, bool]) -> Finding:
    rows = successes(OWN)
    more, alike = sum(mine > theirs for mine, theirs in rows), sum(mine == theirs for mine, theirs in rows)
    none = sum(mine == theirs == 0 for mine, theirs in rows)
    says = (
        f"the proposed unit has more successes in {more} of {len(rows)} comparisons, as many in {alike} (none of both "
        f"in {none} of these) and fewer in {len(rows) - more - alike}"
    )
    return concluded(holds, says, slips)


stressed = common(relation=Reproduces(), kind=Kind.ALTERNATIVE, at="section 5, on all tables and figures")

stressed(
    "nau/text.conclusion.outperforms",
    says="in no published setting does another model succeed more often than the unit proposed for the operation",
    quote="the NAU and NMU consistently outperforms recent approaches and neural networks",
    experiment=lambda _: compared(
        all(mine >= theirs for mine, theirs in successes(OWN)),
        {"units exchanged": any(mine < theirs for mine, theirs in successes(EXCHANGED))},
    ),
    note="compares the published counts. For addition and subtraction NAC addition and Linear succeed with all 10 "
    "seeds, as NAU does. NAU is better there in the median of 'solved at' and in sparsity: nau/text.table4.median "
    "and nau/text.table4.sparser. That it always succeeds more often is false: nau/text.conclusion.more-often",
)

stressed(
    "nau/text.conclusion.more-often",
    says="in every published setting the unit proposed for the operation succeeds more often than any other model",
    experiment=lambda _: compared(
        all(mine > theirs for mine, theirs in successes(OWN)),
        {"Table 3 alone": all(mine > theirs for mine, theirs in TABLE_3_COUNTS)},
    ),
    expects=wrong(correct="nau/text.conclusion.outperforms"),
    note="the paper says neither 'every setting' nor 'more often'. On U[0.1, 0.2] and U[1.1, 1.2] no network of any "
    "model succeeds. With 4 hidden units as many networks of NAC multiplication succeed as NMUs. NAC addition and "
    "Linear succeed with all 10 seeds, as NAU does. There NAU is better in other numbers: "
    "nau/text.conclusion.outperforms",
)


def signs_multiply() -> bool:
    """An NMU with both weights 1 is the product for all real inputs."""
    (a, b), w = sympy.symbols("a b", real=True), sympy.Symbol("w")
    return sympy.prod(w * z + 1 - w for z in (a, b)).subs(w, 1) == a * b


BOTH_SIGNS = {"lower": -6.0, "upper": 6.0}
LEFT, RIGHT = (1, 1, 0, 0), (1, 1, 1, 1)


def loss_without_signs() -> float:
    """Mean squared error of |a| |b| for a b, on a lattice of inputs."""
    x = np.meshgrid(*[np.linspace(*BOTH_SIGNS.values(), 13)] * 4)
    product = (x[0] + x[1]) * sum(x)
    return float(np.mean((np.abs(product) - product) ** 2))


def solve_negative(context) -> Finding:
    """Networks that were trained on [1, 2], by their exact error on inputs of both signs: one that can is enough."""
    runs = trained(context, "nmu")
    first = np.array([[runs.columns[f"w1_{o}{h}"] for h in range(4)] for o in range(2)])
    second = np.array([runs.columns[f"w2_{o}"] for o in range(2)])
    loss = nmu_loss(np.moveaxis(first, -1, 0), second.T, LEFT, RIGHT, **BOTH_SIGNS)
    limit = float(success_threshold("multiplication", 4, 2, 2, *BOTH_SIGNS.values(), CRITERION_EPS, size_b=4))
    can = loss < limit
    says = f"{can.sum()} of {len(runs)} NMUs trained on U[1, 2] solve the very simple function on U[-6, 6]"
    slips = {
        "those that fail on U[2, 6]": not can[~runs.solved].any(),
        "a unit that loses signs": loss_without_signs() > limit,
    }
    return concluded(Status.CONFIRMED if can.any() else Status.INCONCLUSIVE, says, slips)


claim(
    "nau/text.conclusion.negative",
    relation=Reproduces(),
    at="section 5, in our runs",
    says="the NMU can extrapolate to negative numbers for multiplication",
    quote="While the NMU can not divide it is capable of extrapolate into the negative range for multiplication.",
    proof=signs_multiply,
    runs=VERY_SIMPLE,
    experiment=solve_negative,
    assumptions="one network that was trained without negative numbers and meets the criterion of 3.1.1 on U[-6, 6], "
    "by its exact error, is enough. In addition, weights of 1 give the product for all real inputs",
    note="on U[-6, 6] products of both signs occur; on U[-6, -2] all are positive. The networks of Figure 7 for "
    "U[-2, 2] are trained on both signs. NAC multiplication loses the sign: "
    "nau/text.multiplication-sign. The other half of the sentence: nau/text.no-division",
)
