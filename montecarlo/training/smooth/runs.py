"""Simulators of ReLU networks that learn to add: a run is a sample, its row what is reported of it.

Also from normal points, and as networks that are made symmetric.
"""

import numpy as np

from montecarlo.engine.models import one_run
from montecarlo.training.smooth import relu
from montecarlo.training.smooth.data import ADDITION, MULTIPLICATION, by_region, columns, disc, grid
from montecarlo.training.smooth.loop import Plan, train
from montecarlo.training.smooth.regions import changes_per_line, pieces

OPERATIONS = {"addition": ADDITION, "multiplication": MULTIPLICATION}
RINGS = 16
"""Of the errors by distance from 0, each a tenth wide."""
PROFILE = tuple(f"ring_{k:02}" for k in range(RINGS))
KINDS = ("plain", "symmetric")
BANDS = 6
"""Of errors by distance from 0, each half a standard deviation wide."""


def answers(operation: str, points: np.ndarray) -> np.ndarray:
    """What is to be learnt at points (2, number), in float64.

    Raises
    ------
    ValueError
        For another operation.
    """
    if operation not in OPERATIONS:
        raise ValueError(f"answers: operation must be one of {sorted(OPERATIONS)}, got {operation!r}; choose one")
    x = points.astype(np.float64)
    return x.sum(axis=0) if operation == "addition" else x.prod(axis=0)


def started(stream, sample: int, width: int) -> np.ndarray:
    """Parameters at the start.

    Raises
    ------
    ValueError
        When the width is no multiple of four.
    """
    if width < relu.GROUP or width % relu.GROUP:
        raise ValueError(f"started: width must be a multiple of {relu.GROUP}, got {width}; round it up")
    theta = np.empty(4 * width + 1, dtype=np.float32)
    relu.start(stream, sample, theta)
    return theta


def trained(stream, sample: int, width: int, points: np.ndarray, plan: Plan) -> tuple[np.ndarray, np.ndarray]:
    """Parameters before and after training on points (2, number), or on fresh batches of that number."""
    theta = started(stream, sample, width)
    before = theta.copy()
    train(stream, sample, plan, theta, points.copy())
    return before, theta


def errors(theta: np.ndarray, points: np.ndarray, operation: str) -> np.ndarray:
    """Squared errors at points (2, number), float64."""
    return (relu.outputs(theta, points).astype(np.float64) - answers(operation, points)) ** 2


@one_run(columns=("train", "inside", "outside", "pieces_before", "pieces"))
def disc_network(
    stream, run, width: int, operation: str, number: int, first_seed: int, grid_size: int, half_width, steps: int,
    step_size, decay, every: int
):  # fmt: skip
    """Mean squared errors on the data, and at the points of a grid inside and outside of the disc; linear regions.

    Run i has the data of seed ``first_seed`` + i; its parameters start at draws of its own.
    """
    places = grid(grid_size, half_width)
    regions = by_region(places)
    plan = Plan(steps, step_size, decay, every, OPERATIONS[operation])
    points = disc(first_seed + run, number)
    before, theta = trained(stream, run, width, points, plan)
    everywhere = errors(theta, places, operation)
    inside, outside = everywhere[regions["ring"]].mean(), everywhere[regions["outside"]].mean()
    return [errors(theta, points, operation).mean(), inside, outside, pieces(before), pieces(theta)]


@one_run(columns=("changes", "changes_before"))
def error_regions(
    stream, run, width: int, number: int, first_seed: int, grid_size: int, half_width, steps: int, step_size, decay,
    every: int
):  # fmt: skip
    """Changes of the error's sign per line of a grid inside the disc, after and before training to add.

    Errors are computed in float64, as float32 rounds those of networks that are nearly exact.
    """
    places = grid(grid_size, half_width)
    inside = by_region(places)["ring"]
    plan = Plan(steps, step_size, decay, every, ADDITION)
    error, wanted = np.zeros(inside.size), answers("addition", places[:, inside])
    before, after = trained(stream, run, width, disc(first_seed + run, number), plan)
    row = []
    for theta in (after, before):
        error[inside] = relu.outputs(theta.astype(np.float64), places[:, inside]) - wanted
        row.append(changes_per_line(*(v.reshape(grid_size, grid_size) for v in (error, inside))))
    return row


@one_run(columns=("ring", "hole", "outside", *PROFILE))
def annulus_network(
    stream, run, width: int, batch: int, low, grid_size: int, half_width, steps: int, step_size, decay, every: int
):
    """Mean squared errors of addition at the points of a grid by region, and mean log10 of them by distance from 0.

    Every step has a fresh batch of points of the annulus.
    """
    places = grid(grid_size, half_width)
    regions, radius = by_region(places, low), np.hypot(*places.astype(np.float64))
    rings = [(radius >= k / 10) & (radius < (k + 1) / 10) for k in range(RINGS)]
    plan = Plan(steps, step_size, decay, every, ADDITION, low, relu.draws_of_start(width))
    room = np.empty((2, batch), dtype=np.float32)
    _, theta = trained(stream, run, width, room, plan)
    found = errors(theta, places, "addition")
    logs = np.log10(np.maximum(found, np.finfo(np.float32).tiny))
    by_name = [found[regions[name]].mean() for name in ("ring", "hole", "outside")]
    return [*by_name, *(float(f"{logs[where].mean():.6g}") for where in rings)]


def normal_points(seed: int, number: int) -> np.ndarray:
    """Standard normal points (2, number), float32, by NumPy's legacy generator."""
    return columns(np.random.RandomState(seed).normal(size=(number, 2)))


def mirrored(points: np.ndarray) -> np.ndarray:
    """Points (2, number), and behind them the same with their coordinates exchanged: (2, 2 number).

    Examples
    --------
    >>> mirrored(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [[1.0, 2.0, 3.0, 4.0], [3.0, 4.0, 1.0, 2.0]]
    """
    return np.concatenate([points, points[::-1]], axis=1)


def symmetric_errors(theta: np.ndarray, points: np.ndarray, symmetric: bool) -> np.ndarray:
    """Squared errors of addition at points (2, number), of f or of (f(x_1, x_2) + f(x_2, x_1))/2."""
    out = relu.outputs(theta, points).astype(np.float64)
    if symmetric:
        out = (out + relu.outputs(theta, np.ascontiguousarray(points[::-1]))) / 2
    return (out - points.astype(np.float64).sum(axis=0)) ** 2


@one_run(columns=tuple(f"{kind}_{name}" for kind in KINDS for name in ("train", "inside", "outside")))
def symmetric_network(
    stream, run, width: int, number: int, first_seed: int, grid_size: int, half_width, steps: int, step_size, decay,
    every: int
):  # fmt: skip
    """Mean squared errors on the data, and at the points of a grid inside and outside of the disc.

    Of a network, and of one that is made symmetric, with the same data and the same start.

    Source: smooth, A.2.7.
    """
    places = grid(grid_size, half_width)
    regions = by_region(places)
    points, row = disc(first_seed + run, number), []
    for symmetric in (False, True):
        plan = Plan(steps, step_size, decay, every, ADDITION, symmetric=symmetric)
        _, theta = trained(stream, run, width, mirrored(points) if symmetric else points, plan)
        found = symmetric_errors(theta, places, symmetric)
        inside, outside = found[regions["ring"]].mean(), found[regions["outside"]].mean()
        row += [symmetric_errors(theta, points, symmetric).mean(), inside, outside]
    return row


@one_run(columns=("train", *(f"band_{k}" for k in range(BANDS))))
def unbounded_network(
    stream, run, width: int, number: int, first_seed: int, grid_size: int, steps: int, step_size, decay,
    every: int
):  # fmt: skip
    """Mean squared errors on normal data, and at the points of a grid by distance from 0, up to three.

    Source: smooth, A.2.6.
    """
    places = grid(grid_size, BANDS / 2)
    radius = np.hypot(*places.astype(np.float64))
    bands = [(radius >= k / 2) & (radius < (k + 1) / 2) for k in range(BANDS)]
    plan = Plan(steps, step_size, decay, every, ADDITION)
    points = normal_points(first_seed + run, number)
    _, theta = trained(stream, run, width, points, plan)
    found = symmetric_errors(theta, places, symmetric=False)
    return [symmetric_errors(theta, points, symmetric=False).mean(), *(found[where].mean() for where in bands)]
