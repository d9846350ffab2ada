"""The closed form of the threshold of success, against expectations taken term by term, and its safe use."""

import itertools
import random
from fractions import Fraction
from math import prod

import numpy as np
import pytest

from theory.arithmetic.task import overlap_inputs, success_threshold, task_sizes

OPERATIONS = ["addition", "subtraction", "multiplication"]


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
    return sum(
        c * d * mean_of_product((*first, *second))
        for (first, c), (second, d) in itertools.product(terms.items(), terms.items())
    )


@pytest.mark.parametrize("layout", layouts(5, 6, seed=2))
@pytest.mark.parametrize("operation", OPERATIONS)
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


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((100, 0.25, 0.5), (25, 12, 62)),
        ((100, 0.29, 0.0), (29, 0, 42)),  # 0.29 * 100 is 28.999999999999996
        ((4, 0.25, 0.5), (1, 0, 2)),
        ((100, 0.5, 0.0), (50, 0, 0)),
        ((10, 1.0, 1.0), (10, 10, 0)),
    ],
)
def test_task_sizes(sizes, expected):
    assert task_sizes(*sizes) == expected


def test_the_shared_inputs_may_be_no_whole_number():
    assert overlap_inputs(100, 0.25, 0.5) == 12.5
