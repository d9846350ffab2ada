"""Section 6: ReLU units die more often, and faster, the deeper the architecture.

The paper's depths, gamma and step sizes are lost in our copy. A sentence is judged in all settings that were run with
its optimiser: every pair of depths, gamma = 1 and 1/256, Adam with momentum 0.9 and step sizes 0.001, 0.01 and 0.1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from paper_checks import OPEN, Kind, Reproduces, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.dying_relu.lost_settings import counted, over_settings
from paper_checks.papers.dying_relu.section_6.figure_6_networks import (
    ADAM,
    ALL,
    BY_RUN,
    GAMMA,
    SETTINGS,
    WIDTH,
    Networks,
    name,
    networks,
    share,
    step,
)
from paper_checks.papers.dying_relu.stored_runs import Cell
from paper_checks.papers.dying_relu.sweeps import DEPTHS, FIGURE_6
from paper_checks.rules.means import combine
from paper_checks.rules.proportions import Sign, compare_signs, listed, sign_test, signs_text

PAIRS = ((1, 3), (3, 6), (1, 6))
EARLY = (10, 30, 100, 300)


def more(deep: Networks, residual: bool, method: str, gamma: float, pair: tuple[int, int], updates: int) -> np.ndarray:
    """By how much the share of the units active at the start that are dead later is larger in the deeper network."""
    return _deeper_less_shallow(
        deep, residual, method, gamma, pair, lambda c, d: c.died[updates] / (d * WIDTH - c.first)
    )


def more_dead(
    deep: Networks, residual: bool, method: str, gamma: float, pair: tuple[int, int], updates: int
) -> np.ndarray:
    """By how much the share of dead units is larger in the deeper network, by run."""
    return _deeper_less_shallow(deep, residual, method, gamma, pair, lambda c, d: share(c.dead[updates], d))


def _deeper_less_shallow(deep, residual, method, gamma, pair, of: Callable[[Cell, int], np.ndarray]) -> np.ndarray:
    shallow, deeper = (of(deep(residual, d, method, gamma), d) for d in pair)
    runs = min(len(shallow), len(deeper))
    return deeper[:runs] - shallow[:runs]


def every_setting(deep: Networks, residual: bool, updates: tuple[int, ...], difference=more) -> dict[str, np.ndarray]:
    """The differences in all settings."""
    return {
        f"{step(method)}, {name(gamma)}, depth {pair[1]} against {pair[0]}" + f", {k} updates" * (len(updates) > 1):
            difference(deep, residual, method, gamma, pair, k)
        for method in ADAM for gamma in (1.0, GAMMA) for pair in PAIRS for k in updates
    }  # fmt: skip


def by_pair(signs: dict[str, Sign]) -> str:
    """How the settings come out, by pair of depths."""
    statuses = {key: s.status for key, s in signs.items()}
    return f"{counted(statuses)} settings; " + "; ".join(
        f"depth {b} against {a} {counted({k: v for k, v in statuses.items() if f'depth {b} against {a}' in k})}"
        for a, b in PAIRS
    )


def the_deeper(deep: Networks, residual: bool, updates: tuple[int, ...]) -> Finding:
    """Sign tests of deaths in all settings."""
    signs = {key: sign_test(v) for key, v in every_setting(deep, residual, updates).items()}
    says = f"of the units active at the start those that are dead then: {by_pair(signs)}"
    if len(updates) == 1:
        some = {key: s for key, s in signs.items() if s.above + s.below}
        says += f". By run, {signs_text(some)}" + f"; no unit in {len(signs) - len(some)} settings" * (some != signs)
    return over_settings({key: s.status for key, s in signs.items()}, says)


claim(
    "relu/fig6.deeper.plain",
    at="section 6, figure 6",
    says="ReLU units die more often the deeper the architecture, in plain networks",
    relation=Reproduces(),
    runs=FIGURE_6,
    experiment=lambda context: the_deeper(networks(context), False, (1000,)),
    assumptions=f"{ALL}: of the units active at the start the share that is dead at the end",
    expects=OPEN,
    note="wrong in none; open in five. Those dead from the start included, more are dead in the deeper network in "
    f"every setting: relu/beyond.deeper-dead-at-end. {SETTINGS}",
)

claim(
    "relu/fig6.faster.plain",
    at="section 6, figure 6",
    says="ReLU units die faster the deeper the architecture, in plain networks",
    relation=Reproduces(),
    runs=FIGURE_6,
    experiment=lambda context: the_deeper(networks(context), False, EARLY),
    assumptions=f"{ALL}: of the units active at the start the share that is dead within 10, 30, 100 and 300 updates",
    expects=OPEN,
    note="wrong in none; open between 3 and 6 layers with small step sizes, where more runs would decide. For what "
    f"holds see relu/beyond.deeper-than-one. {SETTINGS}",
)

RESIDUAL = {
    "at": "section 6, figure 6",
    "relation": Reproduces(),
    "runs": FIGURE_6,
    "expects": OPEN,
    "note": "hardly a unit dies in residual networks unless the step size is 0.1: which it was would decide, and is "
    f"lost. For what holds see relu/beyond.deeper-residual. {SETTINGS}",
}

claim(
    "relu/fig6.deeper.residual",
    says="ReLU units die more often the deeper the architecture, even in residual networks with batch normalisation",
    experiment=lambda context: the_deeper(networks(context), True, (1000,)),
    assumptions=f"{ALL}: of the units active at the start the share that is dead at the end",
    **RESIDUAL,
)

claim(
    "relu/fig6.faster.residual",
    says="ReLU units die faster the deeper the architecture, even in residual networks with batch normalisation",
    experiment=lambda context: the_deeper(networks(context), True, EARLY),
    assumptions=f"{ALL}: of the units active at the start the share that is dead within 10, 30, 100 and 300 updates",
    **RESIDUAL,
)


def than_one_layer(context) -> Finding:
    """Three and six layers against one: shares that died, early and at the end."""
    deep = networks(context)
    early = {"adam-fast": 30, "adam-fastest": 10}
    differences = {
        f"{step(m)}, {k} updates, depth {d} against 1": more(deep, False, m, GAMMA, (1, d), k)
        for m, first in early.items() for d in DEPTHS[1:] for k in (first, 1000)
    }  # fmt: skip
    signs, slips = compare_signs(differences)
    return concluded(combine([s.status for s in signs.values()]), signs_text(signs), slips)


claim(
    "relu/beyond.deeper-than-one",
    at="beyond section 6, figure 6",
    says="at gamma = 1/256 and step sizes 0.01 and 0.1 a larger share of units dies in plain networks of 3 and 6 ReLU "
    "layers than of one, in the first updates and up to the end",
    **BY_RUN,
    experiment=than_one_layer,
    note=SETTINGS,
    kind=Kind.ADDITIONAL,
)


def dead_at_the_end(context) -> Finding:
    """Plain networks: the share of units dead after training in all settings, those dead from the start included."""
    deep = networks(context)
    signs, slips = compare_signs(every_setting(deep, False, (1000,), more_dead))
    cells = {m: {d: deep(False, d, m) for d in DEPTHS} for m in ADAM}
    shares = "; ".join(
        f"{step(m)}: "
        + ", ".join(f"depth {d} {share(c.first, d).mean():.1%} to {share(c.last, d).mean():.1%}" for d, c in by.items())
        for m, by in cells.items()
    )
    revived = ", ".join(f"{np.mean(by[6].died[1000] - by[6].increase):.1f}" for by in cells.values())
    says = (
        f"share dead at the end: {by_pair(signs)}, by run {signs_text(signs)}. From start to end at gamma = 1/256, "
        f"{shares}; revived at depth 6, by run: {revived} units"
    )
    return concluded(combine([s.status for s in signs.values()]), says, slips)


claim(
    "relu/beyond.deeper-dead-at-end",
    at="beyond section 6, figure 6",
    says="plain networks trained by Adam end with a larger share of dead units the deeper they are, those dead from "
    "the start included, at step sizes 0.001, 0.01 and 0.1",
    **BY_RUN,
    experiment=dead_at_the_end,
    note=SETTINGS,
    kind=Kind.ADDITIONAL,
)


def residual_networks(context) -> Finding:
    """Units dead in residual networks: the one setting in which depth is seen to matter."""
    deep = networks(context)
    usual = [deep(True, d, m, g).last for m in ("adam", "adam-fast", "sgd")
             for g in (1.0, GAMMA) for d in DEPTHS]  # fmt: skip
    fastest = {d: deep(True, d, "adam-fastest") for d in DEPTHS}
    signs, slips = compare_signs({
        f"{k} updates, depth 6 against 1": more(deep, True, "adam-fastest", GAMMA, (1, 6), k) for k in (10, 1000)
    })  # fmt: skip
    texts = listed(
        ((k, ", ".join(f"depth {d} {share(fastest[d].dead[k], d).mean():.1%}" for d in DEPTHS)) for k in (10, 1000)),
        lambda k, text: f"{k} updates: {text}",
    )
    says = (
        f"{len(fastest[1].last)} runs, {texts}; {signs_text(signs)}; with smaller step sizes (SGD 0.1) "
        f"{sum(int(v.sum()) for v in usual)} dead units in {len(usual)} settings of 48 runs"
    )
    return concluded(combine([s.status for s in signs.values()]), says, slips)


claim(
    "relu/beyond.deeper-residual",
    at="beyond section 6, figure 6",
    says="at gamma = 1/256 and step size 0.1 a larger share of units dies in residual networks of 6 ReLU layers than "
    "of one, in the first 10 updates and up to the end",
    **BY_RUN,
    experiment=residual_networks,
    note="only with step size 0.1 does a noteworthy number of units die at all: one behind a batch normalisation is "
    "dead when its shift is more negative than its largest normalised value, about 3, and 1000 updates of 0.001 cannot "
    f"take it there. {SETTINGS}",
    kind=Kind.ADDITIONAL,
)
