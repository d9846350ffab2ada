"""Section 5, saddle points in practice: where descent comes to rest in the dead cone when small updates end it."""

from __future__ import annotations

from itertools import pairwise

import mpmath
import numpy as np
import sympy

from montecarlo.relu_dynamics import CONE
from montecarlo.relu_field import gradient
from paper_checks.claim import grid, registry
from paper_checks.dying_relu.basins import judged
from paper_checks.dying_relu.lost_settings import over_settings
from paper_checks.dying_relu.stored_runs import median_interval
from paper_checks.findings import Finding
from paper_checks.relations import Always, Reproduces
from paper_checks.verdict import Status
from theory import relu_unit, relu_unit_axis
from theory.normal_tails import Phi, phi

claim = registry.claim

STEP_SIZE = 0.1
# b/||w|| of the ray halfway, as an angle, between the surface of the dead cone and its axis.
HALFWAY = -1 / np.tan(np.arctan(1 / CONE) / 2)


def stops(w: np.ndarray, b: np.ndarray, gamma: float, beta: float, tolerance: float) -> np.ndarray:
    """b/|w_L| where updates (6), (7) have become smaller in norm than the tolerance; nan after 100 000."""
    u, c, m_u, m_c = w, b, np.zeros_like(w), np.zeros_like(w)
    left, found = np.arange(len(w)), np.full(len(w), np.nan)
    for _ in range(100_000):
        by_weight, _, by_bias, _ = gradient(u, c, gamma)
        m_u, m_c = beta * m_u + (1 - beta) * by_weight, beta * m_c + (1 - beta) * by_bias
        u, c = u - STEP_SIZE * m_u, c - STEP_SIZE * m_c
        still = STEP_SIZE * np.hypot(m_u, m_c) < tolerance
        if still.any():
            found[left[still]] = c[still] / np.abs(u[still])
            u, c, m_u, m_c, left = (x[~still] for x in (u, c, m_u, m_c, left))
        if not len(left):
            break
    return found


def surface(context) -> Finding:
    """Random starts outside of the dead cone that come to rest in it: how deep, without and with momentum."""
    w, b = np.random.default_rng(context.seed).uniform(-1, 1, (2, 600))
    out = b > -CONE * np.abs(w)

    def depths(gamma, beta, tolerance):
        found = stops(w[out], b[out], gamma, beta, tolerance)
        return found[found < -CONE]

    tolerances = (1e-4, 1e-5, 1e-6)
    settings = [(g, t) for g in (1.0, 0.1) for t in tolerances]
    rest = {key: depths(key[0], 0.0, key[1]) for key in settings}
    with_momentum = {key: depths(key[0], 0.9, key[1]) for key in settings[::3]}
    medians = {key: median_interval(d) for key, d in rest.items()}
    holds = all(low > HALFWAY for low, _ in medians.values())
    apart = all(medians[g, t][1] < medians[g, u][0] for g in (1.0, 0.1) for u, t in pairwise(tolerances))
    shown = "; ".join(
        f"gamma = {g:g}, tolerance {t:.0e}: median in [{low:.2f}, {high:.2f}], 10 to 90 % "
        f"{np.quantile(rest[g, t], 0.1):.2f} to {np.quantile(rest[g, t], 0.9):.2f}"
        for (g, t), (low, high) in medians.items()
    )
    carried = "; ".join(f"gamma = {g:g}: {int(np.sum(d < HALFWAY))} of {len(d)}" for (g, _), d in with_momentum.items())
    started = (b / np.abs(w))[~out]
    says = (
        f"b/|w_L| at rest of units that start outside, step size {STEP_SIZE}: {shown}. With momentum 0.9, tolerance "
        f"1e-4, rest nearer to the axis of the cone than to its surface: {carried}"
    )
    return judged(holds and apart, holds and apart, says, {
        "momentum 0.9": all(median_interval(d)[0] > HALFWAY for d in with_momentum.values()),
        "units that start inside": median_interval(started)[0] > HALFWAY,
    })  # fmt: skip


claim(
    "relu/text.surface",
    at="section 5, saddle points",
    says="in practice parameters converge on the surface of the dead cone rather than in its interior",
    relation=Reproduces(),
    experiment=surface,
    assumptions="without momentum, descent that stops when an update is smaller than a tolerance; on the surface: the "
    "median unit rests nearer to b/||w|| = -3.09 than to the axis of the cone, as an angle (beyond -6.34); interval "
    "from order statistics, error rate 2e-11 each",
    note="they rest in a thin layer whose depth the tolerance sets, and which a smaller tolerance takes deeper. With "
    "momentum a part of them coasts far into the interior. The exact flow does not rest: relu/beyond.no-rest",
)


def dead_cone_flow() -> bool:
    """Whether d psi/dt < 0 in the left half of the dead cone, and > 0 in the right half below w_L = gamma (1 + psi^2).

    (1 + psi^2) phi - psi Phi exceeds (1 + psi^2) phi for psi < 0, so that for w_L > 0 the sum with -phi is positive if
    gamma (1 + psi^2)/w_L >= 1; for w_L < 0 both terms are negative.
    """
    w_l, b, gamma = relu_unit_axis.w_l, relu_unit_axis.b, relu_unit_axis.gamma
    k, size, excess = sympy.symbols("k s e", positive=True)
    velocity = relu_unit_axis.psi_velocity.expr
    left = sympy.expand(velocity.subs({w_l: -size, b: -k * size}))
    right = sympy.expand(velocity.subs({w_l: size, b: -k * size}).subs(gamma, size * (1 + excess) / (1 + k**2)))
    far = velocity.subs({w_l: 20, b: -40, gamma: 1}).evalf()
    return (
        all(t.is_negative for t in left.as_ordered_terms())
        and sympy.simplify(right - excess * phi(k) - k * (1 + excess) / (1 + k**2) * Phi(-k)) == 0
        and bool(far < 0)
    )


claim(
    "relu/beyond.no-rest",
    at="beyond section 5, saddle points",
    says="the exact flow does not rest in the dead cone: for w_L < 0 b/|w_L| goes on falling, for w_L > 0 it rises",
    printed=relu_unit_axis.psi_velocity,
    relation=Always("b/|w_L| falls for w_L < 0 and rises for w_L > 0", lambda value: value > 0),
    functional=lambda velocity, values: velocity() * (1 if values["w_l"] > 0 else -1),
    proof=dead_cone_flow,
    points=grid(w_l=["-1/2", "1/2"], b=[-2, -3], gamma=1),
    assumptions="for w_L > 0: w_L <= gamma (1 + b^2/w_L^2); farther out the attracting line comes first",
    note="ever slower, as the velocity is of the size of phi(b/w_L)",
    beyond=True,
)


def standing(context) -> Finding:
    """Random starts inside the dead cone: the share that the first update does not move by the tolerance."""
    rng = np.random.default_rng(context.seed)
    w, b = rng.uniform(-1, 1, 20_000), rng.uniform(-1, 0, 20_000)
    inside = b < -CONE * np.abs(w)
    w, b = w[inside], b[inside]
    statuses, texts, other = {}, [], []
    for gamma in (1.0, 0.1, 0.01):
        by_weight, _, by_bias, _ = gradient(w, b, gamma)
        size = STEP_SIZE * np.hypot(by_weight, by_bias)
        for tolerance in (1e-4, 1e-6):
            moves = size >= tolerance
            key = f"gamma = {gamma:g}, tolerance {tolerance:.0e}"
            statuses[key] = Status.REFUTED if moves.any() else Status.CONFIRMED
            deepest = f", down to b/|w_L| = {(b / np.abs(w))[moves].min():.2f}" if moves.any() else ""
            texts.append(f"{key}: {np.mean(~moves):.1%} stand still{deepest and ', the others move'}{deepest}")
        by_weight, _, by_bias, _ = gradient(w, -b, gamma)
        other.append(bool(np.any(STEP_SIZE * np.hypot(by_weight, by_bias) < 1e-4)))
    says = f"{len(w)} random points of the dead cone in [-1, 1]^2, b/|w_L| < -3.09, first update, step size 0.1; "
    return over_settings(statuses, says + "; ".join(texts), {"the linear cone": not any(other)})


claim(
    "relu/text.dead-cone-stands",
    at="section 5, saddle points",
    says="an entire dead cone can be considered as saddle points in practice",
    relation=Reproduces(),
    experiment=standing,
    assumptions="a saddle point in practice: the first update is smaller than the tolerance. Right: all points of the "
    "cone in all settings, wrong: in none",
    expected=Status.INCONCLUSIVE,
    note="it depends on eps, gamma and tolerance, which are lost in our copy: a narrow enough cone stands still. "
    "How small gradients are in it is relu/beyond.dead-cone-bound",
)


def mills_bounds() -> bool:
    """Whether Phi(-k) < phi(k)/k and phi - k Phi(-k) < phi/k^2 for k > 0: both vanish at infinity, with known slopes.

    The bounds less what they bound have the slopes -phi/k^2 and -2 phi/k^3 - (phi/k - Phi(-k)), the latter negative by
    the first bound: they fall to 0, so that they are positive.
    """
    k = sympy.Symbol("k", positive=True)
    first = phi(k) / k - Phi(-k)
    second = phi(k) / k**2 - (phi(k) - k * Phi(-k))
    ends = [sympy.limit(f.rewrite(sympy.exp), k, sympy.oo) for f in (first, second)]
    slopes = [sympy.expand(sympy.diff(f, k)) for f in (first, second)]
    # As Phi(-k) = phi/k - first, in the second slope.
    rest = sympy.simplify(slopes[1] - (-2 * phi(k) / k**3 - first))
    sharper = (phi(3) / 4 - Phi(-3)).evalf() > 0  # phi(k)/(k + 1) is no bound
    return not sharper and ends == [0, 0] and sympy.simplify(slopes[0] + phi(k) / k**2) == 0 and rest == 0


def within(form, bound):
    """Always: a gradient at b = -k s is smaller than its bound; both per phi(k)."""

    def functional(gradient, values):
        k = mpmath.mpf(-values["b"].p) / values["b"].q / (mpmath.mpf(values["s"].p) / values["s"].q)
        s, gamma = (mpmath.mpf(values[n].p) / values[n].q for n in ("s", "gamma"))
        return abs(gradient()) / (mpmath.npdf(k) * bound(k, s, gamma))

    return {"printed": form, "functional": functional}


for _id, _says, _form, _bound in (
    ("along", "along w by phi(k) (||w||/k + gamma (k + 1/k))", relu_unit.weight_gradient_along,
     lambda k, s, gamma: s / k + gamma * (k + 1 / k)),
    ("bias", "of the bias by phi(k) (||w||/k^2 + gamma)", relu_unit.bias_gradient_form,
     lambda k, s, gamma: s / k**2 + gamma),
):  # fmt: skip
    claim(
        f"relu/beyond.dead-cone-bound.{_id}",
        at="beyond section 5, saddle points",
        says=f"at b/||w|| = -k the gradient {_says} is bounded",
        **within(_form, _bound),
        relation=Always("the gradient is smaller than its bound", lambda value: value < 1),
        proof=mills_bounds,
        points=grid(s=["1/100", 1, 100], k=["31/10", 5, 20], p=[-1, 1], gamma=1),
        derived={"b": lambda s, k: -k * s},
        note="by Phi(-k) < phi(k)/k and phi - k Phi(-k) < phi/k^2: for ||w|| = gamma = 1 1.2e-2 and 3.6e-3 at "
        "k = 3.1, 8.0e-6 and 1.5e-6 at k = 5",
        beyond=True,
    )
