"""Networks of stored sweeps trained again for a look at their errors, and maps of these."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import Normal, Stroke

from figures import style
from montecarlo import Sweep
from montecarlo.streams.philox import stream
from montecarlo.training.smooth.data import ADDITION, grid
from montecarlo.training.smooth.loop import Plan
from montecarlo.training.smooth.runs import trained
from montecarlo.training.smooth.tanh_addition import TASKS, function_of
from montecarlo.training.smooth.tanh_networks import TanhNetwork

LEAST = 1e-12
"""What is smaller is drawn as this."""
SIZE = 180
LOG_ERROR = r"$\log_{10}$ of squared error"


def plan(sweep: Sweep, operation: int = ADDITION, **more: float) -> Plan:
    """How the networks of a sweep are trained."""
    values = sweep.settings
    return Plan(values["steps"], values["step_size"], values["decay"], values["every"], operation, **more)


def network(sweep: Sweep, index: int, points: np.ndarray, how: Plan) -> np.ndarray:
    """Parameters of the first run at a point of a sweep."""
    return trained(stream(sweep.seed, sweep.name, index), 0, sweep.values(index, 0)["width"], points, how)[1]


def logarithms(errors: np.ndarray) -> np.ndarray:
    """log10 of squared errors, as they are stored."""
    return np.log10(np.maximum(errors, LEAST)).astype(np.float16)


def places(half_width: float) -> np.ndarray:
    """The points (2, SIZE^2) of a map."""
    return grid(SIZE, half_width)


def draw_map(axes: Axes, logs: np.ndarray, half_width: float, *circles: float) -> None:
    """A map of log10 of squared errors, light where they are small, with circles about 0."""
    edges = (-half_width, half_width, -half_width, half_width)
    axes.imshow(
        np.float64(logs).reshape(SIZE, SIZE), origin="lower", extent=edges, cmap=f"{style.SEQUENTIAL}_r", vmin=-10,
        vmax=0, interpolation="nearest",
    )  # fmt: skip
    outlined = [Stroke(linewidth=2.2, foreground="black"), Normal()]
    turn = np.linspace(0, 2 * np.pi, 200)
    for radius in circles:
        x, y, label = radius * np.cos(turn), radius * np.sin(turn), f"circle of radius {radius:.3g}"
        axes.plot(x, y, color="white", linewidth=1.2, label=label, path_effects=outlined)
    axes.set(xlabel="$x_1$", ylabel="$x_2$", xlim=edges[:2], ylim=edges[2:], aspect="equal")


HALF_WIDTH = np.pi / 2


def log_errors(network: TanhNetwork, raw: np.ndarray, task: str) -> np.ndarray:
    """log10 of the squared error at the (SIZE, SIZE) points of a map."""
    points, values = function_of(network, raw, SIZE, HALF_WIDTH)
    return logarithms((values - TASKS[task](points)) ** 2)
