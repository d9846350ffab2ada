"""Other data and another model for ReLU networks that add: normal points, and networks that are made symmetric."""

import numpy as np

from montecarlo.engine.models import simulator
from montecarlo.training.smooth import relu
from montecarlo.training.smooth.data import ADDITION, by_region, columns, disc, grid
from montecarlo.training.smooth.loop import Plan
from montecarlo.training.smooth.runs import trained

KINDS = ("plain", "symmetric")
BANDS = 6
"""Of errors by distance from 0, each half a standard deviation wide."""


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


@simulator(columns=tuple(f"{kind}_{name}" for kind in KINDS for name in ("train", "inside", "outside")))
def symmetric_network(
    stream, first, width: int, number: int, first_seed: int, grid_size: int, half_width, steps: int, step_size, decay,
    every: int, out,
):  # fmt: skip
    """Mean squared errors on the data, and at the points of a grid inside and outside of the disc.

    Of a network, and of one that is made symmetric, with the same data and the same start.

    Source: smooth, A.2.7.
    """
    places = grid(grid_size, half_width)
    regions = by_region(places)
    for i in range(out.shape[0]):
        points, row = disc(first_seed + first + i, number), []
        for symmetric in (False, True):
            plan = Plan(steps, step_size, decay, every, ADDITION, symmetric=symmetric)
            _, theta = trained(stream, first + i, width, mirrored(points) if symmetric else points, plan)
            found = symmetric_errors(theta, places, symmetric)
            inside, outside = found[regions["ring"]].mean(), found[regions["outside"]].mean()
            row += [symmetric_errors(theta, points, symmetric).mean(), inside, outside]
        out[i] = row


@simulator(columns=("train", *(f"band_{k}" for k in range(BANDS))))
def unbounded_network(
    stream, first, width: int, number: int, first_seed: int, grid_size: int, steps: int, step_size, decay,
    every: int, out,
):  # fmt: skip
    """Mean squared errors on normal data, and at the points of a grid by distance from 0, up to three.

    Source: smooth, A.2.6.
    """
    places = grid(grid_size, BANDS / 2)
    radius = np.hypot(*places.astype(np.float64))
    bands = [(radius >= k / 2) & (radius < (k + 1) / 2) for k in range(BANDS)]
    plan = Plan(steps, step_size, decay, every, ADDITION)
    for i in range(out.shape[0]):
        points = normal_points(first_seed + first + i, number)
        _, theta = trained(stream, first + i, width, points, plan)
        found = symmetric_errors(theta, places, symmetric=False)
        out[i] = [symmetric_errors(theta, points, symmetric=False).mean(), *(found[where].mean() for where in bands)]
