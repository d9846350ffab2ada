"""Section 6: ReLU units die more often, and faster, the deeper the architecture; gradient descent kills no more.

The paper's depths, gamma and step sizes are lost in our copy. A sentence is judged in all settings that were run with
its optimiser: every pair of depths, gamma = 1 and 1/256, Adam with momentum 0.9 and step sizes 0.001, 0.01 and 0.1.
"""

from __future__ import annotations

import numpy as np

from paper_checks.claim import registry
from paper_checks.dying_relu.lost_settings import counted, over_settings
from paper_checks.dying_relu.section_6 import DEPTHS, GAMMA, SETTINGS, TEST, deep, share, signs_text, step
from paper_checks.dying_relu.stored_runs import Cell, compare_signs, judged, listed, median_interval, sign_test
from paper_checks.findings import Finding
from paper_checks.relations import Reproduces
from paper_checks.verdict import RESOLUTION, Status, combine

claim = registry.claim

PAIRS = ((1, 3), (3, 6), (1, 6))
ADAM = ("adam", "adam-fast", "adam-fastest")
EARLY = (10, 30, 100, 300)
RESOLVED = RESOLUTION["quick"]
ALL = f"{TEST}. Confirmed, or refuted, means: in every setting"


def name(gamma: float) -> str:
    return "gamma = 1" if gamma == 1 else "gamma = 1/256"


def more(residual: bool, method: str, gamma: float, pair: tuple[int, int], updates: int) -> np.ndarray:
    """By how much the share of units that died within some updates is larger in the deeper network, by run."""
    shallow, deeper = (
        share(c.dead[updates] - c.first, d) for d, c in ((d, deep(residual, d, method, gamma)) for d in pair)
    )
    runs = min(len(shallow), len(deeper))
    return deeper[:runs] - shallow[:runs]


def every_setting(residual: bool, updates: tuple[int, ...]) -> dict[str, np.ndarray]:
    """The differences in all settings."""
    return {
        f"{step(method)}, {name(gamma)}, depth {pair[1]} against {pair[0]}" + f", {k} updates" * (len(updates) > 1):
            more(residual, method, gamma, pair, k)
        for method in ADAM for gamma in (1.0, GAMMA) for pair in PAIRS for k in updates
    }  # fmt: skip


def the_deeper(residual: bool, updates: tuple[int, ...]) -> Finding:
    """Sign tests in all settings, and how they come out by pair of depths."""
    differences = every_setting(residual, updates)
    signs = {key: sign_test(v) for key, v in differences.items()}
    statuses = {key: s.status for key, s in signs.items()}
    texts = []
    for a, b in PAIRS:
        chosen = {key: s for key, s in statuses.items() if f"depth {b} against {a}" in key}
        texts.append(f"depth {b} against {a} {counted(chosen)}")
    says = f"{counted(statuses)} settings; {'; '.join(texts)}"
    if len(updates) == 1:
        some = {key: s for key, s in signs.items() if s.above + s.below}
        says += f". By run, {signs_text(some)}" + f"; no unit in {len(signs) - len(some)} settings" * (some != signs)
    return over_settings(statuses, says)


for _residual, _suffix, _where in (
    (False, "plain", "in plain networks"),
    (True, "residual", "even in residual networks with batch normalisation"),
):
    claim(
        f"relu/fig6.deeper.{_suffix}",
        at="section 6, figure 6",
        says=f"ReLU units die more often the deeper the architecture, {_where}",
        relation=Reproduces(),
        experiment=lambda _context, residual=_residual: the_deeper(residual, (1000,)),
        assumptions=f"{ALL}: the share of units that die in training, those dead from the start left out",
        expected=Status.INCONCLUSIVE,
        note="it depends on what is lost: which depths, which step size, which gamma. For what holds see "
        + ("relu/beyond.deeper-than-one" if not _residual else "relu/beyond.deeper-residual")
        + f". {SETTINGS}",
    )
    claim(
        f"relu/fig6.faster.{_suffix}",
        at="section 6, figure 6",
        says=f"ReLU units die faster the deeper the architecture, {_where}",
        relation=Reproduces(),
        experiment=lambda _context, residual=_residual: the_deeper(residual, EARLY),
        assumptions=f"{ALL}: the share of units that die within 10, 30, 100 and 300 updates",
        expected=Status.INCONCLUSIVE,
        note="as for how often. " + SETTINGS,
    )


def than_one_layer(_context) -> Finding:
    """Three and six layers against one: shares that died, early and at the end."""
    early = {"adam-fast": 30, "adam-fastest": 10}
    differences = {
        f"{step(m)}, {k} updates, depth {d} against 1": more(False, m, GAMMA, (1, d), k)
        for m, first in early.items() for d in DEPTHS[1:] for k in (first, 1000)
    }  # fmt: skip
    signs, slips = compare_signs(differences)
    return judged(combine([s.status for s in signs.values()]), signs_text(signs), slips)


claim(
    "relu/beyond.deeper-than-one",
    at="beyond section 6, figure 6",
    says="at gamma = 1/256 and step sizes 0.01 and 0.1 a larger share of units dies in plain networks of 3 and 6 ReLU "
    "layers than of one, in the first updates and up to the end",
    relation=Reproduces(),
    experiment=than_one_layer,
    assumptions=TEST,
    note=SETTINGS,
    beyond=True,
)


def dead_at_the_end(_context) -> Finding:
    """Shares of units dead after training by depth, with those that were so from the start."""
    differences, texts = {}, []
    for method in ADAM[1:]:
        cells = {d: deep(False, d, method) for d in DEPTHS}
        last = {d: share(c.last, d) for d, c in cells.items()}
        differences |= {f"{step(method)}, depth {b} against {a}": last[b] - last[a] for a, b in PAIRS[:2]}
        texts.append(f"{step(method)}: " + ", ".join(
            f"depth {d} {share(c.first, d).mean():.1%} to {last[d].mean():.1%}" for d, c in cells.items()))  # fmt: skip
    signs, slips = compare_signs(differences)
    says = f"from start to end, {'; '.join(texts)}. Share dead at the end, {signs_text(signs)}"
    return judged(combine([s.status for s in signs.values()]), says, slips)


claim(
    "relu/beyond.deeper-dead-at-end",
    at="beyond section 6, figure 6",
    says="at gamma = 1/256 and step sizes 0.01 and 0.1 plain networks end with a larger share of dead units the deeper "
    "they are, those dead from the start included",
    relation=Reproduces(),
    experiment=dead_at_the_end,
    assumptions=TEST,
    note=SETTINGS,
    beyond=True,
)


def residual_networks(_context) -> Finding:
    """Units dead in residual networks: the one setting in which depth is seen to matter."""
    usual = [deep(True, d, m, g).last for m in ("adam", "adam-fast", "sgd")
             for g in (1.0, GAMMA) for d in DEPTHS]  # fmt: skip
    fastest = {d: deep(True, d, "adam-fastest") for d in DEPTHS}
    signs, slips = compare_signs({
        f"{k} updates, depth 6 against 1": more(True, "adam-fastest", GAMMA, (1, 6), k) for k in (10, 1000)
    })  # fmt: skip
    texts = listed(
        ((k, ", ".join(f"depth {d} {share(fastest[d].dead[k], d).mean():.1%}" for d in DEPTHS)) for k in (10, 1000)),
        lambda k, text: f"{k} updates: {text}",
    )
    says = (
        f"{len(fastest[1].last)} runs, {texts}; {signs_text(signs)}; with smaller step sizes (SGD 0.1) "
        f"{sum(int(v.sum()) for v in usual)} dead units in {len(usual)} settings of 48 runs"
    )
    return judged(combine([s.status for s in signs.values()]), says, slips)


claim(
    "relu/beyond.deeper-residual",
    at="beyond section 6, figure 6",
    says="at gamma = 1/256 and step size 0.1 a larger share of units dies in residual networks of 6 ReLU layers than "
    "of one, in the first 10 updates and up to the end",
    relation=Reproduces(),
    experiment=residual_networks,
    assumptions=TEST,
    note="only with step size 0.1 does a noteworthy number of units die at all: one behind a batch normalisation is "
    "dead when its shift is more negative than its largest normalised value, about 3, and 1000 updates of 0.001 cannot "
    f"take it there. {SETTINGS}",
    beyond=True,
)


def increase(cell: Cell, depth: int) -> tuple[Status, tuple[float, float]]:
    """The median increase of the share of dead units: an interval, and whether it is 0 but for the resolution."""
    low, high = median_interval(share(cell.died, depth))
    if low > 0:
        return Status.REFUTED, (low, high)
    return Status.CONFIRMED if high <= RESOLVED else Status.INCONCLUSIVE, (low, high)


def descent(_context) -> Finding:
    """Gradient descent: by how much the share of dead units grows in training."""
    cells = {
        f"{'residual' if r else 'plain'}, {name(g)}, depth {d}": increase(deep(r, d, "sgd", g), d)
        for r in (False, True) for g in (1.0, GAMMA) for d in DEPTHS
    }  # fmt: skip
    statuses = {key: status for key, (status, _) in cells.items()}
    moved = {key: interval for key, (_, interval) in cells.items() if interval != (0, 0)}
    texts = listed(moved.items(), lambda key, i: f"{key} {i[0]:+.2%} to {i[1]:+.2%}")
    adam = [increase(deep(False, d, "adam-fast"), d)[0] for d in DEPTHS[1:]]
    says = (
        f"{counted(statuses)} settings; median increase of the share of dead units by run: {texts}; exactly 0 in the "
        f"other {len(cells) - len(moved)}"
    )
    return over_settings(statuses, says, {"runs of Adam (0.01)": adam == [Status.REFUTED] * 2})


claim(
    "relu/fig6.sgd",
    at="section 6, figure 6",
    says="stochastic gradient descent, with momentum 0.9, does not produce more dead units during optimisation",
    relation=Reproduces(),
    experiment=descent,
    assumptions="intervals from order statistics for the median over runs, error rate 2e-11 each. Right: no increase "
    f"above {RESOLVED:.0%} of the units in any setting, wrong: an increase in all",
    expected=Status.INCONCLUSIVE,
    note="step size 0.1 with momentum as a moving average; one unit of 72, at 3 layers, is more than the resolution. "
    + SETTINGS,
)


def less_than_adam(_context) -> Finding:
    """Units that died, Adam against gradient descent."""
    signs, slips = compare_signs({
        f"depth {d}": deep(False, d, "adam-fast").died - deep(False, d, "sgd").died for d in DEPTHS[1:]
    })  # fmt: skip
    return judged(combine([s.status for s in signs.values()]), f"Adam above SGD, {signs_text(signs)}", slips)


claim(
    "relu/beyond.sgd-fewer",
    at="beyond section 6, figure 6",
    says="at gamma = 1/256 fewer units die in plain networks of 3 and 6 ReLU layers with stochastic gradient descent, "
    "step size 0.1, than with Adam, step size 0.01",
    relation=Reproduces(),
    experiment=less_than_adam,
    assumptions=TEST,
    note=SETTINGS,
    beyond=True,
)
