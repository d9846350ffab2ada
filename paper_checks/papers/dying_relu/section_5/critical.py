"""Section 5: the optimum, and dead units as saddle points."""

from __future__ import annotations

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Always, Kind, claim, grid, unchecked
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.best_output import rectified_target_is_best
from paper_checks.papers.dying_relu.one_relu import TAIL_DERIVED, Linear, number, over_active
from paper_checks.papers.dying_relu.section_5.activity import truncated_moment
from paper_checks.papers.dying_relu.signs import positive
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import axis as relu_unit_axis
from theory.relu_unit import curvature as relu_unit_curvature
from theory.relu_unit import linear_target as relu_unit

kappa = sympy.Symbol("kappa", real=True)
b, s, p, gamma = relu_unit.b, relu_unit.s, relu_unit.p, relu_unit.gamma


def truncated(k):
    """E[u^k; u > -kappa] by SymPy's integration."""
    return truncated_moment(k).subs(b, kappa * s)


def above(power: int) -> sympy.Expr:
    """E[y^power | y > 0] for y = u + kappa."""
    moments = [sympy.binomial(power, n) * kappa ** (power - n) * truncated(n) for n in range(power + 1)]
    return sum(moments) / truncated(0)


def moments_above() -> bool:
    """Whether y = u + kappa, given that y > 0, has the mean h + kappa and the mean square 1 + kappa (h + kappa).

    With h = phi/Phi. So both are positive, as is the variance 1 - h (h + kappa).
    """
    h = phi(kappa) / Phi(kappa)
    forms = h + kappa, 1 + kappa * (h + kappa), 1 - h * (h + kappa)
    moments = above(1), above(2), above(2) - above(1) ** 2
    return all(vanishes(f.rewrite(sympy.exp) - moment) for f, moment in zip(forms, moments, strict=True))


def optimum_is_the_only_critical_point() -> bool:
    """The steps of the argument in :mod:`theory.relu_unit.curvature`.

    1. Along w and for b the gradient is a linear map of (s, p); its determinant is kappa Phi^2 V, V the variance of u
       given u > -kappa. 2. V is one, by integration, hence positive: so kappa = 0. 3. Then s = p, and p is +-gamma as
       across w the gradient is -Phi t. 4. There the loss is gamma^2/4, below the gamma^2/2 of a dead unit.
    """
    along = relu_unit.weight_gradient_along.expr.subs(b, kappa * s).simplify()
    bias = relu_unit.bias_gradient_form.expr.subs(b, kappa * s).simplify()
    system = sympy.Matrix([[sympy.diff(g, v) for v in (s, p)] for g in (along, bias)])
    residuals = sympy.Matrix([along, bias]) - system * sympy.Matrix([s, p])
    linear = all(sympy.expand(r) == 0 for r in residuals)
    variance = relu_unit_curvature.truncated_variance.expr
    determinant = sympy.expand(system.det() - kappa * Phi(kappa) ** 2 * variance)
    shares = truncated(2) / truncated(0) - (truncated(1) / truncated(0)) ** 2
    is_variance = vanishes(variance.rewrite(sympy.exp) - shares)
    at_zero = sympy.solve(along.subs(kappa, 0), s) == [p]
    loss = relu_unit.loss_form.expr.subs({b: 0, s: gamma, p: gamma})
    both_vanish = along.subs({kappa: 0, p: s}) == 0 and bias.subs({kappa: 0, p: s}) == 0
    return linear and determinant == 0 and is_variance and at_zero and both_vanish and loss == gamma**2 / 4


claim(
    "relu/text.optimum",
    at="section 5, critical points",
    says="the gradient is zero at the global optimum w = Lambda, b = 0",
    proof=lambda: rectified_target_is_best() and optimum_is_the_only_critical_point(),
    note="and nowhere else, for w not 0: the proof shows it. The loss there is gamma^2/4, as the linear target cannot "
    "be reached",
)

claim(
    "relu/beyond.truncated-variance",
    at="section 5, critical points",
    says="1 - kappa h - h^2, h = phi/Phi, is the variance of a normal variable above -kappa: positive, so that there "
    "is no other critical point",
    printed=relu_unit_curvature.truncated_variance,
    points=grid(kappa=[-8, -1, 0, 2]),
    integral=lambda kappa: (
        over_active(lambda u: u * u, kappa, 1) / over_active(lambda _u: 1, kappa, 1)
        - (over_active(lambda u: u, kappa, 1) / over_active(lambda _u: 1, kappa, 1)) ** 2
    ),
    slips={"without the square": relu_unit_curvature.truncated_variance.expr + (phi(kappa) / Phi(kappa)) ** 2},
    kind=Kind.ADDITIONAL,
)


def vanishes_in_a_dead_unit(form: sympy.Expr) -> bool:
    """Whether a form in kappa vanishes for kappa to minus infinity."""
    return sympy.limit(form.rewrite(sympy.exp), kappa, -sympy.oo) == 0


def limits_of_a_dead_unit() -> bool:
    """Phi, phi and kappa phi vanish for kappa to minus infinity; kappa itself, as a control, does not."""
    parts = Phi(kappa), phi(kappa), kappa * phi(kappa)
    return all(vanishes_in_a_dead_unit(f) for f in parts) and not vanishes_in_a_dead_unit(kappa)


def dead_gradient_vanishes() -> bool:
    """Whether each component of the gradient vanishes for b = kappa ||w||, ||w|| bounded, from any direction.

    With w_i = n_i ||w|| it is a polynomial in bounded numbers, ||w||, p, n_i and Lambda_i, and each of its coefficients
    vanishes.
    """
    direction = sympy.Symbol("n_i", real=True)
    at = {b: kappa * s, relu_unit.w_i: direction * s}
    forms = (relu_unit.weight_gradient_form, relu_unit.bias_gradient_form)
    polynomials = [sympy.Poly(f.expr.subs(at), s, p, direction, relu_unit.lambda_i) for f in forms]
    return all(vanishes_in_a_dead_unit(c) for polynomial in polynomials for c in polynomial.coeffs())


claim(
    "relu/text.saddle-limit",
    at="section 5, saddle points",
    says="for b/||w|| to minus infinity Phi, phi and (b/||w||) phi vanish, and with them the gradient",
    proof=lambda: limits_of_a_dead_unit() and dead_gradient_vanishes(),
    assumptions="||w|| stays bounded; with ||w|| growing as well the product with Phi must vanish too",
    note="at finite parameters the set is w = 0 with b < 0, approached but not reached; all derivatives vanish there",
)

EXCESS = {
    "printed": relu_unit_axis.saddle_excess,
    "derived": TAIL_DERIVED,
    "functional": lambda excess, values: excess() / mpmath.npdf(number(values["b"]) / number(values["s"])),
    "integral": lambda b, s, p: (
        over_active(lambda u: (s * u + b) * ((s * u + b) / 2 - p * u), b, s) / mpmath.npdf(b / s)
    ),
    "measured": mean(kernels.linear_target_tail, kernels.LOSS),
    "scale": lambda s, b, gamma: s**2 * gamma / abs(b),
    "scale_says": "||w||^2 gamma/|b|, the size of the linear term",
}

claim(
    "relu/text.saddle",
    at="section 5, saddle points",
    says="dead units are saddle points: beside them the loss is lower for w along Lambda, higher for w against it",
    points=[*grid(s="1/5", rho=1, b="-1/2", gamma=1), *grid(s="1/5", rho=-1, b=-1, gamma="1/3")],
    slips={"sign of the target": relu_unit_axis.saddle_excess.expr.subs(gamma, -gamma)},
    note="in units of phi(b/||w||); at w_L = 0.2, b = -0.5, gamma = 1 the loss is 0.00122 below gamma^2/2, at "
    "w_L = -0.2 it is 0.00127 above. The Hessian is 0: no direction of negative curvature leads away",
    **EXCESS,
)


def loss_beside_a_dead_unit(side: int) -> bool:
    """Whether for b = -k |w_L| < 0 the loss is below a dead unit's for 0 < w_L <= 2 gamma, and above it for w_L < 0.

    With h = k + r, r and q = 1 - k r being the moments of :func:`moments_above`, hence positive, and q below 1, the
    difference is Phi |w_L| times |w_L| q/2 - gamma for w_L > 0, and |w_L| q/2 + gamma for w_L < 0.
    """
    k, r, q, size, tail = sympy.symbols("k r q s Phi", positive=True)
    more = sympy.Symbol("d", nonnegative=True)
    w_l, bias, target = relu_unit_axis.w_l, relu_unit_axis.b, relu_unit_axis.gamma
    excess = relu_unit_axis.saddle_excess.expr.subs({w_l: side * size, bias: -k * size})
    excess = excess.subs({phi(k): tail * (k + r), Phi(-k): tail})
    lower, higher = -excess.subs(target, size / 2 + more), excess.subs(r, (1 - q) / k)
    return moments_above() and positive(lower if side > 0 else higher)


claim(
    "relu/text.saddle-sign.lower",
    at="section 5, saddle points",
    says="for w along Lambda the loss of a nearly dead unit is below that of a dead one",
    printed=relu_unit_axis.saddle_excess,
    relation=Always("it is lower", lambda value: value < 0),
    proof=lambda: loss_beside_a_dead_unit(1),
    assumptions="b < 0 and w_L <= 2 gamma",
    points=grid(w_l=["1/5", "1/10", "1/50"], b="-1/2", gamma=1),
)

claim(
    "relu/text.saddle-sign.higher",
    at="section 5, saddle points",
    says="for w against Lambda the loss of a nearly dead unit is above that of a dead one",
    printed=relu_unit_axis.saddle_excess,
    relation=Always("it is higher", lambda value: value > 0),
    proof=lambda: loss_beside_a_dead_unit(-1),
    assumptions="b < 0",
    points=grid(w_l=["-1/5", "-1/10", "-1/50"], b="-1/2", gamma=1),
)

claim(
    "relu/text.example",
    at="section 5, saddle points",
    says="for a unit that is hardly active the limits are reached in practice at some b/||w||, given by an example",
    expects=unchecked(
        "both numbers of the example are lost in our copy. Phi(b/||w||) is 1.35e-3 at -3, 3.17e-5 at -4, 2.87e-7 "
        "at -5, 9.87e-10 at -6; the last of the three to vanish, (b/||w||) phi, is -1.33e-2, -5.35e-4, "
        "-7.43e-6, -3.65e-8"
    ),
)


def velocity(b, s, p):
    """(psi along - bias)/s from the integrals of the gradient."""
    return (b / s * Linear.along(b, s, p) - Linear.bias(b, s, p)) / s


claim(
    "relu/beyond.psi-velocity",
    at="beyond section 5, saddle points",
    says="how fast b/|w_L| changes under descent along the exact gradient",
    printed=relu_unit_axis.psi_velocity,
    derivation=lambda: (
        (
            sympy.sign(relu_unit_axis.w_l) * relu_unit_axis.psi * relu_unit_axis.weight_gradient.expr
            - relu_unit_axis.bias_gradient.expr
        )
        / sympy.Abs(relu_unit_axis.w_l)
    ),
    points=grid(w_l=["-1/2", "1/2"], b=[-2, "1/3"], gamma="3/2"),
    integral=lambda w_l, b, gamma: velocity(b, abs(w_l), mpmath.sign(w_l) * gamma),
    kind=Kind.ADDITIONAL,
)
