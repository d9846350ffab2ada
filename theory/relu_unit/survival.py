r"""Whether a single ReLU survives its training from a given start, and which target scale saves it.

**Closed form.** In the linear cone the unit follows the affine model, which overshoots into the dead cone for small
targets: :mod:`theory.relu_unit.linear_cone`.

**Exact field.** :func:`survives` iterates descent along the exact expected gradient. A unit lives once the energy

.. math:: E = J + \frac{\beta \eta^2}{2 h} \|m\|^2, \qquad h = \eta (1 - \beta) \text{ or } \eta,

which descent lowers for small steps, is below nine tenths of a dead unit's loss: no critical point but the optimum is
left. It has died when it is in the dead cone, momentum alone would not carry it out again, and all gradients of the
steps asked for could not, or have not. For w_L > 0 the gradient leads back, after a time exponential in w_L/gamma.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from theory.arguments import numbers, whole
from theory.momentum.conventions import system
from theory.momentum.step import is_stable
from theory.relu_unit.frame import LARGEST, geometry, target_kind
from theory.relu_unit.linear_cone import critical_scale, quantile
from theory.relu_unit.objective import expected_gradient, loss

__all__ = ["Survival", "survives"]


@dataclass(frozen=True)
class Survival:
    """What becomes of a unit; true where it survives, false where it dies, an error where that is not decided.

    Attributes
    ----------
    survives : bool or None
        None when the steps did not decide it.
    step : int
        When it entered the dead cone for good, or when its survival was certain.
    why : str
    lowest : float
        The lowest b/||w|| on the way.
    critical_scale : float
        Closed form for a start in the linear cone and a stable step, nan for others: keep the target above it.
    """

    survives: bool | None
    step: int
    why: str
    lowest: float
    critical_scale: float

    def __bool__(self) -> bool:
        if self.survives is None:
            raise ValueError(
                f"survives: the fate must be decided to be true or false, got {self}; allow more steps, or ask for "
                ".survives, which is None here"
            )
        return self.survives

    def __str__(self) -> str:
        word = {True: "survives", False: "dies", None: "undecided"}[self.survives]
        return f"{word} at step {self.step}: {self.why}; lowest b/||w|| {self.lowest:.4g}"


def survives(
    w: Any,
    b: float,
    gamma: float,
    step_size: float,
    momentum: float = 0.0,
    *,
    convention: str = "ema",
    target: str = "linear",
    probability: float = 1e-3,
    steps: int = 5000,
) -> Survival:
    """Whether one ReLU survives gradient descent with momentum on its expected loss.

    Parameters
    ----------
    w : array (L,)
        Weights at the start; the target is gamma times the last axis.
    b, gamma : float
        Bias at the start; scale of the target.
    step_size, momentum, convention
        As in :func:`theory.momentum.matrix`; momentum is zero at the start.
    target : {"linear", "relu"}
        Lambda.x or max(0, Lambda.x).
    probability : float
        Of a positive output, below which a unit counts as dead; in (0, 1/2).
    steps : int
        How long to follow it; at least 1.

    Returns
    -------
    Survival
        Exact for the expected gradient up to float64, within ``steps``. On minibatches it is what happens to most
        runs with large batches.

    Raises
    ------
    ValueError
        For an argument outside its domain; those of w, b and gamma are in :func:`theory.relu_unit.loss`.

    Source: relu, beyond section 5.

    Examples
    --------
    >>> print(survives([0.5], 2.0, 0.1, 0.1, 0.9))
    dies at step 28: carried into the dead cone; lowest b/||w|| -5.034
    >>> bool(survives([0.5], 2.0, 0.1, 0.1, 0.5)), bool(survives([0.5], 2.0, 0.1, 0.1, 0.9))
    (True, False)
    """
    steps = whole("survives", "steps", steps)
    if steps < 1:
        raise ValueError(f"survives: steps must be at least 1, got {steps}; give it time")
    # Its checks alone.
    system("survives", step_size, momentum, convention, 1.0)
    step_size, momentum = numbers("survives", step_size=step_size, momentum=momentum)
    z = quantile("survives", probability)
    if np.ndim(w) != 1 or np.ndim(b) or np.ndim(gamma):
        raise ValueError(
            f"survives: w must be a vector, b and gamma numbers, got shapes {np.shape(w)}, {np.shape(b)} and "
            f"{np.shape(gamma)}; ask for one start at a time"
        )
    geometry("survives", w, b, gamma)
    theta = np.append(np.asarray(w, dtype=np.float64), float(b))
    scale = np.nan
    if theta[-1] >= z * _size(theta) and is_stable(step_size, momentum, convention=convention):
        scale = critical_scale(
            theta[:-1], theta[-1], step_size, momentum, convention=convention, probability=probability
        )
    weight = 1 - momentum if convention == "ema" else 1.0
    return _followed(
        _Descent(gamma, target_kind("survives", target), step_size, momentum, weight, z), theta, steps, scale
    )


@dataclass(frozen=True)
class _Descent:
    """Descent along the exact gradient, and what decides a fate on its way; theta is (w, b), m its momentum."""

    gamma: float
    target: str
    step_size: float
    momentum: float
    weight: float  # of the gradient in the momentum
    z: float  # where the dead cone ends

    @property
    def h(self) -> float:
        return self.step_size * self.weight

    def gradient(self, theta: np.ndarray) -> np.ndarray:
        return np.append(*expected_gradient(theta[:-1], theta[-1], self.gamma, target=self.target))

    def carried(self, theta: np.ndarray, m: np.ndarray) -> np.ndarray:
        """Where momentum alone would lead."""
        return theta - self.step_size * self.momentum / (1 - self.momentum) * m

    def is_dead(self, theta: np.ndarray, m: np.ndarray) -> bool:
        return _ratio(theta) < -self.z and _ratio(self.carried(theta, m)) < -self.z

    def stays_dead(self, theta: np.ndarray, m: np.ndarray, steps: int) -> bool:
        left = steps * self.h / (1 - self.momentum)
        return _stays((theta, self.carried(theta, m)), self.gamma, self.z, left)

    def lives_because(self, theta: np.ndarray, m: np.ndarray, gradient: np.ndarray) -> str:
        """Why nothing but life is left; empty where something else is."""
        squared = float(m @ m)
        # Descent lowers the energy where h times half the curvature is below 1 - momentum; below 15 by measurement.
        if 15 * self.h < 2 * (1 - self.momentum):
            energy = float(loss(theta[:-1], theta[-1], self.gamma, target=self.target))
            energy += self.momentum / (2 * self.h) * self.step_size**2 * squared
            dead_loss = (0.5 if self.target == "linear" else 0.25) * self.gamma**2
            return "nothing but the optimum is left" if energy < 0.9 * dead_loss else ""
        at_rest = squared + float(gradient @ gradient) < 1e-12 * self.gamma**2
        return "at rest at the optimum" if at_rest and _far(theta, self.gamma) < self.gamma / 20 else ""


def _followed(descent: _Descent, theta: np.ndarray, steps: int, scale: float) -> Survival:
    """The fate of a start, within so many steps."""
    m, lowest, entered = np.zeros_like(theta), np.inf, None
    for t in range(steps + 1):
        if why := _out_of_bounds(theta):
            return Survival(None, t, why, lowest, scale)
        lowest = min(lowest, _ratio(theta))
        gradient = descent.gradient(theta)
        if not descent.is_dead(theta, m):
            entered = None
        else:
            entered = t if entered is None else entered
            if t == steps or descent.stays_dead(theta, m, steps - t):
                why = "dead from the start" if entered == 0 else "carried into the dead cone"
                return Survival(False, entered, why, lowest, scale)
        if why := descent.lives_because(theta, m, gradient):
            return Survival(True, t, why, lowest, scale)
        m = descent.momentum * m + descent.weight * gradient
        theta = theta - descent.step_size * m
    return Survival(None, steps, "not decided within the steps", lowest, scale)


def _size(theta: np.ndarray) -> float:
    """||w||, without underflow of the squares."""
    return math.hypot(*theta[:-1].tolist())


def _out_of_bounds(theta: np.ndarray) -> str:
    """Why a path cannot be followed from here, and what to do; empty where it can."""
    size, bias = _size(theta), float(theta[-1])
    if size == 0:
        return "out of bounds, w = 0, where the gradient has no direction: start elsewhere, or change the step size"
    if not max(size, abs(bias)) <= LARGEST:
        return f"out of bounds, ||w|| = {size:g} and b = {bias:g}: take shorter steps"
    return ""


def _ratio(theta: np.ndarray) -> float:
    with np.errstate(divide="ignore", over="ignore"):
        return float(theta[-1] / _size(theta))


def _stays(points: tuple[np.ndarray, ...], gamma: float, z: float, left: float) -> bool:
    """Whether steps of this total size cannot lead both points out of a cone inside of the dead one.

    theta' is an average of theta and of the point to which momentum carries it, which moves by gradients alone: in the
    cone b < -k s their size is at most phi(k) (s/k + 2 s + gamma (2 + k + 1/k)).
    """
    sizes = [_size(p) for p in points]
    deepest = min(-float(p[-1]) / max(size, 1e-300) for p, size in zip(points, sizes, strict=True))
    for share in (0.2, 0.5, 0.8, 0.95):
        k = z + share * (min(deepest, 50.0) - z)
        room = min((-p[-1] - k * size) / np.hypot(1, k) for p, size in zip(points, sizes, strict=True))
        reach = max(sizes) + room
        bound = np.exp(-k * k / 2) / np.sqrt(2 * np.pi) * (reach / k + 2 * reach + gamma * (2 + k + 1 / k))
        if left * bound < room:
            return True
    return False


def _far(theta: np.ndarray, gamma: float) -> float:
    return float(np.linalg.norm(np.append(theta[:-2], [theta[-2] - gamma, theta[-1]])))
