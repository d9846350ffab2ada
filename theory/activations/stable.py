r"""Logarithms of the logistic function, softmax and cross-entropies that neither overflow nor lose relative precision.

Textbook forms overflow beyond 709 (88 in float32), and lose what is small beside 1: :math:`-\log(1 + e^{-40})` is
:math:`-4.2 \cdot 10^{-18}` and not 0. Here the exponential is taken of numbers up to 0 only, the largest entry stands
apart in the sum, and what the subtraction of the largest entry rounds off is put back.

Arrays of float32 give float32, computed in float64; all else is float64.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from theory.arguments import in_float64, real_array, require, whole_within
from theory.numerics.pairs import two_sum


def _numbers(function: str, name: str, values: Any) -> tuple[np.ndarray, np.dtype]:
    """Values as float64, and the type that the result is to have."""
    array = real_array(function, name, values)
    require(function, name, array, ~np.isnan(array), "be numbers", "look for where it came from")
    single = getattr(values, "dtype", None) == np.float32
    return array, np.dtype(np.float32 if single else np.float64)


def _plain(values: np.ndarray, kind: np.dtype) -> Any:
    with np.errstate(under="ignore"):
        values = np.asarray(values, dtype=kind)
    return values.item() if values.ndim == 0 and kind == np.float64 else values


def _softplus(x: np.ndarray) -> np.ndarray:
    with np.errstate(under="ignore"):
        return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def softplus(x: Any) -> Any:
    """log(1 + e^x), element by element.

    Parameters
    ----------
    x : array of any shape
        Any numbers, infinite ones too.

    Returns
    -------
    array of the same shape, or float
        Relative error below 8 units of 2^-53, of 2^-24 for float32; 1.7 were measured.

    Raises
    ------
    ValueError
        For nan.

    Source: nerva, Table 2, ``log_sigmoid``.

    Examples
    --------
    >>> softplus([-800.0, 0.0, 800.0]).round(6).tolist()
    [0.0, 0.693147, 800.0]
    """
    array, kind = _numbers("softplus", "x", x)
    return _plain(_softplus(array), kind)


def log_sigmoid(x: Any) -> Any:
    """log(1/(1 + e^-x)), element by element; arguments, precision and errors as of :func:`softplus`.

    Source: nerva, Table 1.

    Examples
    --------
    >>> log_sigmoid([-800.0, 0.0, 40.0]).tolist()
    [-800.0, -0.6931471805599453, -4.248354255291589e-18]
    """
    array, kind = _numbers("log_sigmoid", "x", x)
    return _plain(-_softplus(-array), kind)


def _check_finite(function: str, name: str, values: np.ndarray) -> None:
    if not np.isfinite(values).all():
        raise ValueError(f"{function}: {name} must be finite, got infinite entries; leave them out")


def _apart(function: str, x: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """e^z of z = x - max(x) with what rounding took from z put back, z itself, the sum of e^z less its largest, 1."""
    _check_finite(function, "x", x)
    if not x.ndim or not x.size:
        raise ValueError(f"{function}: x must have entries, got shape {x.shape}; pass a vector")
    axis = whole_within(function, "axis", axis, -x.ndim, x.ndim - 1)
    first = np.expand_dims(x.argmax(axis), axis)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        z, lost = two_sum(x, -np.take_along_axis(x, first, axis))
        powers = np.where(np.isfinite(z), np.exp(z) * (1 + lost), 0.0)
    others = powers.copy()
    np.put_along_axis(others, first, 0.0, axis)
    return powers, z, others.sum(axis=axis, keepdims=True)


def softmax(x: Any, axis: int = -1) -> Any:
    """e^x over its sum along an axis.

    Parameters
    ----------
    x : array
        Finite numbers.
    axis : int
        Along which the result adds up to 1.

    Returns
    -------
    array of the same shape
        Relative error below 8 units of 2^-53 wherever the result is a normal number, for up to a thousand entries;
        2.9 were measured.

    Raises
    ------
    ValueError
        For nan, infinite entries, no entries, and an axis that x does not have.

    Source: nerva, section 5.1.

    Examples
    --------
    >>> softmax([1000.0, 1000.0, 0.0]).tolist()
    [0.5, 0.5, 0.0]
    """
    array, kind = _numbers("softmax", "x", x)
    powers, _, others = _apart("softmax", array, axis)
    with np.errstate(under="ignore"):
        return _plain(powers / (1 + others), kind)


def log_softmax(x: Any, axis: int = -1) -> Any:
    """log of :func:`softmax`; arguments, precision and errors as there.

    Source: nerva, section 5.1.

    Examples
    --------
    >>> log_softmax([0.0, -40.0]).tolist()
    [-4.248354255291589e-18, -40.0]
    """
    array, kind = _numbers("log_softmax", "x", x)
    _, z, others = _apart("log_softmax", array, axis)
    return _plain(z - np.log1p(others), kind)


@in_float64
def softmax_cross_entropy(y: Any, t: Any) -> float:
    """The sum of -t log softmax(y) over all entries, softmax along the last axis.

    Parameters
    ----------
    y, t : arrays of one shape
        Outputs, finite; targets.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        When the shapes differ, and for nan or infinite entries.
    OverflowError
        When the sum leaves float64.

    Source: nerva, eq. (31).

    Examples
    --------
    >>> softmax_cross_entropy([[40.0, 0.0]], [[1, 0]])
    4.248354255291589e-18
    """
    return _weighted("softmax_cross_entropy", y, t, log_softmax)


@in_float64
def logistic_cross_entropy(y: Any, t: Any) -> float:
    """The sum of -t log sigma(y) over all entries; arguments and errors as of :func:`softmax_cross_entropy`.

    Source: nerva, eq. (32), which has no term for 1 - t.

    Examples
    --------
    >>> logistic_cross_entropy([-800.0, 40.0], [1, 1])
    800.0
    """
    return _weighted("logistic_cross_entropy", y, t, log_sigmoid)


def _weighted(function: str, y: Any, t: Any, logarithm: Callable[[np.ndarray], np.ndarray]) -> float:
    outputs, targets = _numbers(function, "y", y)[0], _numbers(function, "t", t)[0]
    if outputs.shape != targets.shape:
        raise ValueError(
            f"{function}: t must have the shape of y, got {targets.shape} and {outputs.shape}; give a target per output"
        )
    _check_finite(function, "y", outputs)
    _check_finite(function, "t", targets)
    with np.errstate(over="ignore"):
        return float(np.sum(targets * -logarithm(outputs)))
