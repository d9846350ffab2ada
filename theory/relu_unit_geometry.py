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

__all__ = ["W_SMALLEST", "Geometry", "domain", "geometry", "refined", "require"]

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
# Squares of numbers up to here, and of their inverses, stay far within float64.
LARGEST = 1e70
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


def geometry(
    function: str, w: Any, b: Any, gamma: Any = None, target: Any = None, *, largest: float = LARGEST
) -> Geometry:
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
    largest : float
        Allowed size of w and b.

    Raises
    ------
    ValueError
        When the scale of the target is not in [1e-70, 1e70], w or b is larger, w is zero, a value is not finite, w has
        no last axis or an empty one, or not exactly one of gamma and target is given.
    """
    w = np.asarray(w, dtype=np.float64)
    b = np.asarray(b, dtype=np.float64)
    if w.ndim == 0 or w.shape[-1] == 0:
        got = f"a scalar {w}; pass [w]" if w.ndim == 0 else f"shape {w.shape}; pass at least one"
        raise ValueError(f"{function}: w must have the inputs as its last axis, got {got}")
    if (gamma is None) == (target is None):
        raise ValueError(f"{function}: give either gamma or target=, got {'both' if target is not None else 'neither'}")
    if target is None:
        gamma = np.asarray(gamma, dtype=np.float64)
        require(function, "gamma", gamma, _moderate(gamma), f"be a positive number, {RANGE}", "scale all by gamma")
        target = np.zeros((*gamma.shape, w.shape[-1]))
        target[..., -1] = gamma
    else:
        target = np.asarray(target, dtype=np.float64)
        require(function, "target", target, np.isfinite(target), "be finite")
        if target.ndim == 0 or target.shape[-1] != w.shape[-1]:
            raise ValueError(
                f"{function}: target must have as many inputs as w, got shapes {target.shape} and {w.shape}; "
                "make the last axes equal"
            )
    require(function, "w", w, np.isfinite(w), "be finite")
    require(function, "b", b, np.abs(b) <= largest, f"be finite and at most {largest:g} in size", "scale all by gamma")
    s, direction = _length(w)
    require(function, "w", s, s > 0, "not be the zero vector", "its direction is not defined there")
    require(function, "||w||", s, s <= largest, f"be at most {largest:g}", "scale all by gamma")
    size, _ = _length(target)
    require(function, "target", size, size > 0, "not be the zero vector", "scale it as the target is scaled")
    require(function, "||target||", size, _moderate(size), f"be {RANGE}", "scale all by it")
    shape = np.broadcast_shapes(s.shape, b.shape, size.shape)
    direction = np.broadcast_to(direction, (*shape, w.shape[-1]))
    target = np.broadcast_to(target, direction.shape)
    p = np.sum(direction * target, axis=-1)
    across = target - p[..., None] * direction
    if w.shape[-1] == 1:
        across = np.zeros_like(across)  # there is no other direction, whatever rounding says
    s, b, size = (np.broadcast_to(v, shape) for v in (s, b, size))
    return Geometry(direction, s, b, p, across, target, size)


RANGE = f"in [{1 / LARGEST:g}, {LARGEST:g}]"


def _moderate(size: np.ndarray) -> np.ndarray:
    return (size >= 1 / LARGEST) & (size <= LARGEST)


def _length(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """||w|| and w/||w||, without overflow or underflow of the squares."""
    largest = np.max(np.abs(w), axis=-1, keepdims=True, initial=0.0)
    unit = w / np.where(largest > 0, largest, 1.0)
    norm = np.sqrt(np.sum(unit * unit, axis=-1, keepdims=True))
    return (largest * norm)[..., 0], unit / np.where(norm > 0, norm, 1.0)


def require(function: str, name: str, value: np.ndarray, good: np.ndarray, rule: str, advice: str = "") -> None:
    """Refuse what is not good, in the name of ``function``."""
    if not np.all(good):
        bad = np.asarray(value)[~np.asarray(good)].flat[0]
        raise ValueError(f"{function}: {name} must {rule}, got {bad:g}; {advice or 'choose a value that is'}")
