"""A ReLU network f(x) = W_N h_N + b_N, h_0 = x, h_(n+1) = max(0, W_n h_n + b_n): its output, near and far out."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from theory.arguments import in_float64
from theory.numerics.layers import checked_array

Layers = list[tuple[np.ndarray, np.ndarray]]


def layers_of(function: str, weights: Sequence[Any], biases: Sequence[Any]) -> Layers:
    """Layers whose shapes fit; rational numbers (dtype object) are left as they are."""
    if len(weights) != len(biases) or not len(weights):
        raise ValueError(f"{function}: needs one bias vector per weight matrix, got {len(weights)} and {len(biases)}; "
                         "pass lists of equal length")  # fmt: skip
    result = []
    for n, (w, b) in enumerate(zip(weights, biases, strict=True)):
        w, b = np.asarray(w), np.asarray(b)
        fan_in = result[-1][0].shape[0] if result else None
        if w.ndim != 2 or b.shape != w.shape[:1] or fan_in not in (None, w.shape[1]):
            raise ValueError(
                f"{function}: layer {n} must have weights (fan_out, {fan_in or 'fan_in'}) and biases (fan_out,), got "
                f"{w.shape} and {b.shape}; check the order of the axes"
            )
        result.append((w, b))
    return result


@in_float64
def forward(weights: Sequence[Any], biases: Sequence[Any], x: Any) -> np.ndarray:
    """Output of the network, ReLU after each layer but the last.

    Parameters
    ----------
    weights : sequence of array (fan_out, fan_in)
    biases : sequence of array (fan_out,)
    x : array (..., inputs)
        Of ``fractions.Fraction``, as weights and biases may be, the output is exact.

    Returns
    -------
    array (..., outputs)

    Raises
    ------
    ValueError
        Where shapes do not fit, or an input is not finite.
    OverflowError
        For an output outside the range of float64.

    Source: relu, eq. (35)-(37).

    Examples
    --------
    >>> forward([[[1.0], [-1.0]], [[1.0, 2.0]]], [[0.0, 1.0], [3.0]], [[2.0], [-2.0]]).tolist()
    [[5.0], [9.0]]
    """
    network = layers_of("forward", weights, biases)
    exact = np.asarray(x, dtype=object)
    h = exact if all(isinstance(v, Fraction) for v in exact.flat) else checked_array("forward", "x", x, 0)
    if h.shape[-1:] != network[0][0].shape[1:]:
        raise ValueError(
            f"forward: x must have {network[0][0].shape[1]} values on its last axis, got shape {h.shape}; add an axis"
        )
    for n, (w, b) in enumerate(network):
        h = h @ w.T + b
        if n + 1 < len(network):
            h = np.maximum(h, 0)
    return h


class FarField(NamedTuple):
    """A network far out along a ray, f(r u) = slope r + sum of intercepts: arrays (outputs,), (layers, outputs)."""

    slope: np.ndarray
    intercepts: np.ndarray


def far_field(weights: Sequence[Any], biases: Sequence[Any], direction: Any) -> FarField:
    """Slope and intercept of the network far out along a ray, the intercept by the layer whose biases cause it.

    Parameters
    ----------
    weights, biases
        As in :func:`forward`.
    direction : array (inputs,)
        u, the direction of the ray.

    Returns
    -------
    FarField
        Multiplied by alpha, the parameters have the slope alpha^(N+1) and the intercepts alpha^(N+1-n) times these, if
        no unit has the slope 0: the sign of its intercept may depend on alpha.

    Raises
    ------
    ValueError
        Where shapes do not fit.

    Source: relu, theorem D.1, corrected.

    Examples
    --------
    >>> far = far_field([[[1.0], [-1.0]], [[1.0, 2.0]]], [[0.5, 1.0], [3.0]], [1.0])
    >>> far.slope.tolist(), far.intercepts.tolist()
    ([1.0], [[0.5], [3.0]])
    """
    network = layers_of("far_field", weights, biases)
    slope = np.asarray(direction)
    if slope.shape != network[0][0].shape[1:] or not np.all(np.isfinite(slope.astype(np.float64))):
        raise ValueError(
            f"far_field: direction must be {network[0][0].shape[1]} finite numbers, got {direction}; pass a ray"
        )
    intercepts: list[np.ndarray] = []
    for n, (w, b) in enumerate(network):
        slope, intercepts = w @ slope, [*(w @ part for part in intercepts), b]
        if n + 1 < len(network):
            # The slope decides which units are active far out; where it is zero, the intercept.
            active = (slope > 0) | ((slope == 0) & (sum(intercepts) > 0))
            slope, intercepts = slope * active, [part * active for part in intercepts]
    return FarField(slope, np.array(intercepts))
