"""Least squares: what a practitioner calls, edges included, and kernels that agree with NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from montecarlo.galu_clusters import Clusters, features, fit
from montecarlo.kernels import least_squares as kernels
from montecarlo.kernels import rademacher as signs
from montecarlo.philox import stream
from theory import least_squares, least_squares_laws, rademacher

STREAM = stream(1, "test/least-squares", 0)


def played(kernel, *arguments, samples=300):
    out = np.empty((samples, kernel.columns), order="F")
    kernel(STREAM, 0, *arguments, out)
    return out


def drawn(samples, d, m, sigma, norm_beta):
    """The training sets of the kernel, by its own normal values, for NumPy."""
    x, noise = np.empty((m * d, samples)), np.empty((m, samples))
    draw = kernels.normals(STREAM, 0, 0, x)
    kernels.normals(STREAM, 0, draw, noise)
    for s in range(samples):
        inputs = x[:, s].reshape(m, d)
        yield inputs, inputs @ np.full(d, norm_beta / np.sqrt(d)) + sigma * noise[:, s]


# Formulas and functions.


def test_the_test_loss_names_what_is_finite_where_the_mean_is_not():
    for m in (10, 11):
        with pytest.raises(ValueError, match=r"needs m > d \+ 1"):
            least_squares.test_loss(1, 10, m)
        assert np.isinf(least_squares.expected_test_loss(1, 10, m))
        assert np.isfinite(least_squares_laws.test_loss_quantile(0.5, 1, 10, m))
    assert "median" in least_squares.test_loss.__doc__


def test_without_noise_enough_samples_find_the_weights():
    assert least_squares.expected_test_loss(0, 5, [2, 4, 5, 6, 9], 2).tolist() == pytest.approx([2.4, 0.8, 0, 0, 0])


def test_expected_test_loss_agrees_with_the_formulas():
    for d, m in ((3, 9), (9, 3), (1, 3), (3, 1)):
        form = least_squares.test_loss(0.7, d, m) if m > d else least_squares.min_norm_test_loss(0.7, 1.3, d, m)
        assert least_squares.expected_test_loss(0.7, d, m, 1.3) == pytest.approx(form, rel=1e-13)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 3, 9), "sigma must be a number of at least 0, got -1"),
        ((np.nan, 3, 9), "sigma must be"),
        ((1, 0, 9), "d must be an integer of at least 1, got 0"),
        ((1, 3, 2.5), "m must be an integer of at least 1, got 2.5"),
        ((1, 3, 9, -2), "beta_norm must be a number of at least 0, got -2"),
    ],
)
def test_arguments_are_checked(arguments, message):
    with pytest.raises(ValueError, match=message):
        least_squares.expected_test_loss(*arguments)


def test_quantiles_are_the_inverse_of_the_law():
    p = np.array([1e-3, 0.1, 0.5, 0.9, 1 - 1e-6])
    for d, m in ((1, 3), (10, 12), (5, 5), (3, 40)):
        excess = least_squares_laws.test_loss_quantile(p, 2, d, m) - 4
        assert least_squares_laws.excess_law(excess, 2, d, m) == pytest.approx(p, rel=1e-7)
    few = least_squares_laws.test_loss_quantile(0.3, 1, 9, 4) - 1
    assert least_squares_laws.min_norm_excess_law(few, 1, 9, 4) == pytest.approx(0.3, rel=1e-10)
    with pytest.raises(ValueError, match=r"p must be in \(0, 1\), got 1"):
        least_squares_laws.test_loss_quantile(1.0, 1, 3, 9)


def test_the_mean_is_the_integral_of_the_law():
    mean, _ = quad(lambda x: 1 - least_squares_laws.excess_law(x, 1, 2, 8), 1e-19, np.inf)
    assert 1 + mean == pytest.approx(least_squares.test_loss(1, 2, 8), rel=1e-6)


def test_both_ways_of_writing_the_test_loss_agree():
    d, m = np.meshgrid(np.arange(1, 60), np.arange(62, 100))
    assert least_squares.test_loss(1, d, m) == pytest.approx(least_squares.test_loss_short(1, d, m), rel=1e-12)


# Kernels.


@pytest.mark.parametrize(("d", "m"), [(1, 1), (1, 3), (3, 4), (4, 4), (6, 2), (5, 30)])
def test_kernel_agrees_with_numpy(d, m):
    found = played(kernels.fit, 0.5, 2.0, 0.0, 3.0, d, m)
    for row, (x, y) in zip(found, drawn(len(found), d, m, 0.5, 2.0), strict=True):
        w = np.linalg.lstsq(x, y, rcond=None)[0]
        # The normal equations square the condition number.
        accuracy = 1e-13 * np.linalg.cond(x) ** 2
        excess = np.sum((w - 2.0 / np.sqrt(d)) ** 2)
        assert row[1] == pytest.approx(excess, rel=max(accuracy, 1e-12))
        assert row[0] == pytest.approx(np.mean((x @ w - y) ** 2), rel=max(accuracy, 1e-9), abs=accuracy)
        assert row[2:] == pytest.approx([np.log(row[1]), min(row[1], 0.75), 0.25 + row[1]], rel=1e-12)


def test_ridge_kernel_agrees_with_numpy():
    d, m, ridge = 4, 3, 0.7
    found = played(kernels.ridge_identity, 0.5, 2.0, ridge, d, m)
    for row, (x, y) in zip(found, drawn(len(found), d, m, 0.5, 2.0), strict=True):
        gram = x.T @ x + ridge * np.eye(d)
        w = np.linalg.solve(gram, x.T @ y)
        assert row == pytest.approx([np.sum((w - 1.0) ** 2), np.trace(np.linalg.inv(gram))], rel=1e-10)


def test_samples_do_not_depend_on_their_place_in_a_tile():
    whole = played(kernels.average, 5, 2, 4, samples=200)
    out = np.empty((30, 1), order="F")
    kernels.average(STREAM, 101, 5, 2, 4, out)
    assert np.array_equal(out, whole[101:131])


def test_singular_inputs_give_numbers():
    a = np.ones((3, 3, 2))
    kernels.cholesky(a, 3)
    assert np.isfinite(a[np.tril_indices(3)]).all()


def test_rademacher_kernel_counts_signs():
    found = played(signs.complexity, 0, 1, 4, samples=4000)
    assert set(np.round(found[:, 0] * 4).astype(int)) == {0, 2, 4}
    assert (found[:, 0] == found[:, 1]).all()
    assert found[:, 0].mean() < rademacher.bound_l2(1, 1, 4) < rademacher.bound_l1(1, 1, 1, 4)


# Cluster data.


def test_averages_over_label_noise_are_traces():
    rng = np.random.default_rng(3)
    model = Clusters.drawn(rng, 3, 2, 4, 0.3)
    (x, y), (new, new_y) = model.sample(rng, 30), model.sample(rng, 40)
    inside, outside = features(x, model.gates), features(new, model.gates)
    found = fit(inside, y, outside, new_y)
    noise = rng.normal(size=(40_000, 30))
    w = (y + 2 * noise) @ found.inverse.T
    train = np.mean((w @ inside.T - y - 2 * noise) ** 2, axis=1)
    test = np.mean((w @ outside.T - new_y) ** 2, axis=1) + 4
    for sampled, (clean, noisy) in ((train, found.train), (test, found.test), (np.sum(w**2, axis=1), found.norm)):
        error = np.std(sampled) / np.sqrt(len(sampled))
        assert abs(np.mean(sampled) - clean - 4 * noisy) < 6 * error
        assert abs(np.mean(sampled) - clean - 8 * noisy) > 6 * error
