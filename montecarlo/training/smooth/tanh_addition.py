"""Addition and multiplication on the disc or the annulus by tanh networks: errors and smoothness of what is learned."""

import numpy as np

from montecarlo.engine.models import one_run
from montecarlo.training.addition_processes import disc_points
from montecarlo.training.smooth.regions import changes_per_line
from montecarlo.training.smooth.tanh_networks import Schedule, TanhNetwork, train

TASKS = {"addition": lambda x: x.sum(axis=-1), "multiplication": lambda x: x.prod(axis=-1)}
COLUMNS = ("train", "inside", "hole", "outside", "curvature", "ridges")


def trained(
    network: TanhNetwork, run: int, *, task: str, number: int, low: float, fresh: int, first_seed: int, steps: int,
    start: str = "shared",
) -> tuple[np.ndarray, float]:  # fmt: skip
    """Parameters after training, and the loss at the last step.

    Parameters
    ----------
    run : int
        Runs of one number have the same start and the same data, whatever sigma and kind.
    task : {"addition", "multiplication"}
    number : int
        Points of the data, or of each fresh batch.
    low : float
        Least squared distance from 0: 0 on the disc, 1/4 on the annulus.
    fresh : int
        Whether each step has a batch of its own: 1 or 0.
    """
    if task not in TASKS:
        raise ValueError(f"trained: task must be one of {tuple(TASKS)}, got {task!r}; choose one")
    raw = network.start(np.random.default_rng([first_seed, run]), start)

    def batches(first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        # Seeds go up by two, as those between are of test sets in the published code.
        seeds = [first_seed + 2 * (run * steps + k) for k in range(first, last)] if fresh else [first_seed + run]
        x = np.stack([disc_points(seed, number, low) for seed in seeds])
        return x, TASKS[task](x)

    return raw, train(network, raw, Schedule(steps), batches)


def function_of(network: TanhNetwork, raw: np.ndarray, grid: int, half_width: float) -> tuple[np.ndarray, np.ndarray]:
    """Points (grid, grid, 2) of a square about 0, and f there (grid, grid)."""
    axis = np.linspace(-half_width, half_width, grid)
    points = np.stack(np.meshgrid(axis, axis), axis=-1)
    return points, network.outputs(raw, points.reshape(-1, 2)).reshape(grid, grid)


@one_run(columns=COLUMNS)
def tanh_arithmetic(
    run, inverse_sigma, kind: str, task: str, start: str, units: int, number: int, low, fresh: int,
    first_seed: int, steps: int, grid: int, half_width
):  # fmt: skip
    """Errors, curvature and ridges after training.

    Mean square errors: at the last step, and on the points of a grid inside the domain, in the hole of an annulus (nan
    on the disc), outside the unit circle. Curvature: see :meth:`TanhNetwork.curvature`, on the whole grid. Ridges:
    changes of the error's sign per line of the grid, rows and columns.
    """
    network = TanhNetwork(units, 2, 1 / inverse_sigma, kind)
    raw, loss = trained(
        network, run, task=task, number=number, low=low, fresh=fresh, first_seed=first_seed, steps=steps, start=start,
    )  # fmt: skip
    points, values = function_of(network, raw, grid, half_width)
    error, square = values - TASKS[task](points), (points**2).sum(axis=-1)
    regions = (low <= square) & (square <= 1), square < low, square > 1
    errors = [float((error[r] ** 2).mean()) if r.any() else np.nan for r in regions]
    ridges = changes_per_line(error, np.ones((grid, grid), dtype=bool))
    return loss, *errors, network.curvature(raw, points.reshape(-1, 2)), ridges
