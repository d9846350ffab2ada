"""Moments of a user's own activation function by adaptive quadrature."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy

Function = Callable[[np.ndarray], np.ndarray]
# Standard deviations beyond which nothing is integrated, and the panels between them.
FARTHEST, PANELS = 12.0, 1536
# And those beyond which the density is 0 in float64.
UNDERFLOW = 38.6
# Relative difference of the two rules that is allowed: functions of frameworks compute in float32; derivatives jump.
PRECISION, OF_SLOPES = 1e-5, 3e-3


def vectorised(phi: Callable[[Any], Any], name: str) -> tuple[Function, Function]:
    """The function and its derivative on float64 arrays; functions of PyTorch get tensors.

    Raises
    ------
    ValueError
        Where it does not give an array of the same shape.

    Examples
    --------
    >>> value, slope = vectorised(np.tanh, "tanh")
    >>> bool(abs(slope(np.zeros(1))[0] - 1) < 1e-9)
    True
    """
    call, precision = _adapted(phi, name)
    # The step at which rounding and curvature of a central difference are alike.
    step = precision ** (1 / 3)

    def slope(u: np.ndarray) -> np.ndarray:
        return (call(u + step) - call(u - step)) / (2 * step)

    return call, slope


def _adapted(phi: Callable[[Any], Any], name: str) -> tuple[Function, float]:
    """Array to array, and the precision of its results."""
    probe = np.linspace(-1.0, 1.0, 5)
    try:
        with np.errstate(all="ignore"):
            found = np.asarray(phi(probe))
        call = phi
    except (TypeError, AttributeError):
        import torch  # whoever passes a function of tensors has it

        def call(u):
            with torch.no_grad():
                return phi(torch.from_numpy(np.asarray(u))).numpy()

        found = call(probe)
    if found.shape != probe.shape or found.dtype.kind != "f":
        raise ValueError(
            f"{name}: an activation function must map an array of floats to one of the same shape, got the shape "
            f"{found.shape} of {found.dtype} for {probe.shape}; pass an elementwise function"
        )
    return lambda u: np.asarray(call(u), dtype=np.float64), float(np.finfo(found.dtype).eps)


def normal_moment(function: Function, name: str, variance: float, precision: float = PRECISION) -> float:
    """E[f(u)] for u ~ N(0, variance).

    Raises
    ------
    ValueError
        Where two rules do not agree to this precision, a value is not finite, or too much lies beyond the range.

    Examples
    --------
    >>> round(normal_moment(lambda u: u**2, "square", 3.0), 9)
    3.0
    """
    s = math.sqrt(variance)
    (fine, size), (coarse, _) = (_rule(function, s, nodes) for nodes in (12, 8))
    if not abs(fine - coarse) <= precision * max(abs(fine), min(1e-12, size)):
        raise ValueError(
            f"{name}: its moments must be finite and smooth enough for quadrature, got {coarse:g} and {fine:g} by two "
            f"rules at variance {variance:g}; scale the inputs, or pass a function with fewer kinks"
        )
    if _beyond(function, s) > precision * size > 0:
        raise ValueError(
            f"{name}: its moments must be finite and come from within {FARTHEST:g} standard deviations, got {fine:g} "
            f"there and too much beyond, at variance {variance:g}; scale the inputs, or pass a function that grows less"
        )
    return fine


def _rule(function: Function, s: float, count: int) -> tuple[float, float]:
    """Gauss's rule on panels, also for the size of the integrand; kinks at 0 fall between two of them."""
    nodes, weights = scipy.special.roots_legendre(count)
    half = FARTHEST / PANELS
    x = (np.arange(-PANELS + 1, PANELS, 2)[:, None] * half + half * nodes).ravel()
    parts = _integrand(function, x, s).reshape(PANELS, count) * weights
    return float(half * np.sum(parts)), float(half * np.abs(parts).sum())


def _integrand(function: Function, x: np.ndarray, s: float) -> np.ndarray:
    with np.errstate(all="ignore"):  # the sums say what is not finite
        return function(x * s) * np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)


def _beyond(function: Function, s: float) -> float:
    """About the size of the integral beyond the range, as far as density and function are in float64."""
    x = np.arange(FARTHEST, UNDERFLOW, 1 / 64)
    values = np.abs(_integrand(function, np.concatenate([-x, x]), s))
    return float(values[np.isfinite(values)].sum() / 64)
