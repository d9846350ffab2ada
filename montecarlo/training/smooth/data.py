"""Where networks learn to add, and where they are looked at: points of a disc or an annulus, normal points, grids.

Points of fixed sets are those of the published experiments, drawn as for the Gaussian processes.
"""

import math

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.streams.draws import uniform2
from montecarlo.streams.instructions import inlined
from montecarlo.streams.vector_math import sincos_turns
from montecarlo.training.addition_processes import disc_points, square_grid

ADDITION, MULTIPLICATION = 0, 1


def columns(points: np.ndarray) -> np.ndarray:
    """Points (number, 2) as networks take them: float32, (2, number)."""
    return np.ascontiguousarray(points.T, dtype=np.float32)


def disc(seed: int, number: int, low: float = 0.0) -> np.ndarray:
    """Points (2, number) of the disc, float32, whose squared distances from 0 are uniform on (low, 1).

    Examples
    --------
    >>> disc(42, 128).shape, disc(42, 128).dtype
    ((2, 128), dtype('float32'))
    """
    return columns(disc_points(seed, number, low))


def grid(number: int, half_width: float) -> np.ndarray:
    """The points (2, number^2), float32, of a square grid on [-half_width, half_width]^2, row by row.

    Examples
    --------
    >>> grid(2, 1.5).tolist()
    [[-1.5, 1.5, -1.5, 1.5], [-1.5, -1.5, 1.5, 1.5]]
    """
    return columns(square_grid(number, half_width)[0])


def by_region(points: np.ndarray, low: float = 0.0) -> dict[str, np.ndarray]:
    """Which points (2, number) lie in the hole, in the ring between sqrt(low) and 1, and outside of the disc.

    Examples
    --------
    >>> {name: int(where.sum()) for name, where in by_region(grid(64, 1.5), 0.25).items()}
    {'hole': 332, 'ring': 1064, 'outside': 2700}
    """
    square = (points.astype(np.float64) ** 2).sum(axis=0)
    return {"hole": square < low, "ring": (square >= low) & (square <= 1), "outside": square > 1}


@compiled_helper
def draw_ring(stream, sample, first, low, x):
    """Fill x (2, batch) with points whose squared distances are uniform on (low, 1); one draw for each, from first."""
    for i in range(x.shape[1]):
        u, v = uniform2(stream, sample, first + i)
        r = math.sqrt(low + (1.0 - low) * u)
        sine, cosine = sincos_turns(v)
        x[0, i], x[1, i] = r * sine, r * cosine


@inlined
def set_targets(operation, x, targets):
    """x_1 + x_2, or x_1 x_2."""
    for i in range(x.shape[1]):
        targets[i] = x[0, i] + x[1, i] if operation == ADDITION else x[0, i] * x[1, i]
