"""Test losses on the lines between three networks: at the start, trained, and exact; also with the best second layer.

The exact solution of a network of H units: four of them are +-x_1 and +-x_2, with output weights +-1, and

- ``rest = "zero"``: all parameters of the others are 0;
- ``rest = "copies"``: the four are copied H/4 times, with output weights +-4/H.
"""

from itertools import combinations

import numpy as np
from scipy import linalg

from montecarlo.engine.models import one_run
from montecarlo.training.smooth.data import ADDITION, disc
from montecarlo.training.smooth.loop import Plan
from montecarlo.training.smooth.runs import answers, errors, started, trained

ALPHAS = (*np.linspace(0, 0.95, 20).round(2).tolist(), 0.99, 0.999, 0.9999, 1.0)
"""Places on a line; towards its end they are ever closer."""
ENDS = ("start", "trained", "exact")
LINES = tuple(f"{one}-{other}" for one, other in combinations(ENDS, 2))
TRIANGLE = tuple((alpha, part) for alpha in (*ALPHAS[:20:2], 0.95) for part in (0, 0.25, 0.5, 0.75, 1))
"""Of the way to the exact solution, and from the start to the trained network: points of the triangle of the three."""
COLUMNS = tuple(f"{way} {line} {alpha:g}" for way in ("loss", "best") for line in LINES for alpha in ALPHAS)


def exact(width: int, rest: str) -> np.ndarray:
    """Parameters with f(x) = x_1 + x_2.

    Raises
    ------
    ValueError
        For another ``rest``.

    Examples
    --------
    >>> exact(8, "zero")[24:32].tolist(), exact(8, "copies")[24:32].tolist()
    ([1.0, -1.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0], [0.5, -0.5, 0.5, -0.5, 0.5, -0.5, 0.5, -0.5])
    """
    if rest not in ("zero", "copies"):
        raise ValueError(f"exact: rest must be 'zero' or 'copies', got {rest!r}; choose one")
    four = np.array([[1, -1, 0, 0], [0, 0, 1, -1], [0, 0, 0, 0], [1, -1, 1, -1]], dtype=np.float32)
    wide = np.zeros((4, width), dtype=np.float32)
    if rest == "zero":
        wide[:, :4] = four
    else:
        wide[:] = np.tile(four, width // 4)
        wide[3] *= np.float32(4 / width)
    return np.append(wide.ravel(), np.float32(0))


def best_second_layer(theta: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The parameters with the shortest of the second layers that fit the sum at the points best, and no bias there.

    Source: smooth, eq. (9), for H with a row for each of the data.
    """
    a, b, c, _ = theta[:-1].reshape(4, -1).astype(np.float64)
    x = points.astype(np.float64)
    hidden = np.maximum(np.outer(x[0], a) + np.outer(x[1], b) + c, 0)
    v = linalg.lstsq(hidden, answers("addition", points))[0]
    return np.concatenate([a, b, c, v, [0.0]]).astype(np.float32)


@one_run(columns=COLUMNS)
def interpolated_network(
    stream, run, width: int, rest: str, number: int, first_seed: int, test_seed: int, test_number: int, steps: int,
    step_size, decay, every: int
):  # fmt: skip
    """Mean squared errors of addition at points of the disc that are not trained on, to four digits.

    At the places ``ALPHAS`` of each line: of the network, and with its second layer by least squares on the data.
    """
    plan, test = Plan(steps, step_size, decay, every, ADDITION), disc(test_seed, test_number)
    points = disc(first_seed + run, number)
    ends = (*trained(stream, run, width, points, plan), exact(width, rest))
    between = [
        np.float32(1 - alpha) * one + np.float32(alpha) * other
        for one, other in combinations(ends, 2) for alpha in ALPHAS
    ]  # fmt: skip
    best = [best_second_layer(theta, points) for theta in between]
    found = [errors(theta, test, "addition").mean() for theta in (*between, *best)]
    return [float(f"{v:.4g}") for v in found]


@one_run(columns=(*(f"{alpha:g} {part:g}" for alpha, part in TRIANGLE), "exact"))
def triangle(
    stream, run, width: int, rest: str, number: int, first_seed: int, test_seed: int, test_number: int, steps: int,
    step_size, decay, every: int
):  # fmt: skip
    """Mean squared errors with second layers by least squares at points of the triangle, and at the exact solution."""
    plan, test, end = Plan(steps, step_size, decay, every, ADDITION), disc(test_seed, test_number), exact(width, rest)
    points = disc(first_seed + run, number)
    start, after = trained(stream, run, width, points, plan)
    sides = {part: np.float32(1 - part) * start + np.float32(part) * after for _, part in TRIANGLE}
    inside = [np.float32(1 - alpha) * sides[part] + np.float32(alpha) * end for alpha, part in TRIANGLE]
    best = (best_second_layer(theta, points) for theta in (*inside, end))
    return [float(f"{errors(theta, test, 'addition').mean():.4g}") for theta in best]


@one_run(columns=tuple(f"{alpha:g}" for alpha in ALPHAS))
def initial_to_exact(stream, run, width: int, rest: str, test_seed: int, test_number: int):
    """Mean squared errors of addition at other points of the disc, to four digits, without any training.

    At the places ``ALPHAS`` of the line from the initial network to the exact solution.
    """
    test, end = disc(test_seed, test_number), exact(width, rest)
    start = started(stream, run, width)
    line = [np.float32(1 - alpha) * start + np.float32(alpha) * end for alpha in ALPHAS]
    return [float(f"{errors(theta, test, 'addition').mean():.4g}") for theta in line]
