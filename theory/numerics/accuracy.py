"""Float64 errors of a formula, and adversarial points of its domain at which to look for them.

A grid finds what is wrong everywhere. What is wrong beside one point is found among the values that cancel: the
neighbours of the domain's edges, of the other arguments and of the points where a form switches between expressions.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import mpmath
import numpy as np
from sympy import Number

from theory.formula import Formula, Interval

# Where an interval is unbounded, points go this far: nearly the range of float64.
FARTHEST, NEAREST_INVERTED = 1e300, 1e-300
# Below, float64 has no relative precision left.
SMALLEST = 1e-290
LARGEST = 1.7e308
SPECIAL = (1e-300, 1e-100, 1e-30, 1e-20, 1e-16, 1e-12, 1e-9, 1e-8, 1e-6, 1e-3, 0.03, 0.25, 0.5, 1.0, 2.0, 3.0, 3.7,
           20.0, 40.0, 700.0, 1e4, 1e8, 1e16, 1e40, 1e100, 1e150)  # fmt: skip
RELATIVE_STEPS = (2.0**-52, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3)
DIGITS = 20

Point = tuple[float, ...]


def relative_errors(formula: Formula, points: Sequence[Sequence[float]], dps: int = DIGITS) -> list[float]:
    """Relative errors of float64 at points; infinite where it has no value although the certified one is in its range.

    Examples
    --------
    >>> from theory import nac
    >>> max(relative_errors(nac.weight_variance, [(0.5,), (1.0,)])) < 1e-15
    True
    """
    if not points:
        return []
    try:
        values = np.broadcast_to(formula.extended(*np.transpose(points)), len(points))
    except ArithmeticError as error:
        if len(points) > 1:
            return [found for point in points for found in relative_errors(formula, [point], dps)]
        exact = formula.mp(*points[0], dps=dps)
        # An overflow has no sign.
        return [_error(math.copysign(math.inf, exact), exact) if isinstance(error, OverflowError) else math.inf]
    return [_error(value, formula.mp(*point, dps=dps)) for value, point in zip(values, points, strict=True)]


def _error(value: float, exact: mpmath.mpf) -> float:
    if math.isinf(value):
        return 0.0 if abs(exact) > LARGEST and (exact > 0) == (value > 0) else math.inf
    if abs(exact) < SMALLEST:
        return 0.0 if abs(value) <= 2 * SMALLEST else math.inf
    return float(abs(mpmath.mpf(value) - exact) / abs(exact))


def allowed(formula: Formula, point: Sequence[float]) -> bool:
    """Whether a point is in the formula's domain."""
    try:
        formula.check(point)
    except ValueError:
        return False
    return True


def neighbours(values: Sequence[float]) -> np.ndarray:
    """Values and what is next to them on either side, from one unit in the last place on."""
    near = np.asarray(values, dtype=np.float64)
    steps = np.array([*RELATIVE_STEPS, *(-s for s in RELATIVE_STEPS)])[:, None]
    with np.errstate(over="ignore"):
        beside = [near, np.nextafter(near, np.inf), np.nextafter(near, -np.inf)]
        return np.concatenate([*beside, (near * (1 + steps)).ravel(), (near + steps).ravel()])


def adversarial_values(formula: Formula, index: int, others: Sequence[float]) -> list[list[float]]:
    """Values of one argument that are likely to be lost, by kind, so that each kind is drawn equally often.

    Parameters
    ----------
    formula : Formula
    index : int
        Which argument.
    others : sequence of float
        Values of arguments that are already chosen.

    Returns
    -------
    list of lists
        Small and special numbers; other arguments and what is made of them; their neighbours; neighbours of the edges
        of the domain, of the numbers at which the formula switches between its expressions, and of 0 and 1.

    Examples
    --------
    >>> from theory import nmu
    >>> kinds = adversarial_values(nmu.variance, 0, [])
    >>> 0.0 in kinds[0], 1 + 2.0**-52 in kinds[-1]
    (True, True)
    """
    interval = formula.domain[formula.arguments[index]]
    edges = [float(e) for e in (interval.low, interval.high) if math.isfinite(e)]
    made = [f for v in others for f in (v, -v, 1 - v, 2 * v, v / 2, 1 / v if abs(v) > NEAREST_INVERTED else v)]
    special = [0.0, *edges, *SPECIAL, *(-v for v in SPECIAL)]
    # The numbers to which the conditions of a formula's expressions compare.
    switches = [float(n) for branch in formula.branches for n in branch.condition.atoms(Number)]
    kinds = [special, made, neighbours(made), neighbours([*edges, *switches, 0.0, 0.5, 1.0, -1.0])]
    return [values for values in (_fitted(interval, kind) for kind in kinds) if values]


def _fitted(interval: Interval, values: Sequence[float]) -> list[float]:
    array = np.asarray(values, dtype=np.float64)
    array = np.unique(np.round(array) if interval.integer else array)
    return array[_inside(interval, array)].tolist()


def _inside(interval: Interval, values: np.ndarray | float) -> np.ndarray:
    limit = 1e6 if interval.integer else FARTHEST
    return (np.abs(values) <= limit) & interval.contains(np.asarray(values))


def draw_point(formula: Formula, choose: Callable[[Sequence], Any]) -> Point:
    """A point whose coordinates are adversarial to those before; ``choose`` picks from a list.

    The order in which arguments are chosen is drawn too, so that each follows each.
    """
    left = list(range(len(formula.arguments)))
    chosen: dict[int, float] = {}
    while left:
        index = choose(left)
        left.remove(index)
        chosen[index] = choose(choose(adversarial_values(formula, index, list(chosen.values()))))
    return tuple(chosen[i] for i in range(len(formula.arguments)))
