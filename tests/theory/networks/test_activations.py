"""Stable softmax, log-sigmoid and cross-entropies keep the precision that they declare, over the whole range."""

import mpmath
import numpy as np
import pytest

from theory import activations

UNIT = {np.float64: 2.0**-53, np.float32: 2.0**-24}
SMALLEST = {np.float64: 1e-300, np.float32: 2.0**-126}
LINE = np.unique([s * m * 2.0**k for s in (-1, 1) for k in range(-140, 12) for m in (1.0, 1.37, 1.9)])


def worst(found, exact, kind):
    """The largest relative error in units of rounding, where the result is a normal number."""
    pairs = [(f, e) for f, e in zip(np.ravel(found), exact, strict=True) if abs(e) > SMALLEST[kind]]
    assert len(pairs) > 50
    return max(float(abs(mpmath.mpf(float(f)) - e) / abs(e)) for f, e in pairs) / UNIT[kind]


@pytest.fixture(autouse=True)
def many_digits():
    with mpmath.workdps(400):
        yield


@pytest.mark.parametrize("kind", UNIT)
def test_softplus_and_log_sigmoid_keep_8_units(kind):
    x = LINE.astype(kind)
    exact = [mpmath.log1p(mpmath.exp(mpmath.mpf(float(v)))) for v in x]
    assert activations.softplus(x).dtype == kind
    assert worst(activations.softplus(x), exact, kind) < 8
    assert worst(activations.log_sigmoid(-x), [-e for e in exact], kind) < 8


@pytest.mark.parametrize("kind", UNIT)
@pytest.mark.parametrize(("entries", "scale"), [(2, 1e-3), (2, 40.0), (5, 700.0), (1000, 20.0), (3, 1e16)])
def test_softmax_and_its_logarithm_keep_8_units(kind, entries, scale):
    rng = np.random.default_rng([7, entries])
    x = (scale * rng.standard_normal((max(2, 400 // entries), entries))).astype(kind)
    soft, logs = [], []
    for row in x:
        powers = [mpmath.exp(mpmath.mpf(float(v)) - float(row.max())) for v in row]
        total = mpmath.fsum(powers)
        others = total - max(powers)
        soft += [p / total for p in powers]
        logs += [mpmath.mpf(float(v)) - float(row.max()) - mpmath.log1p(others) for v in row]
    assert worst(activations.softmax(x), soft, kind) < 8
    assert worst(activations.log_softmax(x), logs, kind) < 8


def test_extreme_entries_have_values():
    x = np.array([1.7e308, 0.0, -1.7e308])
    assert activations.softmax(x).tolist() == [1, 0, 0]
    assert activations.log_softmax([-1e4, -1e4]) == pytest.approx([-np.log(2)] * 2)
    assert activations.log_sigmoid([np.inf, -np.inf]).tolist() == [0, -np.inf]
    assert activations.softmax([[0.0, 0.0], [1.0, 1.0]], axis=0)[:, 0].sum() == pytest.approx(1)


def test_cross_entropies_are_sums_over_all_entries():
    y, t = np.array([[1.0, 2.0], [3.0, -1.0]]), np.array([[0.0, 1.0], [0.5, 0.5]])
    assert activations.softmax_cross_entropy(y, t) == pytest.approx(-(t * np.log(activations.softmax(y))).sum())
    assert activations.logistic_cross_entropy(y, t) == pytest.approx(-(t * np.log(activations.sigmoid(y))).sum())


def test_srelu_at_its_start_is_the_hard_clip():
    x = np.linspace(-2, 3, 41)
    assert np.array_equal(activations.srelu(x, 0, 0, 0, 1), np.clip(x, 0, 1))
