"""Nine topics, each with a simulator in NumPy, a formula, and a common mistake."""

import numpy as np
from sympy import Integer, Rational, harmonic, log, pi, sqrt
from sympy.abc import a, b, d, k, s, t

from montecarlo import covariance, mean, sampler, variance
from paper_checks import WRONG, claim, grid, paper
from theory import Formula

paper("topics", "Nine topics (an example)", "after textbooks")


@sampler
def transported(rng, n, a, b, s, t):
    z = rng.normal(size=n)
    return ((a + s * z) - (b + t * z)) ** 2


claim(
    "topics/transport", at="optimal transport", says="the squared Wasserstein distance of two normal distributions",
    printed=Formula("cost", (a - b) ** 2 + s**2 + t**2, [a, b, s, t]),
    corrected=Formula("cost", (a - b) ** 2 + (s - t) ** 2, [a, b, s, t]),
    points=grid(a="1/3", b=[1, 2], s=2, t="1/2"), measured=mean(transported), expects=WRONG,
)  # fmt: skip


@sampler
def latest(rng, n, k: int):
    return rng.exponential(size=(n, k)).max(axis=1)


claim(
    "topics/extremes", at="extreme values", says="the mean of the largest of k exponential variables",
    printed=Formula("mean", log(k)), corrected=Formula("mean", harmonic(k)),
    points=grid(k=[2, 5, 10]), measured=mean(latest), expects=WRONG,
)  # fmt: skip


@sampler
def edge(rng, n, s):
    g = s * rng.normal(size=(n, 2, 2))
    return np.linalg.eigvalsh((g + g.swapaxes(1, 2)) / np.sqrt(2))[:, -1]


claim(
    "topics/edge", at="random matrices", says="the mean of the largest eigenvalue of a symmetric 2 x 2 matrix",
    printed=Formula("mean", 2 * sqrt(2) * s), corrected=Formula("mean", s * sqrt(pi / 2)),
    points=grid(s=[1, 3]), measured=mean(edge), expects=WRONG,
    note="2 sqrt(n) s is the limit for large n x n matrices",
)  # fmt: skip


@sampler
def remembered(rng, n, t: int):
    return (1 / (1 + np.exp(-rng.normal(size=(n, t))))).prod(axis=1)


claim(
    "topics/gates", at="LSTM", says="on average t forget gates without bias keep 2^-t of a cell",
    printed=Formula("kept", 2**-t), points=grid(t=[1, 2, 4]), measured=mean(remembered),
)  # fmt: skip


@sampler
def score(rng, n, d: int):
    return (rng.normal(size=(n, d)) * rng.normal(size=(n, d))).sum(axis=1) / np.sqrt(d)


claim(
    "topics/attention", at="attention", says="the variance of a score q k / sqrt(d)",
    printed=Formula("variance", 1 / d), corrected=Formula("variance", Integer(1), [d]),
    points=grid(d=[4, 16]), measured=variance(score), expects=WRONG,
)  # fmt: skip


@sampler
def first_moment(rng, n, b, a, t: int):
    gradients = a + rng.normal(size=(n, t))
    return (1 - b) * gradients @ b ** np.arange(t)[::-1]


claim(
    "topics/adam", at="Adam", says="the mean of the first moment after t steps, before its correction",
    printed=Formula("mean", a, [a, b, t]), corrected=Formula("mean", a * (1 - b**t), [a, b, t]),
    points=grid(a=3, b="9/10", t=[1, 5]), measured=mean(first_moment), expects=WRONG,
)  # fmt: skip


@sampler
def kept(rng, n, a):
    return (rng.random(n) > a) / (1 - a)


claim(
    "topics/dropout", at="dropout", says="the variance that inverted dropout adds to an input of 1",
    printed=Formula("variance", a * (1 - a)), corrected=Formula("variance", a / (1 - a)),
    points=grid(a=["1/10", "1/2"]), measured=variance(kept), expects=WRONG,
)  # fmt: skip


@sampler
def normalised(rng, n, k: int):
    x = rng.normal(2, 3, size=(n, k))
    return (x[:, 0] - x.mean(axis=1)) / x.std(axis=1, ddof=1)


claim(
    "topics/normalisation", at="normalisation", says="the variance of an input divided by the sample deviation",
    printed=Formula("variance", Integer(1), [k]), corrected=Formula("variance", (k - 1) / k),
    points=grid(k=[4, 8]), measured=variance(normalised), expects=WRONG,
)  # fmt: skip


@sampler(columns=("clean", "noisy"))
def diffused(rng, n, a, s):
    clean, noise = s * rng.normal(size=n), rng.normal(size=n)
    return np.stack([clean, np.sqrt(a) * clean + np.sqrt(1 - a) * noise], axis=1)


claim(
    "topics/diffusion", at="diffusion", says="the covariance of an image and its noisy version",
    printed=Formula("covariance", a * s**2, [a, s]), corrected=Formula("covariance", sqrt(a) * s**2, [a, s]),
    points=grid(a=["1/4"], s=[1, 2]), measured=covariance(diffused, 0, 1), expects=WRONG,
    slips={"variance of the noisy form": a * s**2 + 1 - a},
)  # fmt: skip
claim(
    "topics/noise", at="diffusion", says="the variance of the noisy version",
    printed=Formula("variance", a * s**2 + 1 - a, [a, s]), points=grid(a=[Rational(1, 4)], s=[1, 2]),
    measured=variance(diffused, 1),
)  # fmt: skip
