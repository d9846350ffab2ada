"""Weights for a wanted length scale: what is found has it, what cannot be had is refused, the command says so."""

import math

import pytest

from theory.initialisation import smoothness
from theory.initialisation.wanted_length import LENGTHS


@pytest.mark.parametrize(("nonlinearity", "by"), LENGTHS)
@pytest.mark.parametrize(("fan_in", "length"), [(1, 0.3), (4, 1.5), (784, 20.0)])
def test_the_length_is_the_wanted_one(nonlinearity, by, fan_in, length):
    found = smoothness(length, fan_in, nonlinearity=nonlinearity, by=by)
    assert LENGTHS[nonlinearity, by](found.weight_scale, found.sigma) == pytest.approx(length, rel=1e-10)
    assert getattr(found, f"{by}_length") == pytest.approx(length, rel=1e-10)
    assert found.weight_scale == pytest.approx(found.sigma / math.sqrt(fan_in), rel=1e-15)
    assert -2.001 < found.exponent < (-0.999 if by == "extrema" else 0)


def test_by_extrema_erf_has_a_closed_form():
    """sigma^2 = (n + sqrt(n^2 + n l^2))/(2 l^2), from l = sqrt(n (1 + 4 sigma^2))/(2 sigma^2)."""
    n, length = 3, 0.7
    closed = math.sqrt((n + math.sqrt(n * n + n * length**2)) / (2 * length**2))
    assert smoothness(length, n, nonlinearity="erf").sigma == pytest.approx(closed, rel=1e-12)
