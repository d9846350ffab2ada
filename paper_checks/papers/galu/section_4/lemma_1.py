"""Lemma 1: the expected train and test loss of least squares, and their variances."""

import mpmath

from montecarlo import mean, variance
from montecarlo.kernels import least_squares as kernels
from paper_checks import Kind, Price, claim, common
from paper_checks.papers.galu.least_squares_points import at, chi_squared_mean, ratio_moment
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
    assumptions="the noise has mean 0 and variance sigma^2 and is independent of the inputs; the inputs have rank d; "
    "m >= d",
    note="lemma 1 assumes normal inputs and m > d + 1. Its second equation needs them (galu/lemma1.test), this one "
    "does not",
    price=Price(
        "inputs uniform on [-sqrt 3, sqrt 3] instead of normal give the same mean",
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
    note="we simulate the mean where four moments exist. At m = d + 2, which the paper uses, the variance is infinite. "
    "galu/beyond.test-law, galu/beyond.test-log and galu/beyond.test-truncated test this case",
    price=Price(
        "inputs uniform on [-sqrt 3, sqrt 3], with the mean and covariance of the normal ones",
        mean(kernels.fit, 4),
        at((1, 10, 30), (1, 1, 14), uniform=1),
    ),
)

remark = common(at="additional to lemma 1", kind=Kind.ADDITIONAL)

remark(
    "galu/beyond.test-short",
    says="the expected test loss equals sigma^2 (m - 1)/(m - d - 1). The expected excess |w - beta|^2 is "
    "sigma^2 d/(m - d - 1)",
    printed=least_squares.test_loss_short,
    derivation=lambda: least_squares.test_loss.expr,
    points=at(("1/2", 1, 14), (1, 10, 12)),
    integral=lambda sigma, d, m: sigma**2 * (1 + ratio_moment(1, d, m)),
)

remark(
    "galu/beyond.train-variance",
    says="the training loss has the variance 2 sigma^4 (m - d)/m^2",
    printed=least_squares.train_variance,
    points=at((1, 1, 16), ("1/2", 2, 12)),
    integral=lambda sigma, d, m: (
        sigma**4 * (chi_squared_mean(mpmath.mpf(m - d), lambda q: q**2) - (m - d) ** 2) / mpmath.mpf(m) ** 2
    ),
    measured=variance(kernels.fit, 0),
    slips={"not divided by m^2": 2 * sigma**4 * (m - d)},
    scale=lambda sigma: sigma**4,
    scale_says="sigma^4",
)

remark(
    "galu/beyond.test-variance",
    says="the test loss has the variance 2 sigma^4 d (m - 1)/((m - d - 3) (m - d - 1)^2). It is finite for m > d + 3 "
    "only",
    printed=least_squares.test_variance,
    points=at((1, 2, 26), ("3/2", 3, 30)),
    integral=lambda sigma, d, m: sigma**4 * (ratio_moment(2, d, m) - ratio_moment(1, d, m) ** 2),
    measured=variance(kernels.fit, 1),
    slips={"without the denominators": 2 * sigma**4 * d},
    scale=lambda sigma: sigma**4 / 10,
    scale_says="sigma^4/10, about ten times the value",
    note="we simulate it where many moments exist",
)
