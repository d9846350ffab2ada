r"""Gradients and length scales of random tanh networks f(x) = sum_j v_j tanh(w_j . x + b_j).

w ~ N(0, weight_scale^2 I) and b ~ N(0, bias_scale^2); the output weights have mean 0 and variance 1/H. What the moments
of a unit are made of is in :mod:`theory.wide_networks.tanh_units`, what the lengths mean in
:mod:`theory.wide_networks.length_scales`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from theory.arguments import reals, require
from theory.wide_networks.tanh_units import LARGEST_VARIANCE, curvature_square, mean_of_each, slope_square, square


def tanh_gradient_norm(fan_in: Any, weight_variance: Any, bias_variance: Any, distance_square: Any) -> Any:
    """Mean squared length of the gradient of a random tanh network at a distance from the origin, at any width.

    Parameters
    ----------
    fan_in : int or array
        Inputs, 1 to 1e15.
    weight_variance, bias_variance : float or array
        Above 0, at most 1e100.
    distance_square : float or array
        |x|^2, 0 to 1e100 and such that weight_variance |x|^2 + bias_variance is at most 1e6.

    Returns
    -------
    float or array
        Of the broadcast shape, to a relative error of 1e-13.

    Raises
    ------
    ValueError
        For other values.

    Source: smooth, 3.3.

    Examples
    --------
    >>> round(tanh_gradient_norm(2, 1.0, 1.0, 0.0), 9)
    0.928805805
    """
    name = "tanh_gradient_norm"
    given = reals(name, fan_in=fan_in, weight_variance=weight_variance, bias_variance=bias_variance,
                  distance_square=distance_square)  # fmt: skip
    inputs, weight, bias, distance = np.broadcast_arrays(*given)
    whole = (inputs >= 1) & (inputs <= 1e15) & (inputs == np.floor(inputs))
    require(name, "fan_in", inputs, whole, "be a whole number in [1, 1e15]")
    require(name, "weight_variance", weight, (weight > 0) & (weight <= 1e100), "be in (0, 1e100]")
    require(name, "distance_square", distance, (distance >= 0) & (distance <= 1e100), "be in [0, 1e100]")
    across, along = _slopes(name, weight * distance, bias)
    found = weight * ((inputs - 1) * across + along)
    return found if found.ndim else float(found)


def _slopes(function: str, of_weights: np.ndarray, of_bias: np.ndarray) -> tuple[Any, Any]:
    """E[phi'^2] and E[(w phi')^2] for w ~ N(0, 1) along x; the arguments are parts of the variance of a unit."""
    require(function, "the bias", of_bias, of_bias > 0, "have a variance above 0")
    k = of_weights + of_bias
    require(function, "the place", k, k <= LARGEST_VARIANCE, "give a unit a variance of at most 1e6", "go nearer to 0")
    across = mean_of_each(function, slope_square, k)
    weighted = mean_of_each(function, lambda u: u * u * slope_square(u), k) / k
    return across, (of_bias * across + of_weights * weighted) / k


def _length(function: str, weight_scale: Any, bias_scale: Any, one: Callable, other: Callable) -> Any:
    """Root of the ratio of two moments of a unit at the origin, over the standard deviation of its weight."""
    scale, bias = reals(function, weight_scale=weight_scale, bias_scale=bias_scale)
    require(function, "weight_scale", scale, (scale >= 1e-150) & (scale <= 1e150), "be in [1e-150, 1e150]")
    require(function, "bias_scale", bias, (bias >= 1e-150) & (bias <= 1e3), "be in [1e-150, 1e3]")
    moments = [mean_of_each(function, g, bias**2) for g in (one, other)]
    found = np.sqrt(np.divide(*moments)) / scale
    return found if found.ndim else float(found)


def tanh_zeros_length(weight_scale: Any, bias_scale: Any) -> Any:
    """Length scale by zeros at the origin of a wide tanh network.

    Parameters
    ----------
    weight_scale : float or array
        Standard deviation of the weights along the line, in [1e-150, 1e150].
    bias_scale : float or array
        Standard deviation of the biases, in [1e-150, 1e3].

    Returns
    -------
    float or array
        Of the broadcast shape, to a relative error of 1e-14.

    Raises
    ------
    ValueError
        For other values.

    Source: smooth, 3.3.

    Examples
    --------
    >>> round(tanh_zeros_length(1.0, 1.0), 9)
    0.921431153
    """
    return _length("tanh_zeros_length", weight_scale, bias_scale, square, slope_square)


def tanh_extrema_length(weight_scale: Any, bias_scale: Any) -> Any:
    """Length scale by extrema at the origin; arguments, errors and source as of :func:`tanh_zeros_length`.

    Examples
    --------
    >>> round(tanh_extrema_length(1.0, 1.0), 9)
    1.24376795
    """
    return _length("tanh_extrema_length", weight_scale, bias_scale, slope_square, curvature_square)


def tanh_zeros_at(weight_scale: Any, bias_scale: Any, place: Any) -> Any:
    r"""Expected zeros in a unit of length of a wide tanh network on a line, at a distance from the origin.

    Rice's formula sqrt(C C'' - C'^2)/(pi C), with the variance C = E[phi^2] of values, C'' = E[(w phi')^2] of slopes,
    and their covariance C' = E[phi w phi'].

    Parameters
    ----------
    weight_scale, bias_scale : float or array
        Standard deviations of w and b, in [1e-75, 1e75].
    place : float or array
        t, such that weight_scale^2 t^2 + bias_scale^2 is at most 1e6.

    Returns
    -------
    float or array
        Of the broadcast shape. Relative error 1e-10 where bias_scale is at least a thousandth of weight_scale |t|.

    Raises
    ------
    ValueError
        For other values.

    Source: smooth, 3.3.

    Examples
    --------
    >>> round(tanh_zeros_at(1.0, 1.0, 0.0), 9)
    0.345451622
    """
    name = "tanh_zeros_at"
    given = reals(name, weight_scale=weight_scale, bias_scale=bias_scale, place=place)
    scale, bias, t = np.broadcast_arrays(*given)
    for of, value in (("weight_scale", scale), ("bias_scale", bias)):
        require(name, of, value, (value >= 1e-75) & (value <= 1e75), "be in [1e-75, 1e75]")
    require(name, "place", t, np.abs(t) <= 1e75, "be at most 1e75 in size", "go nearer to 0")
    of_weights, of_bias = (scale * t) ** 2, bias**2
    across, along = _slopes(name, of_weights, of_bias)
    value = mean_of_each(name, square, of_weights + of_bias)
    # E[u phi phi'] = k (E[phi'^2] + E[phi phi'']) by parts.
    bent = mean_of_each(name, lambda u: -2 * square(u) * (1 - square(u)), of_weights + of_bias)
    rest = value * along - of_weights * (across + bent) ** 2
    found = scale * np.sqrt(np.maximum(rest, 0)) / (np.pi * value)
    return found if found.ndim else float(found)
