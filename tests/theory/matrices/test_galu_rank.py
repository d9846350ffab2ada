"""The rank of GaLU features: certificates, exact arithmetic, laws, errors."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy

from montecarlo.kernels.modular import rank_modular
from theory import galu
from theory.galu import elimination
from theory.galu.distribution import angles

SEED = 20190


def test_a_rank_comes_with_a_proof():
    rng = np.random.default_rng(SEED + 1)
    for _ in range(60):
        m, k, d = (int(rng.integers(1, most + 1)) for most in (20, 4, 4))
        gates = (rng.random((m, k)) < rng.choice([0.25, 0.5, 0.8])).astype(int)
        proof = galu.rank_proof(gates, d)
        assert proof.rank == galu.rank(gates, d)
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


def test_large_ranks_are_quick_and_exact():
    rng = np.random.default_rng(SEED)
    gates = (rng.standard_normal((512, 24)) @ rng.standard_normal((24, 24)) > 0).astype(int)
    assert galu.rank(gates, 24) == 512
    assert galu.rank(np.ones((40, 7), dtype=int), 5) == 5
    assert galu.rank(np.zeros((4, 3), dtype=int), 2) == 0
    assert galu.rank(np.eye(4, dtype=int), 10**9) == 4
    assert galu.rank(np.empty((0, 3), dtype=int), 2) == 0


def test_exact_rank_takes_every_kind_of_integer_and_is_not_fooled_by_multiples_of_a_prime():
    for number in (2.0, np.float32(2), np.int8(2), True, Fraction(2), 2**80, elimination.PRIMES[0], 2**61 - 1):
        assert galu.exact_rank([[number, 1], [0, 1]]) == 2
    assert galu.exact_rank(np.array([[100, 50], [2, 1]], dtype=np.int8)) == 1


# Features.


def test_features_of_integers_do_not_overflow_and_those_of_fractions_are_exact():
    assert galu.features(np.int8([[100, -100]]), np.int8([[3, 1]])).tolist() == [[100, -100]]
    assert galu.features([[2**40, 2**40]], [[2**40, 1]]).tolist() == [[2**40, 2**40]]
    assert galu.features(np.uint64([[2**64 - 1]]), [[2]]).tolist() == [[2**64 - 1]]
    assert galu.features(np.int8([[-128]]), [[-1]], "logistic").tolist() == [[-128.0]]
    third = Fraction(1, 3)
    # In float64 the product is 0.
    found = galu.features([[third, 1 - third]], [[2, Fraction(-(10**20) + 1, 10**20)], [-1, 1]])
    assert found.tolist() == [[third, 1 - third] * 2]


def test_features_of_no_inputs_have_a_shape():
    assert galu.features(np.zeros((0, 2)), np.ones((3, 2))).shape == (0, 6)
    assert galu.features(np.zeros((4, 2)), np.ones((0, 2))).shape == (4, 0)


def test_logistic_features_count_apart_by_length_and_once_by_direction():
    for other in (2, -2, -1, 0):
        assert galu.linear_features([[1, 0], [other, 0]]) == 4


def test_rank_two_filters_is_the_rank():
    for a, b, c, d in itertools.product(range(4), range(4), range(4), (1, 2, 3)):
        gates = [[1, 0]] * a + [[0, 1]] * b + [[1, 1]] * c + [[0, 0]]
        assert galu.rank_two_filters(a, b, c, d) == galu.rank(gates, d)


# Arithmetic modulo the prime.


def test_modular_rank_agrees_with_the_exact_one():
    rng = np.random.default_rng(SEED + 3)
    for _ in range(60):
        m, n, r = (int(v) for v in rng.integers(1, 9, 3))
        matrix = rng.integers(0, 9, (m, r)) @ rng.integers(0, 9, (r, n))
        assert rank_modular(matrix.astype(np.uint64), m, n) == galu.exact_rank(matrix)
    wide = rng.integers(0, 2, (12, 60)).astype(np.uint64)
    assert rank_modular(wide.copy(), 12, 60) == galu.exact_rank(wide.astype(np.int64))


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
    m = 1000
    exact = 1 - Fraction(2 * (2**m + m**2 + m - 4), 2**m * (m + 1))
    assert galu.rank_law(m, 2, 2)[-1] == pytest.approx(float(exact), rel=1e-12)
    assert galu.expected_train_loss_random(2000, 1, 6) == pytest.approx(1 - 2 * (1 - 2**-6) / 2000, rel=1e-14)
    # As d grows the angle becomes a right one: E[(1 - t)^5] = 2^-5 (1 + 10 E[(1 - 2 t)^2]), that is 4/(pi^2 d).
    limit = 1 - 2**-4 + 2**-10
    assert galu.full_rank_probability(2, 10**7, 5) == pytest.approx(limit + 2**-10 * 40 / (math.pi**2 * 1e7), rel=1e-12)


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
        assert m > d or exact >= galu.no_zero_row_at_least(m, 2) - 1e-12


# How many neurons memorise.


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


def test_expected_train_loss_of_random_features():
    assert galu.expected_train_loss_random(10, 2, 3, gate="logistic") == 0.4
    assert math.isclose(galu.expected_train_loss_random(4, 2, 2), 1 - 2.7 / 4, rel_tol=1e-12)
    # One input or two: each opens no gate with probability 2^-k.
    for m, d in ((1, 3), (2, 3), (2, 2)):
        assert galu.expected_train_loss_random(m, d, 6) == pytest.approx(2**-6, rel=1e-13)


def test_a_sampled_smallest_k_is_the_same_for_the_same_seed():
    first, again, other = (galu.smallest_k_interval(12, 3, 0.8, draws=80, seed=s) for s in (1, 1, 2))
    assert first == again
    assert max(first[0], other[0]) <= min(first[1], other[1])
