"""Least squares: what a practitioner calls, edges included, and kernels that agree with NumPy."""

import mpmath
import numpy as np
import pytest
from kernels_for_tests import rows_of

from montecarlo.kernels import least_squares as kernels
from montecarlo.kernels.galu import neurons as signs
from montecarlo.streams.philox import stream
from montecarlo.training.galu_clusters import Clusters, features, fit
from theory import galu, least_squares

STREAM = stream(1, "test/least-squares", 0)


def played(kernel, *arguments, samples=300):
    return rows_of(kernel, arguments, samples, key=STREAM)


def drawn(samples, d, m, sigma, norm_beta):
    """The training sets of the kernel, by its own normal values, for NumPy."""
    values = np.empty((m * d + m, samples))
    kernels.normals(STREAM, 0, 0, values)
    for x, noise in zip(values[: m * d].T, values[m * d :].T, strict=True):
        inputs = x.reshape(m, d)
        yield inputs, inputs @ np.full(d, norm_beta / np.sqrt(d)) + sigma * noise


# Formulas and functions.


def test_the_test_loss_names_what_is_finite_where_the_mean_is_not():
    for m in (10, 11):
        with pytest.raises(ValueError, match=r"needs m > d \+ 1"):
            least_squares.test_loss(1, 10, m)
        assert np.isinf(least_squares.expected_test_loss(1, 10, m))
        assert np.isfinite(least_squares.test_loss_quantile(0.5, 1, 10, m))
    assert "median" in least_squares.test_loss.__doc__


def test_expected_test_loss_agrees_with_the_formulas_up_to_the_largest_scales():
    of = least_squares.expected_test_loss
    for d, m in ((3, 9), (9, 3), (1, 3), (3, 1)):
        form = least_squares.test_loss(0.7, d, m) if m > d else least_squares.min_norm_test_loss(0.7, 1.3, d, m)
        assert of(0.7, d, m, 1.3) == pytest.approx(form, rel=1e-13)
    assert of(0, 5, [2, 4, 5, 6, 9], 2).tolist() == pytest.approx([2.4, 0.8, 0, 0, 0])
    assert of(0, 10, [5, 9, 20], 1e70).tolist() == pytest.approx([5e139, 1e139, 0], rel=1e-13)
    assert of(1e70, 10, 20) == pytest.approx(1e140 * 19 / 9, rel=1e-13)


def test_quantiles_are_the_inverse_of_the_law():
    p = np.array([1e-3, 0.1, 0.5, 0.9, 1 - 1e-6])
    for d, m in ((1, 3), (10, 12), (5, 5), (3, 40)):
        excess = least_squares.test_loss_quantile(p, 2, d, m) - 4
        assert least_squares.excess_law(excess, 2, d, m) == pytest.approx(p, rel=1e-7)
    few = least_squares.test_loss_quantile(0.3, 1, 9, 4) - 1
    assert least_squares.min_norm_excess_law(few, 1, 9, 4) == pytest.approx(0.3, rel=1e-10)


def test_quantiles_of_small_probabilities_are_numbers():
    p = np.geomspace(1e-300, 0.5, 80)
    for d, m in ((10, 12), (10, 6), (1, 1), (20, 31), (300, 500), (2000, 3000)):
        found = least_squares.test_loss_quantile(p, 1, d, m)
        assert found[0] >= 1
        assert np.all(np.diff(found) >= 0)
    # z^5 ~ p 5 B(5, 3/2) = 1e-144 5 (4! 2^5)/(3 5 7 9 11): far below the digits of 1 + z.
    assert least_squares.test_loss_quantile(1e-144, 1, 10, 12) == 1


@pytest.mark.parametrize(("d", "m"), [(10, 12), (40, 43), (200, 300)])
@pytest.mark.parametrize("p", [1e-300, 1e-100, 1e-10])
def test_quantiles_of_small_probabilities_agree_with_30_digits(d, m, p):
    found = least_squares.test_loss_quantile(p, 1, d, m)
    a, b = d / 2, (m - d + 1) / 2
    with mpmath.workdps(30):
        # The leading term is below the root, and starts the search.
        start = mpmath.log(p * a * mpmath.beta(a, b)) / a
        y = mpmath.findroot(
            lambda y: mpmath.log(mpmath.betainc(a, b, 0, mpmath.exp(y), regularized=True) / p), (start, start - 0.1)
        )
        assert abs(found * (1 - mpmath.exp(y)) - 1) < 1e-12


# Kernels.


def sensitivity(x, y, w):
    """How far off a solution of least squares may be: first order, Euclidean norm.

    With errors dX and dy, and r = y - X w: dw = X^+ (dy - dX w) + (X^T X)^-1 dX^T r. Reflections and the singular value
    decomposition solve a problem near by, |dX| <= eps |X|_F and |dy| <= eps |y|: each of min(m, d) reflections rounds
    inner products of max(m, d) terms and a dozen other operations, twice.
    """
    m, d = x.shape
    eps = 2 * min(m, d) * (max(m, d) + 12) * np.finfo(float).eps / 2
    size, inverse = eps * np.linalg.norm(x), np.linalg.norm(np.linalg.pinv(x), 2)
    through = inverse * size * np.linalg.norm(x @ w - y)
    return inverse * (2 * size * np.linalg.norm(w) + eps * np.linalg.norm(y) + through)


@pytest.mark.parametrize("noise", [0.0, 1e-3])
def test_the_condition_number_is_not_squared(noise):
    rng = np.random.default_rng(7)
    x = np.vander(np.linspace(0, 1, 20), 10)
    y = x @ np.ones(10) + noise * rng.standard_normal(20)
    w = np.empty((10, 1))
    kernels.weights(x[:, :, None], y[:, None], 0.0, w)
    exact = np.linalg.lstsq(x, y, rcond=None)[0]
    allowed = 2 * sensitivity(x, y, exact)  # twice, for two solutions
    assert np.linalg.norm(w[:, 0] - exact) <= allowed
    if not noise:
        # A residual lets the square back in; without one the normal equations are found out.
        assert np.linalg.norm(np.linalg.solve(x.T @ x, x.T @ y) - exact) > allowed


def test_ridge_kernel_agrees_with_numpy():
    d, m, ridge = 4, 3, 0.7
    found = played(kernels.fit, 0.5, 2.0, ridge, 1e100, d, m, 0, 0)
    for row, (x, y) in zip(found, drawn(len(found), d, m, 0.5, 2.0), strict=True):
        gram = x.T @ x + ridge * np.eye(d)
        w = np.linalg.solve(gram, x.T @ y)
        assert row[1] == pytest.approx(np.sum((w - 1.0) ** 2), rel=1e-10)


def test_uniform_inputs_have_the_range_and_the_variance_of_their_law():
    # One input and one pair: the residual is 0 and w - beta the noise over the input.
    found = played(kernels.fit, 1.0, 0.0, 0.0, 1e100, 1, 1, 0, 1, samples=4000)
    values = np.empty((2, len(found)))
    kernels.normals(STREAM, 0, 0, values)
    inputs = np.abs(values[1]) / np.sqrt(found[:, 1])
    assert inputs.max() <= np.sqrt(3) * (1 + 1e-12)
    np.testing.assert_allclose(np.quantile(inputs, [0.25, 0.5, 0.75]), np.sqrt(3) * np.array([1, 2, 3]) / 4, atol=0.07)


def test_rademacher_kernel_counts_signs():
    found = played(signs.complexity, 0, 1, 4, samples=4000)
    assert set(np.round(found[:, 0] * 4).astype(int)) == {0, 2, 4}
    assert (found[:, 0] == found[:, 1]).all()
    assert found[:, 0].mean() < galu.bound_l2(1, 1, 4) < galu.bound_l1(1, 1, 1, 4)


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
