"""Section 6: Figure 6, dead units of deeper networks, and what re-scaling one unit needs with Adam."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import sympy

from montecarlo.training.optimisers import Adam
from paper_checks import Reproduces, claim, concluded
from paper_checks.findings import Finding
from paper_checks.papers.dying_relu.scaled_training import data
from paper_checks.papers.dying_relu.stored_runs import Cell, Trained
from paper_checks.papers.dying_relu.sweeps import DEPTHS, FIGURE_6, METHODS, START_DEPTHS, STARTS
from paper_checks.rules.means import Status, combine
from paper_checks.rules.proportions import compare_signs, listed, signs_text

GAMMA = 4.0**-4
WIDTH = 24
SETTINGS = (
    "Lost in our copy: gamma, depths, widths, step size, the residual block, numbers of runs and updates; here: "
    "gamma = 1/256 and 1, 1 to 6 ReLU layers of 24 units (1 to 24 at the start), "
    "residual blocks h + W relu(batch normalisation of h) + b, batches of 32, 48 runs of 1000 updates, Friedman's "
    "first function of standardised inputs; dead: inactive on all 512 training inputs"
)
OPTIMISERS = {"adam": "Adam", "sgd": "SGD"}
TEST = "exact sign test of differences by run, error rate 2e-11 each; no law of the differences is supposed"


def networks(context) -> Callable[..., Cell]:
    """The trained networks: residual or not, depth, method, gamma; ``width`` where it is not the usual one."""
    trained = Trained(FIGURE_6, context.rows(FIGURE_6))
    return lambda residual, depth, method, gamma=GAMMA, **more: trained(
        residual=residual, depth=depth, method=method, gamma=gamma, **more
    )


def untrained(context) -> Callable[..., Cell]:
    """The networks before the first update: residual or not, depth, law."""
    trained = Trained(STARTS, context.rows(STARTS))
    return lambda residual, depth, law: trained(residual=residual, depth=depth, law=law)


def share(counts: np.ndarray, depth: int) -> np.ndarray:
    """Dead units as a share of all."""
    return counts / (depth * WIDTH)


def step(method: str) -> str:
    m = METHODS[method]
    return f"{OPTIMISERS[m['optimiser']]} {m['step_size']:g}, momentum {m['momentum']:g}"


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
    assumptions=TEST,
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
    is_mean = sympy.simplify(above(n, total) - total / n) == 0 and (total / n).is_nonnegative
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
    runs=STARTS,
    experiment=residual_starts,
    note="normalised values have mean 0, so that the largest is positive unless all are equal; scale 1 and shift 0 "
    f"keep it so. {SETTINGS}",
)


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
    relation=Reproduces(),
    runs=FIGURE_6,
    experiment=smaller_more,
    assumptions=TEST,
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
    relation=Reproduces(),
    runs=FIGURE_6,
    experiment=error_persists,
    assumptions=TEST,
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
    relation=Reproduces(),
    runs=FIGURE_6,
    experiment=lambda context: deep_momentum(context, 100),
    assumptions=TEST,
    note=f"Adam with step size 0.01, gamma = 1 and 1/256, plain networks. {SETTINGS}",
)

claim(
    "relu/fig6.momentum.end",
    at="abstract and section 6, for deeper networks",
    says="with momentum 0.9 in Adam more units are dead at the end than without",
    relation=Reproduces(),
    runs=FIGURE_6,
    experiment=lambda context: deep_momentum(context, 1000),
    assumptions=TEST,
    expected=Status.INCONCLUSIVE,
    note="without momentum units go on dying: for gamma = 1/256 and 6 layers as many in the end. Adam with step size "
    f"0.01, plain networks. {SETTINGS}",
)


def adam_path(x, y, gamma: float, step_size: float, epsilon: float) -> np.ndarray:
    """The path of (w, b) of one ReLU unit on gamma y by Adam, from a start that is multiplied by gamma."""
    rows, adam = gamma * np.array([[0.6, -0.3, 0.2]]), Adam(step_size, epsilon=epsilon)
    inputs, path = np.column_stack([x, np.ones(len(x))]), []
    for _ in range(300):
        z = inputs @ rows[0]
        adam.step(rows, (inputs.T @ ((np.maximum(z, 0) - gamma * y[:, 0]) * (z > 0)) / len(x))[None])
        path.append(rows[0] / gamma)
    return np.array(path)


def one_unit_adam(_context) -> Finding:
    """One unit, start times gamma: Adam with its own step size, and with step size and epsilon times gamma."""
    (x, y), gamma = data(64, 2), 2.0**-10
    plain = adam_path(x, y, 1.0, 0.01, 1e-8)
    apart = np.abs(adam_path(x, y, gamma, 0.01, 1e-8) - plain).max()
    exact = np.array_equal(adam_path(x, y, gamma, 0.01 * gamma, 1e-8 * gamma), plain)
    slips = {"epsilon as it was": not np.array_equal(adam_path(x, y, gamma, 0.01 * gamma, 1e-8), plain)}
    says = (
        f"gamma = 2^-10, 300 updates: with the step size as it is, the scaled path is {apart:.2g} away; with step "
        "size and epsilon times gamma it is the same in every bit"
    )
    slips["step size as it was"] = bool(apart > 0.1)
    return concluded(Status.CONFIRMED if exact else Status.REFUTED, says, slips)


claim(
    "relu/beyond.rescaling-adam",
    at="beyond section 6, parameter re-scaling",
    says="for one ReLU unit trained by Adam, the optimiser of appendix A, paths are proportional if the step size and "
    "epsilon are multiplied by gamma like the start, and not with the step size as it is",
    experiment=one_unit_adam,
    note="the paper's sentence, with the step size as it is, is right for gradient descent: relu/text.rescaling",
    beyond=True,
)
