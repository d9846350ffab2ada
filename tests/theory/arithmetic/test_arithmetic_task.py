"""The closed form of the threshold of success, against expectations taken term by term, and its safe use."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from theory.arithmetic import (
    exchanged_inputs_error,
    halved_weights_error,
    moved_weight_error,
    nearly_perfect,
    subsets,
    weights_of_one,
)
from theory.arithmetic import task as arithmetic_task
from theory.arithmetic.task import success_threshold, task_sizes

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


def weights(n, size_a, size_b, overlap, eps):
    """Rows of the nearly perfect first layer: A first, B starting in it."""
    in_a = [i < size_a for i in range(n)]
    in_b = [size_a - overlap <= i < size_a - overlap + size_b for i in range(n)]
    return [[1 - eps if inside else eps for inside in row] for row in (in_a, in_b)]


def raw_moments(lower, upper, two_sided):
    moments = [Fraction(upper ** (k + 1) - lower ** (k + 1)) / ((k + 1) * (upper - lower)) for k in range(5)]
    return [m if not two_sided or k % 2 == 0 else Fraction(0) for k, m in enumerate(moments)]


def mean_of_product(indices, moments):
    result = Fraction(1)
    for i in set(indices):
        result *= moments[indices.count(i)]
    return result


def brute_force(operation, n, size_a, size_b, overlap, lower, upper, eps, two_sided):
    """E[(h1 o h2 - a o b)^2] summed over all products of inputs."""
    moments = raw_moments(Fraction(lower), Fraction(upper), two_sided)
    (w1, w2), (t1, t2) = (weights(n, size_a, size_b, overlap, e) for e in (eps, Fraction(0)))
    if operation == "multiplication":
        terms = {(i, j): w1[i] * w2[j] - t1[i] * t2[j] for i in range(n) for j in range(n)}
    else:
        sign = 1 if operation == "addition" else -1
        terms = {(i,): w1[i] - t1[i] + sign * (w2[i] - t2[i]) for i in range(n)}
    return sum(
        c * d * mean_of_product((*first, *second), moments)
        for (first, c), (second, d) in itertools.product(terms.items(), terms.items())
    )


@pytest.mark.parametrize("layout", layouts(12, 20, seed=1))
@pytest.mark.parametrize("eps", [Fraction(0), Fraction(1, 10), Fraction(1, 2)])
def test_group_sums_are_those_of_the_matrix_of_the_error(layout, eps):
    n = layout[0]
    (w1, w2), (t1, t2) = weights(*layout, eps), weights(*layout, Fraction(0))
    # (h1 h2 - a b)/eps from its definition; for eps = 0 its limit.
    if eps:
        matrix = [[(w1[i] * w2[j] - t1[i] * t2[j]) / eps for j in range(n)] for i in range(n)]
    else:
        matrix = [[t1[i] * (1 - 2 * t2[j]) + (1 - 2 * t1[i]) * t2[j] for j in range(n)] for i in range(n)]
    form = [[(matrix[i][j] + matrix[j][i]) / 2 for j in range(n)] for i in range(n)]
    total, trace, rows, beside, diagonal = nearly_perfect.group_sums(*layout, eps)
    assert total == 2 * sum(map(sum, form))
    assert trace == sum(form[i][i] for i in range(n))
    assert rows == 4 * sum(sum(row) ** 2 for row in form)
    assert beside == 2 * sum(form[i][j] ** 2 for i in range(n) for j in range(n) if i != j)
    assert diagonal == sum(form[i][i] ** 2 for i in range(n))


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


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("eps", [1e-4, 1e-8, 1e-12, 1e-120])
@pytest.mark.parametrize("upper", [6.0, 2 + 1e-9])
def test_threshold_keeps_its_digits_for_small_eps_and_narrow_ranges(operation, eps, upper):
    form = getattr(nearly_perfect, f"mse_{operation}")
    exact = form.mp(100, 25, 25, 12, 2.0, upper, eps)
    value = success_threshold(operation, 100, 25, 12, 2.0, upper, eps)
    assert abs(value - exact) <= mpmath.mpf(10) ** -13 * exact


def test_threshold_where_the_mean_error_of_a_product_cancels():
    # Halves of the input: sum of the matrix is 0, so that the mean error is that of the variance alone.
    exact = nearly_perfect.mse_multiplication.mp(100, 50, 50, 0, 1e3, 1e3 + 1e-3, 1e-6)
    value = success_threshold("multiplication", 100, 50, 0, 1e3, 1e3 + 1e-3, 1e-6)
    assert abs(value - exact) <= 1e-13 * exact


@pytest.mark.parametrize(("alone", "shared", "lower", "upper", "delta"), [
    (1, 0, 2, 6, 0.2), (25, 25, 2, 6, 0.47), (3, 1, -1, 2, 0.5), (2, 4, -1, 1, 1.0), (2, 0, -6, -2, 0.9),
])  # fmt: skip
def test_a_moved_part_of_a_weight_costs_what_a_simulation_says(alone, shared, lower, upper, delta):
    x = np.random.default_rng(7).uniform(lower, upper, (2 * alone + shared, 100_000))
    a, b = x[: alone + shared].sum(0), x[alone:].sum(0)
    squares = ((a - delta * x[0]) * (b + delta * x[0]) - a * b) ** 2
    error = squares.std() / len(squares) ** 0.5
    assert abs(squares.mean() - moved_weight_error(alone, lower, upper, delta)) < 5 * error < 0.1 * squares.mean()


@pytest.mark.parametrize(("alone", "shared", "lower", "upper", "exchanged"), [
    (2, 3, 2, 6, 1), (13, 12, 0.1, 0.2, 6), (5, 0, -1, 2, 4),
])  # fmt: skip
def test_sums_that_are_known_together_alone_cost_what_a_simulation_says(alone, shared, lower, upper, exchanged):
    x = np.random.default_rng(8).uniform(lower, upper, (2 * alone + shared, 100_000))
    a, b = x[: alone + shared].sum(0), x[alone:].sum(0)
    over = x[:exchanged].sum(0) - x[alone + shared :][:exchanged].sum(0)
    for form, squares in (
        (exchanged_inputs_error(alone, lower, upper, exchanged), ((a - over) * (b + over) - a * b) ** 2),
        (halved_weights_error(alone, lower, upper), (((a + b) / 2) ** 2 - a * b) ** 2),
    ):
        error = squares.std() / len(squares) ** 0.5
        assert abs(squares.mean() - form) < 5 * error < 0.1 * squares.mean()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_four_input_example_is_a_case_of_the_general_form(operation):
    simple = getattr(nearly_perfect, f"simple_mse_{operation}")
    for lower, upper, eps in [(2, 6, 1e-4), (-1, 2, 0.5), (0.5, 0.75, 0.1)]:
        general = success_threshold(operation, 4, 2, 2, lower, upper, eps, size_b=4)
        assert simple(lower, upper, eps) == pytest.approx(general, rel=1e-13, abs=0)


@pytest.mark.parametrize(
    ("operation", "eps", "meant", "grouped"),
    [
        ("multiplication", 1e-4, 16.0588, 16.0053),
        ("multiplication", 1e-5, 0.160559, 0.160026),
        ("addition", 1e-4, 1.60395e-3, 1.47851e-3),
        ("subtraction", 1e-4, 1.38667e-6, 1.38667e-6),
    ],
)
def test_default_task_has_the_thresholds_that_the_notes_state(operation, eps, meant, grouped):
    """Once with 25 inputs in a subset and 12 shared, once with the published grouping of 26 and 13."""
    assert success_threshold(operation, 100, 25, 12, 2, 6, eps) == pytest.approx(meant, rel=1e-5)
    assert success_threshold(operation, 100, 26, 13, 2, 6, eps) == pytest.approx(grouped, rel=1e-5)


def test_other_numbers_of_the_notes():
    assert success_threshold("multiplication", 100, 25, 12, 2, 6, 1e-4, two_sided=True) == pytest.approx(
        16.0588 / 734, rel=1e-3
    )
    assert arithmetic_task.target_mean_multiplication(25, 25, 12, 1, 2) == 1407.25
    assert arithmetic_task.target_mean_multiplication(25, 25, 12, 2, 6) == 10016
    assert subsets.overlap_inputs(100, 0.25, 0.5) == 12.5
    assert nearly_perfect.simple_mse_addition(2, 6, 1e-4) == pytest.approx(2.667e-6, rel=2e-4)
    assert nearly_perfect.simple_mse_multiplication(2, 6, 1e-4) == pytest.approx(2.157e-4, rel=2e-4)
    ratio = success_threshold("addition", 100, 25, 12, 2, 6, 1e-4) / success_threshold(
        "subtraction", 100, 25, 12, 2, 6, 1e-4
    )
    assert round(ratio) == 1157


def test_what_an_affine_map_leaves_of_a_product_and_of_a_square():
    """x_1 x_2 on [0, 1] without its affine part is (x_1 - 1/2)(x_2 - 1/2); the best line through x^2 leaves 1/180."""
    assert arithmetic_task.affine_error_multiplication(1, 1, 0, 0, 1) == pytest.approx(1 / 144)
    assert arithmetic_task.affine_error_multiplication(1, 1, 1, 0, 1) == pytest.approx(1 / 180)


def test_threshold_takes_arrays():
    eps = np.array([1e-4, 1e-5])
    n = np.array([[50], [100]])
    values = success_threshold("multiplication", n, 12, 6, 2, 6, eps)
    assert values.shape == (2, 2)
    assert values[1, 0] == success_threshold("multiplication", 100, 12, 6, 2, 6, 1e-4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"operation": "division"}, "operation must be one of"),
        ({"overlap": 30}, "overlap <= size_a"),
        ({"input_size": 37}, "subset_size must be at most input_size"),
        ({"subset_size": 2.5}, "subset_size must be an integer"),
        ({"lower": 6}, "lower < upper"),
        ({"eps": 0.6}, "eps must be"),
        ({"eps": float("nan")}, "eps must be"),
        ({"lower": -1, "two_sided": True}, "lower must be"),
    ],
)
def test_threshold_refuses_what_makes_no_sense(change, message):
    sizes = {"input_size": 100, "subset_size": 25, "overlap": 12}
    given = {"operation": "multiplication", **sizes, "lower": 2, "upper": 6, "eps": 1e-4, **change}
    with pytest.raises(ValueError, match=message):
        success_threshold(**given)


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


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((0, 0.5, 0.5), "input_size must be"),
        ((10.0, 0.5, 0.5), "input_size must be"),
        ((10, 1.5, 0.5), "subset_ratio must be"),
        ((10, 0.5, -0.1), "overlap_ratio must be"),
        ((10, 0.5, float("nan")), "overlap_ratio must be"),
        ((3, 0.25, 0.5), "at least one"),
        ((10, 0.8, 0.1), "must fit"),
    ],
)
def test_task_sizes_refuses_what_makes_no_sense(sizes, message):
    with pytest.raises(ValueError, match=message):
        task_sizes(*sizes)


@pytest.mark.parametrize(("s", "o"), [(0.25, 0.2), (0.05, 0.4), (0.5, 0.5), (0.1, 1.0)])
def test_offset_range_is_the_largest_offset_where_all_numbers_are_whole(s, o):
    n = 100
    assert n * subsets.offset_range(s, o) == pytest.approx(task_sizes(n, s, o)[2], abs=1e-12)


def test_relative_errors_of_a_narrow_range_are_those_of_one_value():
    narrow = weights_of_one.product_error(2, 3.0, np.nextafter(3.0, 4), 1e-7)
    assert narrow == pytest.approx((1 + 1e-7 / 3) ** 2 - 1, rel=1e-8)
    assert weights_of_one.reciprocal_error(3.0, np.nextafter(3.0, 4), 0.5) == pytest.approx(3 / 3.5 - 1, rel=1e-12)
