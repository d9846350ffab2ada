"""Section 5: where the gradients on the axis vanish, and the line that attracts between."""

import mpmath
import numpy as np
import scipy
import sympy

from montecarlo import mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Approximates, Finding, Form, Kind, additional, claim, common, concluded, grid
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.one_relu import Linear, number, over_active
from paper_checks.papers.dying_relu.section_5.escape import mills, velocity
from paper_checks.papers.dying_relu.truncated_moments import moments_above
from paper_checks.rules.means import told
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import axis, linear_target

w_l, b, gamma = axis.w_l, axis.b, axis.gamma
NULLCLINE = {"s": lambda w_last: w_last, "p": lambda gamma: gamma, "b": lambda kappa, w_last: kappa * w_last}


def gradient_there(integral):
    """The gradient at the w_L that a form gives, on the ray b = kappa w_L; no gradient for one below 0."""
    return lambda form, at: (
        integral(number(at["kappa"]) * form(), form(), number(at["gamma"])) if form() > 0 else mpmath.mpf(10)
    )


for _id, _says, _form, _integral, _column in (
    ("relu/beyond.weight-nullcline", "dL/dw_L is zero at w_L = gamma (1 - kappa h), where h = phi/Phi",
     axis.weight_nullcline, Linear.along, kernels.ALONG),
    ("relu/beyond.bias-nullcline", "dL/db is zero at w_L = gamma h/(h + kappa), where h = phi/Phi",
     axis.bias_nullcline, Linear.bias, kernels.BIAS),
):  # fmt: skip
    additional(
        _id,
        at="additional to section 5, attracting line",
        says=f"on the ray b = kappa w_L {_says}",
        printed=_form,
        functional=gradient_there(_integral),
        points=grid(w_rest=0, kappa=["-1/2", "-3/2"], gamma="2/5", fan_in=1),
        derived={
            "w_last": lambda kappa, gamma, of=_form: of.expr.subs({axis.kappa: kappa, axis.gamma: gamma}),
            **NULLCLINE,
        },
        integral=lambda: mpmath.mpf(0),
        measured=mean(kernels.linear_target, _column),
        scale=(lambda gamma: gamma, "gamma"),
    )


def between_nullclines_is_forward_invariant() -> bool:
    """For kappa < 0: the wedge a_w < w_L < a_b is not empty, dw_L/dt < 0 < db/dt in it, and paths at its sides turn in.

    On a ray dL/dw_L = Phi (w_L - a_w) and dL/db = (kappa Phi + phi)(w_L - a_b). With h = phi/Phi the numbers
    h + kappa, 1 + kappa (h + kappa) and 1 - h (h + kappa) are positive, by :func:`moments_above`.
    a_b - a_w has the sign of -kappa times the variance; a_w and a_b fall in kappa. Where w_L = a_w, w_L rests and b and
    kappa rise, so that a_w falls below w_L; where w_L = a_b, b rests and w_L and kappa fall, so that a_b rises above.
    """
    kappa, size = axis.kappa, sympy.Symbol("s", positive=True)
    h, k, mean_, square = sympy.symbols("h k mean square", positive=True)
    a_w = axis.weight_nullcline.expr
    a_b = axis.bias_nullcline.expr
    in_h = {phi(kappa): h * Phi(kappa)}
    variance = 1 - h * (h + kappa)
    slopes = -h + kappa * h * (h + kappa), -h * (1 + kappa * (h + kappa)) / (h + kappa) ** 2
    fall = [slope.subs(1 + kappa * (h + kappa), square).subs(h + kappa, mean_).subs(kappa, -k) for slope in slopes]
    ray = {w_l: size, b: kappa * size}
    ramp = kappa * Phi(kappa) + phi(kappa)  # E[(u + kappa)_+]
    factors = ((axis.weight_gradient, a_w, Phi(kappa)), (axis.bias_gradient, a_b, ramp))
    identities = [
        (a_b - a_w).subs(in_h) * (h + kappa) / gamma + kappa * variance,
        *((sympy.diff(at, kappa) / gamma).subs(in_h) - slope for at, slope in zip((a_w, a_b), slopes, strict=True)),
        *(form.expr.subs(ray) - slope_of * (size - at) for form, at, slope_of in factors),
    ]
    return moments_above() and all(vanishes(x) for x in identities) and all(slope.is_negative for slope in fall)


beyond = common(at="additional to section 5, Figure 3", kind=Kind.ADDITIONAL)

beyond(
    "relu/beyond.wedge",
    says="for b/w_L = kappa < 0 < w_L, paths stay between the nullclines of w_L and b once they are "
    "there; w_L falls and b rises",
    proof=between_nullclines_is_forward_invariant,
)

# As far from the optimum, in units of gamma, a path has arrived there.
OPTIMAL = 1e-3


def paths_are_attracted(context) -> Finding:
    """Random starts in the lower right quadrant: all get between the nullclines, whose place depends on w_L/gamma.

    Or, from w_L below gamma, to the optimum, where the nullclines meet.
    """
    rng, count = np.random.default_rng(context.seed), 40
    k, w = rng.uniform(1, 6, count), rng.uniform(0.1, 60, count)

    def distance(_, at):
        """Negative between the nullclines."""
        h = 1 / mills(at[0])
        return max(1 + at[0] * h - at[1], at[1] - h / (h - at[0]))

    distance.terminal, distance.direction = True, -1

    def arrives(start, sign):
        found = scipy.integrate.solve_ivp(
            lambda _, at: sign * np.array(velocity(*at)), (0, 1e4), start, events=distance, rtol=1e-8
        )
        k_end, w_end = found.y[:, -1]
        return distance(0, start) < 0 or len(found.t_events[0]) > 0 or max(abs(k_end), abs(w_end - 1)) < OPTIMAL

    def reversed_(start):
        return scipy.integrate.solve_ivp(lambda _, at: -np.array(velocity(*at)), (0, 5), start, rtol=1e-6).y[:, -1]

    attracted = [arrives(start, 1) for start in zip(k, w, strict=True)]
    edge = -linear_target.dead_cone_edge(1e-3)
    entry = axis.weight_nullcline(-edge, 1)
    inside = scipy.optimize.brentq(lambda depth: depth / mills(depth) + 1 - entry, 1, 10)
    says = (
        f"{sum(attracted)} of {count} random starts with w_L up to 60 gamma and b/w_L from -6 to -1 get between the "
        f"nullclines or to the optimum, their end; at w_L = {entry:.2f} gamma these are at b/w_L = {-inside:.3f} and "
        "beyond, in the dead cone of eps = 1e-3"
    )
    away = [distance(0, reversed_((4.0, x))) > 0 for x in (17.5, 18.0)]
    shifted = abs(inside - edge) < 1e-4
    # A path that has not arrived in its time tells nothing.
    return concluded(told(all(attracted) and shifted, not shifted), says, {"time reversed": all(away)})


claim(
    "relu/text.attracting-line",
    at="section 5, on Figure 3",
    says="in the lower right quadrant paths approach a line, which shifts towards the dead cone and into "
    "it as gamma decreases",
    experiment=paths_are_attracted,
    assumptions="exact gradient flow; only directions are compared, because the speed in the dead cone is of the "
    "order of phi",
    form=Form.OURS,
    quote="we can see an attracting line that is shifted towards the dead cone as",
    note="relu/beyond.wedge proves that paths stay between the nullclines. At a given w_L the line has a b/w_L that "
    "depends on w_L/gamma only, and decreases without bound as gamma decreases. It enters the dead cone of eps = "
    f"1e-3 at w_L = {axis.weight_nullcline(linear_target.dead_cone_edge(1e-3), 1):.1f} gamma",
)

beyond(
    "relu/beyond.attracting-line",
    says="far in the dead cone the attracting line is w_L = gamma (b^2/w_L^2 + 2), or b = -w_L sqrt(w_L/gamma - 2)",
    printed=axis.nullcline_far,
    exact=axis.weight_nullcline,
    relation=Approximates(
        order=3,
        along=lambda t: {"kappa": -1 / sympy.sympify(t), "gamma": 2},
        at=grid(kappa=["-2", "-3", "-5", "-10"], gamma=1),
    ),
    points=grid(kappa=[-3, -6], gamma="1/2"),
    integral=lambda kappa, gamma: gamma * over_active(lambda u: u * u, kappa, 1) / over_active(lambda _u: 1, kappa, 1),
)


def homogeneous() -> bool:
    """Whether loss and gradients scale with gamma: J(c w, c b; c Lambda) = c^2 J and the gradient with c."""
    c, form = sympy.Symbol("c", positive=True), linear_target
    loss, weight, bias = form.loss_form.expr, form.weight_gradient_form.expr, form.bias_gradient_form.expr
    scaled = {v: c * v for v in (form.w_i, form.lambda_i, form.b, form.s, form.p, form.gamma)}
    powers = {loss: 2, weight: 1, bias: 1}
    right = all(vanishes(f.subs(scaled, simultaneous=True) - c**k * f) for f, k in powers.items())
    return right and not vanishes(bias.subs(form.p, c * form.p) - c * bias)


beyond(
    "relu/beyond.zoom",
    at="additional to section 5, influence of gamma",
    says="the gradient at (c w, c b) with the target c Lambda is c times the gradient at (w, b) with the target Lambda",
    proof=homogeneous,
    note="the field for a smaller gamma is therefore the same field in a larger window: a window of size "
    "W at gamma shows what a window of size W/gamma shows at gamma = 1",
)
