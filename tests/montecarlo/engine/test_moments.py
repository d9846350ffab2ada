"""Moments: merging loses nothing, and what cannot be trusted says so."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st
from kernels_for_tests import constant, rows_of, spiked, uniform

from montecarlo import Job, Moments, mean, measure
from montecarlo.engine.moments import LANES, accumulate, merge_tree, new_scratch
from montecarlo.streams.philox import stream

RNG = np.random.default_rng(20190)


def of(values, total=None):
    """Moments of an array as the engine takes them."""
    total = np.zeros(7) if total is None else total
    accumulate(np.ascontiguousarray(values, dtype=np.float64), new_scratch(), total)
    return Moments.from_array(total)


def reference(values):
    """The same with 50 digits."""
    with mpmath.workdps(50):
        x = [mpmath.mpf(float(v)) for v in values]
        centre = mpmath.fsum(x) / len(x)
        apart = [v - centre for v in x]
        squares = [v * v for v in apart]
        sums = mpmath.fsum(squares), mpmath.fdot(squares, apart), mpmath.fdot(squares, squares)
        return [float(v) for v in (centre, *sums)]


def errors(moments, values):
    """Errors in natural units: standard deviations, and what sums of that many terms amount to."""
    centre, m2, m3, m4 = reference(values)
    n, sd = len(values), math.sqrt(m2 / len(values))
    return (
        abs(moments.mean - centre) / sd, abs(moments.m2 - m2) / m2, abs(moments.m3 - m3) / (n * sd**3),
        abs(moments.m4 - m4) / m4,
    )  # fmt: skip


@pytest.mark.parametrize("n", [1, 2, 3, 5, LANES - 1, LANES, LANES + 1, 3 * LANES, 3 * LANES + 7, 6 * LANES + 5, 4096])
def test_sizes_that_are_no_multiple_of_the_lanes_lose_no_sample(n):
    values = RNG.exponential(size=n)
    found = of(values)
    assert (found.n, found.low, found.high) == (n, values.min(), values.max())
    if n == 1:
        assert found == Moments(1, values[0], 0.0, 0.0, 0.0, values[0], values[0])
    else:
        assert max(errors(found, values)) < 1e-13


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40))
def test_merge_is_the_moments_of_the_union(first, second):
    merged = of(first).merge(of(second))
    values = [*first, *second]
    centre, m2, m3, m4 = reference(values)
    size = max(abs(v) for v in values) or 1.0
    n = len(values)
    assert merged.n == n
    assert (merged.low, merged.high) == (min(values), max(values))
    for found, exact, power in ((merged.mean, centre, 1), (merged.m2, m2, 2), (merged.m3, m3, 3), (merged.m4, m4, 4)):
        # Where powers leave the normal range of float64, a few of its smallest steps.
        assert abs(found - exact) <= 1e-13 * n * size**power + 1e-300


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=30), st.floats(-100, 100), st.sampled_from([0.5, -2.0, 4.0]))
def test_estimates_move_with_shift_and_scale(values, shift, factor):
    values = np.array(values)
    if np.ptp(values) < 1e-3:
        return
    plain, moved = of(values).estimate(), of(factor * values + shift).estimate()
    assert moved.value == pytest.approx(factor * plain.value + shift, abs=1e-11)
    assert moved.se == pytest.approx(abs(factor) * plain.se, rel=1e-7)
    assert moved.skewness == pytest.approx(math.copysign(1, factor) * plain.skewness, abs=1e-5)
    assert moved.excess_kurtosis == pytest.approx(plain.excess_kurtosis, abs=1e-5)
    assert moved.largest_share == pytest.approx(plain.largest_share, rel=1e-5)


def test_the_empty_part_changes_nothing():
    some = of([1.0, 2.0, 4.0])
    empty = Moments(0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert some.merge(empty) == some
    assert empty.merge(some) == some
    assert of([]) == empty
    total = np.zeros(7)
    of([1.0, 2.0], total)
    of([], total)
    assert of([4.0], total).n == 3
    assert not np.isnan(total).any()


def test_the_tree_needs_a_part_and_keeps_a_single_one_and_bytes_are_the_seven_numbers():
    some = of(RNG.normal(size=1000))
    assert merge_tree([some]) is some
    assert len(some.to_bytes()) == 56
    assert Moments.from_bytes(some.to_bytes()) == some


@pytest.mark.parametrize(("offset", "mean_error", "sums_error"), [(1e4, 1e-11, 1e-12), (1e8, 1e-7, 1e-8)])
def test_an_offset_of_a_hundred_million_deviations_leaves_eight_digits(offset, mean_error, sums_error):
    """float64 itself knows such a mean to 1e-8 deviations, and the third moment moves by three times that.

    The textbook sum of squares would know nothing.
    """
    values = offset + RNG.normal(size=40_000)
    total = np.zeros(7)
    for piece in np.array_split(values, 13):
        of(piece, total)
    found = errors(Moments.from_array(total), values)
    assert found[0] < mean_error
    assert max(found[1], found[3]) < sums_error
    assert found[2] < 3 * mean_error


def test_skewness_kurtosis_and_largest_share_are_those_of_the_sample():
    values = RNG.exponential(size=5000)
    estimate = of(values).estimate()
    d = values - values.mean()
    assert estimate.value == pytest.approx(values.mean(), rel=1e-14)
    assert estimate.se == pytest.approx(values.std(ddof=1) / math.sqrt(5000), rel=1e-13)
    assert estimate.skewness == pytest.approx((d**3).mean() / d.std() ** 3, rel=1e-10)
    assert estimate.excess_kurtosis == pytest.approx((d**4).mean() / d.std() ** 4 - 3, rel=1e-10)
    assert estimate.largest_share == pytest.approx((d**2).max() / (d**2).sum(), rel=1e-12)


@pytest.mark.parametrize("value", [0.1, -1 / 3, 1e-300, 1e300])
def test_equal_values_have_no_variation_whatever_rounding_says(value):
    """The mean of equal values is off by rounding: without care that is a spread, and a sure refutation."""
    (moments,) = measure([Job(mean(constant), {"value": value}, "tests/constant", looks=(3 * 2**14,))])
    assert moments.estimate().se == 0.0


@pytest.mark.parametrize("size", [1e-160, 1e-90, 1e-75, 1e70, 1e90, 1e120, 1e160, 1e300])
def test_tiny_and_huge_values_give_an_estimate_or_no_trust_but_never_a_crash(size):
    estimate = of(size * RNG.normal(size=1000)).estimate()
    trusted = estimate.is_finite and estimate.se > 0 and estimate.tail_excess(1.0) < math.inf
    if trusted:
        assert estimate.excess_kurtosis == pytest.approx(0, abs=0.6)
        assert estimate.se == pytest.approx(size / math.sqrt(1000), rel=0.1)
    assert trusted or not 1e-75 <= size <= 1e70


def test_underflow_of_the_fourth_powers_is_not_a_light_tail():
    values = 1e-90 * RNG.standard_cauchy(size=1000)
    assert of(values).estimate().tail_excess(1.0) == math.inf


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_one_value_that_is_no_number_spoils_the_estimate_for_good(kind):
    job = Job(mean(spiked), {"kind": kind}, "tests/spiked", looks=(2**15, 2**16))
    (moments,) = measure([job])
    assert moments.n == 2**16
    assert not moments.estimate().is_finite


def test_the_engine_agrees_with_numpy_on_the_same_draws():
    n = 5 * 2**10 + 77
    job = Job(mean(uniform), {}, "tests/numpy", 3, 9, (n,))
    (moments,) = measure([job])
    values = rows_of(uniform, (), n, key=stream(9, "tests/numpy", 3, 1))[:, 0]
    assert max(errors(moments, values)) < 1e-12
    assert (moments.low, moments.high) == (values.min(), values.max())
