"""Appendix A.2.2: what the second layer alone can do, on the first layer of the start."""

from functools import cache

import mpmath
import numpy as np
import sympy
from scipy import linalg
from sympy.stats import Uniform

from montecarlo import mean
from montecarlo.streams.philox import stream
from montecarlo.training.addition_processes import square_grid
from montecarlo.training.smooth.data import disc
from montecarlo.training.smooth.runs import started
from paper_checks import Finding, Kind, Simulated, Status, alternative, common, concluded, wrong
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import asked
from paper_checks.papers.network_smoothness.relu_sweeps import INTERPOLATION, ROUNDING
from paper_checks.papers.network_smoothness.table_1.printed import RELU
from paper_checks.rules.means import combine
from paper_checks.rules.proportions import proportion
from theory import Formula, Source

remark = common(at="additional to A.2.2", kind=Kind.ADDITIONAL)
WIDTH, STARTS = INTERPOLATION.settings["width"], 40
w_1, w_2, b = (Uniform(name, -1, 1) for name in ("w_1", "w_2", "b"))

remark(
    "smooth/beyond.linear-units",
    says="with PyTorch's initial values, a ReLU unit is active on the whole unit disc with the probability pi/24. It "
    "is linear there",
    printed=Formula("probability that b > |w|", sympy.pi / 24, source=Source("smooth", "A.2.2"), lhs=r"P(b > \|w\|)"),
    points=[{}],
    integral=lambda: mpmath.quad(lambda t: mpmath.pi * t**2 / 4 / 2, [0, 1]),
    measured=mean(Simulated(sympy.Piecewise((1, b > sympy.sqrt(w_1**2 + w_2**2)), (0, True)))),
    assumptions="weights and biases are U(-1/sqrt(2), 1/sqrt(2)); a common factor does not matter",
    note=f"of {WIDTH} units, {WIDTH * np.pi / 24:.0f} are expected to be linear on the disc. Three of them are enough "
    "to span all linear functions",
)


def first_layer(name: str, number: int) -> np.ndarray:
    """An untrained first layer (3, units): weights of both inputs, and biases."""
    return started(stream(1, name, 0), number, WIDTH)[:-1].reshape(4, -1)[:3].astype(float)


def hidden(layer: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Activations (points, units)."""
    return np.maximum(x.T @ layer[:2] + layer[2], 0)


def least_losses() -> np.ndarray:
    """Test losses of second layers that use linear units only, with the first layers of other starts of Figure 7."""
    x, found = disc(INTERPOLATION.settings["test_seed"], 512).astype(float), []
    for i in range(STARTS):
        layer = first_layer("smooth/second-layer", i)
        linear = layer[2] > np.hypot(layer[0], layer[1])
        v = np.linalg.lstsq(layer[:, linear], np.array([1.0, 1.0, 0.0]), rcond=None)[0]
        found.append(((hidden(layer, x)[:, linear] @ v - x.sum(axis=0)) ** 2).mean())
    return np.array(found)


@asked
def second_layer_is_not_enough(_context, sign: int) -> Finding:
    """An experiment: whether no second layer, or one for each start, has the test loss of the exact solution."""
    losses = least_losses()
    exact = bool((losses <= ROUNDING).all())
    says = f"{STARTS} first layers: the largest test loss is {losses.max():.1g}; losses up to {ROUNDING:.1g} are exact"
    nothing = (disc(INTERPOLATION.settings["test_seed"], 512).sum(axis=0) ** 2).mean()
    return concluded(exact is (sign > 0), says, {"a second layer of 0": bool(nothing > ROUNDING)})


alternative(
    "smooth/text.second-layer-alone",
    at="A.2.2, paragraph 4, i)",
    says="no second layer on an untrained first layer has the test loss of the optimal solution",
    quote="optimising the second layer during learning, which alone cannot achieve the optimal solution",
    experiment=second_layer_is_not_enough(-1),
    expects=wrong(correct="smooth/beyond.second-layer-alone"),
    note="second layers without error on the disc exist: smooth/beyond.second-layer-alone. With 256 units and 128 "
    "points, least squares has many solutions, and (9) selects another one: smooth/fig7.not-optimal. The sentence is "
    "true of the parameters (1), which have another first layer. It is also true on the whole plane, if no two units "
    "bend along the same line: the bends cannot cancel",
)

remark(
    "smooth/beyond.second-layer-alone",
    says="on each of 40 untrained first layers, some second layer adds exactly on the disc, to the rounding of float32",
    experiment=second_layer_is_not_enough(1),
    assumptions="256 ReLU units with PyTorch's initial values, in float64. The test points are 512 points of the disc",
    note="units that are active on the whole disc are linear there, and three are enough: smooth/beyond.linear-units",
)

# --- what least squares makes of untrained first layers, by the number of points ----------------------------------

LAYERS, MORE = 240, 1024
# First layers of which no other claim has seen one.
UNSEEN = "smooth/more-points"
_places, _within = square_grid(32, 1.5)
OUTSIDE = _places[~_within].T


def least_squares(layer: np.ndarray, i: int, number: int) -> tuple[float, float]:
    """Losses of the second layer by least squares on this number of points: on the disc, and outside."""
    points, test = disc(31042 + i, number).astype(float), disc(INTERPOLATION.settings["test_seed"], 512).astype(float)
    # By pivoted QR, which takes two thirds of the time of singular values.
    v = linalg.lstsq(hidden(layer, points), points.sum(axis=0), lapack_driver="gelsy")[0]
    inside, outside = (float(((hidden(layer, x) @ v - x.sum(axis=0)) ** 2).mean()) for x in (test, OUTSIDE))
    return inside, outside


@cache
def losses_from(number: int) -> np.ndarray:
    """Losses (2, layers) of :func:`least_squares` on the first layers, each from this number of points of its own."""
    return np.array([least_squares(first_layer(UNSEEN, i), i, number) for i in range(LAYERS)]).T


def _shown(loss: float) -> str:
    return "below 2^-44" if loss <= ROUNDING else f"{loss:.2g}"


def more_points(_context) -> Finding:
    """Shares of exact second layers from many points, and from as many as in Figure 7."""
    few = INTERPOLATION.settings["number"]
    losses = {n: losses_from(n) for n in (few, MORE)}
    exact, outside = (
        {n: proportion(int((found[k] <= ROUNDING).sum()), LAYERS) for n, found in losses.items()} for k in (0, 1)
    )
    says = "; ".join(
        f"{n} points: exact on {round(exact[n].value * LAYERS)} of {LAYERS} first layers, median test loss "
        f"{_shown(np.median(losses[n][0]))}; outside the disc on {round(outside[n].value * LAYERS)}, median "
        f"{_shown(np.median(losses[n][1]))}"
        for n in losses
    )
    status = combine([exact[MORE].above(0.5), exact[few].below(0.5), outside[MORE].below(0.5)])
    return concluded(status, says, {"points exchanged": exact[few].above(0.5) is not Status.CONFIRMED})


remark(
    "smooth/beyond.more-points",
    at="additional to A.2.2, Figure 7",
    says=f"from {MORE} training points, least squares on most untrained first layers adds exactly on the disc, but not "
    f"outside. From the {INTERPOLATION.settings['number']} points of Figure 7 it does not on most",
    experiment=more_points,
    assumptions=f"{WIDTH} ReLU units with PyTorch's initial values, in float64. Exact means a test loss of at most "
    "2^-44 at 512 points of the disc. Outside are points of a grid of 32 x 32 on [-1.5, 1.5]^2. Intervals are those of "
    "Clopper and Pearson",
    note="with so many points, the flat curves of Figure 7 would mostly start at zero error. Lines between networks "
    "are not computed here. Units that are linear on the disc bend outside (smooth/beyond.linear-units), "
    f"where the trained networks of Table 1 have the error {RELU[WIDTH].outside[0]:.3g}",
)


def in_random_order(_context) -> Finding:
    """Half way from a network to itself with its units in random order, twice its own loss less the loss there."""
    few, losses = INTERPOLATION.settings["number"], []
    for i in range(LAYERS):
        layer = first_layer(UNSEEN, i)
        losses.append(least_squares((layer + layer[:, np.random.default_rng(i).permutation(WIDTH)]) / 2, i, few)[0])
    ratios = losses / losses_from(few)[0]
    less = 2 - ratios
    says = f"median ratio {np.median(ratios):.3g}, above 2 for {(less < 0).sum()} of {LAYERS} networks"
    return decided({"2 less the ratio of losses": less}, says)


remark(
    "smooth/beyond.permutation.size",
    at="additional to A.2.2, paragraph 5",
    says="for untrained networks of the size of Figure 7 the order of units matters little. Half way from such a "
    "network to itself with its units in random order, least squares has in most cases less than twice the test loss",
    experiment=in_random_order,
    assumptions=f"{LAYERS} first layers of {WIDTH} units, {INTERPOLATION.settings['number']} points. Exact sign tests",
    note="the line of Figure 7, from a trained network to the exact solution, is another one. Least squares does not "
    "account for the order all the same: smooth/text.permutation",
)
