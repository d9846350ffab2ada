"""The rank of GaLU features: proofs by brute force, certificates, exact arithmetic, laws, errors."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import sympy

from montecarlo.kernels import galu_rank as kernels
from montecarlo.modular import PRIME, inverse, multiply, power, rank_modular, subtract
from montecarlo.philox import stream
from theory import galu, galu_laws, galu_rank

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
    for prime in (galu_rank.PRIMES[0], 2**61 - 1):
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
    ],
)
def test_rank_says_what_is_wrong_with_its_arguments(gates, d, message):
    with pytest.raises(ValueError, match=message):
        galu.rank(gates, d)


def test_rank_two_filters_is_the_rank():
    for a, b, c, d in itertools.product(range(4), range(4), range(4), (1, 2, 3)):
        gates = [[1, 0]] * a + [[0, 1]] * b + [[1, 1]] * c + [[0, 0]]
        assert galu_laws.rank_two_filters(a, b, c, d) == galu.rank(gates, d)


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


@pytest.mark.parametrize(("m", "d", "k"), [(5, 2, 1), (3, 7, 1), (6, 1, 4), (1, 1, 1), (5, 2, 2), (7, 3, 2), (9, 5, 2)])
def test_rank_laws_are_laws(m, d, k):
    law = galu_laws.rank_law(m, d, k)
    assert law.shape == (min(m, k * d) + 1,)
    assert np.all(law >= 0)
    assert math.isclose(law.sum(), 1, rel_tol=1e-12)


def test_closed_forms_agree_with_the_laws():
    for m in range(4, 40):
        assert math.isclose(
            galu_laws.full_rank_two_filters_plane(m), galu_laws.rank_law(m, 2, 2)[-1], rel_tol=1e-11, abs_tol=0
        )
    for m, k in itertools.product((1, 2, 5), (1, 2, 6)):
        law = galu_laws.rank_law(m, 1, k)
        assert math.isclose(law @ np.arange(len(law)), galu_laws.expected_rank_one_input(m, k), rel_tol=1e-12)
    for m, d in itertools.product((1, 3, 8), (1, 2, 9)):
        assert math.isclose(galu_laws.full_rank_one_filter(m, d), galu_laws.rank_law(m, d, 1)[-1], rel_tol=1e-12)
    for k in range(2, 12):
        two = galu_laws.full_rank_two_inputs(k)
        assert math.isclose(two, galu_laws.no_zero_row_plane(2, k), rel_tol=1e-12)
        assert math.isclose(two, galu_laws.full_rank_probability(2, 2, k), rel_tol=1e-12)


def test_bounds_enclose_what_is_known():
    for m, d in itertools.product(range(1, 12), range(2, 6)):
        exact = galu_laws.full_rank_probability(m, d, 2)
        assert exact <= galu_laws.full_rank_at_most(m, d, 2) + 1e-12
        if m <= d:
            assert exact >= galu_laws.no_zero_row_at_least(m, 2) - 1e-12


def test_no_more_gate_patterns_than_cells():
    rng = np.random.default_rng(SEED)
    for d, k in ((2, 5), (3, 4), (2, 1), (1, 6)):
        x, u = rng.standard_normal((20_000, d)), rng.standard_normal((k, d))
        assert len(np.unique(x @ u.T > 0, axis=0)) <= galu_laws.cells(k, d)
    # In the plane all of them are seen.
    assert len(np.unique(x @ u.T > 0, axis=0)) == galu_laws.cells(6, 1)


def test_smallest_k():
    assert galu_laws.smallest_k(100, 7, 0.9, gate="logistic") == 15
    for probability in (0.3, 0.9, 0.999):
        k = galu_laws.smallest_k(2, 3, probability)
        assert galu_laws.full_rank_probability(2, 3, k) >= probability
        assert k == 1 or galu_laws.full_rank_probability(2, 3, k - 1) < probability
    with pytest.raises(ValueError, match="never give a rank above 2"):
        galu_laws.smallest_k(3, 1, 0.5)
    with pytest.raises(ValueError, match="m must be at most d"):
        galu_laws.smallest_k(100, 10, 0.5)
    with pytest.raises(ValueError, match="probability must be in"):
        galu_laws.smallest_k(3, 4, 1.0)
    with pytest.raises(ValueError, match="gate must be"):
        galu_laws.smallest_k(3, 4, 0.5, gate="tanh")


def test_expected_train_loss_of_random_features():
    assert galu_laws.expected_train_loss_random(10, 2, 3, gate="logistic") == 0.4
    assert math.isclose(galu_laws.expected_train_loss_random(4, 2, 2), 1 - 2.7 / 4, rel_tol=1e-12)
    with pytest.raises(ValueError, match="no closed form"):
        galu_laws.expected_train_loss_random(10, 2, 3)
