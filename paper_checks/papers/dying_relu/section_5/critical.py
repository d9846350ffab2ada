"""Section 5: the optimum, and dead units as saddle points."""

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Always, Form, additional, claim, common, grid, unchecked
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.one_relu import TAIL_DERIVED, Linear, number, over_active
from paper_checks.papers.dying_relu.signs import positive, rectified_target_is_best
from paper_checks.papers.dying_relu.truncated_moments import moments_above, truncated
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import axis, curvature, linear_target

kappa = sympy.Symbol("kappa", real=True)
b, s, p, gamma = linear_target.b, linear_target.s, linear_target.p, linear_target.gamma


def optimum_is_the_only_critical_point() -> bool:
    """The steps of the argument in :mod:`theory.relu_unit.curvature`.

    1. Along w and for b the gradient is a linear map of (s, p); its determinant is kappa Phi^2 V, V the variance of u
       given u > -kappa. 2. V is one, by integration, hence positive: so kappa = 0. 3. Then s = p, and p is +-gamma as
       across w the gradient is -Phi t. 4. There the loss is gamma^2/4, below the gamma^2/2 of a dead unit.
    """
    along = linear_target.weight_gradient_along.expr.subs(b, kappa * s).simplify()
    bias = linear_target.bias_gradient_form.expr.subs(b, kappa * s).simplify()
    system = sympy.Matrix([[sympy.diff(g, v) for v in (s, p)] for g in (along, bias)])
    linear = all(sympy.expand(r) == 0 for r in sympy.Matrix([along, bias]) - system * sympy.Matrix([s, p]))
    variance = curvature.truncated_variance.expr
    determinant = sympy.expand(system.det() - kappa * Phi(kappa) ** 2 * variance)
    shares = truncated(2) / truncated(0) - (truncated(1) / truncated(0)) ** 2
    is_variance = vanishes(variance.rewrite(sympy.exp) - shares)
    at_zero = sympy.solve(along.subs(kappa, 0), s) == [p]
    loss = linear_target.loss_form.expr.subs({b: 0, s: gamma, p: gamma})
    both_vanish = along.subs({kappa: 0, p: s}) == 0 and bias.subs({kappa: 0, p: s}) == 0
    return linear and determinant == 0 and is_variance and at_zero and both_vanish and loss == gamma**2 / 4


claim(
    "relu/text.optimum",
    at="section 5, critical points",
    says="the gradient is zero at the global optimum w = Lambda, b = 0",
    quote="global optimum is easily verified to have gradient zero",
    proof=lambda: rectified_target_is_best() and optimum_is_the_only_critical_point(),
    form=Form.OURS,
    note="the proof also shows that the gradient is not zero at any other point with w other than 0. The "
    "loss at the optimum is gamma^2/4, because a ReLU cannot reach the linear target",
)

additional(
    "relu/beyond.truncated-variance",
    at="additional to section 5, critical points",
    says="1 - kappa h - h^2, where h = phi/Phi, is the variance of a standard normal variable u above "
    "-kappa; it is positive, so there is no other critical point",
    printed=curvature.truncated_variance,
    points=grid(kappa=[-8, -1, 0, 2]),
    integral=lambda kappa: (
        over_active(lambda u: u * u, kappa, 1) / over_active(lambda _u: 1, kappa, 1)
        - (over_active(lambda u: u, kappa, 1) / over_active(lambda _u: 1, kappa, 1)) ** 2
    ),
    slips={"without the square": curvature.truncated_variance.expr + (phi(kappa) / Phi(kappa)) ** 2},
)


def vanishes_in_a_dead_unit(form: sympy.Expr) -> bool:
    """Whether a form in kappa vanishes for kappa to minus infinity."""
    return sympy.limit(form.rewrite(sympy.exp), kappa, -sympy.oo) == 0


def dead_gradient_vanishes() -> bool:
    """Whether each component of the gradient vanishes for b = kappa ||w||, ||w|| bounded, from any direction.

    With w_i = n_i ||w|| it is a polynomial in bounded numbers, ||w||, p, n_i and Lambda_i, and each of its coefficients
    vanishes.
    """
    direction = sympy.Symbol("n_i", real=True)
    at = {b: kappa * s, linear_target.w_i: direction * s}
    forms = (linear_target.weight_gradient_form, linear_target.bias_gradient_form)
    polynomials = [sympy.Poly(f.expr.subs(at), s, p, direction, linear_target.lambda_i) for f in forms]
    return all(vanishes_in_a_dead_unit(c) for polynomial in polynomials for c in polynomial.coeffs())


saddle = common(at="section 5, saddle points", form=Form.OURS)

saddle(
    "relu/text.saddle-limit",
    says="as b/||w|| tends to minus infinity, Phi, phi and (b/||w||) phi tend to 0, and so does the gradient",
    quote="Saddle points correspond to dead ReLU and occur when",
    # kappa itself, as a control, does not vanish.
    proof=lambda: (
        all(map(vanishes_in_a_dead_unit, (Phi(kappa), phi(kappa), kappa * phi(kappa))))
        and not vanishes_in_a_dead_unit(kappa)
        and dead_gradient_vanishes()
    ),
    assumptions="||w|| stays bounded; if ||w|| grows too, its product with Phi must also tend to 0",
    note="for finite parameters this is the axis w = 0, b < 0, which descent approaches but does not "
    "reach: relu/text.saddle-center",
)


def dead_output_is_zero() -> bool:
    """Whether the loss (24) of a dead unit tends to E[y^2]/2 = gamma^2/2, that of the output 0, from any direction."""
    loss = linear_target.loss_form.expr.subs(b, kappa * s)
    limit = sympy.limit(loss.rewrite(sympy.exp), kappa, -sympy.oo)
    other = sympy.limit(loss.subs(kappa, -kappa).rewrite(sympy.exp), kappa, -sympy.oo)
    return vanishes(limit - gamma**2 / 2) and not vanishes(other - gamma**2 / 2)


saddle(
    "relu/text.saddle-output",
    says="the limit of b/||w|| to minus infinity is the case in which the output is 0 for every input: "
    "the loss (24) tends to gamma^2/2",
    quote="which can be verified by plugging these values into Eq. (24)",
    proof=dead_output_is_zero,
    assumptions="||w|| stays bounded",
)


def dead_critical_points_are_the_axis() -> bool:
    """Whether in the dead cone b < -z ||w|| the gradient vanishes on its axis w = 0, b < 0, and nowhere else.

    For w other than 0 the optimum is the only critical point, and it has b = 0. Towards the axis b/||w|| falls without
    bound, and the gradient vanishes.
    """
    towards = sympy.limit(-sympy.Symbol("b", positive=True) / s, s, 0, "+") == -sympy.oo
    return bool(towards and optimum_is_the_only_critical_point() and dead_gradient_vanishes())


saddle(
    "relu/text.saddle-center",
    says="the saddle points form the centre of the dead cone: the gradient tends to 0 towards its axis w "
    "= 0, b < 0, and is not 0 at any other point of the cone",
    proof=dead_critical_points_are_the_axis,
    quote="These saddle points form the center of the dead cone.",
    note="relu/text.dead-cone-stands is about the whole cone in practice",
)

saddle(
    "relu/text.saddle",
    says="dead units are saddle points: beside them the loss is lower for w along Lambda and higher for w against it",
    quote="Saddle points correspond to dead ReLU",
    points=[*grid(s="1/5", rho=1, b="-1/2", gamma=1), *grid(s="1/5", rho=-1, b=-1, gamma="1/3")],
    slips={"the target with the other sign": axis.saddle_excess.expr.subs(gamma, -gamma)},
    note=f"in units of phi(b/||w||). At b = -0.5 and gamma = 1 the loss is {-axis.saddle_excess(0.2, -0.5, 1):.5f} "
    f"below gamma^2/2 for w_L = 0.2, and {axis.saddle_excess(-0.2, -0.5, 1):.5f} above for w_L = -0.2. The Hessian is "
    "0 there, so that no direction of negative curvature leads away",
    printed=axis.saddle_excess,
    derived=TAIL_DERIVED,
    functional=lambda excess, values: excess() / mpmath.npdf(number(values["b"]) / number(values["s"])),
    integral=lambda b, s, p: over_active(lambda u: (s * u + b) * ((s * u + b) / 2 - p * u), b, s) / mpmath.npdf(b / s),
    measured=mean(kernels.linear_target_tail, kernels.LOSS),
    scale=(lambda s, b, gamma: s**2 * gamma / abs(b), "||w||^2 gamma/|b|, the size of the linear term"),
)


def loss_beside_a_dead_unit(side: int) -> bool:
    """Whether for b = -k |w_L| < 0 the loss is below a dead unit's for 0 < w_L <= 2 gamma, and above it for w_L < 0.

    With h = k + r, r and q = 1 - k r being the moments of :func:`moments_above`, hence positive, and q below 1, the
    difference is Phi |w_L| times |w_L| q/2 - gamma for w_L > 0, and |w_L| q/2 + gamma for w_L < 0.
    """
    k, r, q, size, tail = sympy.symbols("k r q s Phi", positive=True)
    more = sympy.Symbol("d", nonnegative=True)
    w_l, bias, target = axis.w_l, axis.b, axis.gamma
    excess = axis.saddle_excess.expr.subs({w_l: side * size, bias: -k * size})
    excess = excess.subs({phi(k): tail * (k + r), Phi(-k): tail})
    lower, higher = -excess.subs(target, size / 2 + more), excess.subs(r, (1 - q) / k)
    return moments_above() and positive(lower if side > 0 else higher)


beside = common(at="section 5, saddle points", printed=axis.saddle_excess, form=Form.OURS)

beside(
    "relu/text.saddle-sign.lower",
    says="for w along Lambda the loss of a nearly dead unit is below that of a dead one",
    relation=Always("it is lower", lambda value: value < 0),
    proof=lambda: loss_beside_a_dead_unit(1),
    assumptions="b < 0 and w_L <= 2 gamma",
    points=grid(w_l=["1/5", "1/10", "1/50"], b="-1/2", gamma=1),
)

beside(
    "relu/text.saddle-sign.higher",
    says="for w against Lambda the loss of a nearly dead unit is above that of a dead one",
    relation=Always("it is higher", lambda value: value > 0),
    proof=lambda: loss_beside_a_dead_unit(-1),
    assumptions="b < 0",
    points=grid(w_l=["-1/5", "-1/10", "-1/50"], b="-1/2", gamma=1),
)

claim(
    "relu/text.example",
    at="section 5, saddle points",
    says="the limits of a dead unit are reached in practice at some b/||w||, of which the paper has an example",
    expects=unchecked(
        "our copy has lost both numbers of the example. Phi(b/||w||) and (b/||w||) phi are "
        + ", ".join(f"{float(mpmath.ncdf(k)):.2e} and {float(k * mpmath.npdf(k)):.2e} at {k}" for k in (-3, -4, -5, -6))
        + ". Needed to settle it: both numbers"
    ),
    quote="Note in practice that these limits in practice occur already at, for example",
)


def velocity(b, s, p):
    """(psi along - bias)/s from the integrals of the gradient."""
    return (b / s * Linear.along(b, s, p) - Linear.bias(b, s, p)) / s


additional(
    "relu/beyond.psi-velocity",
    at="additional to section 5, saddle points",
    says="under descent along the exact gradient, b/|w_L| changes at this rate; tau is the time of the gradient flow",
    printed=axis.psi_velocity,
    derivation=lambda: (
        (sympy.sign(axis.w_l) * axis.psi * axis.weight_gradient.expr - axis.bias_gradient.expr) / sympy.Abs(axis.w_l)
    ),
    points=grid(w_l=["-1/2", "1/2"], b=[-2, "1/3"], gamma="3/2"),
    integral=lambda w_l, b, gamma: velocity(b, abs(w_l), mpmath.sign(w_l) * gamma),
)
