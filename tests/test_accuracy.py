"""Every formula in float64 agrees with its own 50-digit evaluation over its whole declared domain."""

import itertools
import math
import random

import mpmath
import numpy as np
import pytest

import theory

FORMULAS = theory.formulas()
# Where an interval is unbounded, the grid goes this far: nearly the range of float64.
FARTHEST, NEAREST = 1e300, 1e-300
POINTS = 48


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
    """Points of a formula's domain: all corners of a coarse grid, thinned by a fixed seed."""
    axes = [axis(formula.domain[s]) for s in formula.arguments]
    size = math.prod(map(len, axes))
    chooser = random.Random(formula.label)
    if size <= 4 * POINTS:
        points = list(itertools.product(*axes))
    else:
        points = [tuple(chooser.choice(a) for a in axes) for _ in range(4 * POINTS)]
    chooser.shuffle(points)
    return points


def allowed(formula, point):
    try:
        formula._check([np.asarray(float(v)) for v in point])
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("name", FORMULAS)
def test_float64_agrees_with_50_digits(name):
    formula = FORMULAS[name]
    points = [p for p in grid(formula) if allowed(formula, p)][:POINTS]
    assert points
    worst = 0.0
    for point in points:
        exact = formula.mp(*point, dps=50)
        value = formula(*point)
        if not math.isfinite(value):
            assert abs(exact) > 1.7e308, f"{value} at {point}, exactly {mpmath.nstr(exact, 5)}"
            continue
        if abs(exact) < 1e-290:
            # Below the smallest normal numbers float64 has no relative precision left.
            assert abs(value - exact) <= 1e-290, point
            continue
        error = abs(mpmath.mpf(value) - exact) / abs(exact)
        worst = max(worst, float(error))
        where = dict(zip(formula.names, point, strict=True))
        assert error <= formula.rtol, f"relative error {float(error):.1e} at {where}"
    assert formula.rtol <= 1e-12 or formula.reached, "a formula above 1e-12 must say why"


def test_formulas_are_found():
    assert "nac.weight_variance" in FORMULAS
