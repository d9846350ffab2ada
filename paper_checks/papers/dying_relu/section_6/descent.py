"""Section 6: stochastic gradient descent does not produce more dead units in training."""

from __future__ import annotations

from paper_checks import Kind, Reproduces, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.dying_relu.lost_settings import counted, over_settings
from paper_checks.papers.dying_relu.section_6.figure_6_networks import BY_RUN, GAMMA, SETTINGS, WIDTH, name, networks
from paper_checks.papers.dying_relu.stored_runs import Cell
from paper_checks.papers.dying_relu.sweeps import DEPTHS, FIGURE_6, WIDE
from paper_checks.rules.means import RESOLUTION, Status, combine
from paper_checks.rules.proportions import Interval, compare_signs, listed, median, signs_text

RESOLVED = RESOLUTION["quick"]


def increase(cell: Cell, units: int) -> Interval:
    """The median over runs of the increase of the share of dead units."""
    return median(cell.increase / units)


def descent(context) -> Finding:
    """Gradient descent: by how much the share of dead units grows in training, where one unit is below the limit."""
    deep = networks(context)
    cells = {
        f"plain, {name(g)}, depth {d}": (deep(False, d, "sgd", g, width=WIDE), d * WIDE)
        for g in (1.0, GAMMA) for d in DEPTHS
    }  # fmt: skip
    cells |= {
        f"residual, {name(g)}, depth {d}": (deep(True, d, "sgd", g), d * WIDTH) for g in (1.0, GAMMA) for d in DEPTHS
    }
    found = {key: increase(*c) for key, c in cells.items()}
    statuses = {
        key: Status.REFUTED if i.low > RESOLVED else i.below(RESOLVED) for key, i in found.items()
    }  # fmt: skip
    moved = {key: i for key, i in found.items() if (i.low, i.high) != (0, 0)}
    texts = listed(moved.items(), lambda key, i: f"{key} {i.low:+.2%} to {i.high:+.2%}")
    adam = [increase(deep(False, d, "adam-fast"), d * WIDTH).low > RESOLVED for d in DEPTHS[1:]]
    says = (
        f"{counted(statuses)} settings; median increase of the share of dead units by run: {texts}; exactly 0 in the "
        f"other {len(cells) - len(moved)}"
    )
    return over_settings(statuses, says, {"runs of Adam (0.01)": all(adam)})


claim(
    "relu/fig6.sgd",
    at="section 6, figure 6",
    says="stochastic gradient descent, with momentum 0.9, does not produce more dead units during optimisation",
    relation=Reproduces(),
    runs=FIGURE_6,
    experiment=descent,
    assumptions="exact intervals for the median over runs, error rate 2e-11 each. Right: no increase above "
    f"{RESOLVED:.0%} of the units in any setting, wrong: an increase in all; {WIDE} units a layer in plain networks, "
    "where one is less than that",
    note="step size 0.1 with momentum as a moving average; in residual networks no unit dies at all. One setting, 3 "
    "layers at gamma = 1, has 144 runs: 48 left it open. " + SETTINGS,
)


def less_than_adam(context) -> Finding:
    """Units that died, Adam against gradient descent."""
    deep = networks(context)
    signs, slips = compare_signs({
        f"depth {d}": deep(False, d, "adam-fast").deaths - deep(False, d, "sgd").deaths for d in DEPTHS[1:]
    })  # fmt: skip
    return concluded(combine([s.status for s in signs.values()]), f"Adam above SGD, {signs_text(signs)}", slips)


claim(
    "relu/beyond.sgd-fewer",
    at="beyond section 6, figure 6",
    says="at gamma = 1/256 fewer units die in plain networks of 3 and 6 ReLU layers with stochastic gradient descent, "
    "step size 0.1, than with Adam, step size 0.01",
    **BY_RUN,
    experiment=less_than_adam,
    note=SETTINGS,
    kind=Kind.ADDITIONAL,
)
