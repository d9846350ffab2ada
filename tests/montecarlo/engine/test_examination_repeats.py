"""Samples that come again after a while are fewer than their number says: the kernel is refused."""

import pytest

from montecarlo import kernel, uniform2
from montecarlo.engine.examination import BrokenKernel, examine
from montecarlo.streams.philox import stream

KEY = stream(1, "repeats", 0)


@kernel
def every_thousand(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0], _ = uniform2(stream, (first + i) % 1000, 0)


@kernel
def every_ten_thousand(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0], _ = uniform2(stream, (first + i) % 10_000, 0)


@kernel
def every_power_of_two(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0], _ = uniform2(stream, (first + i) & 65_535, 0)


@kernel
def coins(stream, first, out):
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        out[i, 0] = 1.0 if u < 0.5 else 0.0


@kernel
def rare(stream, first, out):
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        out[i, 0] = 1.0 if u < 1e-4 else 0.0


@pytest.mark.parametrize(("played", "says"), [
    (every_thousand, "after 1000"), (every_ten_thousand, "after 10"),
    (every_power_of_two, "after 65536"),
])  # fmt: skip
def test_samples_that_come_again_are_refused(played, says):
    with pytest.raises(BrokenKernel, match=says):
        examine(played, KEY, ())


@pytest.mark.parametrize("played", [coins, rare])
def test_values_that_come_again_are_not(played):
    assert examine(played, KEY, ()) is None
