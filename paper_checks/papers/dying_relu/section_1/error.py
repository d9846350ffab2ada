"""Section 1, Figure 1: the regression error against the scale of the targets, and why it grows."""

from __future__ import annotations

import numpy as np

from montecarlo.training.networks import Network
from montecarlo.training.optimisers import Adam
from montecarlo.training.regression import train
from montecarlo.training.scaled_targets import DATA, regression_data
from paper_checks import Kind, Reproduces, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.dying_relu.section_1.figure_1_networks import BY_RUN, SETTINGS, SMALL, networks, power
from paper_checks.papers.dying_relu.sweeps import FIGURE_1, GAMMAS, METHODS
from paper_checks.rules.means import Status, combine
from paper_checks.rules.proportions import compare_signs, listed, median
from theory.relu_unit import target_scaling


def error_grows(context) -> Finding:
    """Normalised error at small gamma against gamma = 1, by run."""
    one_layer = networks(context)
    differences = {
        f"{d}, gamma = {power(g)}": one_layer("adam", g, d).log_error - one_layer("adam", 1.0, d).log_error
        for d in DATA for g in SMALL
    }  # fmt: skip
    signs, slips = compare_signs(differences)
    slips["the same gamma twice"] = compare_signs({"same": 0 * differences[f"{DATA[0]}, gamma = 4^-4"]})[0][
        "same"
    ].status is not Status.CONFIRMED  # fmt: skip
    medians = listed(
        ((d, [np.median(one_layer("adam", g, d).normalised) for g in GAMMAS[:5]]) for d in DATA),
        lambda d, values: f"{d} " + ", ".join(f"{v:.2g}" for v in values),
    )
    fewest = min(s.above for s in signs.values())
    says = (
        f"median of error/gamma^2 at gamma = {', '.join(map(power, GAMMAS[:5]))}: {medians}; above gamma = 1 in at "
        f"least {fewest} of 48 runs at each gamma below 4^-3"
    )
    return concluded(combine([s.status for s in signs.values()]), says, slips)


claim(
    "relu/fig1.error",
    at="section 1, figure 1",
    says="regression performance degrades for small target variances: the error relative to the target's variance is "
    "larger for gamma = 1/256 and below than for gamma = 1",
    **BY_RUN,
    experiment=error_grows,
    note=f"{SETTINGS}. See relu/fig1.error.cause for why",
)


def better_at_a_sixteenth(context) -> Finding:
    """From gamma = 1 to 1/16, by run."""
    one_layer = networks(context)
    fall = {d: one_layer("adam", 1.0, d).log_error - one_layer("adam", GAMMAS[1], d).log_error for d in DATA}
    signs, slips = compare_signs({DATA[3]: fall[DATA[3]]})
    shown = compare_signs(fall)[0]
    says = "runs of 48 in which error/gamma^2 at gamma = 1 is above or below that at 1/16: "
    return concluded(signs[DATA[3]].status, says + listed(shown.items(), lambda d, s: f"{d} {s}"), slips)


claim(
    "relu/fig1.error.unit-variance",
    at="beyond figure 1 and the conclusion that target normalisation is well motivated",
    says="unit variance is not always the best scale: for the diabetes data gamma = 1/16 leaves a smaller relative "
    "error than gamma = 1 after as many updates",
    **BY_RUN,
    experiment=better_at_a_sixteenth,
    note="a matter of when training stops: at step size 0.01 gamma = 1 is ahead. The paper's data sets are lost in our "
    "copy. " + SETTINGS,
    kind=Kind.ADDITIONAL,
)


def floor(context) -> Finding:
    """The error itself, not divided by gamma^2, from gamma = 4^-6 to 4^-8 and 0, by run."""
    one_layer = networks(context)
    texts, good, other = [], True, {f"exponent {k}": True for k in (0, -1, -3)}
    for d in DATA:
        smallest, larger = one_layer("adam", GAMMAS[4], d), one_layer("adam", GAMMAS[3], d)
        slope = (smallest.log_error - larger.log_error) / np.log(GAMMAS[4] / GAMMAS[3])
        exponent = median(slope)
        low, high = exponent.low, exponent.high
        good &= low > -2.25 and high < -1.75
        for k in (0, -1, -3):
            other[f"exponent {k}"] &= not low <= k <= high
        zero = median(np.log(smallest.error / one_layer("adam", 0.0, d).error))
        texts.append(
            f"{d} exponent in [{low:.3f}, {high:.3f}], error over that at gamma = 0 in "
            f"[{np.exp(zero.low):.2f}, {np.exp(zero.high):.2f}]"
        )
        good &= zero.low <= 0 <= zero.high
    says = "intervals for medians, 4^-6 to 4^-8: " + "; ".join(texts)
    return concluded(Status.CONFIRMED if good else Status.INCONCLUSIVE, says, other)


claim(
    "relu/fig1.error.cause",
    at="beyond figure 1",
    says="where gamma is far below the step size, the error that grows as gamma falls is Adam's own: error/gamma^2 "
    "goes like gamma^-2, because the error is the one that is left with targets that are 0, whatever gamma is",
    relation=Reproduces(),
    runs=FIGURE_1,
    experiment=floor,
    assumptions="intervals from order statistics for the median over runs, error rate 2e-11 each; the exponent is "
    "taken for -2 when they are within -2 +- 1/4",
    note="no target, no dead units: this part of the figure's rise is about a step size that does not follow the "
    "scale. relu/fig1.error.leaky shows the same rise where nothing can die, relu/fig1.error.scaled its absence where "
    f"start and steps follow gamma. {SETTINGS}",
    kind=Kind.ADDITIONAL,
)


def leaky(context) -> Finding:
    """Leaky units, slope 0.1 below 0, which cannot die."""
    one_layer = networks(context)
    differences = {
        f"gamma = {power(g)}": one_layer("adam-leaky", g).log_error - one_layer("adam-leaky", 1.0).log_error
        for g in SMALL
    }
    signs, slips = compare_signs(differences)
    ratio = listed(
        ((power(g), *(np.median(one_layer(m, g).normalised) for m in ("adam-leaky", "adam"))) for g in SMALL),
        lambda g, ours, plain: f"{g}: {ours:.3g} (ReLU {plain:.3g})",
    )
    says = f"median of error/gamma^2 at gamma = {ratio}; " + listed(signs.items(), lambda g, s: f"{g} {s} gamma = 1")
    return concluded(combine([s.status for s in signs.values()]), says, slips)


claim(
    "relu/fig1.error.leaky",
    at="beyond figure 1",
    says="a network of leaky units, none of which can die, degrades as well",
    **BY_RUN,
    experiment=leaky,
    note=SETTINGS,
    kind=Kind.ADDITIONAL,
)


def scaled_start(context) -> Finding:
    """Start, step sizes and epsilon scaled by layer: stored runs, and a few updates bit by bit."""
    one_layer = networks(context)
    plain = one_layer("adam", 1.0)
    cells = [one_layer("adam-scaled", g) for g in GAMMAS[1:4]]
    same = all(np.allclose(c.normalised, plain.error, rtol=1e-8, atol=0) and (c.last == plain.last).all()
               for c in cells)  # fmt: skip
    gamma, (x, y) = GAMMAS[3], regression_data(DATA[1], 1)
    network, by = Network(x.shape[1], 16, 1), target_scaling.scales(GAMMAS[3], 2)
    scale = np.repeat(
        [by.weights[0], by.biases[0], by.weights[1], by.biases[1]], [a * b for a, b in network.shapes]
    )  # fmt: skip

    def after(targets, rate=1.0, start=1.0, epsilon=1e-8):
        adam = Adam(METHODS["adam"]["step_size"] * rate, epsilon=epsilon)
        done = train(network, adam, x, targets, runs=2, seed=1, batch=32, checkpoints=[40], start_scale=start)
        return done.parameters

    path, small = after(y), 1e-8 * gamma**2 / scale
    exact = np.array_equal(after(gamma * y, scale, scale, small), path * scale)
    slips = {
        what: bool(np.abs(after(gamma * y, *options) / scale - path).max() > 1e-6)
        for what, options in {
            "step size as it was": (1.0, scale, small),
            "start as it was": (scale, 1.0, small),
            "epsilon as it was": (scale, scale),
            "one factor, gamma, for all": (gamma, gamma, small),
        }.items()
    }
    gammas = ", ".join(map(power, GAMMAS[1:4]))
    says = f"2000 updates at gamma = {gammas}: the same errors and dead units as at 1; 40 updates at {power(gamma)}: "
    return concluded(Status.CONFIRMED if same and exact else Status.REFUTED, says + "the same bits", slips)


claim(
    "relu/fig1.error.scaled",
    at="beyond figure 1",
    says="with start, step sizes and Adam's epsilon scaled by layer, error/gamma^2 and dead units do not depend on "
    "gamma: not in one bit, for gamma a power of 4",
    runs=FIGURE_1,
    experiment=scaled_start,
    note="the factors are those of relu/beyond.layerwise-training; so Figure 1 shows a mismatch of scales, not a "
    "property of small targets",
    kind=Kind.ADDITIONAL,
)
