"""The covariance of the gradient of one sample keeps its digits at the optimum, where it vanishes, and its signs."""

from __future__ import annotations

import numpy as np
import pytest

from theory.numerics.accuracy import relative_error
from theory.relu_unit import kept_error, noise


@pytest.mark.parametrize(
    ("formula", "point"),
    [
        (kept_error.bias_derivative, (-1e-12, 0.5, 0.5, 0.5)),
        (kept_error.bias_derivative, (-1e-20, 0.5, 0.5, 0.5)),
        (kept_error.loss, (-1e-9, 0.5, 0.5, 0.5)),
        (noise.across_variance, (-1e-12, 0.5, 0.5, -1e-12)),
        (noise.along_variance, (-1e-9, 0.5, 0.5, -1e-100)),
        (noise.bias_variance, (-1e-8, 1, 1, 0)),
        (noise.bias_variance, (1e4, 1e-3, 1e-3, 1e-9)),
        (noise.other_variance, (-1, 1e4, 1e4, 0)),
        (noise.along_across_covariance, (-1e-12, 0.5, 0.5, 1e-12)),
    ],
)
def test_next_to_the_optimum_digits_are_kept(formula, point):
    assert relative_error(formula, point) < 1e-13


def test_the_noise_of_the_gradient_is_never_negative():
    rng = np.random.default_rng(5)
    for _ in range(300):
        target = rng.normal(size=3)
        w = target * (1 + rng.choice([0, 1]) * 10.0 ** -rng.uniform(1, 16)) + 10.0 ** -rng.uniform(1, 18) * target[::-1]
        b = float(rng.choice([-1, 1]) * 10.0 ** rng.uniform(-20, 3))
        variances = np.diagonal(noise.gradient_noise_covariance(w, b, target_weights=target))
        assert (variances >= 0).all(), (w, b, target)
    assert np.abs(noise.gradient_noise_covariance([0.3, 0.4], 0.0, target_weights=[0.3, 0.4])).max() == 0


@pytest.mark.parametrize("kappa", [-1e-12, 0.0, 1e-12])
def test_both_sides_of_the_switch_agree(kappa):
    for formula in (noise.bias_variance, noise.along_variance, noise.along_bias_covariance, noise.other_variance):
        for p, t in ((0.5, 0.0), (0.5, -1e-12), (3.0, 1.0), (-1.0, 0.1)):
            assert relative_error(formula, (kappa / 2, 0.5, p, t)) < 1e-13
