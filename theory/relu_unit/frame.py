"""Common parts of the results for a single ReLU: symbols, domains, and geometry of weights and target.

The unit is max(0, w.x + b) with x ~ N(0, I_L), its target Lambda.x or max(0, Lambda.x) with ||Lambda|| = gamma. All
expectations depend on w, b and Lambda through the numbers b, s = ||w||, p = w.Lambda/||w|| and gamma alone.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sympy import Rational, Symbol

from theory.arguments import real_array, require
from theory.formula import Interval
from theory.symbols import positive, real

b, p, rho = real("b p rho")
w_l = Symbol("w_l", real=True, nonzero=True)
s, gamma = positive("s gamma")

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
TARGETS = ("linear", "relu")
# Squares of numbers up to here, and of their inverses, stay far within float64.
LARGEST = 1e70


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
    target_weights : array (..., L)
        Lambda.
    gamma : array (...)
        ||Lambda||.
    """

    direction: np.ndarray
    s: np.ndarray
    b: np.ndarray
    p: np.ndarray
    across: np.ndarray
    target_weights: np.ndarray
    gamma: np.ndarray

    @property
    def kappa(self) -> np.ndarray:
        """b / ||w||; infinite where that leaves float64."""
        with np.errstate(over="ignore", under="ignore"):
            return self.b / self.s

    def vector(self, along: np.ndarray, across: np.ndarray) -> np.ndarray:
        """along * w/||w|| + across * (Lambda without its component along w)."""
        return along[..., None] * self.direction + across[..., None] * self.across

    def symmetric(
        self, along: np.ndarray, rest: np.ndarray, mixed: np.ndarray, edge: np.ndarray, corner: np.ndarray,
        across: np.ndarray | None = None,
    ) -> np.ndarray:  # fmt: skip
        """A symmetric matrix of weights and bias, the bias last.

        Parameters
        ----------
        along, rest : array (...)
            Entries of w/||w||, and of each direction across it.
        mixed, across : array (...)
            What multiplies w/||w|| times Lambda across w, both ways round, and Lambda across w times itself.
        edge : array (..., L)
            Entries of the weights with the bias.
        corner : array (...)
            Entry of the bias.

        Returns
        -------
        array (..., L + 1, L + 1)
        """
        size = self.direction.shape[-1]
        outer = self.direction[..., :, None] * self.direction[..., None, :]
        between = self.direction[..., :, None] * self.across[..., None, :]
        inner = rest[..., None, None] * (np.eye(size) - outer) + along[..., None, None] * outer
        inner = inner + mixed[..., None, None] * (between + np.swapaxes(between, -1, -2))
        if across is not None:
            inner = inner + across[..., None, None] * (self.across[..., :, None] * self.across[..., None, :])
        result = np.empty((*self.s.shape, size + 1, size + 1))
        result[..., :size, :size] = inner
        result[..., :size, size] = result[..., size, :size] = edge
        result[..., size, size] = corner
        return result


def geometry(
    function: str, w: Any, b: Any, gamma: Any = None, target_weights: Any = None, *, largest: float = LARGEST
) -> Geometry:
    """Check the arguments of a public function, and compute the geometry of w and Lambda.

    Parameters
    ----------
    function : str
        Named in error messages.
    w : array (..., L)
    b : array (...)
    gamma : array (...), optional
        Lambda is gamma times the last axis.
    target_weights : array (..., L), optional
        Lambda itself, instead of gamma.
    largest : float
        Allowed size of w and b.

    Raises
    ------
    ValueError
        When the scale of the target is not in [1e-70, 1e70], w or b is larger, w is zero, a value is not finite, w has
        no last axis or an empty one, shapes do not fit, or not exactly one of gamma and target_weights is given.
    """
    w, b = real_array(function, "w", w), real_array(function, "b", b)
    if w.ndim == 0 or w.shape[-1] == 0:
        got = f"a scalar {w}; pass [w]" if w.ndim == 0 else f"shape {w.shape}; pass at least one"
        raise ValueError(f"{function}: w must have the inputs as its last axis, got {got}")
    goal = _target_weights(function, w.shape, gamma, target_weights)
    require(function, "w", w, np.isfinite(w), "be finite")
    require(function, "b", b, np.abs(b) <= largest, f"be finite and at most {largest:g} in size", "scale all by gamma")
    s, direction = _length(w)
    require(function, "w", s, s > 0, "not be the zero vector", "its direction is not defined there")
    require(function, "||w||", s, s <= largest, f"be at most {largest:g}", "scale all by gamma")
    size, _ = _length(goal)
    require(function, "target_weights", size, size > 0, "not be the zero vector", "scale it as the target is scaled")
    require(function, "||target_weights||", size, _moderate(size), f"be {RANGE}", "scale all by it")
    try:
        shape = np.broadcast_shapes(s.shape, b.shape, size.shape)
    except ValueError:
        raise ValueError(
            f"{function}: b and the target must fit the leading axes of w, got shapes {b.shape}, {size.shape} and "
            f"{s.shape}; make them broadcast"
        ) from None
    direction = np.broadcast_to(direction, (*shape, w.shape[-1]))
    goal = np.broadcast_to(goal, direction.shape)
    p = np.sum(direction * goal, axis=-1)
    across = goal - p[..., None] * direction
    if w.shape[-1] == 1:
        across = np.zeros_like(across)  # there is no other direction, whatever rounding says
    s, b, size = (np.broadcast_to(v, shape) for v in (s, b, size))
    return Geometry(direction, s, b, p, across, goal, size)


def _target_weights(function: str, shape: tuple[int, ...], gamma: Any, target_weights: Any) -> np.ndarray:
    """Lambda, from its norm along the last axis or as it is given."""
    if (gamma is None) == (target_weights is None):
        got = "neither" if gamma is None else "both"
        raise ValueError(f"{function}: give either gamma or target_weights=, got {got}; choose one")
    if target_weights is None:
        gamma = real_array(function, "gamma", gamma)
        require(function, "gamma", gamma, _moderate(gamma), f"be a positive number, {RANGE}", "scale all by gamma")
        goal = np.zeros((*gamma.shape, shape[-1]))
        goal[..., -1] = gamma
        return goal
    goal = real_array(function, "target_weights", target_weights)
    require(function, "target_weights", goal, np.isfinite(goal), "be finite")
    if goal.ndim == 0 or goal.shape[-1] != shape[-1]:
        raise ValueError(
            f"{function}: target_weights must have as many inputs as w, got shapes {goal.shape} and {shape}; "
            "make the last axes equal"
        )
    return goal


RANGE = f"in [{1 / LARGEST:g}, {LARGEST:g}]"


def _moderate(size: np.ndarray) -> np.ndarray:
    return (size >= 1 / LARGEST) & (size <= LARGEST)


def _length(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """||w|| and w/||w||, without overflow or underflow of the squares."""
    largest = np.max(np.abs(w), axis=-1, keepdims=True, initial=0.0)
    unit = w / np.where(largest > 0, largest, 1.0)
    norm = np.sqrt(np.sum(unit * unit, axis=-1, keepdims=True))
    return (largest * norm)[..., 0], unit / np.where(norm > 0, norm, 1.0)
