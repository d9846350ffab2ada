"""Vectorised simulators: the same bits in whatever blocks, one generator for each batch, promises that are tested."""

import pickle

import numpy as np
import pytest
from kernels_for_tests import rows_of

from montecarlo import BrokenKernel, SamplerError, covariance, estimate, mean, sampler, variance
from montecarlo.engine.examination import _equal_pairs
from montecarlo.streams.philox import stream

KEY = stream(1, "samplers", 0)


@sampler
def squares(rng, n, power: int):
    return rng.random(n) ** power


@sampler(columns=("sum", "product"), batch=100)
def pairs(rng, n):
    x, y = rng.normal(size=(2, n))
    return np.stack([x + y, x * y], axis=1)


def plain(rng, n):
    return rng.exponential(size=n)


made = sampler(plain, batch=64)


def rows(of, first, count, *arguments):
    return rows_of(of, arguments, count, first=first, key=KEY)


def test_rows_are_the_same_in_whatever_range_they_are_asked_for():
    whole = rows(pairs, 0, 1000)
    for first, count in ((0, 1), (99, 2), (150, 500), (999, 1)):
        assert (rows(pairs, first, count) == whole[first : first + count]).all()
    assert len(np.unique(whole[:, 0])) == 1000


def test_columns_have_names_and_statistics_of_their_own():
    assert pairs.observables == ("sum", "product")
    assert abs(estimate(variance(pairs, 0), {}, samples=200_000, seed=1).value - 2) < 0.1
    assert abs(estimate(covariance(pairs, 0, 1), {}, samples=200_000, seed=1).value) < 0.1


def test_a_sampler_travels_to_another_process_also_where_its_name_is_that_of_the_plain_function():
    for one in (squares, made):
        arguments = (2,) if one is squares else ()
        again = pickle.loads(pickle.dumps(one))
        assert (rows(again, 5, 70, *arguments) == rows(one, 5, 70, *arguments)).all()


@sampler(framework="torch", batch=1000)
def torch_uniform(rng, n):
    import torch

    return torch.rand(n, generator=rng, dtype=torch.float64)


@sampler(framework="jax", batch=1000)
def jax_uniform(rng, n):
    import jax

    return jax.random.uniform(rng, (n,))


@pytest.mark.parametrize(("name", "of"), [("torch", torch_uniform), ("jax", jax_uniform)])
def test_torch_and_jax_draw_from_a_generator_of_the_batch(name, of):
    pytest.importorskip(name)
    found = estimate(mean(of), {}, samples=20_000, seed=1)
    assert abs(found.value - 1 / 2) < 6 * found.se
    assert (rows(of, 500, 1000) == rows(of, 0, 1500)[500:]).all()


REPEATED = {
    "same rows each time.*draw from rng": sampler(lambda rng, n: np.random.random(n)),  # noqa: NPY002
    "the same rows again after 500; draw n new rows from rng": sampler(
        lambda rng, n: np.random.default_rng(0).random(n), batch=500
    ),
    "the same rows again after 1000": sampler(lambda rng, n: np.resize(rng.random(1000), n)),
    "equal rows within one call for n = 16384: 8192 of 8192 equal": sampler(lambda rng, n: np.full(n, rng.random())),
    "equal rows within one call for n = 2:.*from rng by itself": sampler(
        lambda rng, n: np.full(n, rng.random()), batch=2
    ),
    "equal rows within one call for n = 16384": sampler(lambda rng, n: np.repeat(rng.random(-(-n // 8)), 8)[:n]),
    "equal rows within one call.*8191 of 8191": sampler(lambda rng, n: np.tile(rng.random(n // 2 + 1), 2)[:n]),
    "equal rows within one call": sampler(lambda rng, n: rng.choice(np.maximum(rng.normal(size=n), 0), n)),
    "equal values of column 1 within one call": sampler(
        lambda rng, n: np.stack([rng.random(n), np.repeat(rng.random(n // 2), 2)], axis=1), columns=2
    ),
}


@pytest.mark.parametrize(("message", "of"), REPEATED.items())
def test_rows_that_are_no_samples_of_their_own_are_refused(message, of):
    with pytest.raises(BrokenKernel, match=message):
        estimate(mean(of), {}, samples=100_000, seed=1)


INDEPENDENT = {
    "constant": lambda rng, n: np.full(n, 3.0),
    "coin": lambda rng, n: rng.random(n) < 0.5,
    "rare": lambda rng, n: rng.random(n) < 1e-3,
    "Poisson": lambda rng, n: rng.poisson(1000, n),
    "geometric": lambda rng, n: rng.geometric(0.01, n),
    "atom": lambda rng, n: np.maximum(rng.normal(size=n), 0),
    "rounded": lambda rng, n: rng.normal(size=n).round(2),
    "other distributions in other rows": lambda rng, n: rng.poisson(np.arange(n) % 7),
}


@pytest.mark.parametrize("name", INDEPENDENT)
@pytest.mark.parametrize("batch", [2, 100, pytest.param(None, marks=pytest.mark.slow)])
def test_independent_rows_that_are_equal_are_not(name, batch):
    samples = min(100_000, 2_000 * (batch or 50))
    assert estimate(mean(sampler(INDEPENDENT[name], batch=batch)), {}, samples=samples, seed=1).n == samples


@pytest.mark.slow
@pytest.mark.parametrize("name", INDEPENDENT)
def test_half_of_the_equal_pairs_of_independent_rows_are_of_one_batch(name):
    """The number within is that of fair coins, whose standard deviation is half the root of the pairs."""
    found = []
    for seed in range(100):
        drawn = np.stack([INDEPENDENT[name](np.random.default_rng([seed, i]), 512) for i in range(4)])
        within, pairs = _equal_pairs(drawn.reshape(-1, 1), 512)
        found += [(2 * within - pairs) / max(1, pairs) ** 0.5]
    assert abs(np.mean(found)) < 0.5
    assert np.std(found) < 1.3


def test_what_is_no_array_of_n_samples_is_refused():
    says = r"must return an array of \(16384,\) real numbers for n = 16384, got a ndar"
    for drawn in (
        lambda rng, n: rng.random((n, 2)),
        lambda rng, n: rng.random(n // 2),
        lambda rng, n: 1j * rng.random(n),
    ):
        with pytest.raises(SamplerError, match=says):
            rows(sampler(drawn), 0, 10)
