"""Section 6, Figure 6: what small targets and momentum do to deeper networks in training."""

from __future__ import annotations

import numpy as np

from paper_checks import claim, concluded
from paper_checks.findings import Finding
from paper_checks.papers.dying_relu.figure_6_networks import BY_RUN, GAMMA, SETTINGS, networks, share, step
from paper_checks.papers.dying_relu.sweeps import DEPTHS
from paper_checks.rules.means import Status, combine
from paper_checks.rules.proportions import compare_signs, listed, signs_text


def smaller_more(context) -> Finding:
    """gamma = 1/256 against 1 in deeper plain networks: units that died."""
    deep = networks(context)
    differences = {
        f"{step(m)}, depth {d}": deep(False, d, m).deaths - deep(False, d, m, 1.0).deaths
        for m in ("adam-fast",) for d in DEPTHS[1:]
    }  # fmt: skip
    signs, slips = compare_signs(differences)
    texts = listed(
        ((d, *(share(deep(False, d, "adam-fast", g).last, d).mean() for g in (1.0, GAMMA))) for d in DEPTHS),
        lambda d, one, small: f"depth {d} {one:.1%} at gamma = 1, {small:.1%} at 1/256",
    )
    others, _ = compare_signs({
        f"{step(m)}, depth {d}": deep(False, d, m).deaths - deep(False, d, m, 1.0).deaths
        for m in ("adam", "adam-fast-no-momentum", "sgd") for d in DEPTHS[1:]
    })  # fmt: skip
    says = f"dead at the end, {step('adam-fast')}: {texts}; {signs_text(signs)}. Others: {signs_text(others)}"
    return concluded(combine([s.status for s in signs.values()]), says, slips)


claim(
    "relu/fig6.persists.plain",
    at="section 6, question (1); abstract",
    says="the problem persists and is aggravated in deeper plain networks: with momentum, for gamma = 1/256 more units "
    "die than for gamma = 1, at 3 and 6 layers, where with one hidden layer hardly any does",
    **BY_RUN,
    experiment=smaller_more,
    note=f"Adam with step size 0.01; other optimisers in the finding. {SETTINGS}",
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
        f"gamma = {g:g}, depth {d}": deep(False, d, "adam-fast", g).dead[updates]
        - deep(False, d, "adam-fast-no-momentum", g).dead[updates]
        for g in (1.0, GAMMA) for d in DEPTHS[1:]
    })  # fmt: skip
    status = combine([s.status for s in signs.values()])
    says = f"more dead with momentum after {updates} updates, {signs_text(signs)}"
    return concluded(status, says, slips if status is Status.CONFIRMED else None)


claim(
    "relu/fig6.momentum.early",
    at="abstract and section 6, for deeper networks",
    says="with momentum 0.9 in Adam more units are dead early in training, after 100 updates, than without",
    **BY_RUN,
    experiment=lambda context: deep_momentum(context, 100),
    note=f"Adam with step size 0.01, gamma = 1 and 1/256, plain networks. {SETTINGS}",
)

claim(
    "relu/fig6.momentum.end",
    at="abstract and section 6, for deeper networks",
    says="with momentum 0.9 in Adam more units are dead at the end than without",
    **BY_RUN,
    experiment=lambda context: deep_momentum(context, 1000),
    expected=Status.INCONCLUSIVE,
    note="without momentum units go on dying: for gamma = 1/256 and 6 layers as many in the end. Adam with step size "
    f"0.01, plain networks. {SETTINGS}",
)
