r"""Survival of a single ReLU in training from given initial values, and the target scale that saves it.

**Closed form.** In the linear cone the unit follows the affine model, which overshoots into the dead cone for small
targets: :mod:`theory.relu_unit.linear_cone`.

**Exact field.** :func:`survives` iterates descent along the exact expected gradient. A unit lives once the energy

.. math:: E = J + \frac{\beta \eta^2}{2 h} \|m\|^2, \qquad h = \eta (1 - \beta) \text{ or } \eta,

which descent lowers for small steps, is below nine tenths of a dead unit's loss: no critical point but the optimum is
left. It has died when it is in the dead cone, momentum alone would not carry it out again, and all gradients of the
steps asked for could not, or have not. For w_L > 0 the gradient leads back, after a time exponential in w_L/gamma.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from theory.arguments import numbers, one_of, require, whole
from theory.momentum.step import is_stable
from theory.momentum.systems import system
from theory.numerics.normal_tails import density
from theory.relu_unit.frame import LARGEST, TARGETS, geometry
from theory.relu_unit.linear_cone import critical_scale, quantile
from theory.relu_unit.objective import expected_gradient, loss


@dataclass(frozen=True)
class Survival:
    """Result of training for a unit; true if it survives, false if it dies, an error if neither is known.

    Attributes
    ----------
    survives : bool or None
        None if the number of steps was too small to know.
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
                f"survives: the result must be known to be true or false, got {self}; allow more steps, or ask for "
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

    Source: relu, additional to section 5.

    Examples
    --------
    >>> print(survives([0.5], 2.0, 0.1, 0.1, 0.9))
    dies at step 28: carried into the dead cone; lowest b/||w|| -5.034
    >>> bool(survives([0.5], 2.0, 0.1, 0.1, 0.5)), bool(survives([0.5], 2.0, 0.1, 0.1, 0.9))
    (True, False)
    """
    step_size, momentum = numbers("survives", step_size=step_size, momentum=momentum)
    if np.ndim(w) != 1 or np.ndim(b) or np.ndim(gamma):
        raise ValueError(
            f"survives: w must be a vector, b and gamma numbers, got shapes {np.shape(w)}, {np.shape(b)} and "
            f"{np.shape(gamma)}; ask for one start at a time"
        )
    options = {"convention": convention, "target": target, "probability": probability, "steps": steps}
    (fate,) = fates(np.reshape(w, (1, -1)), b, gamma, step_size, momentum, **options)
    return fate


def fates(
    w: Any, b: Any, gamma: Any, step_size: Any, momentum: Any, *, convention: str = "ema", target: str = "linear",
    probability: float = 1e-3, steps: int = 5000,
) -> list[Survival]:  # fmt: skip
    """Results of :func:`survives` for many initial values: w (starts, L), numbers (starts,) or one for all.

    >>> [fate.survives for fate in fates([[0.5], [0.5]], 2.0, 0.1, 0.1, [0.5, 0.9])]
    [True, False]
    """
    steps = whole("survives", "steps", steps)
    require("survives", "steps", steps, steps >= 1, "be at least 1", "give it time")
    # Its checks alone.
    system("survives", step_size, momentum, convention, 1.0)
    z = quantile("survives", probability)
    geometry("survives", w, b, gamma)
    w = np.asarray(w, dtype=np.float64)
    b, gamma, eta, beta = (np.broadcast_to(np.asarray(v, np.float64), len(w)) for v in (b, gamma, step_size, momentum))
    scale, theta = np.full(len(w), np.nan), np.column_stack([w, b])
    known = (b >= z * _size(theta)) & is_stable(eta, beta, convention=convention)
    if known.any():
        start = w[known], b[known], eta[known], beta[known]
        scale[known] = critical_scale(*start, convention=convention, probability=probability)
    weight = 1 - beta if convention == "ema" else np.ones(len(w))
    return _followed(
        _Descent(
            one_of("survives", "target", target, TARGETS), z, np.arange(len(w)), gamma, eta, beta, weight, scale, theta,
            np.zeros_like(theta), np.full(len(w), np.inf), np.full(len(w), OUTSIDE),
        ),
        steps,
    )  # fmt: skip


OUTSIDE = -1


@dataclass(frozen=True)
class _Descent:
    """Descent along the exact gradient of units whose result is open; arrays by unit."""

    target: str
    z: float  # where the dead cone ends
    unit: np.ndarray  # its number among all
    gamma: np.ndarray
    step_size: np.ndarray
    momentum: np.ndarray
    weight: np.ndarray  # of the gradient in the momentum
    scale: np.ndarray  # the critical one
    theta: np.ndarray  # (w, b)
    m: np.ndarray  # momentum of theta
    lowest: np.ndarray  # b/||w|| so far
    entered: np.ndarray  # step at which the dead cone was entered, or OUTSIDE

    def only(self, which: np.ndarray) -> _Descent:
        """Some of the units."""
        values = (getattr(self, f.name) for f in fields(self))
        return _Descent(*(v[which] if isinstance(v, np.ndarray) else v for v in values))

    @property
    def parameters(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.theta[:, :-1], self.theta[:, -1], self.gamma

    @property
    def h(self) -> np.ndarray:
        return self.step_size * self.weight

    @property
    def carried(self) -> np.ndarray:
        """Where momentum alone would lead."""
        return self.theta - (self.step_size * self.momentum / (1 - self.momentum))[:, None] * self.m

    def gradient(self) -> np.ndarray:
        return np.column_stack(expected_gradient(*self.parameters, target=self.target))

    def seen(self, step: int) -> _Descent:
        """With what is kept of where the units are."""
        ratio = _ratio(self.theta)
        dead = (ratio < -self.z) & (_ratio(self.carried) < -self.z)
        entered = np.where(dead, np.where(self.entered == OUTSIDE, step, self.entered), OUTSIDE)
        return replace(self, lowest=np.minimum(self.lowest, ratio), entered=entered)

    def moved(self, gradient: np.ndarray) -> _Descent:
        m = self.momentum[:, None] * self.m + self.weight[:, None] * gradient
        return replace(self, theta=self.theta - self.step_size[:, None] * m, m=m)

    def stays_dead(self, steps: int) -> np.ndarray:
        left = steps * self.h / (1 - self.momentum)
        return _stay(np.stack([self.theta, self.carried]), self.gamma, self.z, left)

    @property
    def is_descending(self) -> np.ndarray:
        """Whether descent lowers the energy: h times half the curvature is below 1 - momentum; 15 by measurement."""
        return 15 * self.h < 2 * (1 - self.momentum)

    def is_past_the_others(self) -> np.ndarray:
        """Whether the energy leaves nothing but the optimum."""
        if not self.is_descending.any():
            return self.is_descending
        kinetic = self.momentum / (2 * self.h) * self.step_size**2 * _squared(self.m)
        dead_loss = (0.5 if self.target == "linear" else 0.25) * self.gamma**2
        return self.is_descending & (loss(*self.parameters, target=self.target) + kinetic < 0.9 * dead_loss)

    def is_at_optimum(self, gradient: np.ndarray) -> np.ndarray:
        """Whether a unit rests there, if its energy does not show it."""
        apart = self.theta.copy()
        apart[:, -2] -= self.gamma
        rests = _squared(self.m) + _squared(gradient) < 1e-12 * self.gamma**2
        return ~self.is_descending & rests & (_squared(apart) < (self.gamma / 20) ** 2)


def _followed(now: _Descent, steps: int) -> list[Survival]:
    """The fates of starts, within so many steps."""
    found: dict[int, Survival] = {}

    def end(now: _Descent, which: np.ndarray, survives: bool | None, step: Any, why: Any) -> _Descent:
        """Note the fates of some, and go on with the others."""
        if not which.any():
            return now
        step, why = (np.broadcast_to(v, len(which)) for v in (step, why))
        for i in np.flatnonzero(which):
            place = {"size": _size(now.theta)[i], "b": now.theta[i, -1]}
            found[int(now.unit[i])] = Survival(
                survives, int(step[i]), str(why[i]).format(**place), float(now.lowest[i]), float(now.scale[i])
            )
        return now.only(~which)

    for t in range(steps + 1):
        size = _size(now.theta)
        far = ~(np.maximum(size, np.abs(now.theta[:, -1])) <= LARGEST)
        now = end(now, (size == 0) | far, None, t, np.where(size == 0, NO_DIRECTION, TOO_FAR)).seen(t)
        gone = now.entered != OUTSIDE
        if t < steps and gone.any():
            gone[gone] = now.only(gone).stays_dead(steps - t)
        why = np.where(now.entered == 0, "dead from the start", "carried into the dead cone")
        now = end(now, gone, False, now.entered, why)
        gradient, past = now.gradient(), now.is_past_the_others()
        lives = past | now.is_at_optimum(gradient)
        why = np.where(past, "nothing but the optimum is left", "at rest at the optimum")
        now, gradient = end(now, lives, True, t, why), gradient[~lives]
        if t == steps:
            now = end(now, np.full(len(now.unit), True), None, steps, "open after the given steps")
        if not len(now.unit):
            break
        now = now.moved(gradient)
    return [found[i] for i in range(len(found))]


NO_DIRECTION = "out of bounds, w = 0, where the gradient has no direction: start elsewhere, or change the step size"
TOO_FAR = "out of bounds, ||w|| = {size:g} and b = {b:g}: take shorter steps"


def _size(theta: np.ndarray) -> np.ndarray:
    """||w||, without underflow of the squares."""
    return np.hypot.reduce(theta[..., :-1], axis=-1, initial=0.0)


def _squared(vectors: np.ndarray) -> np.ndarray:
    return np.sum(vectors * vectors, axis=-1)


def _ratio(theta: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        return theta[..., -1] / _size(theta)


def _stay(points: np.ndarray, gamma: np.ndarray, z: float, left: np.ndarray) -> np.ndarray:
    """Whether steps of this total size cannot lead both points of a unit out of a cone inside of the dead one.

    theta' is an average of theta and of the point to which momentum carries it, which moves by gradients alone: in the
    cone b < -k s their size is at most phi(k) (s/k + 2 s + gamma (2 + k + 1/k)).
    """
    sizes, b = _size(points), points[..., -1]
    deepest = np.min(-b / np.maximum(sizes, 1e-300), axis=0)
    stays = np.full(len(gamma), False)
    for share in (0.2, 0.5, 0.8, 0.95):
        k = z + share * (np.minimum(deepest, 50.0) - z)
        room = np.min(-b - k * sizes, axis=0) / np.hypot(1, k)
        reach = np.max(sizes, axis=0) + room
        bound = density(k) * (reach / k + 2 * reach + gamma * (2 + k + 1 / k))
        stays |= left * bound < room
    return stays
