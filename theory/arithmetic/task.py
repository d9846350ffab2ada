"""The arithmetic task t = sum_A x o sum_B x, o one of +, -, x: its data, its target, and when it counts as solved.

The n inputs are independent and uniform. Two subsets A and B of S neighbouring inputs share O of them; both lie at an
offset that is drawn once. Success is a mean squared error below that of a nearly perfect solution, on inputs from the
extrapolation range: see :mod:`theory.arithmetic.nearly_perfect` for its closed form.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

import numpy as np
import sympy
from sympy import Rational

from theory.arguments import numbers, reals, require
from theory.arithmetic import nearly_perfect
from theory.arithmetic.nearly_perfect import (
    COUNT,
    DOMAIN,
    INSIDE,
    ORDERED,
    RANGE,
    eps,
    lower,
    n,
    overlap,
    size_a,
    size_b,
    upper,
)
from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair
from theory.symbols import count, nonnegative, positive

__all__ = [
    "offset_range", "offset_range_input_share", "overlap_inputs", "product_error", "reciprocal_error", "second_start",
    "signed_product_mean", "success_threshold", "target_mean_multiplication", "target_variance_addition",
    "target_variance_multiplication", "target_variance_subtraction", "task_sizes", "unsigned_product_mean",
]  # fmt: skip

i, k, s, o = count("i"), nonnegative("k"), positive("s"), nonnegative("o")

# --- the target -------------------------------------------------------------------------------------------------

_TARGET = [size_a, size_b, overlap, lower, upper]
_width_square, _sum_square = (upper - lower) ** 2, (upper + lower) ** 2


def _target(says: str, expr: sympy.Expr) -> Formula:
    return Formula(
        f"{says} of the target, inputs uniform on [lower, upper]",
        expr,
        _TARGET,
        source=Source("nau", "beyond eq. (12)"),
        domain={x: DOMAIN[x] for x in _TARGET},
        requires=[*INSIDE[:2], *ORDERED],
    )


target_mean_multiplication = _target(
    "mean, for multiplication,",
    size_a * size_b * _sum_square / 4 + overlap * _width_square / 12,
)

target_variance_addition = _target(
    "variance, for addition,",
    (size_a + size_b + 2 * overlap) * _width_square / 12,
)

target_variance_subtraction = _target(
    "variance, for subtraction,",
    (size_a + size_b - 2 * overlap) * _width_square / 12,
)

target_variance_multiplication = _target(
    "variance, for multiplication,",
    size_a * size_b * (size_a + size_b + 2 * overlap) * _sum_square * _width_square / 48
    + (size_a * size_b + overlap**2 - Rational(6, 5) * overlap) * _width_square**2 / 144,
)

overlap_inputs = Formula(
    "number of inputs in both subsets, before it is rounded down",
    n * s * o,
    [n, s, o],
    source=Source("nau", "Table 1"),
    domain={n: COUNT, s: Interval(0, 0.5, open_low=True), o: Interval(0, 1)},
)

# --- where the subsets lie --------------------------------------------------------------------------------------

_SHARES = {s: Interval(0, 0.5, open_low=True), o: Interval(0, 1)}
_ALGORITHM = Source("nau", "Algorithm 1")

offset_range = Formula(
    "largest offset, as a share of the input, for an overlap that is a share of the subset",
    1 - 2 * s + o * s,
    [s, o],
    source=Source("nau", "Algorithm 1, corrected"),
    domain=_SHARES,
    numeric=lambda s, o: (1 - 2 * Pair(s) + Pair(o) * s).high,
)

offset_range_input_share = Formula(
    "largest offset, as a share of the input, for an overlap that is a share of the input, at most s",
    1 - 2 * s + o,
    [s, o],
    source=Source("nau", "Algorithm 1, corrected for the other reading"),
    domain=_SHARES,
    numeric=lambda s, o: (1 - 2 * Pair(s) + o).high,
)

_START = {i: COUNT, k: Interval(0, 1), **_SHARES}

second_start = Formula(
    "first index of the second subset, for an overlap that is a share of the subset",
    i * (k + s - o * s),
    [i, k, s, o],
    source=Source("nau", "Algorithm 1, corrected"),
    domain=_START,
    numeric=lambda i, k, s, o: i * (k + s * (1 - o)),
)

# --- what a NAC multiplication unit makes of weights 1 -----------------------------------------------------------

_POSITIVE = {lower: Interval(1e-6, 1e6), upper: RANGE, eps: Interval(0, 1e6), n: COUNT}


def _relative_error(n, lower, upper, eps):
    gap = (upper - lower) / lower
    return np.expm1(n * np.log1p(eps * np.log1p(gap) / (upper - lower)))


product_error = Formula(
    "mean of the relative error of a NAC multiplication unit with n weights of 1, inputs uniform on [lower, upper]",
    (1 + eps * sympy.log(upper / lower) / (upper - lower)) ** n - 1,
    [n, lower, upper, eps],
    source=Source("nau", "beyond section 2"),
    domain=_POSITIVE,
    requires=ORDERED,
    numeric=_relative_error,
)

reciprocal_error = Formula(
    "mean of the relative error of a NAC multiplication unit with one weight of -1, input uniform on [lower, upper]",
    -eps * sympy.log((upper + eps) / (lower + eps)) / (upper - lower),
    [lower, upper, eps],
    source=Source("nau", "beyond section 2"),
    domain={x: _POSITIVE[x] for x in (lower, upper, eps)},
    requires=ORDERED,
    numeric=lambda low, high, eps: -eps * np.log1p((high - low) / (low + eps)) / (high - low),
)

_SIGNED = {lower: Interval(-1e6, 0), upper: Interval(0, 1e6, open_low=True), eps: Interval(0, 1e6)}

signed_product_mean = Formula(
    "mean of the product of two inputs uniform on [lower, upper]",
    ((lower + upper) / 2) ** 2,
    [lower, upper],
    source=Source("nau", "section 2, multiplication by weights of 1"),
    domain={x: _SIGNED[x] for x in (lower, upper)},
)

unsigned_product_mean = Formula(
    "mean of a NAC multiplication unit with two weights of 1, inputs uniform on [lower, upper], lower <= 0 < upper",
    ((lower**2 + upper**2) / (2 * (upper - lower)) + eps) ** 2,
    [lower, upper, eps],
    source=Source("nau", "section 2, corrected"),
    domain=_SIGNED,
)

# --- for users --------------------------------------------------------------------------------------------------

_UNIFORM = {
    "addition": nearly_perfect.mse_addition,
    "subtraction": nearly_perfect.mse_subtraction,
    "multiplication": nearly_perfect.mse_multiplication,
}
_MIRRORED = {
    "addition": nearly_perfect.mse_addition_two_sided,
    "subtraction": nearly_perfect.mse_subtraction_two_sided,
    "multiplication": nearly_perfect.mse_multiplication_two_sided,
}


def task_sizes(input_size: int, subset_ratio: float, overlap_ratio: float) -> tuple[int, int, int]:
    """Numbers of inputs in a subset and in the overlap, and the largest offset of the first subset.

    Ratios are taken for the decimal number that they print as: 0.29 of 100 inputs are 29.

    Parameters
    ----------
    input_size : int
        At least 1.
    subset_ratio : float
        Of the inputs, in (0, 1]; at least one input.
    overlap_ratio : float
        Of a subset, in [0, 1].

    Returns
    -------
    tuple of three int
        S = floor(subset_ratio n), O = floor(overlap_ratio S), n - (2 S - O).

    Raises
    ------
    ValueError
        For ratios outside, an empty subset, or subsets that do not fit.

    Source: nau, Table 1 and Algorithm 1.

    Examples
    --------
    >>> task_sizes(100, 0.25, 0.5)
    (25, 12, 62)
    """
    subset_ratio, overlap_ratio = numbers("task_sizes", subset_ratio=subset_ratio, overlap_ratio=overlap_ratio)
    if isinstance(input_size, bool) or not isinstance(input_size, int | np.integer) or input_size < 1:
        raise ValueError(f"task_sizes: input_size must be an integer of at least 1, got {input_size!r}; pass one")
    for name, ratio in (("subset_ratio", subset_ratio), ("overlap_ratio", overlap_ratio)):
        if not 0 <= ratio <= 1:
            raise ValueError(f"task_sizes: {name} must be in [0, 1], got {ratio!r}; pass a share")
    subset = floor(Fraction(str(subset_ratio)) * int(input_size))
    shared = floor(Fraction(str(overlap_ratio)) * subset)
    if subset < 1:
        raise ValueError(
            f"task_sizes: subset_ratio must give at least one of {input_size} inputs, got {subset_ratio!r}; "
            "raise it, or the number of inputs"
        )
    largest = int(input_size) - (2 * subset - shared)
    if largest < 0:
        raise ValueError(
            f"task_sizes: both subsets must fit, got 2 x {subset} - {shared} > {input_size} inputs; "
            "lower subset_ratio or raise overlap_ratio"
        )
    return subset, shared, largest


def success_threshold(operation, input_size, subset_size, overlap, lower, upper, eps, *, size_b=None, two_sided=False):
    """Mean squared error of the nearly perfect solution: what a fitted model must stay below to count as a success.

    The expectation itself, where the paper takes a large sample.

    Parameters
    ----------
    operation : {"addition", "subtraction", "multiplication"}
    input_size, subset_size, overlap : int or integer array
        n, S and O: numbers of inputs in all, in a subset, in both subsets; 2 S - O <= n <= 10^6.
    lower, upper : float or array
        Inputs are independent and uniform on [lower, upper], lower < upper, both within 1e6 of zero.
    eps : float or array
        How far each weight of the first layer is off, in [0, 1/2].
    size_b : int or integer array, optional
        Size of the second subset where it is not that of the first, as in the four-input task.
    two_sided : bool
        Each input with probability 1/2 on [-upper, -lower] instead; needs 0 <= lower.

    Returns
    -------
    float or array
        Of the broadcast shape, with a relative error below 1e-12 for every eps.

    Raises
    ------
    ValueError
        For an unknown operation, or arguments outside these ranges.

    Source: nau, 3.1.1 and eq. (13).

    Examples
    --------
    The default task and the four-input task on the extrapolation range U[2, 6]:

    >>> round(success_threshold("multiplication", 100, 25, 12, 2, 6, 1e-4), 6)
    16.058813
    >>> round(success_threshold("multiplication", 4, 2, 2, 2, 6, 1e-4, size_b=4), 9)
    0.000215676
    """
    forms = _MIRRORED if two_sided else _UNIFORM
    if operation not in forms:
        raise ValueError(f"success_threshold: operation must be one of {sorted(forms)}, got {operation!r}; choose one")
    input_size, subset_size = reals("success_threshold", input_size=input_size, subset_size=subset_size)
    for name, size in (("input_size", input_size), ("subset_size", subset_size)):
        require("success_threshold", name, size, COUNT.contains(size), f"be {COUNT}")
    (other,) = reals("success_threshold", size_b=subset_size if size_b is None else size_b)
    (overlap,) = reals("success_threshold", overlap=overlap)
    room, subset_size = np.broadcast_arrays(input_size + overlap - other, subset_size)
    rule = "be at most input_size + overlap - size_b"
    require("success_threshold", "subset_size", subset_size, subset_size <= room, rule)
    return forms[operation](input_size, subset_size, other, overlap, lower, upper, eps)
