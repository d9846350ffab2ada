"""Lemma 1: the expected train and test loss of least squares, and their variances."""

from __future__ import annotations

import mpmath

from montecarlo import mean, variance
from montecarlo.kernels import least_squares as kernels
from paper_checks import Kind, Price, claim
from paper_checks.papers.galu.least_squares_points import (
    at,
    chi_squared_mean,
    ratio_moment,
)
from theory import least_squares
from theory.least_squares.losses import d, m, sigma

claim(
    "galu/lemma1.train",
    at="lemma 1, first equation",
    says="the expected training loss is sigma^2 (1 - d/m)",
    printed=least_squares.train_loss,
    points=at((1, 1, 28), ("1/2", 2, 32)),
    integral=lambda sigma, d, m: sigma**2 * chi_squared_mean(mpmath.mpf(m - d), lambda q: q) / m,
    measured=mean(kernels.fit, 0),
    slips={"degrees of freedom of a centred fit": sigma**2 * (1 - (d + 1) / m), "unbiased estimate": sigma**2},
    assumptions="normal inputs and noise; m > d + 1, of which m >= d is needed",
    note="the law of the inputs does not matter as long as they have rank d",
    price=Price(
        "inputs uniform on [-sqrt 3, sqrt 3] instead of normal: the same",
        mean(kernels.fit, 0),
        at((1, 10, 12), uniform=1),
    ),
)

claim(
    "galu/lemma1.test",
    at="lemma 1, second equation",
    says="the expected test loss is sigma^2 (1 + d/m + d/m (d + 1)/(m - d - 1))",
    printed=least_squares.test_loss,
    points=at(("1/2", 1, 14), (1, 3, 16), (2, 5, 24)),
    integral=lambda sigma, d, m: sigma**2 * (1 + ratio_moment(1, d, m)),
    measured=mean(kernels.fit, 4),
    slips={
        "fixed inputs": sigma**2 * (1 + d / m),
        "m - d": sigma**2 * (1 + d / m + d / m * (d + 1) / (m - d)),
        "d for d + 1": sigma**2 * (1 + d / m + d / m * d / (m - d - 1)),
    },
    assumptions="normal inputs and noise; m > d + 1",
    note="a mean is measured where four moments exist; at m = d + 2, which the paper uses, the variance is infinite "
    "and galu/beyond.test-law, galu/beyond.test-log and galu/beyond.test-truncated take its place",
    price=Price(
        "inputs uniform on [-sqrt 3, sqrt 3], of the same mean and covariance as normal ones",
        mean(kernels.fit, 4),
        at((1, 10, 30), (1, 1, 14), uniform=1),
    ),
)

claim(
    "galu/beyond.test-short",
    at="beyond lemma 1",
    says="the printed form is sigma^2 (m - 1)/(m - d - 1), the excess d/(m - d - 1)",
    printed=least_squares.test_loss_short,
    derivation=lambda: least_squares.test_loss.expr,
    points=at(("1/2", 1, 14), (1, 10, 12)),
    integral=lambda sigma, d, m: sigma**2 * (1 + ratio_moment(1, d, m)),
    kind=Kind.ADDITIONAL,
)

claim(
    "galu/beyond.train-variance",
    at="beyond lemma 1",
    says="the variance of the training loss",
    printed=least_squares.train_variance,
    points=at((1, 1, 16), ("1/2", 2, 12)),
    integral=lambda sigma, d, m: (
        sigma**4 * (chi_squared_mean(mpmath.mpf(m - d), lambda q: q**2) - (m - d) ** 2) / mpmath.mpf(m) ** 2
    ),
    measured=variance(kernels.fit, 0),
    slips={"without the scale of the mean": 2 * sigma**4 * (m - d)},
    scale=lambda sigma: sigma**4,
    scale_says="sigma^4",
    kind=Kind.ADDITIONAL,
)

claim(
    "galu/beyond.test-variance",
    at="beyond lemma 1",
    says="the variance of the test loss, which exists for m > d + 3 only",
    printed=least_squares.test_variance,
    points=at((1, 2, 26), ("3/2", 3, 30)),
    integral=lambda sigma, d, m: sigma**4 * (ratio_moment(2, d, m) - ratio_moment(1, d, m) ** 2),
    measured=variance(kernels.fit, 1),
    slips={"of the excess without its scale": 2 * sigma**4 * d},
    scale=lambda sigma: sigma**4 / 10,
    scale_says="sigma^4/10, about ten times the value",
    note="sampled where many moments exist",
    kind=Kind.ADDITIONAL,
)
