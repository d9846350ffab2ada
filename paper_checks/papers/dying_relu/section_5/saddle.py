"""Section 5, saddle points: the flow in the dead cone, and bounds of its gradients."""

import mpmath
import numpy as np
import sympy

from montecarlo.descent.fates import CONE
from montecarlo.descent.fields import gradient
from paper_checks import OPEN, Always, Finding, Form, Reproduces, Status, additional, claim, grid
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.findings import COUNTS, counted, over_settings
from paper_checks.papers.dying_relu.one_relu import number
from paper_checks.papers.dying_relu.section_5.rest import STEP_SIZE
from paper_checks.papers.dying_relu.signs import positive
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import axis, linear_target


def dead_cone_flow(velocity=axis.psi_velocity.expr) -> bool:
    """Whether d psi/dt < 0 in the left half of the dead cone, and > 0 in the right half up to w_L = gamma (1 + psi^2).

    (1 + psi^2) phi - psi Phi exceeds (1 + psi^2) phi for psi < 0, so that for w_L > 0 the sum with -phi is positive if
    gamma (1 + psi^2)/w_L = 1 + e >= 1; for w_L < 0 all terms are negative. Without a target it falls on the right too.
    """
    w_l, b, gamma = axis.w_l, axis.b, axis.gamma
    k, size = sympy.symbols("k s", positive=True)
    excess = sympy.Symbol("e", nonnegative=True)
    left, right = (velocity.subs({w_l: side * size, b: -k * size}) for side in (-1, 1))
    above = excess * phi(k) + k * (1 + excess) / (1 + k**2) * Phi(-k)
    rises = vanishes(right.subs(gamma, size * (1 + excess) / (1 + k**2)) - above) and positive(above)
    return positive(-left) and rises and positive(-right.subs(gamma, 0))


additional(
    "relu/beyond.no-rest",
    at="additional to section 5, saddle points",
    says="the exact flow does not rest in the dead cone: b/|w_L| keeps falling for w_L < 0. For w_L > 0 it "
    "rises where w_L <= gamma (1 + b^2/w_L^2)",
    printed=axis.psi_velocity,
    relation=Always("b/|w_L| falls for w_L < 0 and rises for w_L > 0", lambda value: value > 0),
    functional=lambda velocity, values: velocity() * (1 if values["w_l"] > 0 else -1),
    proof=dead_cone_flow,
    points=grid(w_l=["-1/2", "1/2"], b=[-2, -3], gamma=1),
    note="for larger w_L it can fall: at gamma = 1, w_L = 20 and b = -62 the velocity is "
    f"{axis.psi_velocity(20, -62, 1):.4f}. It is of the order of phi(b/w_L), so it decreases with depth",
)


def standing(context) -> Finding:
    """Random starts inside the dead cone: the share that the first update does not move by the tolerance."""
    rng = np.random.default_rng(context.seed)
    w, b = rng.uniform(-1, 1, 20_000), rng.uniform(-1, 0, 20_000)
    inside = b < -CONE * np.abs(w)
    w, b = w[inside], b[inside]
    statuses, table, other = {}, [], []
    for gamma in (1.0, 0.1, 0.01):
        by_weight, _, by_bias, _ = gradient(w, b, gamma)
        size = STEP_SIZE * np.hypot(by_weight, by_bias)
        for tolerance in (1e-4, 1e-6):
            moves = size >= tolerance
            key = f"gamma = {gamma:g}, tolerance {tolerance:.0e}"
            statuses[key] = Status.REFUTED if moves.any() else Status.CONFIRMED
            table.append({
                "gamma": f"{gamma:g}", "tolerance": f"{tolerance:.0e}", "do not move": f"{np.mean(~moves):.1%}",
                "b/|w_L| of the deepest that moves": f"{(b / np.abs(w))[moves].min():.2f}" if moves.any() else "none",
            })  # fmt: skip
        by_weight, _, by_bias, _ = gradient(w, -b, gamma)
        other.append(bool(np.any(STEP_SIZE * np.hypot(by_weight, by_bias) < 1e-4)))
    says = (
        f"{counted(statuses)} settings; first update with step size 0.1 at {len(w)} random points of the dead cone "
        "b/|w_L| < -3.09 in [-1, 1]^2"
    )
    return over_settings(statuses, says, {"the linear cone": not any(other)}, table)


claim(
    "relu/text.dead-cone-stands",
    at="section 5, saddle points",
    says="an entire dead cone can be considered as saddle points in practice",
    relation=Reproduces(),
    experiment=standing,
    assumptions="a point counts as a saddle point in practice if the first update is smaller than the tolerance. "
    f"All points of the cone must be such points. {COUNTS}",
    form=Form.OURS,
    expects=OPEN,
    quote="an entire dead cone can be considered as saddle points in practice",
    note="in a cone that is narrow enough no unit moves. relu/beyond.dead-cone-bound.along and "
    "relu/beyond.dead-cone-bound.bias bound the gradients. Needed to settle it: eps, gamma and the tolerance",
)


def mills_bounds(first=lambda k: phi(k) / k, second=lambda k: phi(k) / k**2) -> bool:
    """Whether Phi(-k) < phi(k)/k and phi - k Phi(-k) < phi/k^2 for all k > 0.

    What the bounds exceed by vanishes at infinity and falls, so that it is positive: the slopes are -phi/k^2 and
    -2 phi/k^3 - m, where Phi(-k) = phi/k - m with m > 0 by the first bound.
    """
    k, m = sympy.symbols("k m", positive=True)
    gaps = [first(k) - Phi(-k), second(k) - (phi(k) - k * Phi(-k))]
    ends = [sympy.limit(gap.rewrite(sympy.exp), k, sympy.oo) for gap in gaps]
    slopes = [sympy.diff(gap, k).subs(Phi(-k), phi(k) / k - m) for gap in gaps]
    return ends == [0, 0] and all(positive(-sympy.cancel(sympy.expand(slope))) for slope in slopes)


def below_bound(gradient, bound) -> bool:
    """Whether |gradient| < phi(k) bound(k, s, gamma) for all |p| <= gamma at b = -k s.

    Gradients are linear in p, so that p = +-gamma decide. With the differences m = phi/k - Phi(-k) and
    n = phi/k^2 - k m of the two bounds of :func:`mills_bounds`, both positive, phi is k (Phi + m) or k^2 (k m + n).
    """
    k, tail, m, n = sympy.symbols("k Phi m n", positive=True)
    b, s, p, gamma = linear_target.b, linear_target.s, linear_target.p, linear_target.gamma
    along = gradient.subs(b, -k * s)
    densities = ({phi(k): k * (tail + m), Phi(-k): tail}, {phi(k): k**2 * (k * m + n), Phi(-k): k * (k * m + n) - m})
    gaps = [phi(k) * bound(k, s, gamma) - side * along.subs(p, end * gamma) for side in (1, -1) for end in (1, -1)]
    return sympy.diff(gradient, p, 2) == 0 and all(any(positive(gap.subs(d)) for d in densities) for gap in gaps)


# Of the gradients at b = -k s, over phi(k).
BOUNDS = (lambda k, s, gamma: s / k + gamma * (k + 1 / k), lambda k, s, gamma: s / k**2 + gamma)

for _id, _says, _form, _bound in (
    ("relu/beyond.dead-cone-bound.along", "the gradient along w is below phi(k) (||w||/k + gamma (k + 1/k))",
     linear_target.weight_gradient_along, BOUNDS[0]),
    ("relu/beyond.dead-cone-bound.bias", "the gradient of the bias is below phi(k) (||w||/k^2 + gamma)",
     linear_target.bias_gradient_form, BOUNDS[1]),
):  # fmt: skip
    additional(
        _id,
        at="additional to section 5, saddle points",
        says=f"at b/||w|| = -k {_says}",
        printed=_form,
        relation=Always("the gradient is smaller than its bound", lambda value: value < 1),
        points=grid(s=["1/100", 1, 100], k=["31/10", 5, 20], p=[-1, 1], gamma=1),
        derived={"b": lambda s, k: -k * s},
        functional=lambda gradient, at, bound=_bound: (
            abs(gradient()) / (mpmath.npdf(number(at["k"])) * bound(*(number(at[n]) for n in ("k", "s", "gamma"))))
        ),
        proof=lambda form=_form, bound=_bound: mills_bounds() and below_bound(form.expr, bound),
        note="from Phi(-k) < phi(k)/k and phi - k Phi(-k) < phi/k^2. For ||w|| = gamma = 1 the bounds are "
        + ", ".join(
            " and ".join(f"{float(mpmath.npdf(k) * bound(k, 1, 1)):.1e}" for bound in BOUNDS) + f" at k = {k}"
            for k in (3.1, 5)
        ),
    )
