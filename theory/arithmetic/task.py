"""The arithmetic task t = sum_A x o sum_B x, o one of +, -, x: data, target, and threshold of success.

The n inputs are independent and uniform. Two subsets A and B of S neighbouring inputs share O of them; both lie at an
offset that is drawn once. Success is a mean squared error below that of a nearly perfect solution, on inputs from the
extrapolation range: see :mod:`theory.arithmetic.nearly_perfect` for its closed form. Positions and overlap of the two
subsets are given as shares of the input.
"""

from fractions import Fraction
from functools import partial
from math import floor

import numpy as np
import sympy
from sympy import Rational

from theory.arguments import numbers, one_of, reals, require
from theory.arithmetic import nearly_perfect
from theory.arithmetic.nearly_perfect import COUNT, DOMAIN, INSIDE, ORDERED, lower, n, overlap, size_a, size_b, upper
from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair
from theory.symbols import count, nonnegative, positive

_TARGET = [size_a, size_b, overlap, lower, upper]
_width_square, _sum_square = (upper - lower) ** 2, (upper + lower) ** 2


def _target(says: str, lhs: str, expr: sympy.Expr) -> Formula:
    return Formula(
        f"{says} of the target, inputs uniform on [lower, upper]",
        expr,
        _TARGET,
        lhs=lhs,
        source=Source("nau", "additional to eq. (12)"),
        domain={x: DOMAIN[x] for x in _TARGET},
        requires=[*INSIDE[:2], *ORDERED],
    )


target_mean_multiplication = _target(
    "mean, for multiplication,", "E[t]", size_a * size_b * _sum_square / 4 + overlap * _width_square / 12
)

target_variance_addition = _target(
    "variance, for addition,", r"\mathrm{Var}[t]", (size_a + size_b + 2 * overlap) * _width_square / 12
)

target_variance_subtraction = _target(
    "variance, for subtraction,", r"\mathrm{Var}[t]", (size_a + size_b - 2 * overlap) * _width_square / 12
)

target_variance_multiplication = _target(
    "variance, for multiplication,",
    r"\mathrm{Var}[t]",
    size_a * size_b * (size_a + size_b + 2 * overlap) * _sum_square * _width_square / 48
    + (size_a * size_b + overlap**2 - Rational(6, 5) * overlap) * _width_square**2 / 144,
)

affine_error_multiplication = _target(
    "least mean squared error of an affine map of the inputs, for multiplication,",
    r"\min_{c, d} E\left[(c + d^\top x - t)^2\right]",
    (size_a * size_b + overlap**2 - Rational(6, 5) * overlap) * _width_square**2 / 144,
)

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

    Ratios are interpreted as the decimal number that Python shows: 0.29 of 100 inputs are 29.

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
        require("task_sizes", name, ratio, 0 <= ratio <= 1, "be in [0, 1]", "pass a share")
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
    """Mean squared error of the nearly perfect solution, below which a fitted model counts as a success.

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
    one_of("success_threshold", "operation", operation, forms)
    input_size, subset_size = reals("success_threshold", input_size=input_size, subset_size=subset_size)
    for name, size in (("input_size", input_size), ("subset_size", subset_size)):
        require("success_threshold", name, size, COUNT.contains(size), f"be {COUNT}")
    (other,) = reals("success_threshold", size_b=subset_size if size_b is None else size_b)
    (overlap,) = reals("success_threshold", overlap=overlap)
    room, subset_size = np.broadcast_arrays(input_size + overlap - other, subset_size)
    rule = "be at most input_size + overlap - size_b"
    require("success_threshold", "subset_size", subset_size, subset_size <= room, rule)
    return forms[operation](input_size, subset_size, other, overlap, lower, upper, eps)


i, k, s, o = count("i"), nonnegative("k"), positive("s"), nonnegative("o")

SHARES = {n: COUNT, i: COUNT, k: Interval(0, 1), s: Interval(0, 0.5, open_low=True), o: Interval(0, 1)}

_formula = partial(Formula, source=Source("nau", "Algorithm 1, corrected"), domain=SHARES)
_second_subset = partial(_formula, arguments=[i, k, s, o])

overlap_inputs = _formula(
    "number of inputs in both subsets, before it is rounded down",
    n * s * o,
    [n, s, o],
    lhs=r"|A \cap B|",
    source=Source("nau", "Table 1"),
)

offset_range = _formula(
    "largest offset, as a fraction of the input, for an overlap relative to the subset",
    1 - 2 * s + o * s,
    [s, o],
    lhs=r"\max k",
    numeric=lambda s, o: (1 - 2 * Pair(s) + Pair(o) * s).high,
)

offset_range_input_share = _formula(
    "largest offset, as a fraction of the input, for an overlap relative to the input, at most s",
    1 - 2 * s + o,
    [s, o],
    lhs=r"\max k",
    source=Source("nau", "Algorithm 1, corrected for the alternative interpretation"),
    numeric=lambda s, o: (1 - 2 * Pair(s) + o).high,
)

second_start = _second_subset(
    "first index of the second subset, for an overlap relative to the subset",
    i * (k + s - o * s),
    lhs=r"\mathrm{start}(b)",
    numeric=lambda i, k, s, o: i * (k + s * (1 - o)),
)

second_end = _second_subset(
    "index behind the last of the second subset, for an overlap relative to the subset",
    i * (k + 2 * s - o * s),
    lhs=r"\mathrm{end}(b)",
    numeric=lambda i, k, s, o: i * (k + s * (2 - o)),
)
