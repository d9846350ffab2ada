"""The rank of GaLU features: proofs by brute force, certificates, exact arithmetic, laws, errors."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy

from montecarlo.kernels.galu import ranks as kernels
from montecarlo.kernels.modular import PRIME, inverse, multiply, power, rank_modular, subtract
from montecarlo.streams.philox import stream
from theory import galu
from theory.galu import elimination
from theory.galu.angles import angles
from theory.galu.plane import plane_rank_law

SEED = 20190


def brute_force(gates, d):
    """The minimum over all sets of rows."""
    m = len(gates)
    return min(
        d * galu.exact_rank(gates[list(rows)]) + m - size
        for size in range(m + 1)
        for rows in itertools.combinations(range(m), size)
    )


def random_gates(rng, largest=7):
    m, k = int(rng.integers(1, largest + 1)), int(rng.integers(1, 5))
    return (rng.random((m, k)) < rng.choice([0.25, 0.5, 0.8])).astype(int)


def test_rank_is_the_minimum_over_all_sets_of_rows():
    rng = np.random.default_rng(SEED)
    for _ in range(150):
        gates, d = random_gates(rng), int(rng.integers(1, 4))
        assert galu.rank(gates, d) == brute_force(gates, d)


def test_a_rank_comes_with_a_proof():
    rng = np.random.default_rng(SEED + 1)
    for _ in range(60):
        gates, d = random_gates(rng, 20), int(rng.integers(1, 5))
        proof = galu.rank_proof(gates, d)
        rows = [row for s in proof.sets for row in s]
        assert len(proof.sets) <= d
        assert len(rows) == len(set(rows)) == proof.rank
        assert all(sympy.Matrix(gates[list(s)].tolist()).rank() == len(s) for s in proof.sets if s)
        tight = list(proof.tight)
        of_tight = sympy.Matrix(gates[tight].tolist()).rank() if tight else 0
        assert d * of_tight + len(gates) - len(tight) == proof.rank


def test_exact_rank_agrees_with_sympy():
    rng = np.random.default_rng(SEED + 2)
    for _ in range(40):
        m, n, r = (int(v) for v in rng.integers(1, 6, 3))
        matrix = rng.integers(-9, 10, (m, r)) @ rng.integers(-9, 10, (r, n))
        assert galu.exact_rank(matrix) == sympy.Matrix(matrix.tolist()).rank()
    thirds = [[Fraction(1, 3), Fraction(2, 3)], [Fraction(1, 2), Fraction(1)]]
    assert galu.exact_rank(thirds) == 1


def test_exact_rank_is_not_fooled_by_multiples_of_a_prime():
    for prime in (elimination.PRIMES[0], 2**61 - 1):
        assert galu.exact_rank([[prime, 0], [0, 1]]) == 2


def test_large_ranks_are_quick_and_exact():
    rng = np.random.default_rng(SEED)
    gates = (rng.standard_normal((512, 24)) @ rng.standard_normal((24, 24)) > 0).astype(int)
    assert galu.rank(gates, 24) == 512
    assert galu.rank(np.ones((40, 7), dtype=int), 5) == 5
    assert galu.rank(np.zeros((4, 3), dtype=int), 2) == 0
    assert galu.rank(np.eye(4, dtype=int), 10**9) == 4
    assert galu.rank(np.empty((0, 3), dtype=int), 2) == 0


def test_up_to_d_inputs_are_independent_when_each_opens_a_gate():
    rng = np.random.default_rng(SEED + 4)
    for _ in range(100):
        gates = random_gates(rng)
        assert galu.rank(gates, len(gates) + int(rng.integers(0, 3))) == gates.any(axis=1).sum()


@pytest.mark.parametrize(
    ("gates", "d", "message"),
    [
        ([1, 0], 1, r"rank: gates must be a matrix of shape \(m, k\)"),
        ([[0.5, 1]], 1, "rank: gates must be 0 or 1, got 0.5"),
        ([[0, 1]], 0, "rank: d must be an integer of at least 1, got 0"),
        ([[0, 1]], 1.5, "rank: d must be an integer"),
        ([[0, 1]], math.nan, "rank: d must be an integer of at least 1, got nan"),
        ([[0, 1]], math.inf, "rank: d must be an integer of at least 1, got inf"),
        ([[0, 1]], None, "rank: d must be an integer of at least 1, got None"),
        ([[0, 1]], [2], r"rank: d must be an integer of at least 1, got \[2\]"),
        ([[0, 1]], np.array([2]), "rank: d must be an integer"),
        ([[0, 1]], "2", "rank: d must be an integer of at least 1, got '2'"),
        ([[0, 1]], True, "rank: d must be an integer of at least 1, got True"),
        ([[0, 1], [1]], 2, r"rank: gates must be a matrix of shape \(m, k\), got rows of different lengths"),
    ],
)
def test_rank_says_what_is_wrong_with_its_arguments(gates, d, message):
    with pytest.raises(ValueError, match=message):
        galu.rank(gates, d)


@pytest.mark.parametrize("entry", [0.5, math.nan, math.inf, 1j, None, "1"])
def test_exact_rank_refuses_what_is_no_rational_number(entry):
    with pytest.raises(ValueError, match="exact_rank: entries must be integers or Fraction, got"):
        galu.exact_rank([[1, entry], [0, 1]])


def test_exact_rank_takes_every_kind_of_integer():
    for number in (2.0, np.float32(2), np.int8(2), True, Fraction(2), 2**80):
        assert galu.exact_rank([[number, 1], [0, 1]]) == 2
    assert galu.exact_rank(np.array([[100, 50], [2, 1]], dtype=np.int8)) == 1
    with pytest.raises(ValueError, match=r"exact_rank: matrix must be of shape \(m, n\), got shape \(1, 1, 1\)"):
        galu.exact_rank([[[1]]])


# Features.


def test_features_of_integers_do_not_overflow():
    assert galu.features(np.int8([[100, -100]]), np.int8([[3, 1]])).tolist() == [[100, -100]]
    assert galu.features([[2**40, 2**40]], [[2**40, 1]]).tolist() == [[2**40, 2**40]]
    assert galu.features(np.uint64([[2**64 - 1]]), [[2]]).tolist() == [[2**64 - 1]]
    assert galu.features(np.int8([[-128]]), [[-1]], "logistic").tolist() == [[-128.0]]


def test_features_of_fractions_are_exact():
    third = Fraction(1, 3)
    # In float64 the product is 0.
    found = galu.features([[third, 1 - third]], [[2, Fraction(-(10**20) + 1, 10**20)], [-1, 1]])
    assert found.tolist() == [[third, 1 - third] * 2]


def test_features_of_no_inputs_have_a_shape():
    assert galu.features(np.zeros((0, 2)), np.ones((3, 2))).shape == (0, 6)
    assert galu.features(np.zeros((4, 2)), np.ones((0, 2))).shape == (4, 0)


@pytest.mark.parametrize(
    ("inputs", "filters", "message"),
    [
        ([[1, math.nan]], [[1, 1]], "features: inputs must be finite numbers, got .*nan"),
        ([[1, 1]], [[math.inf, 1]], "features: filters must be finite numbers, got .*inf"),
        ([[1j]], [[1]], "features: inputs must be finite numbers, got .*1j"),
        ([[Fraction(1), math.nan]], [[1, 1]], "features: inputs must be finite numbers, got nan"),
        ([[1, 1], [1]], [[1, 1]], r"inputs must be a matrix of shape \(m, d\), got rows of different lengths"),
        ([1, 1], [[1, 1]], r"inputs must be a matrix of shape \(m, d\), got shape \(2,\)"),
        ([[1, 1]], [[1]], r"must be of shapes \(m, d\) and \(k, d\), got \(1, 2\) and \(1, 1\)"),
        ([[1e200, 1e200]], [[1e200, -1e200]], r"features: x.u must be below 1.8e308 in size"),
    ],
)
def test_features_say_what_is_wrong_with_their_arguments(inputs, filters, message):
    with pytest.raises(ValueError, match=message):
        galu.features(inputs, filters)


def test_logistic_features_count_apart_by_length_and_once_by_direction():
    assert galu.linear_features([[1, 0], [2, 0]]) == 4
    assert galu.linear_features([[1, 0], [-2, 0]]) == 4
    assert galu.linear_features([[1, 0], [-1, 0]]) == 4
    assert galu.linear_features([[1, 0], [0, 0]]) == 4
    with pytest.raises(ValueError, match=r"linear_features: filters must be finite numbers, got .*nan"):
        galu.linear_features([[math.nan, 1], [math.nan, 1]])
    with pytest.raises(ValueError, match=r"logistic_rank: filters must be finite numbers, got .*nan"):
        galu.logistic_rank([[math.nan]], 3)


def test_rank_two_filters_is_the_rank():
    for a, b, c, d in itertools.product(range(4), range(4), range(4), (1, 2, 3)):
        gates = [[1, 0]] * a + [[0, 1]] * b + [[1, 1]] * c + [[0, 0]]
        assert galu.rank_two_filters(a, b, c, d) == galu.rank(gates, d)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.5, 2, 3, 2), "rank_two_filters: only_first must be an integer of at least 0, got 1.5"),
        ((-1, 2, 3, 2), "rank_two_filters: only_first must be an integer of at least 0, got -1"),
        ((1, 2, None, 2), "rank_two_filters: both must be an integer of at least 0, got None"),
        ((1, 2, 3, 0), "rank_two_filters: d must be an integer of at least 1, got 0"),
    ],
)
def test_rank_two_filters_checks_its_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        galu.rank_two_filters(*arguments)


# Arithmetic modulo the prime.


def test_modular_arithmetic_agrees_with_python():
    p = int(PRIME)
    rng = np.random.default_rng(SEED)
    numbers = [0, 1, p - 1, p - 2, 2**32, *(int(v) for v in rng.integers(0, p, 40))]
    for a, b in itertools.product(numbers, repeat=2):
        assert int(modular("multiply", a, b)) == a * b % p
        assert int(modular("subtract", a, b)) == (a - b) % p
    for a in numbers[1:]:
        assert a * int(modular("inverse", a)) % p == 1
    assert int(power(np.uint64(3), -5)) == pow(3, -5, p)


def modular(name, *values):
    """A helper that is inlined into kernels, called by itself."""
    function = {"multiply": multiply, "subtract": subtract, "inverse": inverse}[name]
    return function(*map(np.uint64, values))


def test_modular_rank_agrees_with_the_exact_one():
    rng = np.random.default_rng(SEED + 3)
    for _ in range(60):
        m, n, r = (int(v) for v in rng.integers(1, 9, 3))
        matrix = rng.integers(0, 9, (m, r)) @ rng.integers(0, 9, (r, n))
        assert rank_modular(matrix.astype(np.uint64), m, n) == galu.exact_rank(matrix)
    wide = rng.integers(0, 2, (12, 60)).astype(np.uint64)
    assert rank_modular(wide.copy(), 12, 60) == galu.exact_rank(wide.astype(np.int64))


@pytest.mark.parametrize("crowded", [0, 1])
def test_rank_of_gates_is_the_rank_of_features_that_have_them(crowded):
    rng, key = np.random.default_rng(SEED), stream(SEED, "tests/galu-rank", crowded)
    below = 0
    for i in range(300):
        m, d, k = int(rng.integers(1, 20)), int(rng.integers(1, 5)), int(rng.integers(1, 6))
        gates = np.empty((m, k), dtype=np.int64)
        played = kernels.instance(key, i, m, d, k, crowded, gates)
        assert played == galu.rank(gates, d)
        below += played < min(m, k * d)
    assert below > 50


@pytest.mark.parametrize("opposite", [0, 1])
def test_logistic_rank_is_the_rank_of_logistic_features(opposite):
    rng, key = np.random.default_rng(SEED), stream(SEED, "tests/galu-logistic", opposite)
    for i in range(200):
        m, d, k = int(rng.integers(1, 20)), int(rng.integers(1, 5)), int(rng.integers(1, 6))
        u = np.empty((k, d))
        assert kernels.logistic_instance(key, i, m, d, k, opposite, u) == galu.logistic_rank(u, m)


# Laws.


@pytest.mark.parametrize(("m", "d", "k"), [
    (5, 2, 1), (3, 7, 1), (6, 1, 4), (1, 1, 1), (1, 1, 5), (5, 2, 2), (7, 3, 2), (9, 5, 2), (1, 3, 6), (2, 2, 1),
    (2, 3, 6), (2, 10**4, 5), (300, 3, 2), (1100, 1, 3), (2000, 4, 1), (2, 5, 1100),
])  # fmt: skip
def test_rank_laws_are_laws(m, d, k):
    law = galu.rank_law(m, d, k)
    assert law.shape == (min(m, k * d) + 1,)
    assert np.all(law >= 0)
    assert math.isclose(law.sum(), 1, rel_tol=1e-12)


@pytest.mark.parametrize(("m", "d", "k"), [(2, 3, 3), (2, 2, 2), (1, 2, 3), (2, 2, 1), (2, 1, 3), (4, 2, 2), (5, 3, 1)])
def test_rank_laws_are_those_of_features(m, d, k):
    rng, n = np.random.default_rng(SEED + 5), 20_000
    x, u = rng.standard_normal((n, m, 1, d)), rng.standard_normal((n, 1, k, d))
    gates = np.sum(x * u, axis=-1) > 0
    ranks = np.linalg.matrix_rank((gates[..., None] * x).reshape(n, m, k * d))
    law = galu.rank_law(m, d, k)
    shares = np.bincount(ranks, minlength=len(law)) / n
    # Once in 5e8 for each share.
    assert np.all(np.abs(shares - law) <= 6 * np.sqrt(law * (1 - law) / n))


def test_two_inputs_are_not_independent():
    """The check above sees it when they are taken to be: 2^-6 for 2^-3 E[(1 - t)^3] = 2^-5 in the plane."""
    assert galu.rank_law(2, 2, 3)[0] == pytest.approx(1 / 32, rel=1e-14)
    apart = 1 / 32 - 1 / 64
    assert apart > 6 * math.sqrt(1 / 64 / 20_000)


@pytest.mark.parametrize(("d", "power"), [(2, 3), (3, 1), (3, 40), (5, 12), (40, 7), (600, 30)])
def test_moments_of_the_angle_agree_with_30_digits(d, power):
    with mpmath.workdps(30):
        # Panels of about the width of the peak.
        panels = mpmath.linspace(0, 1, math.isqrt(d + power) + 3)

        def integral(a, b):
            return mpmath.quad(lambda t: mpmath.sinpi(t) ** (d - 2) * t**a * (1 - t) ** b, panels)

        t, rest, weights = angles(d, power)
        for s in {0, power // 3, power}:
            exact = integral(s, power - s) / integral(0, 0)
            assert abs(weights @ (t**s * rest ** (power - s)) / exact - 1) < 1e-12


def test_laws_of_large_sizes_are_quick_or_refused():
    assert galu.full_rank_probability(2, 5, 1100) == 1
    assert galu.full_rank_at_most(2000, 2, 1200) == 1
    assert galu.expected_train_loss_random(2000, 1, 6) == pytest.approx(1 - 2 * (1 - 2**-6) / 2000, rel=1e-14)
    # As d grows the angle becomes a right one: E[(1 - t)^5] = 2^-5 (1 + 10 E[(1 - 2 t)^2]), that is 4/(pi^2 d).
    limit = 1 - 2**-4 + 2**-10
    assert galu.full_rank_probability(2, 10**7, 5) == pytest.approx(limit + 2**-10 * 40 / (math.pi**2 * 1e7), rel=1e-12)
    with pytest.raises(ValueError, match="rank_law: m must be at most 1000 for two filters, got 1001"):
        galu.rank_law(1001, 2, 2)
    with pytest.raises(ValueError, match="full_rank_at_most: m, d, k must be at most 10\\^7, got m = 3, d = 100000000"):
        galu.full_rank_at_most(3, 10**8, 2)


def test_two_filters_and_a_thousand_inputs_agree_with_the_closed_form():
    law = galu.rank_law(1000, 2, 2)
    m = 1000
    exact = 1 - Fraction(2 * (2**m + m**2 + m - 4), 2**m * (m + 1))
    assert law[-1] == pytest.approx(float(exact), rel=1e-12)


def test_closed_forms_agree_with_the_laws():
    for m in range(4, 40):
        assert math.isclose(galu.full_rank_two_filters_plane(m), galu.rank_law(m, 2, 2)[-1], rel_tol=1e-11, abs_tol=0)
    for m, k in itertools.product((1, 2, 5), (1, 2, 6)):
        law = galu.rank_law(m, 1, k)
        assert math.isclose(law @ np.arange(len(law)), galu.expected_rank_one_input(m, k), rel_tol=1e-12)
    for m, d in itertools.product((1, 3, 8), (1, 2, 9)):
        assert math.isclose(galu.full_rank_one_filter(m, d), galu.rank_law(m, d, 1)[-1], rel_tol=1e-12)
    for k in range(2, 12):
        two = galu.full_rank_two_inputs(k)
        assert math.isclose(two, galu.no_zero_row_plane(2, k), rel_tol=1e-12)
        assert math.isclose(two, galu.full_rank_probability(2, 2, k), rel_tol=1e-12)


def test_bounds_enclose_what_is_known():
    for m, d in itertools.product(range(1, 12), range(2, 6)):
        exact = galu.full_rank_probability(m, d, 2)
        assert exact <= galu.full_rank_at_most(m, d, 2) + 1e-12
        if m <= d:
            assert exact >= galu.no_zero_row_at_least(m, 2) - 1e-12


def counted_by_definition(m, k):
    """The law of the rank in the plane by counting: k arcs, a uniform composition, coins for inputs and filters."""
    law, whole = [Fraction(0)] * (min(m, 2 * k) + 1), 0
    ranks = {}
    passed = np.array([[1 if j >= a else -1 for j in range(k)] for a in range(k)])
    for bars in itertools.combinations(range(m + k - 1), k - 1):
        ends = [-1, *bars, m + k - 1]
        arcs = [a for a in range(k) for _ in range(ends[a + 1] - ends[a] - 1)]
        for sides in itertools.product((-1, 1), repeat=m):
            for oriented in itertools.product((-1, 1), repeat=k):
                gates = passed[arcs] * np.array(sides)[:, None] * np.array(oriented) > 0
                known = gates.tobytes()
                if known not in ranks:
                    ranks[known] = galu.rank(gates.astype(int), 2)
                law[ranks[known]] += 1
                whole += 1
    return [share / whole for share in law]


@pytest.mark.parametrize(("m", "k"), [(2, 2), (3, 2), (3, 3), (4, 3)])
def test_the_law_in_the_plane_is_that_of_all_arrangements(m, k):
    assert plane_rank_law(m, k) == counted_by_definition(m, k)


def test_the_law_in_the_plane_has_the_values_known_by_hand():
    law = plane_rank_law(4, 3)
    assert law[-1] == Fraction(77, 160)
    assert sum(r * p for r, p in enumerate(law)) == Fraction(105, 32)
    # One filter, two filters, two inputs have closed forms of their own.
    for m, k in ((7, 1), (9, 2), (2, 6), (30, 2)):
        assert np.abs(np.array([float(p) for p in plane_rank_law(m, k)]) - galu.rank_law(m, 2, k)).max() < 1e-15
    assert all(sum(plane_rank_law(m, k)) == 1 for m in (1, 5, 8, 40) for k in (1, 3, 20))


def test_the_law_in_the_plane_agrees_with_elimination():
    m, k, count = 12, 5, 20_000
    out = np.empty((count, 3), order="F")
    kernels.random_features(stream(SEED, "test/plane", 0), 0, m, 2, k, out)
    law = galu.rank_law(m, 2, k)
    shares = np.bincount(out[:, 1].astype(int), minlength=len(law)) / count
    # Each share is off by 6 standard errors, and one count, once in 1e8.
    assert np.all(np.abs(shares - law) < 6 * np.sqrt(law / count) + 1 / count)
    with pytest.raises(ValueError, match=r"rank_law: min\(k, m/2\) must be at most 100 .* got m = 300, k = 150"):
        galu.rank_law(300, 2, 150)


# How many neurons memorise.


def full_rank_share(m, d, k, draws, seed):
    """How often m inputs have the rank m."""
    rng = np.random.default_rng(seed)
    return np.mean([
        galu.rank(rng.standard_normal((m, d)) @ rng.standard_normal((d, k)) > 0, d) == m for _ in range(draws)
    ])  # fmt: skip


def test_smallest_k_is_found_under_the_name_of_the_unit():
    assert galu.smallest_k is galu.smallest_k
    assert galu.smallest_k_interval is galu.smallest_k_interval


def test_smallest_k_is_exact_for_logistic_gates_and_for_two_inputs():
    assert galu.smallest_k_interval(100, 7, 0.9, gate="logistic") == (15, 15)
    for d, probability in itertools.product((2, 3, 50), (0.3, 0.9, 0.999)):
        k, upper = galu.smallest_k_interval(2, d, probability)
        assert k == upper == galu.smallest_k(2, d, probability)
        assert galu.full_rank_probability(2, d, k) >= probability
        assert k == 1 or galu.full_rank_probability(2, d, k - 1) < probability
    # On a line two inputs need both signs, as do the filters: (1 - 2^(1 - k))/2 >= 7/16.
    assert galu.smallest_k_interval(2, 1, 7 / 16) == (4, 4)


def test_smallest_k_keeps_its_digits_near_one():
    # 2^-k <= 1e-16 at k = 54, where 1 - 2^-k is 1 in float64 already.
    assert galu.smallest_k_interval(1, 3, 1 - 2.0**-53) == (53, 53)
    # Two inputs in the plane: 2^-k (2 - 1/(k + 1)) <= 2^-53.
    assert galu.smallest_k_interval(2, 2, 1 - 2.0**-53) == (54, 54)
    # m 2^-k <= 1e-12 to first order: k = 60, as 2^-60 is 8.7e-19.
    lower, upper = galu.smallest_k_interval(10**6, 10**6, 1 - 1e-12)
    assert upper == galu.smallest_k(10**6, 10**6, 1 - 1e-12) == 60
    assert Fraction(10**6, 2**60) < 1 - Fraction(1 - 1e-12) < Fraction(10**6 - 1, 2**59)
    assert lower <= upper


@pytest.mark.parametrize(("m", "d", "probability"), [(3, 3, 0.8), (5, 9, 0.5), (12, 12, 0.9)])
def test_bounds_on_the_smallest_k_hold_for_at_most_d_inputs(m, d, probability):
    lower, upper = galu.smallest_k_interval(m, d, probability)
    draws = 1000
    # A rate of n trials is off by 3/sqrt(n) once in 1e7.
    apart = 3 / math.sqrt(draws)

    def share(k):
        """Up to d inputs have the rank m where each opens a gate."""
        rng = np.random.default_rng(SEED)
        gates = rng.standard_normal((draws, m, d)) @ rng.standard_normal((draws, d, k)) > 0
        return gates.any(axis=2).all(axis=1).mean()

    assert share(upper) > probability - apart
    assert lower == 1 or share(lower - 1) < probability + apart


def test_a_sampled_smallest_k_agrees_with_other_seeds_and_with_direct_sampling():
    m, d, probability = 16, 3, 0.8
    low, high = galu.smallest_k_interval(m, d, probability, draws=150, seed=1)
    assert (low, high) == galu.smallest_k_interval(m, d, probability, draws=150, seed=1)
    others = [galu.smallest_k_interval(m, d, probability, draws=150, seed=s) for s in (2, 3)]
    assert all(max(low, other[0]) <= min(high, other[1]) for other in others)
    draws = 500
    apart = 3 / math.sqrt(draws)
    assert full_rank_share(m, d, high, draws, SEED) > probability - apart
    assert full_rank_share(m, d, low - 1, draws, SEED) < probability + apart
    # Direct sampling would see a number that is much too small.
    assert full_rank_share(m, d, high // 2, draws, SEED) < probability - apart


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((3, 1, 0.5), {}, "smallest_k: 0-1 gates on R\\^1 never give a rank above 2, got m = 3"),
        ((2, 1, 0.5), {}, "never give a rank above 2"),
        ((3, 4, 1.0), {}, r"probability must be in \(0, 1\), got 1.0"),
        ((3, 4, math.nan), {}, r"probability must be in \(0, 1\), got nan"),
        ((0, 4, 0.5), {}, "smallest_k: m must be an integer of at least 1, got 0"),
        ((3, None, 0.5), {}, "smallest_k: d must be an integer of at least 1, got None"),
        ((3, 4, 0.5), {"gate": "tanh"}, "smallest_k: gate must be '0-1' or 'logistic', got 'tanh'"),
        ((9, 2, 0.9), {"draws": 65}, "smallest_k: draws must be at least 73 .* got 65; take more"),
        ((9, 2, 0.9), {"draws": 0}, "smallest_k: draws must be an integer of at least 1, got 0"),
        ((9, 2, 0.9), {"seed": -1}, "smallest_k: seed must be an integer of at least 0, got -1"),
        ((9, 2, 1 - 1e-12), {}, "smallest_k: draws must be at most 1000000, got"),
    ],
)
def test_smallest_k_says_what_is_wrong_with_its_arguments(arguments, options, message):
    for function in (galu.smallest_k, galu.smallest_k_interval):
        with pytest.raises(ValueError, match=message):
            function(*arguments, **options)


def test_expected_train_loss_of_random_features():
    assert galu.expected_train_loss_random(10, 2, 3, gate="logistic") == 0.4
    assert math.isclose(galu.expected_train_loss_random(4, 2, 2), 1 - 2.7 / 4, rel_tol=1e-12)
    # One input or two: each opens no gate with probability 2^-k.
    for m, d in ((1, 3), (2, 3), (2, 2)):
        assert galu.expected_train_loss_random(m, d, 6) == pytest.approx(2**-6, rel=1e-13)
    with pytest.raises(ValueError, match="expected_train_loss_random: needs d <= 2, k <= 2 or m <= 2, got m = 10"):
        galu.expected_train_loss_random(10, 3, 3)
