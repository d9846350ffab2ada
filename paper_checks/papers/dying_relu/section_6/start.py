"""Section 6, Figure 6: units that are dead before the first update."""

from __future__ import annotations

import sympy

from paper_checks import Reproduces, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.section_6.figure_6_networks import SETTINGS, WIDTH, share, untrained
from paper_checks.papers.dying_relu.stored_runs import SIGNS
from paper_checks.papers.dying_relu.sweeps import START_DEPTHS, STARTS
from paper_checks.rules.means import Status, combine
from paper_checks.rules.proportions import compare_signs, listed, signs_text


def starts(context) -> Finding:
    """Shares of units dead at the start, by depth and law, plain networks."""
    at_start = untrained(context)
    differences, texts = {}, []
    for law in ("uniform", "he"):
        shares = {d: share(at_start(False, d, law).first, d) for d in START_DEPTHS}
        texts.append(f"{law}: " + listed(shares.items(), lambda d, v: f"depth {d} {v.mean():.1%}").replace(";", ","))
        differences |= {f"{law}, {b} against {a}": shares[b] - shares[a] for a, b in ((1, 6), (3, 12), (6, 24))}
    signs, slips = compare_signs(differences)
    return concluded(combine([s.status for s in signs.values()]), f"{'; '.join(texts)}; {signs_text(signs)}", slips)


claim(
    "relu/fig6.start.plain",
    at="section 6, figure 6",
    says="in deeper plain networks ReLU units are dead from the start, the more the deeper",
    relation=Reproduces(),
    runs=STARTS,
    experiment=starts,
    assumptions=SIGNS,
    note="for two laws: U[-1/sqrt(fan_in), 1/sqrt(fan_in)] for weights and biases, and N(0, 2/fan_in) with biases 0. "
    + SETTINGS,
)


def largest_is_above_the_mean() -> bool:
    """The largest of n values less their mean is the mean of their distances to it, for any n, by induction.

    With S_n the sum of the first n gaps below the top: top - (n top - S_n)/n = S_n/n, and a further value
    top - gap adds the gap to S, so that the formula goes from n to n + 1. Gaps are not negative: S_n is 0 only where
    all are. Of a set whose top is new the old gaps all grow, so that one may take the top of all from the start.
    """
    n = sympy.Symbol("n", integer=True, positive=True)
    top, total = sympy.Symbol("top", real=True), sympy.Symbol("S", nonnegative=True)
    gap, some = sympy.Symbol("gap", nonnegative=True), sympy.Symbol("gap_1", positive=True)

    def above(count, gaps):
        return top - (count * top - gaps) / count

    one = sympy.expand(above(sympy.Integer(1), sympy.Integer(0))) == 0
    values = n * top - total + (top - gap)
    step = sympy.expand(values - ((n + 1) * top - (total + gap))) == 0
    is_mean = vanishes(above(n, total) - total / n) and (total / n).is_nonnegative
    return bool(one and step and is_mean and ((total + some) / (n + 1)).is_positive)


def residual_starts(context) -> Finding:
    """No dead unit at the start of residual networks; the plain ones beside them have some."""
    at_start = untrained(context)
    cells = {(d, law): at_start(True, d, law).first for law in ("uniform", "he") for d in START_DEPTHS}
    none = not any(c.any() for c in cells.values())
    units = sum(48 * d * WIDTH for d, _ in cells)
    plain = sum(int(at_start(False, d, law).first.sum()) for d, law in cells)
    says = f"none of {units} units at depths {START_DEPTHS}, two laws; {plain} in plain networks"
    return concluded(Status.CONFIRMED if none else Status.REFUTED, says, {"plain networks": plain > 0})


claim(
    "relu/fig6.start.residual",
    at="section 6, figure 6",
    says="in residual networks no ReLU unit is dead from the start, due to the batch normalisation before it",
    proof=largest_is_above_the_mean,
    assumptions="no unit has one value for all inputs, which normalisation makes 0",
    runs=STARTS,
    experiment=residual_starts,
    note=f"normalised values have mean 0, so that the largest is positive; scale 1 and shift 0 keep it so. {SETTINGS}",
)
