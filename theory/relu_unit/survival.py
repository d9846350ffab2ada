r"""Whether a single ReLU survives its training from a given start, and which target scale saves it.

**Closed form.** In the linear cone, b > z ||w||, the unit follows the affine model: at its deepest point it is at
theta* - o (theta_0 - theta*), o being the overshoot of momentum. That is in the dead cone b < -z ||w|| exactly when

.. math:: \gamma < \gamma_{crit} = \frac{o}{1 + o} \Big( w_L + \sqrt{b^2/z^2 - \|w_\perp\|^2} \Big),

w_L and w_perp being the components of w along Lambda and across. This is exact for the affine model. The ReLU is less
active on its way, so that it gets farther: it also dies for some gamma above.

**Exact field.** :func:`survives` iterates descent along the exact expected gradient. A unit lives once the energy

.. math:: E = J + \frac{\beta \eta^2}{2 h} \|m\|^2, \qquad h = \eta (1 - \beta) \text{ or } \eta,

which descent lowers for small steps, is below nine tenths of a dead unit's loss: no critical point but the optimum is
left. It has died when it is in the dead cone, momentum alone would not carry it out again, and all gradients of the
steps asked for could not, or have not. For w_L > 0 the gradient leads back, after a time exponential in w_L/gamma.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from theory.arguments import number, real_array, whole
from theory.momentum.conventions import plain, system
from theory.momentum.overshooting import overshoot
from theory.momentum.step import is_stable, stability_limit
from theory.numerics.normal_tails import special
from theory.relu_unit.frame import LARGEST, geometry, target_kind
from theory.relu_unit.objective import expected_gradient, loss

__all__ = ["Survival", "critical_scale", "survives"]


def critical_scale(
    w: Any, b: Any, step_size: Any, momentum: Any, *, convention: str = "ema", probability: float = 1e-3
) -> Any:
    """The target scale below which the affine path from the linear cone overshoots into the dead cone.

    Parameters
    ----------
    w : array (..., L)
        Weights at the start; the target is along the last axis.
    b : float or array
        Bias at the start, at least z ||w|| with z = -Phi^{-1}(probability).
    step_size, momentum, convention
        As in :func:`theory.momentum.matrix`; momentum is zero at the start, and the step must be stable.
    probability : float
        Of a positive output, below which a unit counts as dead; in (0, 1/2).

    Returns
    -------
    float or array
        0 where nothing overshoots.

    Raises
    ------
    ValueError
        For an argument outside its domain, a step that is not stable, or a start outside the linear cone.

    Source: relu, beyond section 5.

    Examples
    --------
    >>> round(critical_scale([0.5], 2.0, 0.1, 0.9), 9), round(critical_scale([0.3, -0.5], 2.0, 0.1, 0.9), 9)
    (0.152365092, 0.009757976)
    """
    weight = real_array("critical_scale", "w", w)
    if weight.ndim == 0 or weight.shape[-1] == 0:
        raise ValueError(f"critical_scale: w must have the inputs as its last axis, got shape {weight.shape}; pass [w]")
    z = _quantile("critical_scale", probability)
    along, across = weight[..., -1], np.linalg.norm(weight[..., :-1], axis=-1)
    b, size = real_array("critical_scale", "b", b), np.hypot(along, across)
    inside = np.isfinite(b) & (b >= z * size)
    if not inside.all():
        bias, length = (v[~inside].flat[0] for v in np.broadcast_arrays(b, size))
        raise ValueError(
            f"critical_scale: the start must be in the linear cone b >= {z:.6g} ||w||, got b = {bias:g} and ||w|| = "
            f"{length:g}; start inside, or play the path"
        )
    stable = np.asarray(is_stable(step_size, momentum, convention=convention))
    if not stable.all():
        eta, beta = (np.broadcast_to(v, stable.shape)[~stable].flat[0] for v in (step_size, momentum))
        raise ValueError(
            f"critical_scale: step_size must be below {stability_limit(beta, convention=convention):g} for momentum "
            f"{beta:g}, got {eta:g}; take shorter steps, as these diverge"
        )
    swing = np.asarray(overshoot(step_size, momentum, convention=convention))
    return plain(swing / (1 + swing) * (along + np.sqrt(np.maximum((b / z - across) * (b / z + across), 0))))


def _quantile(function: str, probability: float) -> float:
    """z = -Phi^{-1}(probability); errors in the name of ``function``."""
    probability = number(function, "probability", probability)
    if not 0 < probability < 0.5:
        raise ValueError(f"{function}: probability must be in (0, 1/2), got {probability}; choose a small one")
    return -float(special().ndtri(probability))


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
    target = target_kind("survives", target)
    steps = whole("survives", "steps", steps)
    if steps < 1:
        raise ValueError(f"survives: steps must be at least 1, got {steps}; give it time")
    # Its checks alone.
    system("survives", step_size, momentum, convention, 1.0)
    z = _quantile("survives", probability)
    if np.ndim(w) != 1 or np.ndim(b) or np.ndim(gamma):
        raise ValueError(
            f"survives: w must be a vector, b and gamma numbers, got shapes {np.shape(w)}, {np.shape(b)} and "
            f"{np.shape(gamma)}; ask for one start at a time"
        )
    geometry("survives", w, b, gamma)
    dead_loss = (0.5 if target == "linear" else 0.25) * gamma**2
    theta = np.append(np.asarray(w, dtype=np.float64), float(b))
    scale = np.nan
    if theta[-1] >= z * np.linalg.norm(theta[:-1]) and is_stable(step_size, momentum, convention=convention):
        scale = critical_scale(
            theta[:-1], theta[-1], step_size, momentum, convention=convention, probability=probability
        )
    weight = 1 - momentum if convention == "ema" else 1.0
    h = step_size * weight
    # Descent lowers the energy where h times half the curvature is below 1 - momentum; below 15 by measurement.
    trusted = 15 * h < 2 * (1 - momentum)
    coast = step_size * momentum / (1 - momentum)
    m, lowest, entered = np.zeros_like(theta), np.inf, None
    for t in range(steps + 1):
        size = float(np.linalg.norm(theta[:-1]))
        if not 0 < size <= LARGEST or abs(theta[-1]) > LARGEST:
            return Survival(None, t, f"out of bounds, ||w|| = {size:g}: take shorter steps", lowest, scale)
        ratio = _ratio(theta)
        lowest = min(lowest, ratio)
        grad_w, grad_b = expected_gradient(theta[:-1], theta[-1], gamma, target=target)
        gradient = np.append(grad_w, grad_b)
        if ratio < -z and _ratio(theta - coast * m) < -z:
            entered = t if entered is None else entered
            if t == steps or _stays((theta, theta - coast * m), gamma, z, (steps - t) * h / (1 - momentum)):
                why = "dead from the start" if entered == 0 else "carried into the dead cone"
                return Survival(False, entered, why, lowest, scale)
        else:
            entered = None
        squared = float(m @ m)
        if trusted:
            energy = (
                float(loss(theta[:-1], theta[-1], gamma, target=target)) + momentum / (2 * h) * step_size**2 * squared
            )
            if energy < 0.9 * dead_loss:
                return Survival(True, t, "nothing but the optimum is left", lowest, scale)
        elif squared + float(gradient @ gradient) < 1e-12 * gamma**2 and _far(theta, gamma) < gamma / 20:
            return Survival(True, t, "at rest at the optimum", lowest, scale)
        m = momentum * m + weight * gradient
        theta = theta - step_size * m
    return Survival(None, steps, "not decided within the steps", lowest, scale)


def _ratio(theta: np.ndarray) -> float:
    with np.errstate(divide="ignore"):
        return float(theta[-1] / np.linalg.norm(theta[:-1]))


def _stays(points: tuple[np.ndarray, ...], gamma: float, z: float, left: float) -> bool:
    """Whether steps of this total size cannot lead both points out of a cone inside of the dead one.

    theta' is an average of theta and of the point to which momentum carries it, which moves by gradients alone: in the
    cone b < -k s their size is at most phi(k) (s/k + 2 s + gamma (2 + k + 1/k)).
    """
    sizes = [float(np.linalg.norm(p[:-1])) for p in points]
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
