"""Beyond the paper: the loss of the very simple task without batches, exactly."""

import itertools
from collections.abc import Callable
from functools import partial

import mpmath
import sympy

from montecarlo import moment
from montecarlo.kernels.arithmetic import task as kernels
from paper_checks import additional
from theory.arithmetic.population import mean_square

WEIGHTS = ("w11", "w12", "w13", "w14", "w21", "w22", "w23", "w24", "v1", "v2")
# All are different, so that each counts; a start as the authors' code has it; near the solution; near the unwanted one.
POINTS = [
    ("1/2 -1/3 1/4 1/5 -1/6 2/5 -3/7 1/8 2/3 3/4", {"lower": 1, "upper": 2}),
    ("9/10 1 19/20 1 1 11/12 1/20 0 1 9/10", {"lower": 1, "upper": 2}),
    ("-1 -9/10 -1 -1 -1 -1 -1/10 0 1 1", {"lower": 2, "upper": 6}),
]


def _part(part: Callable, **values):
    """Part of the value, slope and matrix of y - t around the mean of the inputs, in exact numbers."""
    *w, v1, v2, lower, upper = (sympy.sympify(values[name]) for name in (*WEIGHTS, "lower", "upper"))
    first, second, left, right = [v1 * c for c in w[:4]], [v2 * c for c in w[4:]], (1, 1, 0, 0), (1, 1, 1, 1)
    mean = (lower + upper) / 2
    u, v = (1 - c + mean * sum(row) for c, row in ((v1, first), (v2, second)))
    a, b = mean * 2, mean * 4
    slope = [u * q + v * p - a * r - b * f for p, q, f, r in zip(first, second, left, right, strict=True)]
    matrix = {
        (i, j): (first[i] * second[j] + first[j] * second[i] - left[i] * right[j] - left[j] * right[i]) / 2
        for i, j in itertools.product(range(4), repeat=2)
    }
    return part(value=u * v - a * b, slope=slope, matrix=matrix)


def by_quadrature(lower, upper, **weights):
    """The error squared has degree four in each input: three Gaussian nodes for each of the four are exact."""
    *w, v1, v2 = (weights[name] for name in WEIGHTS)
    half, mean = (upper - lower) / mpmath.mpf(2), (upper + lower) / mpmath.mpf(2)
    far = mpmath.sqrt(mpmath.mpf(3) / 5)
    rule = [(-far, mpmath.mpf(5) / 18), (mpmath.mpf(0), mpmath.mpf(4) / 9), (far, mpmath.mpf(5) / 18)]
    total = mpmath.mpf(0)
    for nodes in itertools.product(rule, repeat=4):
        x = [mean + half * node for node, _ in nodes]
        z = [mpmath.fdot(row, x) for row in (w[:4], w[4:])]
        y = (v1 * z[0] + 1 - v1) * (v2 * z[1] + 1 - v2)
        total += mpmath.fprod(weight for _, weight in nodes) * (y - (x[0] + x[1]) * sum(x)) ** 2
    return total


additional(
    "nau/beyond.population-loss",
    at="additional to 3.1.3",
    says="expected squared error of a network of NAU and NMU with two hidden units on the very simple task",
    printed=mean_square,
    points=[dict(zip(WEIGHTS, weights.split(), strict=True)) | ends for weights, ends in POINTS],
    derived={
        "r_0": partial(_part, lambda value, **_: value),
        "trace": partial(_part, lambda matrix, **_: sum(matrix[i, i] for i in range(4))),
        "slope_square": partial(_part, lambda slope, **_: sum(h**2 for h in slope)),
        "off_square": partial(_part, lambda matrix, **_: sum(v**2 for (i, j), v in matrix.items() if i != j)),
        "diagonal_square": partial(_part, lambda matrix, **_: sum(matrix[i, i] ** 2 for i in range(4))),
        "var_x": lambda lower, upper: sympy.Rational((upper - lower) ** 2, 12),
    },
    integral=by_quadrature,
    measured=moment(kernels.nmu_error, 2),
    note="`theory.arithmetic.nmu_loss` and `nmu_gradient` compute it and its gradient. Training on it has no "
    "sampling noise",
)
