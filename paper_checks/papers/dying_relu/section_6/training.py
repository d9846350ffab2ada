"""Section 6, Figure 6: what small targets and momentum do to deeper networks in training."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from paper_checks import OPEN, Kind, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.dying_relu.lost_settings import counted, over_settings
from paper_checks.papers.dying_relu.section_6.figure_6_networks import (
    ADAM,
    ALL,
    BY_RUN,
    GAMMA,
    SETTINGS,
    Networks,
    networks,
    share,
    step,
)
from paper_checks.papers.dying_relu.sweeps import DEPTHS
from paper_checks.rules.means import Status, combine
from paper_checks.rules.proportions import compare_signs, listed, sign_test, signs_text

# Adam with the step size 0.01, with and without momentum.
FAST = ("adam-fast", "adam-fast-no-momentum")


def small_less_large(deep: Networks, methods: Iterable[str]) -> dict[str, np.ndarray]:
    """By how much more units died at gamma = 1/256 than at 1 in deeper plain networks, by run."""
    return {
        f"{step(m)}, depth {d}": deep(False, d, m).deaths - deep(False, d, m, 1.0).deaths
        for m in methods for d in DEPTHS[1:]
    }  # fmt: skip


def smaller_more(context) -> Finding:
    """gamma = 1/256 against 1 in all settings with Adam; in others as well."""
    deep = networks(context)
    signs, others = (
        {key: sign_test(d) for key, d in small_less_large(deep, m).items()} for m in (ADAM, (*FAST[1:], "sgd"))
    )
    statuses = {key: s.status for key, s in signs.items()}
    return over_settings(statuses, f"{counted(statuses)} settings; {signs_text(signs)}. Others: {signs_text(others)}")


claim(
    "relu/fig6.persists.plain",
    at="section 6, question (1); abstract",
    says="the problem persists and is aggravated in deeper plain networks: for gamma = 1/256 more units die than for "
    "gamma = 1, at 3 and 6 layers",
    **{**BY_RUN, "assumptions": f"{ALL}: units that were active at the start and are dead at the end"},
    experiment=smaller_more,
    expects=OPEN,
    note="the step size decides: open at 0.001, Adam's own, with which appendix A trains, and at 0.1; with gradient "
    f"descent fewer die. For what holds see relu/beyond.deeper-small-targets. {SETTINGS}",
)


def smaller_more_fast(context) -> Finding:
    """gamma = 1/256 against 1 with Adam's step size 0.01, and dead units at all depths."""
    deep = networks(context)
    signs, slips = compare_signs(small_less_large(deep, FAST[:1]))
    texts = listed(
        ((d, *(share(deep(False, d, FAST[0], g).last, d).mean() for g in (1.0, GAMMA))) for d in DEPTHS),
        lambda d, one, small: f"depth {d} {one:.1%} at gamma = 1, {small:.1%} at 1/256",
    )
    says = f"dead at the end, {step(FAST[0])}: {texts}; {signs_text(signs)}"
    return concluded(combine([s.status for s in signs.values()]), says, slips)


claim(
    "relu/beyond.deeper-small-targets",
    at="beyond section 6, question (1)",
    says="with Adam, step size 0.01 and momentum 0.9, more units of plain networks of 3 and 6 ReLU layers die for "
    "gamma = 1/256 than for gamma = 1",
    **BY_RUN,
    experiment=smaller_more_fast,
    note=f"one setting of several: relu/fig6.persists.plain. {SETTINGS}",
    kind=Kind.ADDITIONAL,
)


def error_persists(context) -> Finding:
    """Error over gamma^2 at gamma = 1/256 against 1, plain and residual networks, Adam with its own step size."""
    deep = networks(context)
    settings = [(residual, d) for residual in (False, True) for d in DEPTHS]
    error = {(*key, g): np.log(deep(*key, "adam", g).normalised) for key in settings for g in (1.0, GAMMA)}
    names = {key: f"{'residual' if key[0] else 'plain'}, depth {key[1]}" for key in settings}
    larger = {names[key]: error[*key, GAMMA] - error[*key, 1.0] for key in settings}
    signs, slips = compare_signs({name: v for name, v in larger.items() if not name.endswith("depth 1")})
    medians = listed(
        names.items(),
        lambda key, name: (
            f"{name} {np.exp(np.median(error[*key, 1.0])):.2g} and {np.exp(np.median(error[*key, GAMMA])):.2g}"
        ),
    )
    deeper, _ = compare_signs({
        ("residual" if r else "plain"): error[r, 6, GAMMA][:48] - error[r, 1, GAMMA] for r in (False, True)
    })  # fmt: skip
    says = (
        f"median at gamma = 1 and 1/256: {medians}; larger at 1/256, {signs_text(compare_signs(larger)[0])}; depth 6 "
        f"against 1 at 1/256, {signs_text(deeper)}"
    )
    return concluded(combine([s.status for s in signs.values()]), says, slips)


claim(
    "relu/fig6.persists.error",
    at="section 6, question (1); abstract",
    says="the problem persists in deeper networks, plain and residual, of 3 and 6 ReLU layers: the error over gamma^2 "
    "is larger for gamma = 1/256 than for 1",
    **BY_RUN,
    experiment=error_persists,
    note="the error is not that of dead units: in the residual networks of these runs none is dead. It grows with "
    f"depth in residual networks and falls in plain ones. Adam with step size 0.001. {SETTINGS}",
)


def deep_momentum(context, updates: int) -> Finding:
    """Momentum 0.9 against 0 in Adam with step size 0.01, plain networks, dead after some updates."""
    deep = networks(context)
    signs, slips = compare_signs({
        f"gamma = {g:g}, depth {d}": deep(False, d, FAST[0], g).dead[updates] - deep(False, d, FAST[1], g).dead[updates]
        for g in (1.0, GAMMA) for d in DEPTHS[1:]
    })  # fmt: skip
    status = combine([s.status for s in signs.values()])
    says = f"more dead with momentum after {updates} updates, {signs_text(signs)}"
    return concluded(status, says, slips if status is Status.CONFIRMED else None)


claim(
    "relu/fig6.momentum.early",
    at="beyond section 6, for deeper plain networks, for one setting",
    says="with momentum 0.9 in Adam with step size 0.01 more units are dead early in training, after 100 updates, than "
    "without",
    **BY_RUN,
    experiment=lambda context: deep_momentum(context, 100),
    note=f"gamma = 1 and 1/256. For the end of training see relu/fig6.momentum.end. {SETTINGS}",
    kind=Kind.ADDITIONAL,
)

claim(
    "relu/fig6.momentum.end",
    at="abstract and section 6, for deeper networks",
    says="with momentum 0.9 in Adam more units are dead at the end than without",
    **BY_RUN,
    experiment=lambda context: deep_momentum(context, 1000),
    expects=OPEN,
    note="without momentum units go on dying: for gamma = 1/256 and 6 layers as many in the end. Adam with step size "
    f"0.01, plain networks. {SETTINGS}",
)
