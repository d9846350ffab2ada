r"""Early decision about the path of a single ReLU: results that are certain before the path is at rest.

Small updates are no sign of convergence: with momentum all parameters stand still at each
turning point. Every 16 steps one of these is looked for.

1. ``OPTIMUM``. With h = omega eta, the energy E = J + (beta/2h) |eta m|^2 falls by at least
   (1 - beta - h M/2)/h |eta m'|^2 in a step, where M bounds the curvature of J. Below the loss of a dead unit J has no
   critical point but the optimum: once E is less than 9/10 of that loss, the path stays in a compact set and has
   nowhere else to go. In that set M < 15, which a test measures. Where h M >= 2 (1 - beta), and with ``"nesterov"``,
   the path must instead be within gamma/20 of the optimum with both momentum and gradient below 1e-6 gamma.
2. ``DEAD``. P = theta - eta beta/(1 - beta) m is where momentum alone would carry the unit. It moves by -h g/(1 - beta)
   in a step, and theta' = beta theta + (1 - beta) P': theta never leaves a convex set that P stays in, nor does
   Nesterov's point, which lies between them. Both must be in a cone with u < 0 in which descent takes w to 0 and lowers
   b, so that all the more keeps them there; which one, and why, is explained in ``shrinks``.
3. ``STUCK``. Both theta and P are so deep in the dead cone that all steps that are left, at the largest gradient in a
   narrower cone that both are in, do not lead out of that one. The gradient may point out of the dead cone, and does
   for u > 0: the exact path comes back, after a time that grows exponentially with u/gamma. So it does from u < 0
   where v is large and w turns towards Lambda faster than it shrinks. Also what is in the dead cone when the steps are
   used up.
4. ``UNDECIDED``: anything else when the steps are used up.
"""

import numpy as np

from montecarlo.descent.fields import LINEAR, WITHOUT_SIGN, at, excess
from montecarlo.engine.compiled import compiled_helper
from montecarlo.streams.instructions import inlined

UNDECIDED, OPTIMUM, DEAD, STUCK = range(4)
# Surface of the dead cone: a unit that is active with probability 0.001.
CONE = 3.0902323061678135
TRAPPED, CURVATURE = 0.9, 15.0
NEAR, STILL = 0.05, 1e-6
# Rule 2: the width of a cone on the linear target; what a tenth is.
NARROW, LITTLE = 0.6, 0.1
# A path that small updates have ended has converged within this share of gamma from the optimum.
AT_REST = 0.5


@inlined
def in_cone(u, v, b, slope):
    """The distance to the surface of the cone b < -slope s; negative outside."""
    return (-b - slope * np.sqrt(u * u + v * v)) / np.sqrt(1.0 + slope * slope)


@inlined
def _frozen(u, v, b, pu, pv, pb, gamma, eta, beta, weight, cone, left):
    """Whether the steps that are left cannot lead from either point to the surface of the dead cone."""
    s, ps = np.sqrt(u * u + v * v), np.sqrt(pu * pu + pv * pv)
    depth = min(-b / max(s, 1e-300), -pb / max(ps, 1e-300), 50.0)
    if depth <= cone:
        return False
    for share in (0.2, 0.5, 0.8, 0.95):
        slope = cone + share * (depth - cone)
        room = min(in_cone(u, v, b, slope), in_cone(pu, pv, pb, slope))
        # In the cone b < -slope s Phi <= phi/slope, |b| Phi <= s phi, and phi is largest at the surface.
        density = np.exp(-0.5 * slope * slope) / np.sqrt(2.0 * np.pi)
        size = max(s, ps) + room
        largest = density * (size / slope + gamma * (1.0 / slope + slope + 1.0)) + density * (2.0 * size + gamma)
        if left * eta * weight / (1.0 - beta) * largest < room:
            return True
    return False


@inlined
def _cone_of_death(target, u, v, b, pu, pv, pb):
    """The opening T of a cone of rule 2 around both points; negative where there is none."""
    if max(u, pu) >= 0.0 or target == WITHOUT_SIGN:
        return -1.0
    if target == LINEAR:
        wide = max(u * u + v * v - NARROW * b * u, pu * pu + pv * pv - NARROW * pb * pu) > 0.0
        return -1.0 if wide else 0.0
    return (1.0 + 2.0 * LITTLE) * max(abs(v / u), abs(pv / pu))


@inlined
def shrinks(target, opening, u, v, b, pu, pv, pb, gamma, eta, beta, weight):
    """Whether steps are so short, and theta so close to P, that w goes to 0 in the cone b < -k s.

    Linear target, the cone u^2 + v^2 <= r b u, r = 0.6. |u| shrinks at the relative rate A and |v| at V, where
    V <= A <= (1 + r^2) V, while b falls: s^2/|b u| falls as well. A <= phi(k) (1/k + gamma (k + 1) k/|b|).

    ReLU target, the cone |v| <= T |u|. Both shrink at the rate Phi, but for what the target adds: by no more than the
    share gamma (T^2 + 3) phi(k/T)/|b|, which must be a tenth, so that b falls. k/T must be 2; then |v/u| grows by less
    than what T has to spare before this share, which falls faster than exp(-k^2/2), is gone.

    In steps the same is true while theta is within a tenth of P by either coordinate. It remains so where P moves by
    no more than (1 - beta)/12.1 of them in a step.
    """
    if abs(u - pu) > -LITTLE * pu or abs(v - pv) > LITTLE * abs(pv):
        return False
    k = min(-b / np.sqrt(u * u + v * v), -pb / np.sqrt(pu * pu + pv * pv))
    low = min(-b, -pb)
    density = np.exp(-0.5 * k * k) / np.sqrt(2.0 * np.pi)
    rate = density * (1.0 + 2.0 * LITTLE) / k
    if target == LINEAR:
        rate = density * (1.0 / k + gamma * (k + 1.0) * k / low)
    elif opening > 0.0:
        far = k / opening
        if far < 2.0 or gamma * (opening**2 + 3.0) * np.exp(-0.5 * far**2) / np.sqrt(2.0 * np.pi) > LITTLE * low:
            return False
    return weight * eta / (1.0 - beta) * rate <= (1.0 - beta) * LITTLE / (1.0 + LITTLE) ** 2


@compiled_helper
def fate(target, u, v, b, mu, mv, mb, gamma, eta, beta, weight, ahead, cone, left):
    """Result of a path as far as it is certain; else UNDECIDED."""
    dead_loss = 0.5 * gamma * gamma if target <= WITHOUT_SIGN else 0.25 * gamma * gamma
    h = weight * eta
    squared = mu * mu + mv * mv + mb * mb
    if ahead == 0.0 and h * CURVATURE < 2.0 * (1.0 - beta):
        energy = excess(target, u, v, b, gamma) + 0.5 * beta / h * eta * eta * squared
        if energy < -(1.0 - TRAPPED) * dead_loss:
            return OPTIMUM
    elif squared < (STILL * gamma) ** 2 and (u - gamma) ** 2 + v * v + b * b < (NEAR * gamma) ** 2:
        gu, gv, gb = at(target, u, v, b, gamma)
        if gu * gu + gv * gv + gb * gb < (STILL * gamma) ** 2:
            return OPTIMUM
    if in_cone(u, v, b, cone) <= 0.0:
        return UNDECIDED
    coast = eta * beta / (1.0 - beta)
    pu, pv, pb = u - coast * mu, v - coast * mv, b - coast * mb
    if in_cone(pu, pv, pb, cone) <= 0.0:
        return UNDECIDED
    opening = _cone_of_death(target, u, v, b, pu, pv, pb)
    if opening >= 0.0 and shrinks(target, opening, u, v, b, pu, pv, pb, gamma, eta, beta, weight):
        return DEAD
    if _frozen(u, v, b, pu, pv, pb, gamma, eta, beta, weight, cone, left):
        return STUCK
    return UNDECIDED


@inlined
def where_it_rests(u, v, b, gamma, cone):
    """Result of a path by the place where it came to rest."""
    if in_cone(u, v, b, cone) > 0.0:
        return DEAD
    if (u - gamma) ** 2 + v * v + b * b <= (AT_REST * gamma) ** 2:
        return OPTIMUM
    return UNDECIDED
