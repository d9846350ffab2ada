"""Exact losses of networks over all inputs, against integrals of their polynomials."""

import itertools

import numpy as np
import pytest
import sympy

from theory.arithmetic import linear_residual, nmu_gradient, nmu_loss, population_loss

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
