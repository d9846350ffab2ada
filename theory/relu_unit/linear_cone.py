r"""Overshoot of a single ReLU from the linear cone into the dead one, in closed form.

In the linear cone, b > z ||w||, the unit follows the affine model: at its deepest point it is at
theta* - o (theta_0 - theta*), o being the overshoot of momentum. That is in the dead cone b < -z ||w|| exactly when

.. math:: \gamma < \gamma_{crit} = \frac{o}{1 + o} \Big( w_L + \sqrt{b^2/z^2 - \|w_\perp\|^2} \Big),

w_L and w_perp being the components of w along Lambda and across. This is exact for the affine model. The ReLU is less
active on its way, so that it gets farther: it also dies for some gamma above.
"""

from typing import Any

import numpy as np

from theory.arguments import in_float64, number, real_array, require
from theory.momentum.overshooting import overshoot
from theory.momentum.step import is_stable, stability_limit
from theory.momentum.systems import plain
from theory.numerics.normal_tails import special


@in_float64
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
    OverflowError
        For a scale outside the range of float64.

    Source: relu, additional to section 5.

    Examples
    --------
    >>> round(critical_scale([0.5], 2.0, 0.1, 0.9), 9), round(critical_scale([0.3, -0.5], 2.0, 0.1, 0.9), 9)
    (0.152365092, 0.009757976)
    """
    weight = real_array("critical_scale", "w", w)
    if weight.ndim == 0 or weight.shape[-1] == 0:
        raise ValueError(f"critical_scale: w must have the inputs as its last axis, got shape {weight.shape}; pass [w]")
    z = quantile("critical_scale", probability)
    along, across = weight[..., -1], np.linalg.norm(weight[..., :-1], axis=-1)
    b, size = real_array("critical_scale", "b", b), np.hypot(along, across)
    inside = np.isfinite(b) & (b >= z * size)
    if not inside.all():
        bias, length = (v[~inside].flat[0] for v in np.broadcast_arrays(b, size))
        raise ValueError(
            f"critical_scale: the start must be in the linear cone b >= {z:.6g} ||w||, got b = {bias:g} and ||w|| = "
            f"{length:g}; start inside, or simulate the path"
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


def quantile(function: str, probability: float) -> float:
    """z = -Phi^{-1}(probability); errors in the name of ``function``."""
    probability = number(function, "probability", probability)
    require(function, "probability", probability, 0 < probability < 0.5, "be in (0, 1/2)", "choose a small one")
    return -float(special().ndtri(probability))
