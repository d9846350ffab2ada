"""Simulators of ReLU networks that learn to add: a run is a sample, its row what is reported of it."""

import numpy as np

from montecarlo.engine.models import simulator
from montecarlo.training.smooth import relu
from montecarlo.training.smooth.data import ADDITION, MULTIPLICATION, by_region, disc, grid
from montecarlo.training.smooth.loop import Plan, train
from montecarlo.training.smooth.regions import changes_per_line, pieces

OPERATIONS = {"addition": ADDITION, "multiplication": MULTIPLICATION}
RINGS = 16
"""Of the errors by distance from 0, each a tenth wide."""
PROFILE = tuple(f"ring_{k:02}" for k in range(RINGS))


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


@simulator(columns=("train", "inside", "outside", "pieces_before", "pieces"))
def disc_network(
    stream, first, width: int, operation: str, number: int, first_seed: int, grid_size: int, half_width, steps: int,
    step_size, decay, every: int, out,
):  # fmt: skip
    """Mean squared errors on the data, and at the points of a grid inside and outside of the disc; linear regions.

    Run i has the data of seed ``first_seed`` + i; its parameters start at draws of its own.
    """
    places = grid(grid_size, half_width)
    regions = by_region(places)
    plan = Plan(steps, step_size, decay, every, OPERATIONS[operation])
    for i in range(out.shape[0]):
        points = disc(first_seed + first + i, number)
        before, theta = trained(stream, first + i, width, points, plan)
        everywhere = errors(theta, places, operation)
        inside, outside = everywhere[regions["ring"]].mean(), everywhere[regions["outside"]].mean()
        out[i] = [errors(theta, points, operation).mean(), inside, outside, pieces(before), pieces(theta)]


@simulator(columns=("changes", "changes_before"))
def error_regions(
    stream, first, width: int, number: int, first_seed: int, grid_size: int, half_width, steps: int, step_size, decay,
    every: int, out,
):  # fmt: skip
    """Changes of the error's sign per line of a grid inside the disc, after and before training to add.

    Errors are computed in float64, as float32 rounds those of networks that are nearly exact.
    """
    places = grid(grid_size, half_width)
    inside = by_region(places)["ring"]
    plan = Plan(steps, step_size, decay, every, ADDITION)
    error, wanted = np.zeros(inside.size), answers("addition", places[:, inside])
    for i in range(out.shape[0]):
        before, after = trained(stream, first + i, width, disc(first_seed + first + i, number), plan)
        for column, theta in enumerate((after, before)):
            error[inside] = relu.outputs(theta.astype(np.float64), places[:, inside]) - wanted
            out[i, column] = changes_per_line(*(v.reshape(grid_size, grid_size) for v in (error, inside)))


@simulator(columns=("ring", "hole", "outside", *PROFILE))
def annulus_network(
    stream, first, width: int, batch: int, low, grid_size: int, half_width, steps: int, step_size, decay, every: int,
    out,
):  # fmt: skip
    """Mean squared errors of addition at the points of a grid by region, and mean log10 of them by distance from 0.

    Every step has a fresh batch of points of the annulus.
    """
    places = grid(grid_size, half_width)
    regions, radius = by_region(places, low), np.hypot(*places.astype(np.float64))
    rings = [(radius >= k / 10) & (radius < (k + 1) / 10) for k in range(RINGS)]
    plan = Plan(steps, step_size, decay, every, ADDITION, low, relu.draws_of_start(width))
    room = np.empty((2, batch), dtype=np.float32)
    for i in range(out.shape[0]):
        _, theta = trained(stream, first + i, width, room, plan)
        found = errors(theta, places, "addition")
        logs = np.log10(np.maximum(found, np.finfo(np.float32).tiny))
        by_name = [found[regions[name]].mean() for name in ("ring", "hole", "outside")]
        out[i] = [*by_name, *(float(f"{logs[where].mean():.6g}") for where in rings)]
