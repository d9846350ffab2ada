"""Normal data and symmetric networks, of tanh units; multiplication by ReLU networks; errors of many runs."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.network_smoothness.maps import LOG_ERROR, SIZE, draw_map, logarithms, network, places, plan
from montecarlo.training.smooth.data import MULTIPLICATION, disc
from montecarlo.training.smooth.runs import BANDS, errors, normal_points
from montecarlo.training.smooth.tanh_addition import function_of
from montecarlo.training.smooth.tanh_networks import Schedule, TanhNetwork
from montecarlo.training.smooth.tanh_variants import on_normal_points, train_symmetric
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.network_smoothness import relu_sweeps, tanh_sweeps
from paper_checks.papers.network_smoothness.relu_sweeps import NETWORKS, PRODUCTS, WIDTHS
from paper_checks.papers.network_smoothness.tanh_sweeps import VARIANT

CAPTION = """\
Squared errors of networks in variants of the task, as in the paper's Figures 11, 12 and 13: normal data (a, d), a
network that is made symmetric (b, e), and multiplication (c, f). Maps show one network (yellow: small errors, white
dots: training points). Dots below are all runs, bars their medians.
"""
DETAILS = """\
All networks in the maps have 256 units. White circle: the unit circle.

(a) Normal numbers added by a normalised tanh network with 1/sigma = 1, and (b) numbers on the disc by one that is made
symmetric; 50,000 steps. (c) Multiplication by a ReLU network, 50,001 steps.

(d) Errors by distance from 0 grow as data become rare. The paper shows tanh networks only; ReLU networks are added.

(e) From the same initial values and the same points, tanh networks that are made symmetric are better on the disc, but
not exact either.

(f) Multiplication and addition by ReLU networks of several widths, on the disc.
"""
ALT = """\
Three error maps with webs of bright curves: normal data, a mirror-symmetric network, and multiplication. Below, dots of
many runs: errors grow with distance, for tanh more than for ReLU; symmetry lowers those on the disc; multiplication is
harder than addition.
"""
KINDS = {"tanh": tanh_sweeps, "relu": relu_sweeps}
SWEEPS = (*(sweeps.NORMAL_DATA for sweeps in KINDS.values()), tanh_sweeps.SYMMETRIC, PRODUCTS, NETWORKS)
PARAMETERS = {"stored by": f"paper-checks train {' '.join(sweep.name for sweep in SWEEPS)}"}
RECIPE = Run()
SECONDS = 9
READS = SWEEPS
WIDTH, SEED = VARIANT["units"], VARIANT["first_seed"]
HALF_WIDTHS = (3.0, 1.5, 1.5)
MAPS = (("normal", "Normal data", "tanh"), ("disc", "A symmetric network", "tanh"), ("disc", "Multiplication", "ReLU"))


def data(_: Run) -> dict[str, np.ndarray]:
    """Maps and stored errors.

    Returns
    -------
    dict of str to array
        ``maps`` (3, 180^2), log10 of squared errors; ``normal`` and ``disc`` (2, 128), the training points; by band
        ``tanh_bands`` (60, 6) and ``relu_bands`` (280, 6), by region ``plain`` and ``symmetric`` (160, 3), by width
        ``products`` (4, 40) and ``sums`` (4, 60), mean squared errors.
    """
    uniform = disc(SEED, VARIANT["number"])
    product = network(PRODUCTS, WIDTHS.index(WIDTH), uniform, plan(PRODUCTS, MULTIPLICATION))
    maps = [_on_normal(), _symmetric(uniform), errors(product, places(HALF_WIDTHS[2]), "multiplication")]
    (rows,), inside = stored_rows(tanh_sweeps.SYMMETRIC), NETWORKS.columns.index("inside")
    return {
        "maps": np.array([logarithms(values) for values in maps]),
        "normal": normal_points(SEED, VARIANT["number"]),
        "disc": uniform,
        **{f"{kind}_bands": stored_rows(sweeps.NORMAL_DATA)[0][:, 1:] for kind, sweeps in KINDS.items()},
        "plain": rows[:, :3],
        "symmetric": rows[:, 3:],
        "products": np.array(stored_rows(PRODUCTS))[:, :, inside],
        "sums": np.array(stored_rows(NETWORKS))[:, :, inside],
    }


def _on_normal() -> np.ndarray:
    net = TanhNetwork(WIDTH)
    raw, _ = on_normal_points(net, 0, number=VARIANT["number"], first_seed=SEED, steps=VARIANT["steps"])
    points, values = function_of(net, raw, SIZE, HALF_WIDTHS[0])
    return ((values - points.sum(axis=-1)) ** 2).ravel()


def _symmetric(uniform: np.ndarray) -> np.ndarray:
    net, x = TanhNetwork(WIDTH), np.float64(uniform.T)
    raw = net.start(np.random.default_rng([SEED, 0]))
    train_symmetric(net, raw, Schedule(VARIANT["steps"]), x, x.sum(axis=1))
    points, values = function_of(net, raw, SIZE, HALF_WIDTHS[1])
    return (((values + values.T) / 2 - points.sum(axis=-1)) ** 2).ravel()


def _draw_map(axes: Axes, arrays: Arrays, k: int) -> None:
    points, text, units = MAPS[k]
    draw_map(axes, arrays["maps"][k], HALF_WIDTHS[k], 1.0)
    style.points(axes, *arrays[points], "training points")
    style.title(axes, "abc"[k], text, f"{WIDTH} {units} units")


def _draw_bands(axes: Axes, arrays: Arrays) -> None:
    _pairs(axes, arrays["tanh_bands"].T, arrays["relu_bands"].T, ("tanh", "ReLU"))
    axes.set_xticks(range(BANDS), [f"{k / 2:g}–{k / 2 + 0.5:g}" for k in range(BANDS)], fontsize=9)
    axes.set_xlabel("distance from 0")
    style.title(axes, "d", "Normal data")


def _draw_symmetric(axes: Axes, arrays: Arrays) -> None:
    _pairs(axes, arrays["plain"].T, arrays["symmetric"].T, ("network", "made symmetric"))
    axes.set_xticks(range(3), ["points", "disc", "outside"])
    style.title(axes, "e", "Symmetric or not")


def _draw_tasks(axes: Axes, arrays: Arrays) -> None:
    _pairs(axes, arrays["sums"], arrays["products"], ("addition", "multiplication"))
    axes.set_xticks(range(len(WIDTHS)), [f"{width}" for width in WIDTHS])
    axes.set_xlabel("units")
    style.title(axes, "f", "Two tasks")


def _pairs(axes: Axes, first: np.ndarray, second: np.ndarray, labels: tuple[str, str]) -> None:
    for i, (rows, label) in enumerate(zip((first, second), labels, strict=True)):
        for k, values in enumerate(rows):
            place, name = k + 0.4 * i - 0.2, label if k == 0 else None
            spread = place + np.linspace(-0.12, 0.12, len(values))
            axes.plot(spread, values, ".", color=style.LINES[i], markersize=3.5, label=name)
            axes.plot([place - 0.16, place + 0.16], [np.median(values)] * 2, color="black", linewidth=2)
    axes.plot([], [], color="black", linewidth=2, label="median")
    axes.set(yscale="log", ylabel="mean squared error")
    axes.set_ylim(top=100 * max(first.max(), second.max()))  # Room for the key.
    axes.legend(loc="upper left")


draw_panel = Panels(*(partial(_draw_map, k=k) for k in range(len(MAPS))), _draw_bands, _draw_symmetric, _draw_tasks)


def _keys(figure: Figure, axes: np.ndarray) -> None:
    figure.colorbar(axes[0, 0].images[0], ax=axes[0], label=LOG_ERROR, extend="both", shrink=0.85)
    style.key(axes[0, 0], loc="outside upper center", ncols=2)


draw = style.in_rows(draw_panel, 8.8, 2, 3, _keys)
