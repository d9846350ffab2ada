"""Checks of the common arguments of layers.

=========  ==================  ====================================
``w``      (fan_out, fan_in)   weights
``z``      (..., fan_in)       inputs
``delta``  (..., fan_out)      dL/dz_out, what is propagated back
=========  ==================  ====================================

All are finite numbers. Leading axes are observations, and broadcast against each other. Where shapes do not fit, or a
value is not finite, a ValueError says so in the name of the function that was called; a result beyond float64 is an
OverflowError.
"""

from typing import Any

import numpy as np

from theory.arguments import real_array, require


def checked_array(function: str, name: str, value: Any, axes: int) -> np.ndarray:
    """A finite float64 array with at least so many axes.

    Raises
    ------
    ValueError
        In the name of ``function``, for what is no such array.
    """
    array = real_array(function, name, value)
    if array.ndim < axes:
        raise ValueError(f"{function}: {name} must have at least {axes} axes, got shape {array.shape}; add axes")
    require(function, name, array, np.isfinite(array), "be finite", "look for an overflow before this layer")
    return array


def checked_layer(function: str, delta: Any, w: Any, z: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Backpropagated gradients, weights and inputs of one layer as arrays that fit together.

    Parameters
    ----------
    function : str
        The caller, for messages.
    delta : array (..., fan_out)
    w : array (fan_out, fan_in)
    z : array (..., fan_in)

    Raises
    ------
    ValueError
        Where shapes do not fit, or a value is not finite.

    Examples
    --------
    >>> checked_layer("forward", [1, 1], [[1, 2, 3], [4, 5, 6]], [1, 2])
    Traceback (most recent call last):
    ...
    ValueError: forward: z must have fan_in = 3 values on its last axis, got 2; the weights have shape (2, 3)
    """
    w = checked_array(function, "w", w, 2)
    if w.ndim != 2:
        raise ValueError(
            f"{function}: w must have shape (fan_out, fan_in), got {w.shape}; pass the weights of one layer"
        )
    fans = {}
    for name, value, fan, size in (("delta", delta, "fan_out", w.shape[0]), ("z", z, "fan_in", w.shape[1])):
        array = checked_array(function, name, value, 1)
        if array.shape[-1] != size:
            raise ValueError(
                f"{function}: {name} must have {fan} = {size} values on its last axis, got {array.shape[-1]}; "
                f"the weights have shape {w.shape}"
            )
        fans[name] = array
    try:
        np.broadcast_shapes(fans["delta"].shape[:-1], fans["z"].shape[:-1])
    except ValueError:
        raise ValueError(
            f"{function}: delta must have the leading axes of z, got {fans['delta'].shape[:-1]} and "
            f"{fans['z'].shape[:-1]}; pass one row per observation in both"
        ) from None
    return fans["delta"], w, fans["z"]
