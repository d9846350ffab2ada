"""What all results for a single ReLU share: symbols, domains, and how a weight vector lies to its target.

The unit is max(0, w.x + b) with x ~ N(0, I_L), its target Lambda.x or max(0, Lambda.x) with ||Lambda|| = gamma. All
expectations depend on w, b and Lambda through the numbers b, s = ||w||, p = w.Lambda/||w|| and gamma alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sympy import Rational, Symbol

from theory.formula import Formula, Interval
from theory.precision import refine
from theory.symbols import positive, real

__all__ = ["W_SMALLEST", "Geometry", "domain", "geometry", "refined"]

b, p, rho = real("b"), real("p"), real("rho")
w_l = Symbol("w_l", real=True, nonzero=True)
s, gamma = positive("s"), positive("gamma")

SIZE = Interval(-1e9, 1e9)
W_SMALLEST = Rational(1, 10**9)
DOMAIN = {
    b: SIZE,
    p: SIZE,
    w_l: SIZE,
    s: Interval(float(W_SMALLEST), 1e9),
    gamma: Interval(1e-9, 1e9),
    rho: Interval(-0.999999, 0.999999),
}
# A sum this much smaller than its terms has lost digits that matter: the terms are right to about 1e-15.
CANCELLED = 1 / 300


def domain(arguments: Sequence[Symbol]) -> dict[Symbol, Interval]:
    """The declared domain of each argument."""
    return {a: DOMAIN.get(a, SIZE) for a in arguments}


def refined(terms: Callable, formula: Callable[[], Formula]) -> Callable:
    """A float64 form that adds up terms, and repeats with many digits the few elements where they nearly cancel.

    Parameters
    ----------
    terms : callable (*columns) -> list of arrays
    formula : callable -> Formula
        The result of which this is the float64 form (which does not exist yet when it is declared).
    """

    def numeric(*columns):
        parts = terms(*columns)
        value, size = sum(parts), np.maximum.reduce([np.abs(part) for part in parts])
        return refine(value, np.abs(value) < CANCELLED * size, formula().mp, *columns)

    return numeric


@dataclass(frozen=True)
class Geometry:
    """A weight vector and its bias against a target direction.

    Attributes
    ----------
    direction : array (..., L)
        w / ||w||.
    s : array (...)
        ||w||.
    b : array (...)
    p : array (...)
        Component of Lambda along w.
    across : array (..., L)
        Lambda without that component.
    target : array (..., L)
        Lambda.
    gamma : array (...)
        ||Lambda||.
    """

    direction: np.ndarray
    s: np.ndarray
    b: np.ndarray
    p: np.ndarray
    across: np.ndarray
    target: np.ndarray
    gamma: np.ndarray

    @property
    def kappa(self) -> np.ndarray:
        """b / ||w||; infinite where that leaves float64."""
        with np.errstate(over="ignore", under="ignore"):
            return self.b / self.s

    def vector(self, along: np.ndarray, across: np.ndarray) -> np.ndarray:
        """along * w/||w|| + across * (Lambda without its component along w)."""
        return along[..., None] * self.direction + across[..., None] * self.across


def geometry(function: str, w: Any, b: Any, gamma: Any = None, target: Any = None) -> Geometry:
    """Check the arguments of a public function, and take w and Lambda apart.

    Parameters
    ----------
    function : str
        Named in error messages.
    w : array (..., L)
    b : array (...)
    gamma : array (...), optional
        Lambda is gamma times the last axis.
    target : array (..., L), optional
        Lambda itself, instead of gamma.

    Raises
    ------
    ValueError
        When a value is not finite, w is zero, gamma is not positive, or not exactly one of gamma and target is given.
    """
    w = np.asarray(w, dtype=np.float64)
    b = np.asarray(b, dtype=np.float64)
    if w.ndim == 0:
        raise ValueError(f"{function}: w must have the inputs as its last axis, got a scalar {w}; pass [w]")
    if (gamma is None) == (target is None):
        raise ValueError(f"{function}: give either gamma or target=, got {'both' if target is not None else 'neither'}")
    if target is None:
        gamma = np.asarray(gamma, dtype=np.float64)
        _require(function, "gamma", gamma, np.isfinite(gamma) & (gamma > 0), "be a positive number")
        target = np.zeros((*gamma.shape, w.shape[-1]))
        target[..., -1] = gamma
    else:
        target = np.asarray(target, dtype=np.float64)
        _require(function, "target", target, np.isfinite(target), "be finite")
        if target.ndim == 0 or target.shape[-1] != w.shape[-1]:
            raise ValueError(
                f"{function}: target must have as many inputs as w, got shapes {target.shape} and {w.shape}; "
                "make the last axes equal"
            )
    _require(function, "w", w, np.isfinite(w), "be finite")
    _require(function, "b", b, np.isfinite(b), "be finite")
    s, direction = _length(w)
    _require(function, "w", s, s > 0, "not be the zero vector", "its direction is not defined there")
    size, _ = _length(target)
    _require(function, "target", size, size > 0, "not be the zero vector", "scale it as the target is scaled")
    shape = np.broadcast_shapes(s.shape, b.shape, size.shape)
    direction = np.broadcast_to(direction, (*shape, w.shape[-1]))
    target = np.broadcast_to(target, direction.shape)
    p = np.sum(direction * target, axis=-1)
    across = target - p[..., None] * direction
    if w.shape[-1] == 1:
        across = np.zeros_like(across)  # there is no other direction, whatever rounding says
    s, b, size = (np.broadcast_to(v, shape) for v in (s, b, size))
    return Geometry(direction, s, b, p, across, target, size)


def _length(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """||w|| and w/||w||, without overflow or underflow of the squares."""
    largest = np.max(np.abs(w), axis=-1, keepdims=True, initial=0.0)
    unit = w / np.where(largest > 0, largest, 1.0)
    norm = np.sqrt(np.sum(unit * unit, axis=-1, keepdims=True))
    return (largest * norm)[..., 0], unit / np.where(norm > 0, norm, 1.0)


def _require(function: str, name: str, value: np.ndarray, good: np.ndarray, rule: str, advice: str = "") -> None:
    if not np.all(good):
        bad = np.asarray(value)[~np.asarray(good)].flat[0]
        raise ValueError(f"{function}: {name} must {rule}, got {bad:g}; {advice or 'choose a value that is'}")
