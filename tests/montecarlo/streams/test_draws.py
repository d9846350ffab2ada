"""Random variables of the kernels: exact where they can be, of the right law, independent, and vectorised.

Every comparison of a sample with its law has a false alarm rate of at most 1e-6 (FALSE_ALARM) and a control: the same
test must reject a law that is slightly wrong. Seeds are fixed: what passes once passes always.
"""

import itertools
import math
import re
from functools import partial

import llvmlite.binding as llvm
import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf
from scipy import special, stats

from montecarlo.engine.compiled import OPTIONS
from montecarlo.engine.parts import Helper
from montecarlo.streams import distributions, draws
from montecarlo.streams.philox import random_bits, stream

FALSE_ALARM = 1e-6
N = 1 << 18
KEY = stream(20240229, "tests/draws", 0)
SHAPES = [0.05, 0.5, 1.0, 2.0, 30.0]


def over_samples(name, columns, *given, fills=False):
    """The values of each sample in a row, compiled as kernels are, but not kept: what has been kept has no assembly."""
    values, more = ", ".join(f"out[i, {k}]" for k in range(columns)), "".join(f", p{k}" for k in range(len(given)))
    called = f"{name}(stream, first + i, draw{more}"
    line = f"{called}, out[i])" if fills else f"{values} = {called})"
    scope = {**vars(draws), **vars(distributions)}
    exec(f"def played(stream, first, draw{more}, out):\n    for i in range(out.shape[0]):\n        {line}", scope)
    return Helper(scope["played"], OPTIONS), given, columns


KERNELS = {"uniform2": over_samples("uniform2", 2), "normal2": over_samples("normal2", 2),
           "bernoulli2": over_samples("bernoulli2", 2, 0.3), "beta_symmetric": over_samples("beta_symmetric", 1, 0.7),
           "uniform4": over_samples("uniform4", 4), "normal2_uniform2": over_samples("normal2_uniform2", 4),
           "normal4": over_samples("normal4", 4)}  # fmt: skip
VECTORISED = tuple(KERNELS)
COVARIANCE = np.array([[2.0, 0.6, -0.3], [0.6, 1.0, 0.2], [-0.3, 0.2, 0.5]])
WEIGHTS = np.array([1.0, 0.0, 2.0, 5.0])
KERNELS |= {
    "exponential2": over_samples("exponential2", 2), "integers2": over_samples("integers2", 2, 1, 7),
    "categorical2": over_samples("categorical2", 2, WEIGHTS), "poisson1": over_samples("poisson1", 1, 2.5),
    "gamma1": over_samples("gamma1", 1, 2.5),
    "normal_vector": over_samples("normal_vector", 3, np.linalg.cholesky(COVARIANCE), fills=True),
    "permutation": over_samples("permutation", 4, fills=True),
}  # fmt: skip


def sample(name, *parameters, n=N, first=0, draw=0, key=KEY):
    """The columns of n samples; `parameters` replace those of KERNELS."""
    kernel, defaults, columns = KERNELS[name]
    out = np.empty((n, columns), order="F")
    kernel(key, first, draw, *(parameters or defaults), out)
    return out.T if columns > 1 else out[:, 0]


def rejects(values, cdf, grid):
    """Kolmogorov-Smirnov on a grid of points: not above the distance over all points, so the rate is kept."""
    empirical = np.searchsorted(np.sort(values), grid, side="right") / len(values)
    distance = np.abs(empirical - cdf(grid)).max()
    return stats.kstwobign.sf(distance * math.sqrt(len(values))) < FALSE_ALARM


QUANTILES = np.linspace(0.0005, 0.9995, 1999)

# --- exactness --------------------------------------------------------------------------------------------------------


def words(n):
    """The random bits of n samples, in two columns."""
    return np.array([random_bits(KEY, i, 0) for i in range(n)], dtype=np.uint64).T


def test_uniforms_are_odd_multiples_of_two_to_the_minus_53():
    for column, values in zip(words(1000), sample("uniform2", n=1000), strict=True):
        k = [int(word) >> 12 for word in column]
        assert [int(mpf(u) * 2**53) for u in values.tolist()] == [2 * j + 1 for j in k]


def test_four_uniforms_are_odd_multiples_of_two_to_the_minus_33():
    halves = [[int(word) >> shift & 2**32 - 1 for word in column] for column in words(1000) for shift in (32, 0)]
    for k, values in zip(halves, sample("uniform4", n=1000), strict=True):
        assert [int(mpf(u) * 2**33) for u in values.tolist()] == [2 * j + 1 for j in k]


def test_two_normals_and_two_uniforms_are_made_of_four_uniforms():
    u, v, s, t = sample("uniform4")
    x, y, *uniform = sample("normal2_uniform2")
    np.testing.assert_array_equal(uniform, [s, t])
    np.testing.assert_allclose(x * x + y * y, -2 * np.log(u), rtol=1e-14)
    np.testing.assert_allclose(np.arctan2(y, x) / (2 * np.pi) % 1, v, rtol=1e-14, atol=1e-15)


def test_four_normals_are_made_of_four_uniforms():
    _, _, s, t = sample("uniform4")
    x, y, *others = sample("normal4")
    np.testing.assert_array_equal([x, y], sample("normal2_uniform2")[:2])
    np.testing.assert_allclose(np.hypot(*others) ** 2, -2 * np.log(s), rtol=1e-14)
    np.testing.assert_allclose(np.arctan2(*reversed(others)) / (2 * np.pi) % 1, t, rtol=1e-14, atol=1e-15)


def test_uniforms_are_symmetric_and_inside_the_open_interval():
    rng = np.random.default_rng(1)
    word = np.array([0, 2**64 - 1, 2**63, 2**63 - 1, *rng.integers(0, 2**64, 1000, dtype=np.uint64)], dtype=np.uint64)
    u, mirrored = (np.array([draws._centred(bits) for bits in all_bits]) for all_bits in (word, ~word))
    np.testing.assert_array_equal(1.0 - u, mirrored)
    np.testing.assert_array_equal(1.0 - mirrored, u)
    assert [u.min(), u.max()] == [2.0**-53, 1 - 2.0**-53]


def test_normals_are_the_box_muller_transform_within_three_ulp():
    u, v = sample("uniform2", n=1500)
    with mp.workdps(40):
        radius = [mpmath.sqrt(-2 * mpmath.log(mpf(ui))) for ui in u.tolist()]
        for got, turn in zip(sample("normal2", n=1500), (mpmath.cospi, mpmath.sinpi), strict=True):
            exact = [r * turn(2 * mpf(vi)) for r, vi in zip(radius, v.tolist(), strict=True)]
            errors = [abs(g - e) / np.spacing(abs(float(e))) for g, e in zip(got.tolist(), exact, strict=True)]
            assert max(errors) < 3


@pytest.mark.parametrize("a", [0.02, *SHAPES, 1e6, 1e15])
def test_betas_are_the_polar_formula_with_relative_accuracy_at_zero(a):
    """Against the formula as it is derived, with as many digits as it cancels; float64 must not lose any."""
    u, v = sample("uniform2", n=300)
    for ui, vi, x in zip(u.tolist(), v.tolist(), sample("beta_symmetric", a, n=300).tolist(), strict=True):
        with mp.workdps(50 - int(math.log10(ui) / a)):
            q = mpf(ui) ** (1 / mpf(a))
            c = mpmath.cospi(2 * mpf(vi))
            exact = (1 + c * mpmath.sqrt((1 - q) / (q + c**2 * (1 - q)))) / 2
            assert abs(x - exact) <= (10 - 4 * mpmath.log(q)) * mpf(2) ** -53 * exact + mpf(2) ** -1074


@pytest.mark.parametrize("p", [0.0, 0.01, 0.3, 0.99, 1.0])
def test_bernoulli_compares_the_uniforms_with_p(p):
    np.testing.assert_array_equal(sample("bernoulli2", p), np.array(sample("uniform2")) < p)


# --- addressing -------------------------------------------------------------------------------------------------------


def test_one_sample_for_which_a_loop_is_compiled_anew_is_the_same():
    """As the rows of its memory and the columns are contiguous."""
    np.testing.assert_array_equal(sample("normal4", n=1), sample("normal4", n=3)[:, :1])


@pytest.mark.parametrize("name", ["uniform2", "normal2", "beta_symmetric"])
def test_samples_draws_and_streams_do_not_repeat(name):
    blocks = [
        sample(name, n=5000, first=first, draw=draw, key=key)
        for key in (KEY, stream(20240229, "tests/draws", 1))
        for first in (0, 2**32)
        for draw in (0, 1, 2**32)
    ]
    values = np.concatenate([np.ravel(block) for block in blocks])
    assert len(np.unique(values)) == len(values)


# --- laws -------------------------------------------------------------------------------------------------------------


# Function, parameters, columns of one law, that law, and those that must be rejected.
LAWS = [
    *((f"uniform{n}", (), n, stats.uniform, [stats.beta(1 / 1.03, 1)]) for n in (2, 4)),
    *((name, (), n, stats.norm, [stats.norm(scale=1.03), stats.norm(0.02)])
      for name, n in (("normal2", 2), ("normal2_uniform2", 2), ("normal4", 4))),
    ("exponential2", (), 2, stats.expon, [stats.expon(scale=1.03)]),
    *(("gamma1", (a,), 1, stats.gamma(a), [stats.gamma(1.03 * a)]) for a in (0.1, 0.5, 1.0, 3.0, 200.0)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "parameters", "columns", "law", "wrong"), LAWS, ids=lambda v: str(v)[:20])
def test_laws_on_the_line(name, parameters, columns, law, wrong):
    for x in np.atleast_2d(sample(name, *parameters))[:columns]:
        assert not rejects(x, law.cdf, law.ppf(QUANTILES))
        assert all(rejects(x, other.cdf, law.ppf(QUANTILES)) for other in wrong)


@pytest.mark.parametrize("a", SHAPES)
def test_beta_law(a):
    """On both halves: just below 1 float64 is too coarse for small `a`, and its last 1e-6 are left out."""
    cdf, grid = partial(special.betainc, a, a), special.betaincinv(a, a, QUANTILES)
    grid = grid[grid < 1 - 1e-6]
    x = sample("beta_symmetric", a)
    assert not rejects(x, cdf, grid)
    assert rejects(sample("beta_symmetric", 1.15 * a), cdf, grid)
    assert rejects(x**1.05, cdf, grid)


def discrete(values, law):
    """Whether Pearson's test accepts a law, in cells of at least five expected values."""
    low, high = int(law.ppf(1e-4)), int(law.isf(1e-4))
    inner = np.arange(low, high + 1)
    expected = np.array([law.cdf(low - 1), *law.pmf(inner), law.sf(high)]) * len(values)
    seen = np.array([(values < low).sum(), *((values == k).sum() for k in inner), (values > high).sum()])
    kept = expected > 5
    return not seen[expected == 0].any() and stats.chisquare(
        np.append(seen[kept], seen[~kept].sum()) + 1e-12, np.append(expected[kept], expected[~kept].sum()) + 1e-12
    ).pvalue >= FALSE_ALARM  # fmt: skip


DISCRETE = [("integers2", (), stats.randint(1, 7), stats.randint(1, 8))] + [
    ("poisson1", (mean,), stats.poisson(mean), stats.poisson(1.05 * mean + 0.01)) for mean in (0.3, 2.5, 40.0, 150.0)
]


@pytest.mark.parametrize(("name", "parameters", "law", "wrong"), DISCRETE, ids=lambda v: str(v)[:20])
def test_laws_of_integers(name, parameters, law, wrong):
    for column in np.atleast_2d(sample(name, *parameters)):
        assert discrete(column, law)
        assert not discrete(column, wrong)


def test_categories_come_with_their_weights_and_never_without():
    share = WEIGHTS / WEIGHTS.sum()
    for column in sample("categorical2"):
        seen = np.bincount(column.astype(int), minlength=4)
        assert seen[1] == 0
        assert stats.chisquare(seen[share > 0], N * share[share > 0]).pvalue >= FALSE_ALARM
        assert stats.chisquare(seen[share > 0], N * np.array([0.14, 0.24, 0.62])).pvalue < FALSE_ALARM


def test_normal_vectors_have_their_covariance_in_every_direction():
    values = sample("normal_vector")
    for direction in np.random.default_rng(1).normal(size=(8, 3)):
        law = stats.norm(scale=math.sqrt(direction @ COVARIANCE @ direction))
        assert not rejects(direction @ values, law.cdf, law.ppf(QUANTILES))
        assert rejects(1.06 * direction @ values, law.cdf, law.ppf(QUANTILES))


def test_all_permutations_are_equally_likely():
    values = sample("permutation").T.astype(int)
    assert (np.sort(values, axis=1) == np.arange(4)).all()
    places = {p: i for i, p in enumerate(itertools.permutations(range(4)))}
    seen = np.bincount([places[tuple(row)] for row in values.tolist()], minlength=24)
    assert stats.chisquare(seen).pvalue >= FALSE_ALARM
    assert stats.chisquare(seen, np.append(np.full(12, 0.96), np.full(12, 1.04)) * N / 24).pvalue < FALSE_ALARM


# --- independence -----------------------------------------------------------------------------------------------------


def features(x):
    """Functions of the values, standardised: a product of two rows is a correlation."""
    rows = np.array([x, np.abs(x - 0.3), np.cos(40 * x)])
    rows -= rows.mean(axis=1, keepdims=True)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def dependent(of_x, of_y):
    """Whether any of the nine correlations is further from 0 than a ninth of FALSE_ALARM allows."""
    return np.abs(of_x @ of_y.T).max() * math.sqrt(N) > stats.norm.isf(FALSE_ALARM / 9 / 2)


PAIRS = ("exponential2", "integers2", "categorical2")


@pytest.mark.parametrize("name", [*(name for name in VECTORISED if name != "beta_symmetric"), *PAIRS])
def test_the_values_of_a_draw_are_independent(name):
    columns = [(x, features(x)) for x in sample(name)]
    for (x, of_x), (y, of_y) in itertools.combinations(columns, 2):
        assert not dependent(of_x, of_y)
        assert dependent(of_x, features(y + 0.03 * x))


@pytest.mark.parametrize("name", KERNELS)
def test_draws_samples_and_streams_are_independent(name):
    x, next_draw = (np.atleast_2d(sample(name, draw=draw)) for draw in (0, 1))
    others = {
        "next draw": next_draw,
        "draw with another high word": sample(name, draw=2**32),
        "next sample": sample(name, first=1),
        "sample with another high word": sample(name, first=2**32),
        "next point": sample(name, key=stream(20240229, "tests/draws", 1)),
        "next seed": sample(name, key=stream(20240230, "tests/draws", 0)),
    }
    of_x = features(x[0])
    found = [what for what, other in others.items() for y in np.atleast_2d(other) if dependent(of_x, features(y))]
    assert not found
    assert dependent(of_x, features(next_draw[0] + 0.03 * x[0]))


# --- speed ------------------------------------------------------------------------------------------------------------

HOST = llvm.get_host_cpu_features()


@pytest.mark.skipif(not HOST.get("avx2"), reason="this processor has no 256-bit vectors (AVX2)")
@pytest.mark.parametrize("name", VECTORISED)
def test_draws_are_vectorised_inside_a_loop_over_samples(name):
    sample(name, n=2)
    assembly = "".join(KERNELS[name][0].inspect_asm().values())
    assert len(re.findall(r"\bvpmuludq\s.*%[yz]mm", assembly)) >= 15  # ten rounds, two products each
    if name in ("normal2", "normal2_uniform2", "normal4", "beta_symmetric"):
        assert len(re.findall(r"\bvf\w*pd\s.*%[yz]mm", assembly)) >= 15
        assert re.search(r"\bvsqrtpd\s.*%[yz]mm", assembly)
