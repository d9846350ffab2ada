"""A model in one line is played as it says: every law has its mean and its variance, and no other."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sympy.stats as ss
from scipy.integrate import quad
from sympy import Rational, Symbol, lambdify

from montecarlo import correlation, mean, variance
from montecarlo.streams.philox import stream
from paper_checks import WRONG, Claim, Simulated, Status, verify
from paper_checks.claims.simulated import QUANTILES
from theory import Formula, Source

HERE = Source("test", "")
half = Rational(1, 2)
LAWS = {
    "Arcsin": ss.Arcsin("x", 1, 3), "Bernoulli": ss.Bernoulli("x", Rational(1, 3), 5, 2), "Beta": ss.Beta("x", 2, 3),
    "Binomial": ss.Binomial("x", 7, Rational(1, 3)), "ChiSquared": ss.ChiSquared("x", 3),
    "DiscreteUniform": ss.DiscreteUniform("x", [1, 4, 6]), "Die": ss.Die("x", 6), "Exponential": ss.Exponential("x", 2),
    "FDistribution": ss.FDistribution("x", 5, 40), "Gamma": ss.Gamma("x", 3, 2), "Geometric": ss.Geometric("x", half),
    "Gumbel": ss.Gumbel("x", 2, 1), "Laplace": ss.Laplace("x", 1, 2), "LogNormal": ss.LogNormal("x", 0, half),
    "Logistic": ss.Logistic("x", 1, 2), "NegativeBinomial": ss.NegativeBinomial("x", 3, half),
    "Normal": ss.Normal("x", 1, 2), "Pareto": ss.Pareto("x", 1, 40), "Poisson": ss.Poisson("x", 3),
    "Rayleigh": ss.Rayleigh("x", 2), "StudentT": ss.StudentT("x", 40), "Triangular": ss.Triangular("x", 0, 3, 1),
    "Uniform": ss.Uniform("x", 1, 4), "Weibull": ss.Weibull("x", 2, 3),
}  # fmt: skip


def moments(x):
    """Mean and variance by SymPy's density, which says what its parameters mean."""
    density, k = ss.density(x), Symbol("k")
    if isinstance(density, dict) or hasattr(density, "dict"):
        table = {float(v): float(q) for v, q in dict(getattr(density, "dict", density)).items()}
    elif type(density).__name__ in ("PoissonDistribution", "GeometricDistribution", "NegativeBinomialDistribution"):
        table = {v: float(density(v)) for v in range(1 if "Geometric" in type(density).__name__ else 0, 100)}
    else:
        domain = x.pspace.domain.set
        low, high = max(float(domain.inf), -150.0), min(float(domain.sup), 150.0)
        at = lambdify(k, density(k), modules=["scipy", "numpy"])
        more = {"limit": 500, "points": [0.0, 1.0, 3.0]}
        first, second = (quad(lambda t, m=m: t**m * at(t), low, high, **more)[0] for m in (1, 2))
        return first, second - first**2
    first = sum(v * q for v, q in table.items())
    return first, sum((v - first) ** 2 * q for v, q in table.items())


def test_every_law_but_that_without_moments_is_tried():
    assert {*LAWS, "Cauchy"} == set(QUANTILES)


@pytest.mark.parametrize("name", LAWS)
def test_a_law_has_its_mean_and_its_variance(name):
    x = LAWS[name]
    first, second = moments(x)
    n = 2**16
    out = np.empty((n, 1), order="F")
    Simulated(x).function(stream(5, name, 0), 0, out)
    deviations = out[:, 0] - first
    assert abs(deviations.mean()) < 6 * np.sqrt(second / n)
    spread = np.sqrt(((deviations**2 - second) ** 2).mean() / n)
    assert abs((deviations**2).mean() - second) < 7 * spread
    assert abs((1.1 * out[:, 0] - first).mean()) > 6 * np.sqrt(second / n) or abs(first) < 0.5


def test_a_cauchy_law_has_its_quartiles():
    out = np.empty((2**16, 1), order="F")
    Simulated(ss.Cauchy("x", 1, 2)).function(stream(5, "cauchy", 0), 0, out)
    assert np.quantile(out, [0.25, 0.5, 0.75]) == pytest.approx([-1, 1, 3], abs=0.1)


def test_one_line_is_a_model_of_a_claim():
    r = Symbol("r", positive=True)
    x, y = ss.Normal("x", 0, 1), ss.Normal("y", 0, 1)
    pair = Simulated(x, r * x + y)
    known, misprinted = (Formula("", e, source=HERE) for e in (r / (1 + r**2) ** half, 1 + r))
    fields = {"at": "", "says": "", "points": [{"r": 1}, {"r": "1/2"}]}
    right, wrong = verify([
        Claim("test/right", printed=known, measured=correlation(pair), **fields),
        Claim("test/wrong", printed=misprinted, measured=variance(pair, 1), expects=WRONG, **fields),
    ])  # fmt: skip
    assert (right.status, wrong.status) == (Status.CONFIRMED, Status.REFUTED)
    assert right.as_expected
    assert wrong.as_expected


def test_a_model_is_the_same_in_another_process_and_known_by_what_it_says():
    x, y = ss.Normal("x", 0, 1), ss.Normal("y", 0, 1)
    model = Simulated(x * y)
    again = pickle.loads(pickle.dumps(model))
    assert again.digest == model.digest != Simulated(x + y).digest
    rows = [np.empty((8, 1), order="F") for _ in range(2)]
    for kernel, out in zip((model, again), rows, strict=True):
        kernel.function(stream(1, "same", 0), 3, out)
    np.testing.assert_array_equal(*rows)


def test_what_is_not_random_or_not_known_is_said():
    with pytest.raises(ValueError, match="must be random"):
        Simulated(Symbol("r"))
    with pytest.raises(ValueError, match="must be one of Arcsin"):
        mean(Simulated(ss.Maxwell("x", 2)))
