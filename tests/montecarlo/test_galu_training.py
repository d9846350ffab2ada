"""Algorithm 1, training and alternating search; many runs at once are those of one after the other."""

from types import SimpleNamespace

import numpy as np
import pytest
from kernels_for_tests import rows_of

from montecarlo.kernels.galu import neurons as kernels
from montecarlo.streams.generators import generator
from montecarlo.streams.philox import stream
from montecarlo.training import galu as galu_training, galu_clusters, galu_filters
from theory import galu


def data(m=60, d=3, outputs=None, seed=1):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((m, d)), rng.standard_normal(m if outputs is None else (m, outputs))


def exact_loss(x, u, y):
    """With rationals: the loss on what remains after projection onto a basis of the columns."""
    bar = galu.features(x, u)
    basis = galu_filters.independent_columns(x @ u.T > 0, x.shape[1])
    rest = y - bar[:, basis] @ np.linalg.lstsq(bar[:, basis], y, rcond=None)[0]
    return rest @ rest / len(y)


@pytest.mark.parametrize("equal", [0, 1])
def test_dependent_columns_are_found_exactly_and_do_no_harm(equal):
    x, y = data(40, 3)
    rng = np.random.default_rng(3)
    u = rng.standard_normal((5, 3))
    if equal:
        u[1] = u[0]
    filters = galu_filters.Filters(x, u, y)
    assert len(galu_filters.independent_columns(x @ u.T > 0, 3)) == galu.rank((x @ u.T > 0).astype(int), 3)
    # The old filter again, one with the gates of another, one that is never open, one in general position.
    for new in (u[2], u[0] * (1 + 1e-12), np.zeros(3), rng.standard_normal(3)):
        for j in range(5):
            changed = u.copy()
            changed[j] = new
            before, expected = filters.loss, exact_loss(x, changed, y)
            assert abs(filters.loss_with(j, new) - expected) < 1e-12
            assert filters.loss == before
    filters.replace(4, new)
    assert abs(filters.loss - expected) < 1e-13
    assert abs(galu_filters.least_loss(x, changed, y) - expected) < 1e-13


def test_more_features_than_examples_leave_nothing():
    x, y = data(12, 4)
    filters = galu_filters.Filters(x, np.random.default_rng(1).standard_normal((9, 4)), y)
    assert len(galu_filters.independent_columns(x @ filters.u.T > 0, 4)) == 12
    assert filters.loss < 1e-25


def test_algorithm_1_never_raises_the_loss_and_is_reproducible():
    x, y = data()
    paths = [galu_filters.replace_filters(x, y, 4, 60, np.random.default_rng(5)) for _ in range(2)]
    assert np.array_equal(*paths)
    assert np.all(np.diff(paths[0]) <= 0)
    assert paths[0][-1] < paths[0][0]


def test_training_finds_what_least_squares_gives():
    x, y = data(80, 3, outputs=1)
    rng = np.random.default_rng(7)
    gates = rng.standard_normal((3, 4))
    best = galu_filters.least_loss(x, gates.T, y[:, 0])
    loss = galu_training.train(x, y, 4, "galu", 3000, np.random.default_rng(7), step_size=0.03)
    # The same generator draws the same gates first.
    assert best <= loss + 1e-12
    assert loss < best + 0.01


def test_a_constant_step_size_moves_each_weight_in_the_last_step_too():
    x, y = data(30, 4)
    fits = [
        galu_training.fit(x, y[:, None], 3, "galu", 1, np.random.default_rng(5), 0.01, constant=constant)[0]
        for constant in (False, True)
    ]
    # Adam's first step has the length of the step size; half a cosine ends at 0.
    np.testing.assert_allclose(np.abs(fits[1] - fits[0]), 0.01, rtol=1e-4)


def test_alternating_search_never_rises():
    x, y = data(50, 4, outputs=3)
    losses = galu_training.alternating_search(x, y, 6, 15, np.random.default_rng(1))
    assert np.all(np.diff(losses) <= 1e-12)


def test_the_basis_spans_the_features():
    for number, m, d, k in ((5, 8, 2, 4), (3, 10, 3, 4)):
        x, u = np.empty((m, d)), np.empty((k, d))
        kernels.design(number, m, d, k, x, u)
        basis = kernels.orthonormal_columns(x, u, m, d, k)
        bar = galu.features(x, u)
        assert len(basis) == galu.exact_rank(galu.features(x.astype(int), u.astype(int)))
        assert np.abs(basis @ basis.T - np.eye(len(basis))).max() < 1e-14
        assert np.abs(bar - basis.T @ (basis @ bar)).max() < 1e-13


# Many runs at once.

KEY = stream(1, "tests/galu", 0)


def test_rounds_of_algorithm_1_at_once_are_those_of_one_after_the_other():
    # With 12 examples of three filters in the plane features are often dependent.
    m, d, k = 12, 2, 3
    for i, row in enumerate(rows_of(galu_filters.accepted, (m, d, k), 40, key=KEY)):
        rng = generator(KEY, i)
        x, y, u, new = (rng.standard_normal(size) for size in ((m, d), m, (k, d), (3, d)))
        loss = galu_filters.least_loss(x, u, y)
        for number, (j, candidate) in enumerate(zip(rng.integers(k, size=3), new, strict=True)):
            others, changed = np.delete(u, j, axis=0), u.copy()
            changed[j] = candidate
            found = galu_filters.least_loss(x, changed, y)
            if number == 0:
                assert row[3] == pytest.approx(1 - found / galu_filters.least_loss(x, others, y), rel=1e-9, abs=1e-12)
            # Equal gates on all examples are a tie.
            assert abs(found - loss) < 1e-12 or row[number] == (found < loss)
            u, loss = (changed, found) if row[number] else (u, loss)


@pytest.mark.parametrize(("m", "d"), [(24, 4), (12, 1)])
def test_the_smallest_number_of_filters_is_the_first_that_is_enough(m, d):
    for i, (found,) in enumerate(rows_of(galu_filters.smallest_number, (m, d, 0.3), 30, key=KEY)):
        rng = generator(KEY, i)
        x, y, u = (rng.standard_normal(size) for size in ((m, d), m, (2 * m // d, d)))
        losses = [y @ y / m, *(galu_filters.least_loss(x, u[:k], y) for k in range(1, len(u)))]
        assert found == next((k for k, loss in enumerate(losses) if loss < 0.3), len(u))


def test_networks_trained_together_are_those_trained_alone():
    m, d, k, steps = 20, 3, 4, 30
    x, y = zip(*(data(m, d, seed=s) for s in range(3)), strict=True)
    found = galu_filters._relu_filters(np.array(x), np.array(y), k, steps, [np.random.default_rng(s) for s in range(3)])
    for s, w in enumerate(found):
        rng = np.random.default_rng(s)
        first, readout = rng.standard_normal((k, d)).T, rng.standard_normal((k, 1))
        # fit draws gates first, which ReLU networks do not have.
        drawn = iter([first, first, readout])
        start = SimpleNamespace(standard_normal=lambda _, drawn=drawn: next(drawn))
        alone, _, _ = galu_training.fit(x[s], y[s][:, None], k, "relu", steps, start)
        np.testing.assert_allclose(w, alone.T, rtol=1e-8)


def test_noisy_networks_trained_together_descend_as_one_does():
    m, d, units, steps, batch = 40, 3, 5, 25, 6
    x, gates = data(m, d)[0], np.random.default_rng(9).standard_normal((units, d))
    opens, y = (x @ gates.T > 0).astype(float), np.random.default_rng(8).standard_normal((3, m))
    layers = galu_clusters._together([np.random.default_rng(s) for s in range(3)], x, opens, y, steps, 0.05, batch)
    for s, (w, a) in enumerate(zip(*layers, strict=True)):
        (alone,) = galu_clusters.descend(
            np.random.default_rng(s), x, y[s], gates, units=units, stops=(steps,), step_size=0.05, batch=batch
        )
        np.testing.assert_allclose(w, alone[0], rtol=1e-9)
        np.testing.assert_allclose(a, alone[1], rtol=1e-9)
