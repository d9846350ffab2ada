"""Further draws: of the right law, each sample with its own, independent between draw indices; and controls that fail.

Each comparison has a false alarm rate of at most 1e-6; seeds are fixed.
"""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from montecarlo.engine.compiled import OPTIONS
from montecarlo.engine.parts import Helper
from montecarlo.streams import distributions
from montecarlo.streams.philox import stream

FALSE_ALARM = 1e-6
N = 1 << 16
FARTHEST = stats.kstwo.isf(FALSE_ALARM, N)
KEY = stream(20240302, "tests/distributions", 0)
COVARIANCE = np.array([[2.0, 0.6, -0.3], [0.6, 1.0, 0.2], [-0.3, 0.2, 0.5]])
FACTOR = np.linalg.cholesky(COVARIANCE)
WEIGHTS = np.array([1.0, 0.0, 2.0, 5.0])


def over_samples(line, columns):
    """A loop over samples that plays a line for each, compiled as kernels are."""
    scope = {**vars(distributions), "FACTOR": FACTOR, "WEIGHTS": WEIGHTS}
    exec(f"def played(stream, first, draw, parameter, out):\n    for i in range(out.shape[0]):\n        {line}", scope)
    return Helper(scope["played"], OPTIONS), columns


KERNELS = {
    "exponential2": over_samples("out[i, 0], out[i, 1] = exponential2(stream, first + i, draw)", 2),
    "integers2": over_samples("out[i, 0], out[i, 1] = integers2(stream, first + i, draw, 1, 7)", 2),
    "categorical2": over_samples("out[i, 0], out[i, 1] = categorical2(stream, first + i, draw, WEIGHTS)", 2),
    "poisson1": over_samples("out[i, 0] = poisson1(stream, first + i, draw, parameter)", 1),
    "gamma1": over_samples("out[i, 0] = gamma1(stream, first + i, draw, parameter)", 1),
    "normal_vector": over_samples("normal_vector(stream, first + i, draw, FACTOR, out[i])", 3),
    "permutation": over_samples("permutation(stream, first + i, draw, out[i])", 4),
}


def sample(name, parameter=2.5, n=N, first=0, draw=0):
    kernel, columns = KERNELS[name]
    out = np.empty((n, columns), order="F")
    kernel(KEY, first, draw, parameter, out)
    return out


def continuous(values, law):
    """Whether Kolmogorov's test accepts a law."""
    below, steps = np.sort(law.cdf(values)), np.arange(N + 1) / N
    return max((steps[1:] - below).max(), (below - steps[:-1]).max()) <= FARTHEST


def discrete(values, law):
    """Whether Pearson's test accepts a law, in cells of at least five expected values."""
    low, high = int(law.ppf(1e-4)), int(law.isf(1e-4))
    inner = np.arange(low, high + 1)
    expected = np.array([law.cdf(low - 1), *law.pmf(inner), law.sf(high)]) * len(values)
    seen = np.array([(values < low).sum(), *((values == k).sum() for k in inner), (values > high).sum()])
    kept = expected > 5
    return not seen[expected == 0].any() and stats.chisquare(
        np.append(seen[kept], seen[~kept].sum()) + 1e-12, np.append(expected[kept], expected[~kept].sum()) + 1e-12
    ).pvalue >= FALSE_ALARM  # fmt: skip


CONTINUOUS = [("exponential2", 0.0, stats.expon, stats.expon(scale=1.03))] + [
    ("gamma1", shape, stats.gamma(shape), stats.gamma(1.03 * shape)) for shape in (0.1, 0.5, 1.0, 3.0, 200.0)
]
DISCRETE = [("integers2", 0.0, stats.randint(1, 7), stats.randint(1, 8))] + [
    ("poisson1", mean, stats.poisson(mean), stats.poisson(1.05 * mean + 0.01)) for mean in (0.3, 2.5, 40.0, 150.0)
]


@pytest.mark.parametrize(
    ("name", "parameter", "law", "wrong"), CONTINUOUS, ids=lambda v: str(v) if isinstance(v, str | float) else ""
)
def test_laws_on_the_line(name, parameter, law, wrong):
    for column in sample(name, parameter).T:
        assert continuous(column, law)
        assert not continuous(column, wrong)


@pytest.mark.parametrize(
    ("name", "parameter", "law", "wrong"), DISCRETE, ids=lambda v: str(v) if isinstance(v, str | float) else ""
)
def test_laws_of_integers(name, parameter, law, wrong):
    for column in sample(name, parameter).T:
        assert discrete(column, law)
        assert not discrete(column, wrong)


def test_categories_come_with_their_weights_and_never_without():
    share = WEIGHTS / WEIGHTS.sum()
    for column in sample("categorical2").T:
        seen = np.bincount(column.astype(int), minlength=4)
        assert seen[1] == 0
        assert stats.chisquare(seen[share > 0], N * share[share > 0]).pvalue >= FALSE_ALARM
        assert stats.chisquare(seen[share > 0], N * np.array([0.14, 0.24, 0.62])).pvalue < FALSE_ALARM


def test_normal_vectors_have_their_covariance_in_every_direction():
    values = sample("normal_vector")
    for direction in np.random.default_rng(1).normal(size=(8, 3)):
        scale = math.sqrt(direction @ COVARIANCE @ direction)
        assert continuous(values @ direction, stats.norm(scale=scale))
        assert not continuous(values @ direction, stats.norm(scale=1.06 * scale))


def test_all_permutations_are_equally_likely():
    values = sample("permutation").astype(int)
    assert (np.sort(values, axis=1) == np.arange(4)).all()
    places = {p: i for i, p in enumerate(itertools.permutations(range(4)))}
    seen = np.bincount([places[tuple(row)] for row in values.tolist()], minlength=24)
    assert stats.chisquare(seen).pvalue >= FALSE_ALARM
    assert stats.chisquare(seen, np.append(np.full(12, 0.96), np.full(12, 1.04)) * N / 24).pvalue < FALSE_ALARM


@pytest.mark.parametrize("name", KERNELS)
def test_a_sample_does_not_depend_on_its_block(name):
    whole = sample(name, n=203, first=2**33)
    for start, n in [(1, 2), (3, 17), (100, 103)]:
        np.testing.assert_array_equal(sample(name, n=n, first=2**33 + start), whole[start : start + n])


def correlations(values):
    """Of ranks; equal values have an order by chance."""
    rank = np.argsort(np.argsort(values + 1e-9 * np.random.default_rng(2).random(values.shape), axis=0), axis=0)
    return np.corrcoef(rank.T)


@pytest.mark.parametrize("name", KERNELS)
def test_draw_indices_and_columns_are_independent(name):
    columns = KERNELS[name][1]
    correlation = correlations(np.hstack([sample(name, draw=0), sample(name, draw=1)]))
    # Columns of one draw may depend on each other by design; pairs of the first two functions do not.
    across = correlation[:columns, columns:] if columns > 2 else correlation[~np.eye(2 * columns, dtype=bool)]
    assert np.abs(across).max() * math.sqrt(N) < stats.norm.isf(FALSE_ALARM / 2 / 36)


@pytest.mark.parametrize("name", KERNELS)
def test_neighbouring_samples_are_independent(name):
    columns, values = KERNELS[name][1], sample(name)
    even, odd = values[::2], values[1::2].copy()

    def farthest():
        return np.abs(correlations(np.hstack([even, odd]))[:columns, columns:]).max() * math.sqrt(N / 2)

    limit = stats.norm.isf(FALSE_ALARM / 2 / 16)
    assert farthest() < limit
    odd[::20] = even[::20]
    assert farthest() > limit
