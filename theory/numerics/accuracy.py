"""Search for the worst float64 errors of a formula, from adversarial points of its domain.

A grid finds what is wrong everywhere. What is wrong beside one point is found among the values that cancel: the
neighbours of the domain's edges, of the other arguments, of the form's zeros and of the points where it switches
between its expressions. From the worst of those the search goes on, one argument at a time.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

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


class Worst(NamedTuple):
    """The largest relative error found, and where."""

    error: float
    point: Point


def relative_error(formula: Formula, point: Sequence[float], dps: int = DIGITS) -> float:
    """Relative error of float64; infinite where it has no value although the certified value is in its range.

    Examples
    --------
    >>> from theory import nac
    >>> relative_error(nac.weight_variance, (1.0,)) < 1e-15
    True
    """
    exact = formula.mp(*point, dps=dps)
    try:
        value = formula(*point)
    except OverflowError:
        value = math.copysign(math.inf, exact)  # without a sign
    except ArithmeticError:
        return math.inf
    return _error(value, exact)


def relative_errors(formula: Formula, points: Sequence[Sequence[float]], dps: int = DIGITS) -> list[float]:
    """Relative errors of float64 at several points.

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
    except ArithmeticError:
        return [relative_error(formula, point, dps) for point in points]
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


def _moves(formula: Formula, point: Point, rng: random.Random) -> Iterator[Point]:
    """Points that differ in one coordinate, at every scale, also by the distance to the zero of the form."""
    order = list(range(len(point)))
    rng.shuffle(order)
    for i in order:
        interval = formula.domain[formula.arguments[i]]
        v, step = point[i], 10.0 ** -rng.uniform(0, 16)
        values = [v * (1 + step), v * (1 - step), v + step, v - step, v * 10 ** rng.uniform(-3, 3),
                  math.nextafter(v, math.inf), math.nextafter(v, -math.inf)]  # fmt: skip
        values += [w + d * abs(v - w) for w in (*point, 1.0, 0.0) for d in (0.1, -0.1) if w != v]
        if rng.random() < 0.3:
            values.append(_zero(formula, point, i, rng))
        rng.shuffle(values)
        for moved in values:
            value = float(round(moved)) if interval.integer and math.isfinite(moved) else float(moved)
            if value != v and _inside(interval, value):
                yield (*point[:i], value, *point[i + 1 :])


def _zero(formula: Formula, point: Point, i: int, rng: random.Random) -> float:
    """A float beside a change of sign of the form along one coordinate; the coordinate itself where none is seen."""
    interval = formula.domain[formula.arguments[i]]
    tries = [
        v for v in (point[i], *rng.sample(SPECIAL, 4), *(-s for s in rng.sample(SPECIAL, 3))) if _inside(interval, v)
    ]

    def sign(v: float) -> float:
        at = (*point[:i], v, *point[i + 1 :])
        try:
            return float(np.sign(formula(*at)))
        except (ValueError, ArithmeticError):
            return math.nan

    signs = [sign(v) for v in tries]
    pair = next(((a, b) for a, s in zip(tries, signs, strict=True) for b, t in zip(tries, signs, strict=True)
                 if s * t < 0), None)  # fmt: skip
    if pair is None:
        return point[i]
    low, high = pair
    target = sign(low)
    for _ in range(rng.choice((15, 30, 60))):
        middle = low / 2 + high / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if sign(middle) == target else (low, middle)
    return low


def climb(formula: Formula, start: Worst, evaluations: int, rng: random.Random) -> Worst:
    """Follow the relative error upwards from a point, coordinate by coordinate."""
    best = start
    while evaluations > 0:
        improved = False
        for point in _moves(formula, best.point, rng):
            if evaluations <= 0 or math.isinf(best.error):
                return best
            if not allowed(formula, point):
                continue
            evaluations -= 1
            error = relative_error(formula, point)
            if error > best.error:
                best, improved = Worst(error, point), True
                break
        if not improved:
            evaluations -= 1
    return best


def worst_point(formula: Formula, evaluations: int = 300, seed: int = 0) -> Worst:
    """The worst relative error that the search finds: half its evaluations to draw points, half to climb.

    Parameters
    ----------
    formula : Formula
    evaluations : int
        Of the formula with many digits; a search of a few hundred takes a second.
    seed : int

    Examples
    --------
    >>> from theory import nmu
    >>> worst_point(nmu.mean, 40).error < 1e-12
    True
    """
    rng = random.Random(f"{formula.label} {seed}")
    points = (draw_point(formula, rng.choice) for _ in range(20 * evaluations))
    inside = islice((p for p in points if allowed(formula, p)), max(evaluations // 2, 1))
    drawn = sorted((Worst(relative_error(formula, p), p) for p in inside), key=lambda w: -w.error)
    if not drawn:
        raise ValueError(f"worst_point: formula must have points in its domain, got {formula!r}; widen its domain")
    starts = drawn[:3]
    return max((climb(formula, s, evaluations // (2 * len(starts)), rng) for s in starts), key=lambda w: w.error)
