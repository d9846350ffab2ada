"""Section 6: ReLU units die more often, and faster, the deeper the architecture.

Our copy has lost the paper's depths, gamma and step sizes. A sentence is judged in all settings that were run with its
optimiser: every pair of depths, gamma = 1 and 1/256, Adam with momentum 0.9 and step sizes 0.001, 0.01 and 0.1.
"""

import numpy as np

from paper_checks import OPEN, Finding, Form, Kind, Reproduces, Status, common, concluded
from paper_checks.papers.dying_relu import stored_runs as stored
from paper_checks.papers.dying_relu.findings import counted, in_all_settings, over_settings
from paper_checks.papers.dying_relu.sweeps import DEPTHS, FIGURE_6
from paper_checks.rules.means import combine
from paper_checks.rules.proportions import Sign, compare_signs

PAIRS = ((1, 3), (3, 6), (1, 6))
EARLY = (10, 30, 100, 300)


def died(cell: stored.Cell, depth: int, updates: int) -> np.ndarray:
    """The share of the units active at the start that are dead later."""
    return cell.died[updates] / (depth * stored.WIDTH - cell.first)


def dead(cell: stored.Cell, depth: int, updates: int) -> np.ndarray:
    """The share of units that are dead."""
    return stored.share(cell.dead[updates], depth)


def more(
    deep: stored.Networks, residual: bool, method: str, gamma: float, pair: tuple[int, int], updates: int, of=died
):
    """By how much a share is larger in the deeper network, by run."""
    shallow, deeper = (of(deep(residual, d, method, gamma), d, updates) for d in pair)
    return stored.paired(deeper, shallow)


def every_setting(deep: stored.Networks, residual: bool, updates: tuple[int, ...], of=died) -> dict[str, np.ndarray]:
    """The differences in all settings."""
    return {
        f"{stored.step(m)}, {stored.name(g)}, depth {b} against {a}" + f", {k} updates" * (len(updates) > 1):
            more(deep, residual, m, g, (a, b), k, of)
        for m in stored.ADAM for g in (1.0, stored.GAMMA) for a, b in PAIRS for k in updates
    }  # fmt: skip


def by_pair(signs: dict[str, Sign]) -> str:
    """In how many settings the deeper network has more, by pair of depths."""
    statuses = {key: s.status for key, s in signs.items()}
    return f"{counted(statuses)} settings; " + "; ".join(
        f"{b} against {a} layers: {counted({k: v for k, v in statuses.items() if f'depth {b} against {a}' in k})}"
        for a, b in PAIRS
    )


def the_deeper(deep: stored.Networks, residual: bool, updates: tuple[int, ...]) -> Finding:
    """Sign tests of deaths in all settings."""
    signs, slips = compare_signs(every_setting(deep, residual, updates))
    statuses = {key: s.status for key, s in signs.items()}
    some = {key: s for key, s in signs.items() if s.above + s.below}
    says = f"{by_pair(signs)}. In {len(signs) - len(some)} settings no run differs"
    slips = slips if in_all_settings(statuses) is Status.CONFIRMED else None
    table = stored.sign_table(some, "a larger fraction in the deeper network", "a smaller one")
    return over_settings(statuses, says, slips, table)


# Of the units active at the start: the share dead at the end, and early.
DIED = f"{stored.ALL}. We compare the fraction of the units active at the start that are dead"
figure_6 = common(at="section 6, figure 6", relation=Reproduces(), runs=FIGURE_6, form=Form.OURS, expects=OPEN)
HARDLY = (
    "in 1000 updates hardly any unit dies in our residual networks unless the step size is 0.1. A unit behind a batch "
    "normalisation is dead if its shift is more negative than its largest normalised value times the scale. 1000 "
    "updates of Adam with step size 0.001 move a shift by about 1 at most, so that hardly any unit can die. For this "
    "step size the sentence needs more updates than we ran. relu/beyond.deeper-residual has what holds at 0.1. The "
    "settings are those of relu/fig6.start.plain. Needed to settle it: the step size, the number of updates, gamma, "
    "the depths and the residual block of Figure 6"
)

figure_6(
    "relu/fig6.deeper.plain",
    says="ReLU units of plain networks trained by Adam die more often the deeper the architecture",
    experiment=lambda context: the_deeper(stored.networks(context), False, (1000,)),
    expects=None,
    assumptions=f"{DIED} at the end",
    quote="ReLUs die more often",
    note="with gradient descent few units die, and of 128 units at gamma = 1 and step size 0.01 a smaller share dies "
    "with 6 layers than with 3 in 31 of 48 runs. With the units that are dead before training more are dead in the "
    "deeper network in every setting too: relu/beyond.deeper-dead-at-end. The settings are those of "
    "relu/fig6.start.plain",
)

figure_6(
    "relu/fig6.faster.plain",
    says="ReLU units of plain networks trained by Adam die faster the deeper the architecture",
    experiment=lambda context: the_deeper(stored.networks(context), False, EARLY),
    assumptions=f"{DIED} within 10, 30, 100 and 300 updates",
    expects=None,
    quote="and faster, the deeper the architecture",
    note="comparisons of 48 to 144 runs were not all significant, so runs were added: several looks, each with the "
    "error rate of the test. On gradient descent: relu/fig6.deeper.plain. The settings are those of "
    "relu/fig6.start.plain",
)

figure_6(
    "relu/fig6.deeper.residual",
    says="ReLU units of residual networks with batch normalisation also die more often the deeper the architecture",
    experiment=lambda context: the_deeper(stored.networks(context), True, (1000,)),
    assumptions=f"{DIED} at the end",
    quote="even for residual networks with batch normalization",
    note=HARDLY,
)

figure_6(
    "relu/fig6.faster.residual",
    says="ReLU units of residual networks with batch normalisation also die faster the deeper the architecture",
    experiment=lambda context: the_deeper(stored.networks(context), True, EARLY),
    assumptions=f"{DIED} within 10, 30, 100 and 300 updates",
    quote="even for residual networks with batch normalization",
    note="hardly any unit dies in 1000 updates unless the step size is 0.1. relu/fig6.deeper.residual says why, and "
    "what is needed to settle it",
)

beyond = common(at="additional to section 6, figure 6", kind=Kind.ADDITIONAL, **stored.BY_RUN)


def dead_at_the_end(context) -> Finding:
    """Plain networks: the share of units dead after training in all settings, those dead from the start included."""
    deep = stored.networks(context)
    signs, slips = compare_signs(every_setting(deep, False, (1000,), dead))
    cells = {m: {d: deep(False, d, m) for d in DEPTHS} for m in stored.ADAM}
    table = [
        {"optimiser": stored.step(m), "layers": d,
         "dead at the start, gamma = 1/256": f"{stored.share(c.first, d).mean():.1%}",
         "dead at the end": f"{stored.share(c.last, d).mean():.1%}",
         "units that revive, per run": f"{np.mean(c.died[1000] - c.increase):.1f}"}
        for m, by in cells.items() for d, c in by.items()
    ]  # fmt: skip
    least = min(s.above / (s.above + s.below) for s in signs.values())
    says = (
        f"{by_pair(signs)}. More units are dead in the deeper network in at least {least:.0%} of the runs that differ"
    )
    return concluded(combine([s.status for s in signs.values()]), says, slips, table=table)


beyond(
    "relu/beyond.deeper-dead-at-end",
    says="plain networks trained by Adam end with a larger fraction of dead units the deeper they are, at "
    "step sizes 0.001, 0.01 and 0.1; units that are dead before training count",
    experiment=dead_at_the_end,
    note="the settings are those of relu/fig6.start.plain",
)


def residual_networks(context) -> Finding:
    """Units dead in residual networks: the one setting in which depth is seen to matter."""
    deep = stored.networks(context)
    usual = [
        deep(True, d, m, g).last for m in ("adam", "adam-fast", "sgd") for g in (1.0, stored.GAMMA) for d in DEPTHS
    ]
    fastest = {d: deep(True, d, "adam-fastest") for d in DEPTHS}
    found = {
        g: compare_signs({k: more(deep, True, "adam-fastest", g, (1, 6), k) for k in (10, 1000)})
        for g in (stored.GAMMA, 1.0)
    }
    signs, slips = found[stored.GAMMA]
    table = [
        {"updates": k}
        | {f"dead of {d} layers, gamma = 1/256": f"{stored.share(fastest[d].dead[k], d).mean():.1%}" for d in DEPTHS}
        | {
            f"runs with {what}, {stored.name(g)}": getattr(tests[k], side)
            for g, (tests, _) in found.items()
            for what, side in (("more in 6 layers than in one", "above"), ("fewer", "below"))
        }
        for k in (10, 1000)
    ]
    says = (
        f"at gamma = 1/256 a larger fraction dies in 6 layers than in one in at least "
        f"{min(s.above for s in signs.values())} of {len(fastest[1].last)} runs. With smaller step sizes of Adam "
        f"and with gradient descent {sum(int(v.sum()) for v in usual)} units are dead in {len(usual)} settings"
    )
    return concluded(combine([s.status for s in signs.values()]), says, slips, table=table)


beyond(
    "relu/beyond.deeper-residual",
    says="at gamma = 1/256 and step size 0.1, a larger fraction of units dies in residual networks of 6 "
    "ReLU layers than of one, in the first 10 updates and up to the end",
    experiment=residual_networks,
    note="at gamma = 1 no increase with depth is significant up to the end. Only with step size 0.1 do many units die "
    "in our 1000 updates: relu/fig6.deeper.residual says why. The settings are those of relu/fig6.start.plain",
)
