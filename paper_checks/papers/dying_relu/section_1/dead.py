"""Section 1, Figure 1: units that die, against the scale of the targets and with momentum."""

import numpy as np

from montecarlo.training.scaled_targets import DATA
from paper_checks import OPEN, Finding, Form, Kind, Status, common, concluded
from paper_checks.papers.dying_relu.findings import counted
from paper_checks.papers.dying_relu.section_1.error import BY_RUN, SMALL, networks, power
from paper_checks.papers.dying_relu.stored_runs import sign_table
from paper_checks.papers.dying_relu.sweeps import GAMMAS, METHODS
from paper_checks.rules.means import combine
from paper_checks.rules.proportions import compare_signs

figure_1 = common(at="section 1, figure 1", form=Form.OURS, expects=OPEN, **BY_RUN)
beyond = common(at="additional to figure 1, for one setting", kind=Kind.ADDITIONAL, **BY_RUN)


def dead_grow(context) -> Finding:
    """Units that died, at small gamma against gamma = 1, by data and step size."""
    one_layer = networks(context)
    table, statuses = [], []
    for method in ("adam", "adam-fast"):
        for d in DATA:
            cells = [one_layer(method, g, d) for g in (1.0, *SMALL)]
            signs, _ = compare_signs({power(c.gamma): c.increase - cells[0].increase for c in cells[1:]})
            statuses += [s.status for s in signs.values()]
            last = signs[power(SMALL[-1])]
            table.append(
                {"data set": d, "step size": f"{METHODS[method]['step_size']:g}"}
                | {"dead at the start": f"{cells[0].first.mean() / 32:.1%}"}
                | {f"at the end, gamma = {power(c.gamma)}": f"{c.last.mean() / 32:.1%}" for c in cells}
                | {f"runs with more at {power(SMALL[-1])} than at 1": last.above, "runs with fewer": last.below}
            )
    says = (
        f"of {len(statuses)} comparisons with gamma = 1, significantly more units die at the smaller gamma in "
        f"{statuses.count(Status.CONFIRMED)}, and significantly fewer in {statuses.count(Status.REFUTED)}"
    )
    return concluded(combine(statuses), says, table=table)


figure_1(
    "relu/fig1.dead",
    at="section 1, figure 1; abstract",
    says="ReLU units of a network with one hidden layer die more easily as the target variance approaches 0",
    experiment=dead_grow,
    quote="ReLUs die more easily, when target variance approaches zero",
    note="with standardised inputs hardly any of our units dies at any gamma. With positive inputs the "
    "initial values and the step size matter more than gamma: relu/fig1.dead.positive-inputs. The "
    "settings are those of relu/fig1.error. Needed to settle it: the data sets, the width, the initial "
    "distributions and the target scales of Figure 1",
)


def dead_grow_where(context) -> Finding:
    """The setting in which gamma matters: positive inputs, step size 0.01; dead units, mean over gamma below 1."""
    one_layer = networks(context)
    cells = {power(g): one_layer("adam-fast", g, DATA[1]) for g in GAMMAS}
    one = cells.pop("4^0")
    mean = np.mean([c.last for c in cells.values()], axis=0)
    signs, slips = compare_signs({"below 1": mean - one.last})
    each, _ = compare_signs({g: c.last - one.last for g, c in cells.items()})
    trend, _ = compare_signs({"x": cells["4^-8"].last - cells["4^-4"].last})
    says = (
        f"in {signs['below 1'].above} of {len(mean)} runs more units are dead in the mean over gamma below 1 than at "
        f"gamma = 1, and in {signs['below 1'].below} fewer; from 4^-4 to 4^-8 more in {trend['x'].above} and fewer in "
        f"{trend['x'].below}"
    )
    first = {"gamma": 1, "dead of 32 units": f"{one.last.mean():.1f}", "runs with more": "", "runs with fewer": ""}
    table = [first] + [
        {"gamma": g, "dead of 32 units": f"{c.last.mean():.1f}", "runs with more": each[g].above,
         "runs with fewer": each[g].below}
        for g, c in cells.items()
    ]  # fmt: skip
    return concluded(combine([s.status for s in signs.values()]), says, slips, table=table)


beyond(
    "relu/fig1.dead.positive-inputs",
    says="with positive inputs, which are not centred, and Adam's step size 0.01, more units die for gamma "
    "below 1 (mean over 4^-2, 4^-4, 4^-6, 4^-8 and 0) than for gamma = 1",
    experiment=dead_grow_where,
    note="the number of dead units increases from gamma = 1 to 1/16. Below 1/16 no trend is significant. Runs "
    "were added twice because the claim was open: 48, 144 and 240 runs are three looks, each with the "
    "error rate of the test. The settings are those of relu/fig1.error",
)


def momentum(context) -> Finding:
    """Units that died with momentum 0.9 against those without, by data, step size and gamma."""
    one_layer = networks(context)
    settings = [(d, "adam") for d in DATA] + [(DATA[1], "adam-fast")]
    signs, _ = compare_signs({
        f"{d}, step size {METHODS[m]['step_size']:g}, gamma = {power(g)}":
            one_layer(m, g, d).increase - one_layer(f"{m}-no-momentum", g, d).increase
        for d, m in settings for g in GAMMAS[:5]
    })  # fmt: skip
    shown = {k: s for k, s in signs.items() if s.above + s.below}
    statuses = {k: s.status for k, s in signs.items()}
    says = f"{counted(statuses)} settings; in {len(signs) - len(shown)} of them no run differs"
    return concluded(combine(list(statuses.values())), says, table=sign_table(shown, "more with momentum", "fewer"))


figure_1(
    "relu/fig1.momentum",
    says="with momentum 0.9 in Adam more units die than without momentum",
    experiment=momentum,
    quote="along with momentum optimization leads to dead ReLU",
    note="with step size 0.001 no effect is significant in either direction. "
    "relu/fig1.momentum.positive-inputs has a setting with an effect. The settings are those of "
    "relu/fig1.error. Needed to settle it: the data sets and optimisers of Figure 1",
)


def momentum_where(context) -> Finding:
    """Positive inputs, step size 0.01, small gamma: with and without momentum."""
    one_layer = networks(context)
    pairs = {power(g): [one_layer(m, g, DATA[1]).last for m in ("adam-fast", "adam-fast-no-momentum")] for g in SMALL}
    signs, slips = compare_signs({g: a - b for g, (a, b) in pairs.items()})
    says = (
        f"in at least {min(s.above for s in signs.values())} of {len(pairs['4^-4'][0])} runs more units are dead with "
        f"momentum, on {DATA[1]}"
    )
    table = [
        {"gamma": g, "dead of 32 units with momentum": f"{a.mean():.1f}", "without": f"{b.mean():.1f}",
         "runs with more": signs[g].above, "runs with fewer": signs[g].below}
        for g, (a, b) in pairs.items()
    ]  # fmt: skip
    return concluded(combine([s.status for s in signs.values()]), says, slips, table=table)


beyond(
    "relu/fig1.momentum.positive-inputs",
    says="with positive inputs, which are not centred, Adam's step size 0.01 and gamma = 4^-4 and below, more "
    "units are dead with momentum 0.9 than without momentum",
    experiment=momentum_where,
    note="the settings are those of relu/fig1.error",
)
