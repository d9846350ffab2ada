r"""The expected squared error of a network over the distribution of its inputs, without sampling noise.

Two hidden units of an addition layer and a multiplication layer (NAU, NMU) make

.. math:: y = u_1 u_2, \qquad u_j = 1 - w_j + w_j \sum_h W_{jh} x_h,

and the task is t = (L.x)(R.x). The error r = y - t is a quadratic function of the inputs, as is that of any linear
network. For independent inputs with mean m, variance v, fourth central moment k and no third one, write r at
x = m + e as r_0 + h.e + e'Me with M symmetric. Then

.. math:: E[r^2] = (r_0 + v \operatorname{tr} M)^2 + v |h|^2 + 2 v^2 {\textstyle\sum_{i \ne j}} M_{ij}^2
          + (k - v^2) {\textstyle\sum} M_{ii}^2 ,

a sum of terms of one sign, so that a loss near 0 keeps its digits. For uniform inputs k = 9 v^2/5.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sympy import Rational

from theory.arguments import in_float64, numbers, one_of, reals, require, shown
from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair
from theory.symbols import nonnegative, real

r_0, trace = real("r_0 trace")
slope_square, off_square, diagonal_square, var_x = nonnegative("slope_square off_square diagonal_square var_x")

_SIZE, _SQUARE = Interval(-1e80, 1e80), Interval(0, 1e160)
# Of weights and of the ends of the range.
LARGEST = 1e9


def _mean_square(r_0, trace, slope_square, off_square, diagonal_square, var_x):
    middle = Pair(var_x) * trace + r_0  # may cancel
    return middle.high**2 + var_x * (slope_square + var_x * (2 * off_square + 0.8 * diagonal_square))


mean_square = Formula(
    "mean of the square of r_0 + h.e + e'Me for independent uniform e of mean zero: trace of M, |h|^2, sums of the "
    "squares of M beside and on its diagonal",
    (r_0 + var_x * trace) ** 2
    + var_x * slope_square
    + 2 * var_x**2 * off_square
    + Rational(4, 5) * var_x**2 * diagonal_square,
    [r_0, trace, slope_square, off_square, diagonal_square, var_x],
    lhs=r"E\left[(r_0 + h^\top e + e^\top M e)^2\right]",
    source=Source("nau", "eq. (12), mean squared error"),
    domain={
        r_0: _SIZE, trace: _SIZE, slope_square: _SQUARE, off_square: _SQUARE, diagonal_square: _SQUARE,
        var_x: Interval(0, 1e60),
    },
    numeric=_mean_square,
)  # fmt: skip


class Residual(NamedTuple):
    """An error that is a quadratic function of the inputs: c + g.x + x'Mx.

    Attributes
    ----------
    constant : ndarray (...)
    linear : ndarray (..., n)
    quadratic : ndarray (..., n, n), symmetric
    """

    constant: np.ndarray
    linear: np.ndarray
    quadratic: np.ndarray


def _finite(function: str, **given: ArrayLike) -> list[np.ndarray]:
    arrays = reals(function, **given)
    for name, array in zip(given, arrays, strict=True):
        require(function, name, array, np.abs(array) <= LARGEST, f"lie within +-{LARGEST:g}")
    return arrays


def _symmetric(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    outer = a[..., :, None] * b[..., None, :]
    return 0.5 * (outer + np.swapaxes(outer, -1, -2))


def _moments(where: str, lower: float, upper: float) -> tuple[float, float]:
    low, high = numbers(where, lower=lower, upper=upper)
    if not -LARGEST <= low < high <= LARGEST:
        raise ValueError(
            f"{where}: lower must be below upper, both within +-{LARGEST:g}, got {low:g} and {high:g}; choose others"
        )
    return 0.5 * (low + high), (high - low) ** 2 / 12


@in_float64
def nmu_residual(first: ArrayLike, second: ArrayLike, left: ArrayLike, right: ArrayLike) -> Residual:
    """y - t of an NAU with two hidden units and an NMU, for t = (left.x)(right.x).

    Parameters
    ----------
    first : array (..., 2, n)
        Weights of the NAU.
    second : array (..., 2)
        Weights of the NMU.
    left, right : array (n,)
        What the two sums of the task take of each input.

    Raises
    ------
    ValueError
        Where shapes do not fit or a number is beyond 1e9.

    Source: nau, eqs. (6), (8), (12).

    Examples
    --------
    >>> perfect = nmu_residual([[1, 1, 1, 1], [1, 1, 0, 0]], [1, 1], [1, 1, 1, 1], [1, 1, 0, 0])
    >>> float(perfect.constant), bool(perfect.linear.any()), bool(perfect.quadratic.any())
    (0.0, False, False)
    """
    first, second, left, right = _finite("nmu_residual", first=first, second=second, left=left, right=right)
    inputs = left.shape[-1] if left.ndim else 0
    if first.shape[-2:] != (2, inputs) or second.shape[-1:] != (2,) or right.shape != left.shape or left.ndim != 1:
        raise ValueError(
            f"nmu_residual: first, second, left, right must have shapes (..., 2, n), (..., 2), (n,), (n,), got "
            f"{first.shape}, {second.shape}, {left.shape}, {right.shape}; there are two hidden units"
        )
    (one, other), slopes = np.moveaxis(1 - second, -1, 0), second[..., None] * first
    return Residual(
        one * other,
        one[..., None] * slopes[..., 1, :] + other[..., None] * slopes[..., 0, :],
        _symmetric(slopes[..., 0, :], slopes[..., 1, :]) - _symmetric(left, right),
    )


@in_float64
def linear_residual(
    first: ArrayLike,
    second: ArrayLike,
    left: ArrayLike,
    right: ArrayLike,
    biases: ArrayLike = 0.0,
    operation: str = "multiplication",
) -> Residual:
    """y - t of a network of linear layers, y = second.(first x + biases).

    Parameters
    ----------
    first : array (..., hidden, n)
    second : array (..., hidden)
    left, right : array (n,)
        What the two sums of the task take of each input.
    biases : array (..., hidden)
        Of the first layer.
    operation : {"addition", "subtraction", "multiplication"}
        t is the sum, the difference or the product of left.x and right.x.

    Raises
    ------
    ValueError
        For another operation, or where a number is beyond 1e9.

    Source: nau, Table 2, eq. (12).

    Examples
    --------
    >>> linear_residual([[1, 1], [0, 1]], [1, -1], [1, 1], [0, 1], operation="subtraction").linear
    array([0., 0.])
    """
    first, second, left, right, biases = _finite(
        "linear_residual", first=first, second=second, left=left, right=right, biases=biases
    )
    weights = np.einsum("...k,...kh->...h", second, first)
    constant = np.sum(second * biases, axis=-1)
    if operation == "multiplication":
        return Residual(constant, weights, np.broadcast_to(-_symmetric(left, right), (*weights.shape, left.size)))
    one_of("linear_residual", "operation", operation, ("addition", "subtraction", "multiplication"))
    target = left + right if operation == "addition" else left - right
    return Residual(constant, weights - target, np.zeros((*weights.shape, left.size)))


@in_float64
def population_loss(residual: Residual, lower: float, upper: float) -> np.ndarray:
    """E[r^2] for inputs that are independent and uniform on [lower, upper].

    Parameters
    ----------
    residual : Residual
        Of :func:`nmu_residual` or :func:`linear_residual`, leading axes (...).
    lower, upper : float

    Returns
    -------
    ndarray (...)

    Raises
    ------
    ValueError
        For what is no residual, and where ``lower`` is not below ``upper``.

    Source: nau, eq. (12); exact.

    Examples
    --------
    The best constant leaves the variance of the target, here of x_1 x_2 with x on [0, 1]: 1/9 - 1/16.

    >>> constant = linear_residual([[0, 0]], [1], [1, 0], [0, 1], biases=[0.25])
    >>> round(float(population_loss(constant, 0, 1)), 12), round(1 / 9 - 1 / 16, 12)
    (0.048611111111, 0.048611111111)
    """
    if not isinstance(residual, Residual):
        raise ValueError(
            f"population_loss: residual must be a Residual, got {shown(residual)}; make one by nmu_residual or "
            "linear_residual"
        )
    mean, var = _moments("population_loss", lower, upper)
    at_mean, slope = _around(residual, mean)
    squares = residual.quadratic**2
    on = np.sum(np.diagonal(squares, axis1=-2, axis2=-1), axis=-1)
    trace = np.trace(residual.quadratic, axis1=-2, axis2=-1)
    off = np.sum(squares, axis=(-2, -1)) - on
    return mean_square(at_mean, trace, np.sum(slope**2, axis=-1), np.maximum(off, 0), on, var)


def _around(residual: Residual, mean: float) -> tuple[np.ndarray, np.ndarray]:
    """The value and the slope of a residual where all inputs are at their mean."""
    rows = np.sum(residual.quadratic, axis=-1)
    value = residual.constant + mean * np.sum(residual.linear, axis=-1) + mean**2 * np.sum(rows, axis=-1)
    return value, residual.linear + 2 * mean * rows


@in_float64
def nmu_loss(
    first: ArrayLike, second: ArrayLike, left: ArrayLike, right: ArrayLike, lower: float, upper: float
) -> np.ndarray:
    """The exact loss of an NAU with two hidden units and an NMU: :func:`population_loss` of :func:`nmu_residual`.

    Examples
    --------
    >>> task = {"left": [1, 1, 1, 1], "right": [1, 1, 0, 0], "lower": 1, "upper": 2}
    >>> float(nmu_loss([[1, 1, 1, 1], [1, 1, 0, 0]], [1, 1], **task))
    0.0
    """
    return population_loss(nmu_residual(first, second, left, right), lower, upper)


@in_float64
def nmu_gradient(
    first: ArrayLike, second: ArrayLike, left: ArrayLike, right: ArrayLike, lower: float, upper: float
) -> tuple[np.ndarray, np.ndarray]:
    """The exact gradient of :func:`nmu_loss` by the weights of both layers.

    Parameters
    ----------
    first, second, left, right
        See :func:`nmu_residual`.
    lower, upper : float

    Returns
    -------
    tuple of ndarray (..., 2, n), (..., 2)

    Raises
    ------
    ValueError
        As :func:`nmu_residual` and :func:`population_loss`.

    Source: nau, eqs. (6), (8), (12); exact.

    Examples
    --------
    At the solution there is none:

    >>> task = {"left": [1, 1, 1, 1], "right": [1, 1, 0, 0], "lower": 1, "upper": 2}
    >>> by_first, by_second = nmu_gradient([[1, 1, 1, 1], [1, 1, 0, 0]], [1, 1], **task)
    >>> bool(by_first.any() or by_second.any())
    False
    """
    residual = nmu_residual(first, second, left, right)
    mean, var = _moments("nmu_gradient", lower, upper)
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    at_mean, slope = _around(residual, mean)
    middle = at_mean + var * np.trace(residual.quadratic, axis1=-2, axis2=-1)
    inputs = slope.shape[-1]
    weighted = residual.quadratic * (2 - 1.2 * np.eye(inputs)) * var**2
    by_first, by_second = np.empty(np.broadcast_shapes(first.shape, (*slope.shape[:-1], 2, inputs))), []
    for own, other in ((0, 1), (1, 0)):
        w = second[..., other, None] * first[..., other, :]  # the other factor is level + w.e at x = m + e
        level = 1 - second[..., other] + mean * np.sum(w, axis=-1)
        along = np.sum(slope * w, axis=-1)
        by_constant = 2 * middle * level + 2 * var * along
        by_slopes = (
            mean * by_constant[..., None]
            + 2 * var * (middle[..., None] * w + level[..., None] * slope)
            + 2 * np.einsum("...ij,...j->...i", weighted, w)
        )
        by_first[..., own, :] = second[..., own, None] * by_slopes
        by_second.append(np.sum(first[..., own, :] * by_slopes, axis=-1) - by_constant)
    return by_first, np.stack(by_second, axis=-1)
