"""Section 6: stochastic gradient descent does not produce more dead units in training."""

from paper_checks import Form, Kind, Reproduces, claim
from paper_checks.evidence.experiment import decided
from paper_checks.evidence.finding import Finding
from paper_checks.papers.dying_relu.figure_6_networks import BY_RUN, GAMMA, WIDTH, name, networks
from paper_checks.papers.dying_relu.lost_settings import counted, over_settings
from paper_checks.papers.dying_relu.stored_runs import Cell, paired, sign_table
from paper_checks.papers.dying_relu.sweeps import DEPTHS, FIGURE_6, WIDE
from paper_checks.rules.means import RESOLUTION, Status
from paper_checks.rules.proportions import Interval, median, sign_test

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
    table = [
        {"network": key, "median increase of the fraction of dead units": f"{i.low:+.2%} to {i.high:+.2%}"}
        for key, i in found.items()
    ]
    adam = [increase(deep(False, d, "adam-fast"), d * WIDTH).low > RESOLVED for d in DEPTHS[1:]]
    says = f"{counted(statuses)} settings; the claim's page has intervals for the median over runs"
    return over_settings(statuses, says, {"runs of Adam (0.01)": all(adam)}, table)


claim(
    "relu/fig6.sgd",
    at="section 6, figure 6",
    says="stochastic gradient descent does not produce more dead units during optimisation: the fraction "
    f"of dead units grows by less than {RESOLVED:.0%} in the median over runs",
    relation=Reproduces(),
    runs=FIGURE_6,
    experiment=descent,
    assumptions="exact intervals for the median over runs, with an error rate of 2e-11 each. Correct means: no "
    f"increase above {RESOLVED:.0%} of the units in any setting. Wrong means: an increase in all. "
    f"Plain networks have {WIDE} units per layer, so one unit is less than that",
    form=Form.OURS,
    quote="in these experiments, stochastic gradient descent does not produce more dead ReLU during optimization",
    note="step size 0.1, momentum 0.9 as a moving average. In residual networks no unit dies. Networks of "
    "3 layers at gamma = 1 have 144 runs, because 48 left the setting open: two looks, each with the "
    "error rate of the test. The settings are those of relu/fig6.start.plain",
)


def less_than_adam(context) -> Finding:
    """Units that died, Adam against gradient descent."""
    deep = networks(context)
    died = {f"depth {d}": [deep(False, d, m).deaths for m in ("adam-fast", "sgd")] for d in DEPTHS[1:]}
    differences = {text: paired(adam, sgd) for text, (adam, sgd) in died.items()}
    signs = {text: sign_test(v) for text, v in differences.items()}
    says = f"more units die with Adam in at least {min(s.above for s in signs.values())} of 48 runs"
    return decided(differences, says, table=sign_table(signs, "more with Adam"))


claim(
    "relu/beyond.sgd-fewer",
    at="additional to section 6, figure 6",
    says="at gamma = 1/256 fewer units die in plain networks of 3 and 6 ReLU layers with stochastic "
    "gradient descent (step size 0.1) than with Adam (step size 0.01)",
    **BY_RUN,
    experiment=less_than_adam,
    note="the settings are those of relu/fig6.start.plain",
    kind=Kind.ADDITIONAL,
)
