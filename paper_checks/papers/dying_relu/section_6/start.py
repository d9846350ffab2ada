"""Section 6, Figure 6: units that are dead before the first update."""

import sympy

from paper_checks import Finding, Form, Reproduces, common, concluded
from paper_checks.evidence.experiment import decided
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.stored_runs import AS_BEFORE, SETTINGS, WIDTH, share, untrained
from paper_checks.papers.dying_relu.sweeps import START_DEPTHS, STARTS
from paper_checks.rules.proportions import sign_test

LAWS = {"uniform": "U[-1/sqrt(fan_in), 1/sqrt(fan_in)]", "he": "N(0, 2/fan_in), biases 0"}


def starts(context) -> Finding:
    """Shares of units dead at the start, by depth and law, plain networks."""
    at_start = untrained(context)
    differences, table = {}, []
    for law in ("uniform", "he"):
        shares = {d: share(at_start(False, d, law).first, d) for d in START_DEPTHS}
        table.append(
            {"initial distribution": LAWS[law]} | {f"dead, {d} layers": f"{v.mean():.1%}" for d, v in shares.items()}
        )
        differences |= {f"{law}, {b} against {a}": shares[b] - shares[a] for a, b in ((1, 6), (3, 12), (6, 24))}
    signs = list(map(sign_test, differences.values()))
    says = f"more units are dead in the deeper network in at least {min(s.above for s in signs)} of 48 runs"
    return decided(differences, says, table=table)


figure_6 = common(at="section 6, figure 6", form=Form.OURS, runs=STARTS)

figure_6(
    "relu/fig6.start.plain",
    says="in deeper plain networks ReLU units are dead before training, and the deeper the network the "
    "larger the fraction",
    relation=Reproduces(),
    experiment=starts,
    assumptions=AS_BEFORE,
    quote="ReLUs are initialized dead in deeper “vanilla” NNs",
    note="this holds for two initial distributions: U[-1/sqrt(fan_in), 1/sqrt(fan_in)] for weights and "
    f"biases, and N(0, 2/fan_in) for weights with biases 0. {SETTINGS}",
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
    step = sympy.expand(n * top - total + (top - gap) - ((n + 1) * top - (total + gap))) == 0
    is_mean = vanishes(above(n, total) - total / n) and (total / n).is_nonnegative
    return bool(one and step and is_mean and ((total + some) / (n + 1)).is_positive)


def residual_starts(context) -> Finding:
    """No dead unit at the start of residual networks; the plain ones beside them have some."""
    at_start = untrained(context)
    cells = {(d, law): at_start(True, d, law).first for law in ("uniform", "he") for d in START_DEPTHS}
    units = sum(48 * d * WIDTH for d, _ in cells)
    plain = sum(int(at_start(False, d, law).first.sum()) for d, law in cells)
    says = (
        f"none of {units} units is dead in residual networks of 1 to {max(START_DEPTHS)} layers with two initial "
        f"distributions, and {plain} are in plain networks"
    )
    return concluded(not any(c.any() for c in cells.values()), says, {"plain networks": plain > 0})


figure_6(
    "relu/fig6.start.residual",
    says="in residual networks no ReLU unit is dead before training, because of the batch normalisation in front of it",
    proof=largest_is_above_the_mean,
    assumptions="no unit has the same value for all inputs; normalisation would make it 0",
    experiment=residual_starts,
    quote="but not in residual networks due to the batch normalization layer that precedes the ReLU",
    note="normalised values have mean 0, so the largest of them is positive. The initial scale 1 and "
    "shift 0 do not change this. The settings are those of relu/fig6.start.plain",
)
