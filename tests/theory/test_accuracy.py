"""Every formula in float64 agrees with its own 50-digit evaluation over its whole declared domain, worst points too."""

import itertools
import math
import random

import numpy as np
import pytest
import sympy

import theory
from theory import Formula, Interval, Source
from theory.numerics.accuracy import DIGITS, allowed, draw_point, relative_errors

FORMULAS = theory.formulas()
# Where an interval is unbounded, the grid goes this far: nearly the range of float64.
FARTHEST, NEAREST = 1e300, 1e-300
POINTS = 16
# Drawn among the values that cancel.
DRAWN = 6
# And where terms cancel on a surface, which a longer search of all formulas has found.
MANY_DRAWN = 45
CANCELLING = [
    *(n for n in FORMULAS if n.endswith(("_variance", "_covariance")) and n.startswith("relu_unit.")),
    *(n for n in FORMULAS if n.startswith(("nac.sigmoid", "nac.tanh"))),
    *(n for n in FORMULAS if n.startswith(("relu_unit.kept_error", "nmu.backward"))),
    *(n for n in FORMULAS if n.endswith((".log_excess", ".dampened_deviation", ".tail_probability", "gradient_form"))),
    "nac.weight_variance", "nmu.covariance", "nmu.variance", "relu_unit.relu_target_weight_gradient",
]  # fmt: skip


def axis(interval):
    """Log-spaced values over an interval, edges included, both signs where it has both."""
    if interval.integer:
        high = min(interval.high, 1e6)
        values = {int(interval.low), int(high), *(int(v) for v in np.geomspace(max(interval.low, 1), high, 6))}
        return sorted(v for v in values if interval.contains(np.asarray(float(v))))
    low, high = max(float(interval.low), -FARTHEST), min(float(interval.high), FARTHEST)
    values = {low, high}
    if high > 0:
        values.update(np.geomspace(max(low, min(NEAREST, high / 2)), high, 14))
        values.update(v for v in (0.03, 0.5, 1.0, 3.7, 20.0) if low < v < high)
    if low < 0:
        values.update(-np.geomspace(max(-min(high, -NEAREST), NEAREST), -low, 14))
        values.update(-v for v in (0.03, 0.5, 1.0, 3.7, 20.0) if low < -v < high)
    if low < 0 < high:
        values.add(0.0)
    spread = [low + (high - low) * t for t in (1e-9, 0.013, 0.31, 0.77, 1 - 1e-9)]
    values.update(v for v in spread if math.isfinite(v))
    return sorted(float(v) for v in values if interval.contains(np.asarray(float(v))))


def grid(formula):
    """Points of a formula's domain: both ends of all axes, then points of a coarse grid, thinned by a fixed seed."""
    axes = [axis(formula.domain[s]) for s in formula.arguments]
    size = math.prod(map(len, axes))
    chooser = random.Random(formula.label)
    if size <= 4 * POINTS:
        points = list(itertools.product(*axes))
    else:
        points = [tuple(chooser.choice(a) for a in axes) for _ in range(4 * POINTS)]
    chooser.shuffle(points)
    return [tuple(a[0] for a in axes), tuple(a[-1] for a in axes), *points]


def assert_digits_are_kept(formula, points, dps):
    for point, error in zip(points, relative_errors(formula, points, dps=dps), strict=True):
        assert error <= formula.rtol, f"relative error {error:.1e} at {dict(zip(formula.names, point, strict=True))}"


@pytest.mark.parametrize("name", FORMULAS)
def test_float64_agrees_with_50_digits(name):
    """On the grid, and beside edges, zeros and other arguments: drawn by the formula's own name, so that no other
    formula changes what is tried here."""
    formula, choose = FORMULAS[name], random.Random(name).choice
    points = list(itertools.islice((p for p in grid(formula) if allowed(formula, p)), POINTS))
    assert points
    drawn = [p for p in (draw_point(formula, choose) for _ in range(DRAWN)) if allowed(formula, p)]
    assert_digits_are_kept(formula, points, 50)
    assert_digits_are_kept(formula, drawn, DIGITS)
    assert formula.rtol <= 1e-12 or formula.reached, "a formula above 1e-12 must say why"


def draws(formula, choose, number):
    points = (draw_point(formula, choose) for _ in itertools.count())
    return list(itertools.islice((p for p in points if allowed(formula, p)), number))


@pytest.mark.slow
@pytest.mark.parametrize("name", CANCELLING)
def test_no_error_of_many_draws_is_above_what_is_declared(name):
    formula = FORMULAS[name]
    assert_digits_are_kept(formula, draws(formula, random.Random(f"{name}, many").choice, MANY_DRAWN), DIGITS)


def test_draws_find_what_a_grid_does_not():
    x, y = sympy.symbols("x y", positive=True)
    beside = Formula("x - y, with the error of a sum that was rounded", x - y, [x, y], source=Source("test", "here"),
                     domain={x: Interval(1, 2), y: Interval(1, 2)}, numeric=lambda x, y: (x + 8) - (y + 8))  # fmt: skip
    points = [p for p in grid(beside) if p[0] != p[1]]
    assert max(relative_errors(beside, points)) < 1e-5
    assert max(relative_errors(beside, draws(beside, random.Random(0).choice, MANY_DRAWN))) > 1e-2


def test_what_cancels_to_300_digits_has_a_value_in_time():
    """SymPy factors a polynomial of degree 500 to say that it is not zero: it must not be asked so soon."""
    assert float(FORMULAS["nmu.criteria.forward_excess"].mp(500)) == pytest.approx(4.0**-500 / 1000, rel=1e-12)
