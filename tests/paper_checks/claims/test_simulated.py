"""A model in one line is played as it says: every law has its mean and its variance, and no other."""

import itertools
import pickle

import mpmath
import numpy as np
import pytest
import sympy.stats as ss
from scipy.special import betainc
from sympy import Matrix, Rational, Symbol, lambdify, polylog

from montecarlo import correlation, covariance, variance
from montecarlo.streams.philox import stream
from paper_checks import WRONG, Simulated
from paper_checks.claims.joint import JOINT
from paper_checks.claims.simulated import QUANTILES
from theory import Formula, Source

HERE = Source("test", "")
half = Rational(1, 2)
third, tenth, quarter = Rational(1, 3), Rational(1, 10), Rational(1, 4)
# Parameters at their edges, where laws degenerate, and away from where a law is like its mirror image.
EDGES = [
    ss.Arcsin("x", -2, 3), ss.Bernoulli("x", 0), ss.Bernoulli("x", 1), ss.Bernoulli("x", third, -7, 5),
    ss.Beta("x", 1, 1), ss.Beta("x", half, 3), ss.Beta("x", quarter, quarter), ss.Binomial("x", 1, third),
    ss.Binomial("x", 9, 0), ss.Binomial("x", 9, 1), ss.Binomial("x", 5, third, 2, -1), ss.Cauchy("x", 3, tenth),
    ss.ChiSquared("x", 1), ss.Die("x", 1), ss.Die("x", 5), ss.DiscreteUniform("x", [7]),
    ss.DiscreteUniform("x", [-1, half, 2]), ss.Exponential("x", 10), ss.FDistribution("x", 1, 1),
    ss.FDistribution("x", 4, 7), ss.Gamma("x", quarter, 3), ss.Gamma("x", 5, half), ss.Geometric("x", 1),
    ss.Geometric("x", Rational(99, 100)), ss.Geometric("x", tenth), ss.Gumbel("x", 2, 3), ss.Gumbel("x", 2, 3, True),
    ss.Laplace("x", 3, half), ss.LogNormal("x", 1, half), ss.Logistic("x", 2, 3), ss.NegativeBinomial("x", 1, tenth),
    ss.NegativeBinomial("x", 3, Rational(9, 10)), ss.Normal("x", -3, half), ss.Pareto("x", 1, 1), ss.Pareto("x", 2, 3),
    ss.Poisson("x", tenth), ss.Poisson("x", 50), ss.Rayleigh("x", 3), ss.StudentT("x", 1), ss.StudentT("x", 3),
    ss.Triangular("x", 0, 1, 0), ss.Triangular("x", 0, 1, 1), ss.Triangular("x", -2, 4, 1), ss.Uniform("x", -3, 7),
    ss.Weibull("x", 2, half), ss.Weibull("x", 2, 3),
]  # fmt: skip


def test_the_edges_are_those_of_every_law():
    assert {type(x.pspace.distribution).__name__.removesuffix("Distribution") for x in EDGES} == set(QUANTILES)


def sympys_distribution_function(x, values):
    """P(x <= value) by SymPy: a table or a sum of what it calls the probability, or an integral of the density."""
    density, k = ss.density(x), Symbol("k")
    table = getattr(density, "dict", None) or (density if isinstance(density, dict) else None)
    if table:
        return np.array([float(sum(q for v, q in table.items() if float(v) <= value + 1e-9)) for value in values])
    if type(density).__name__.startswith(("Poisson", "Geometric", "NegativeBinomial")):
        least = int(x.pspace.domain.set.inf)
        return np.array([sum(float(density(v)) for v in range(least, int(value) + 1)) for value in values])
    if type(density).__name__.startswith(("Cauchy", "StudentT")):  # Tails that no quadrature reaches the end of.
        known = ss.cdf(x)
        return np.array([float(known(value)) for value in values])
    at, low = lambdify(k, density(k), "mpmath"), max(float(x.pspace.domain.set.inf), -200.0)
    ends = list(map(mpmath.mpf, [low, *values]))
    with mpmath.workdps(30):
        return np.cumsum([float(mpmath.quad(at, side)) for side in itertools.pairwise(ends)])


@pytest.mark.parametrize("x", EDGES, ids=lambda x: str(x.pspace.distribution))
def test_a_law_is_that_of_sympy_at_the_edges_of_its_parameters(x):
    law = x.pspace.distribution
    n = 2**12
    u = (np.arange(n) + 0.5) / n
    name = type(law).__name__.removesuffix("Distribution")
    parameters = [bool(p) if p in (True, False) and not hasattr(p, "p") else float(p) for p in law.args]
    drawn = np.sort(np.asarray(QUANTILES[name](u, *parameters), dtype=float))
    picked = drawn[[n // 50, n // 10, n // 3, n // 2, n - n // 3, n - n // 10, n - n // 50]]
    ends, exact = picked + 1e-9 * np.abs(picked), sympys_distribution_function(x, picked)
    assert np.searchsorted(drawn, ends, side="right") / n == pytest.approx(exact, abs=2 / n)
    shares = (sampled(Simulated(x)) <= ends).mean(axis=0)
    assert (abs(shares - exact) < 6 * np.sqrt(exact * (1 - exact) / 2**16) + 1e-9).all(), "and so is its sample"
    extremes = np.asarray(QUANTILES[name](np.array([2.0**-53, 1 - 2.0**-53]), *parameters), dtype=float)
    domain = x.pspace.domain
    if hasattr(domain, "set"):
        assert all(float(domain.set.inf) <= v <= float(domain.set.sup) for v in extremes)
    else:
        assert {float(value) for element in domain.elements for _, value in element} >= set(extremes)


def test_a_beta_law_is_right_far_out():
    u = 2.0 ** -np.arange(5, 54)
    assert betainc(0.5, 3, QUANTILES["Beta"](u, 0.5, 3)) == pytest.approx(u, rel=1e-9)


def sampled(model, *point, n=2**16, first=0):
    out = np.empty((n, model.columns), order="F")
    model.function(stream(5, "sample", 0), first, *point, out)
    return out


def mean_of(x, *point):
    return sampled(Simulated(x), *point).mean()


def test_whole_numbers_do_not_begin_anew_at_the_largest_one_of_64_bits():
    coin = ss.Bernoulli("x", half)
    assert mean_of((1 + coin) ** 64) == pytest.approx((1 + 2**64) / 2, rel=0.02)
    assert mean_of((1 + ss.DiscreteUniform("x", [1, 2])) ** 64) == pytest.approx((2**64 + 3**64) / 2, rel=0.02)
    assert mean_of(10**30 * coin) == pytest.approx(5e29, rel=0.02)
    assert mean_of((-1) ** ss.Poisson("x", 2)) == pytest.approx(np.exp(-4), abs=0.02)


def test_parameters_that_no_law_has_are_refused_where_they_are_given():
    p = Symbol("p", real=True)
    for x, value in (
        (ss.Bernoulli("x", p), 2.0), (ss.Normal("x", 0, p), -1.0), (ss.Uniform("x", p, 1), 3.0),
        (ss.Binomial("x", p, half), 2.5),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="is not a distribution"):
            mean_of(x, value)
    assert mean_of(ss.Binomial("x", p, half), 10.0) == pytest.approx(5, abs=0.05)


def test_one_line_is_a_model_of_a_claim(judged):
    r = Symbol("r", positive=True)
    x, y = ss.Normal("x", 0, 1), ss.Normal("y", 0, 1)
    pair = Simulated(x, r * x + y)
    points = [{"r": 1}, {"r": "1/2"}]
    known, misprinted = (Formula("", e) for e in (r / (1 + r**2) ** half, 1 + r))
    assert judged(printed=known, measured=correlation(pair), points=points).as_expected
    assert judged(printed=misprinted, measured=variance(pair, 1), points=points, expects=WRONG).as_expected


def test_a_model_is_the_same_in_another_process_and_known_by_what_it_says():
    x, y = ss.Normal("x", 0, 1), ss.Normal("y", 0, 1)
    model = Simulated(x * y)
    again = pickle.loads(pickle.dumps(model))
    assert again.digest == model.digest != Simulated(x + y).digest
    np.testing.assert_array_equal(*(sampled(one, n=8, first=3) for one in (model, again)))


# Joint laws.

SIGMA = [[1, half], [half, 2]]
# With their exact means and covariances.
JOINT_LAWS = {
    "Multinomial": (
        ss.Multinomial("x", 7, half, third, 1 - half - third), 7 * np.array([1 / 2, 1 / 3, 1 / 6]),
        7 * (np.diag([1 / 2, 1 / 3, 1 / 6]) - np.outer([1 / 2, 1 / 3, 1 / 6], [1 / 2, 1 / 3, 1 / 6])),
    ),
    "MultivariateBeta": (
        ss.MultivariateBeta("x", [1, 2, 3]), np.array([1, 2, 3]) / 6,
        (np.diag([6, 12, 18]) - np.outer([1, 2, 3], [1, 2, 3])) / 36 / 7,
    ),
    "MultivariateNormal": (ss.Normal("x", Matrix([0, 3]), Matrix(SIGMA)), [0, 3], np.array(SIGMA, float)),
    "MultivariateT": (ss.MultivariateT("x", [0, 3], SIGMA, 20), [0, 3], np.array(SIGMA, float) * 20 / 18),
    "NormalGamma": (ss.NormalGamma("x", 1, 2, 10, 3), [1, 10 / 3], [[3 / 2 / 9, 0], [0, 10 / 9]]),
}  # fmt: skip


def test_every_joint_law_is_tried():
    assert set(JOINT_LAWS) == set(JOINT)


@pytest.mark.parametrize("name", JOINT_LAWS)
def test_a_joint_law_has_its_means_and_its_covariances_with_another_variable_beside_it(name):
    x, means, covariances = JOINT_LAWS[name]
    u = ss.Uniform("a", -1, 1)  # It comes before x, and is independent.
    out = sampled(Simulated(u, *(x[i] for i in range(len(means)))))
    means, n = np.array([0, *map(float, means)]), len(out)
    exact = np.zeros((len(means),) * 2)
    exact[0, 0], exact[1:, 1:] = 1 / 3, covariances
    assert (abs(out.mean(axis=0) - means) < 6 * np.sqrt(np.diag(exact) / n)).all()
    products = (out - means)[:, :, None] * (out - means)[:, None, :]
    assert (abs(products.mean(axis=0) - exact) < 6 * products.std(axis=0) / np.sqrt(n) + 1e-12).all()
    again = sampled(Simulated(u, *(x[i] for i in range(len(means) - 1))), first=100, n=50)
    np.testing.assert_array_equal(out[100:150], again, "the bits do not depend on the block")


def test_two_components_of_a_joint_law_are_judged_by_their_covariance(judged):
    s = Symbol("s", real=True)
    x = ss.MultivariateNormal("x", [0, 1], [[1, s], [s, 2]])
    fields = {"points": [{"s": 1}, {"s": "-1/2"}], "measured": covariance(Simulated(x[0], x[1]))}
    assert judged(printed=Formula("", s), **fields).as_expected
    assert judged(printed=Formula("", 2 * s), expects=WRONG, **fields).as_expected


@pytest.mark.parametrize(("law", "value", "says"), [
    (lambda p: ss.MultivariateNormal("x", [0, 1], [[1, p], [p, 1]]), 1.0, "positive definite, not singular"),
    (lambda p: ss.MultivariateNormal("x", [0, 1], [[1, p], [p, 1]]), -2.0, "positive definite"),
    (lambda p: ss.MultivariateNormal("x", [0, 1], [[1, p], [2 * p, 1]]), 0.1, "must be symmetric"),
    (lambda p: ss.MultivariateNormal("x", [0, p], [[1, 0], [0, 1]]), np.nan, "the mean must be finite"),
    (lambda p: ss.Multinomial("x", 7, p, half), 0.1, "with the sum 1"),
    (lambda p: ss.MultivariateBeta("x", [p, 1]), 0.0, "the weights must be positive"),
])  # fmt: skip
def test_a_joint_law_that_does_not_exist_is_refused(law, value, says):
    with pytest.raises(ValueError, match=says):
        sampled(Simulated(law(Symbol("p"))[0]), value, n=4)


PAIR = ss.MultivariateNormal("x", [0, 1], SIGMA)
WHOLE = r"components of a joint distribution, got x.*; write x\[0\]"


@pytest.mark.parametrize(("expression", "says"), [
    (Symbol("r"), "must be random"), (ss.Maxwell("x", 2), "must be one of Arcsin"),
    (polylog(2, ss.Uniform("x", 0, 1)), "polylog"),
    (PAIR, WHOLE), (2 * PAIR + PAIR[0], WHOLE), (PAIR[Symbol("i", integer=True)], WHOLE),
    (Matrix([PAIR[0], PAIR[1]]), "give its parts one by one"), ([PAIR[0], PAIR[1]], "give its parts one by one"),
    (True, "give its parts one by one"),
], ids=str)  # fmt: skip
def test_what_is_not_random_not_known_or_not_a_number_is_refused(expression, says):
    with pytest.raises(ValueError, match=says):
        mean_of(expression)
