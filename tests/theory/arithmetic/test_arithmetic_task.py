"""The arithmetic task: threshold of success, losses over all inputs and regularisers, against plain readings."""

import itertools
import random
from fractions import Fraction
from math import prod

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given, strategies as st

from theory.arithmetic import linear_residual, nmu_gradient, nmu_loss, population_loss, regularisers
from theory.arithmetic.regularisers import layer_regulariser, sparsity_error
from theory.arithmetic.task import success_threshold, task_sizes


def layouts(largest, number, seed):
    """Random sizes of two overlapping subsets of n inputs."""
    chooser, found = random.Random(seed), []
    while len(found) < number:
        n = chooser.randint(1, largest)
        a, b = chooser.randint(1, n), chooser.randint(1, n)
        overlap = chooser.randint(0, min(a, b))
        if a + b - overlap <= n:
            found.append((n, a, b, overlap))
    return found


def brute_force(operation, n, size_a, size_b, overlap, lower, upper, eps, two_sided):
    """E[(h1 o h2 - a o b)^2] summed over all products of inputs."""
    moments = [Fraction(upper ** (k + 1) - lower ** (k + 1), (k + 1) * (upper - lower)) for k in range(5)]
    moments = [0 if two_sided and k % 2 else moment for k, moment in enumerate(moments)]
    # Rows of the first layer, nearly perfect and perfect: A first, B starting in it.
    begin = size_a - overlap
    w1, t1 = ([1 - e if i < size_a else e for i in range(n)] for e in (eps, 0))
    w2, t2 = ([1 - e if begin <= i < begin + size_b else e for i in range(n)] for e in (eps, 0))

    def mean_of_product(indices):
        return prod(moments[indices.count(i)] for i in set(indices))

    if operation == "multiplication":
        terms = {(i, j): w1[i] * w2[j] - t1[i] * t2[j] for i in range(n) for j in range(n)}
    else:
        sign = 1 if operation == "addition" else -1
        terms = {(i,): w1[i] - t1[i] + sign * (w2[i] - t2[i]) for i in range(n)}
    return sum(c * d * mean_of_product((*i, *j)) for (i, c), (j, d) in itertools.product(terms.items(), repeat=2))


@pytest.mark.parametrize("layout", layouts(5, 6, seed=2))
@pytest.mark.parametrize("operation", ["addition", "subtraction", "multiplication"])
@pytest.mark.parametrize(("lower", "upper", "two_sided"), [(2, 6, False), (-1, 2, False), (2, 6, True), (0, 1, True)])
def test_threshold_is_the_expectation_term_by_term(operation, layout, lower, upper, two_sided):
    n, a, b, overlap = layout
    for eps in (Fraction(1, 3), Fraction(1, 10**8)):
        exact = brute_force(operation, n, a, b, overlap, lower, upper, eps, two_sided)
        value = success_threshold(operation, n, a, overlap, lower, upper, float(eps), size_b=b, two_sided=two_sided)
        # The float nearest to 1/3 is another eps, by 1e-16.
        assert value == pytest.approx(float(exact), rel=1e-14, abs=0)


def test_threshold_takes_arrays():
    eps = np.array([1e-4, 1e-5])
    n = np.array([[50], [100]])
    values = success_threshold("multiplication", n, 12, 6, 2, 6, eps)
    assert values.shape == (2, 2)
    assert values[1, 0] == success_threshold("multiplication", 100, 12, 6, 2, 6, 1e-4)


# 0.29 * 100 is 28.999999999999996.
@pytest.mark.parametrize(("sizes", "expected"), [
    ((100, 0.25, 0.5), (25, 12, 62)), ((100, 0.29, 0.0), (29, 0, 42)), ((4, 0.25, 0.5), (1, 0, 2)),
    ((100, 0.5, 0.0), (50, 0, 0)), ((10, 1.0, 1.0), (10, 10, 0)),
])  # fmt: skip
def test_task_sizes(sizes, expected):
    assert task_sizes(*sizes) == expected


LEFT, RIGHT = [1, 1, 1], [0, 1, 1]
TASK = {"left": LEFT, "right": RIGHT, "lower": -1, "upper": 3}
X = sympy.symbols("x1:4")
FIRST, SECOND = sympy.Matrix(2, 3, sympy.symbols("w11:14 w21:24")), sympy.symbols("v1:3")


def mean(polynomial):
    """Over inputs uniform on [-1, 3], by the moments of one input."""
    moments = [sympy.integrate(X[0] ** k, (X[0], -1, 3)) / 4 for k in range(5)]
    return sum(c * sympy.prod(moments[k] for k in powers) for powers, c in sympy.Poly(polynomial, *X).terms())


def dot(weights):
    return sum(w * x for w, x in zip(weights, X, strict=True))


@pytest.fixture(scope="module")
def polynomials():
    """The loss of an NAU and an NMU as a polynomial in their weights, and its slopes, as functions of all weights."""
    y = sympy.prod(v * dot(FIRST.row(j)) + 1 - v for j, v in enumerate(SECOND))
    weights = [*FIRST, *SECOND]
    loss = sympy.Poly(mean(sympy.Poly(y - dot(LEFT) * dot(RIGHT), *X, *weights) ** 2), *weights)
    return [sympy.lambdify(weights, p.as_expr()) for p in (loss, *(loss.diff(w) for w in weights))]


def drawn(seed):
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (2, 3)), rng.uniform(0, 1, 2)


@pytest.mark.parametrize("seed", range(3))
def test_loss_and_gradient_of_an_nmu_are_those_of_the_polynomial(polynomials, seed):
    first, second = drawn(seed)
    loss, *expected = (p(*first.ravel(), *second) for p in polynomials)
    assert nmu_loss(first, second, **TASK) == pytest.approx(loss, rel=1e-13)
    by_first, by_second = nmu_gradient(first, second, **TASK)
    assert [*by_first.ravel(), *by_second] == pytest.approx(expected, rel=1e-12, abs=1e-11)


def test_leading_axes_are_networks():
    networks = [drawn(seed) for seed in range(6)]
    first, second = (np.array(part).reshape(2, 3, *part[0].shape) for part in zip(*networks, strict=True))
    losses, (by_first, by_second) = nmu_loss(first, second, **TASK), nmu_gradient(first, second, **TASK)
    for place, (one, other) in zip(itertools.product(range(2), range(3)), networks, strict=True):
        assert losses[place] == nmu_loss(one, other, **TASK)
        alone = nmu_gradient(one, other, **TASK)
        assert by_first[place] == pytest.approx(alone[0], rel=1e-14)
        assert by_second[place] == pytest.approx(alone[1], rel=1e-14)


@pytest.mark.parametrize("step", [1e-3, 1e-6, 1e-9])
def test_small_losses_keep_their_digits(step):
    """Beside the solution the loss is that of its linear term, step^2 E[x^2 (R.x)^2], no remainder of large ones."""
    first, second = np.array([LEFT, RIGHT], dtype=float), np.ones(2)
    first[0, 0] += step
    expected = step**2 * float(mean(sympy.expand(X[0] ** 2 * dot(RIGHT) ** 2)))
    assert nmu_loss(first, second, **TASK) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("operation", "target"), [
    ("addition", dot(LEFT) + dot(RIGHT)), ("subtraction", dot(LEFT) - dot(RIGHT)),
    ("multiplication", dot(LEFT) * dot(RIGHT)),
])  # fmt: skip
def test_loss_of_linear_layers_is_that_of_the_polynomial(operation, target):
    first, second, biases = [[1, -2, 3], [2, 0, 1]], [3, -1], [1, 4]
    y = 3 * (dot(first[0]) + 1) - (dot(first[1]) + 4)
    residual = linear_residual(first, second, LEFT, RIGHT, biases, operation)
    assert population_loss(residual, -1, 3) == pytest.approx(float(mean(sympy.expand((y - target) ** 2))), rel=1e-14)


@pytest.mark.parametrize(("unit", "kind"), regularisers.PENALTIES)
def test_slopes_are_derivatives(unit, kind):
    penalty, slope = regularisers.PENALTIES[unit, kind], getattr(regularisers, f"{unit}_{kind}_slope")
    for w in [-3.0, -1.25, -0.75, -0.3, 0.1, 0.5, 0.9, 1.5, 2.0]:
        assert float(mpmath.diff(penalty.mp, w)) == pytest.approx(slope(w), rel=1e-9, abs=1e-12)


def test_clamps():
    w = np.array([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])
    assert np.array_equal(regularisers.nau_clamp(w), np.clip(w, -1, 1))
    assert np.array_equal(regularisers.nmu_clamp(w), np.clip(w, 0, 1))


@pytest.mark.parametrize(("unit", "kind"), regularisers.PENALTIES)
@pytest.mark.parametrize("shape", [(2, 100), (1, 2), (3, 3)])
def test_normalisations_differ_by_entries_over_fans(unit, kind, shape):
    w = np.random.default_rng(3).uniform(-2, 2, shape)
    average = layer_regulariser(unit, kind, w)
    printed = layer_regulariser(unit, kind, w, normalisation="fans")
    assert average == pytest.approx(np.mean(regularisers.PENALTIES[unit, kind](w)), rel=1e-14)
    assert printed / average == pytest.approx(regularisers.entries_over_fans(shape[1], shape[0]), rel=1e-14)


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=8))
def test_sparsity_error_exceeds_half_exactly_beyond_three_halves(weights):
    error = sparsity_error(weights)
    assert error == max(min(abs(w), abs(abs(w) - 1)) for w in weights)
    assert (error > 0.5) == (max(map(abs, weights)) > 1.5)


def test_sparsity_error_is_over_all_matrices():
    assert sparsity_error([[1.0, 0.0]], [[0.9]]) == pytest.approx(0.1)
