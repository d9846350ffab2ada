"""Where networks learn to add: points of the disc and of the annulus, and how far they lie from 0."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Arrays, Panels, Run
from montecarlo.training.addition_processes import disc_points

CAPTION = """\
Points of the disc (a) and of the annulus (b) from which networks learn to add, coloured by the sum x_1 + x_2, as in the
paper's Figure 6, and densities of their distance from 0 (c). The distances follow the uniform distributions on disc and
annulus.
"""
DETAILS = """\
Points are drawn as in the published experiments. Circles: the edges of the domains. Dotted lines: equal sums, x + a (1,
-1) by eq. (4). Solid line: the null space, where the sum is 0.

(c) Not in the paper. Dots: histograms of 100,000 points each; lines: the uniform distributions on the disc and the
annulus. Dashed: the density on the disc if the distances themselves were uniform, without the root of A.1.
"""
ALT = """\
Points in a disc and in an annulus, coloured from blue to red by the sum of their coordinates across diagonal lines.
Right: densities of the distance rise along straight lines, where uniform distances would be flat.
"""
DOMAINS = {"disc": (0.0, 128), "annulus": (0.25, 256)}
MANY, BINS = 100_000, 25
PARAMETERS = {"points": {name: number for name, (_, number) in DOMAINS.items()}, "seed of the data": 42, "of (c)": MANY}
RECIPE = Run()


def data(_: Run) -> dict[str, np.ndarray]:
    """Points, and histograms of distances.

    Returns
    -------
    dict of str to array
        ``disc`` (128, 2) and ``annulus`` (256, 2), points; ``edges`` (26); ``disc_density`` and ``annulus_density``
        (25).
    """
    edges = np.linspace(0, 1, BINS + 1)
    found = {"edges": edges}
    for name, (low, number) in DOMAINS.items():
        found[name] = disc_points(PARAMETERS["seed of the data"], number, low)
        radius = np.linalg.norm(disc_points(PARAMETERS["seed of the data"], MANY, low), axis=1)
        found[f"{name}_density"] = np.histogram(radius, edges, density=True)[0]
    return found


def _draw_points(axes: Axes, arrays: Arrays, name: str) -> None:
    (low, number), points = DOMAINS[name], arrays[name]
    for total in np.linspace(-1.5, 1.5, 7):
        axes.plot(
            (-1.5, 1.5), (total + 1.5, total - 1.5), "-" if total == 0 else ":", color="grey", linewidth=1,
            label={0.0: "null space, sum 0", 0.5: "equal sums"}.get(total),
        )  # fmt: skip
    axes.scatter(*points.T, c=points.sum(axis=1), cmap=style.DIVERGING, vmin=-1.5, vmax=1.5, s=18,
                 edgecolors="0.4", linewidths=0.4)  # fmt: skip
    turn = np.linspace(0, 2 * np.pi, 200)
    for radius in {1.0, low**0.5} - {0.0}:
        label = "edge of the domain" if radius == 1 else None
        axes.plot(radius * np.cos(turn), radius * np.sin(turn), color="black", linewidth=0.8, label=label)
    axes.set(xlabel="$x_1$", ylabel="$x_2$", xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
    style.title(axes, "ab"[list(DOMAINS).index(name)], name.capitalize(), f"{number} points")


def _draw_densities(axes: Axes, arrays: Arrays) -> None:
    radii, middles = np.linspace(0, 1, 101), (arrays["edges"][1:] + arrays["edges"][:-1]) / 2
    for color, mark, (name, (low, _)) in zip(style.LINES, "os", DOMAINS.items(), strict=False):
        sampled, exact = arrays[f"{name}_density"], np.where(radii >= low**0.5, 2 * radii / (1 - low), 0)
        axes.plot(middles, sampled, mark, color=color, markersize=4.5, label=f"{name}, {MANY:,} points")
        axes.plot(radii, exact, color=color, linewidth=1.2, label=f"{name}, uniform distribution")
    axes.axhline(1, color="black", linestyle="--", linewidth=1, label="disc, uniform distances")
    axes.set(xlabel="distance from 0", ylabel="probability density", ylim=(0, 4.2))
    axes.legend(loc="upper left", fontsize=9.5)
    style.title(axes, "c", "Distances from 0", f"{len(middles)} intervals of length {middles[1] - middles[0]:.2g}")


draw_panel = Panels(*(partial(_draw_points, name=name) for name in DOMAINS), _draw_densities)


def _keys(figure: Figure, axes: np.ndarray) -> None:
    style.key(axes[0, 0], loc="outside lower left", ncols=3)
    figure.colorbar(axes[0, 0].collections[0], ax=axes[0, :2], label="$x_1 + x_2$", shrink=0.8)


draw = style.in_rows(draw_panel, 5.4, 1, 3, _keys, width=14.3)
