"""Section 5: the dead and the linear cone, what the gradients are in the latter, and between which the optimum lies."""

import sympy

from montecarlo import mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Always, Approximates, Form, Kind, claim, common, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.one_relu import DERIVED, PROBABILITY, SIZE, Linear, over_active
from paper_checks.papers.dying_relu.signs import rectified_target_is_best
from theory import Formula, Source
from theory.momentum import affine_model
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import curvature, linear_target

kappa = sympy.Symbol("kappa", real=True)
b, s, p, gamma = linear_target.b, linear_target.s, linear_target.p, linear_target.gamma


def cones_are_mirrored() -> bool:
    """Whether P(active) at -kappa is 1 - P(active) at kappa: above 1 - eps there is below eps here."""
    mirrored = vanishes((Phi(-kappa) + Phi(kappa) - 1).rewrite(sympy.exp))
    not_everything_is = not vanishes((Phi(-kappa) - Phi(kappa)).rewrite(sympy.exp))
    return mirrored and not_everything_is and bool(sympy.diff(Phi(kappa), kappa).is_positive)


claim(
    "relu/text.cones",
    form=Form.OURS,
    at="section 5, dead and linear cone",
    says="the unit is dying where b/||w|| is below Phi^-1(eps), which is a cone; in the same cone "
    "mirrored in b it is active with a probability above 1 - eps",
    quote="which is the same cone mirrored along the",
    proof=cones_are_mirrored,
)


def linear_cone_limits() -> bool:
    """For b = kappa ||w|| and kappa to infinity the gradients (25), (26) tend to w - Lambda and b; others do not.

    Each limit is taken of the gradient itself, less that of the affine model.
    """
    at, w_i = {b: kappa * s}, linear_target.w_i
    affine_weight = affine_model.gradient_w.expr.subs({affine_model.w: w_i, affine_model.lam: linear_target.lambda_i})
    pairs = ((linear_target.weight_gradient_form, affine_weight), (linear_target.bias_gradient_form, kappa * s))
    apart = [sympy.expand((f.expr.subs(at) - affine).rewrite(sympy.exp)) for f, affine in pairs]
    good = all(sympy.limit(f, kappa, sympy.oo) == 0 for f in apart)
    return good and all(sympy.limit(f, kappa, sympy.oo) != 0 for f in [apart[0] - linear_target.lambda_i, apart[1] - s])


INTO_CONE = {"w_rest": 0, "w_last": "1/2", "gamma": 2, "fan_in": 1}

# All inside: b/||w|| is 3.2 and 3.33 where it is measured, then 3.1, 4, 5, and 3.1 near the tip of the cone.
LINEAR_CONE = [
    *grid(w_rest=0, w_last="1/2", b="8/5", gamma=1, fan_in=1),
    *grid(w_rest="1/5", w_last="-1/10", b=1, gamma="3/2", fan_in=3),
]
NEAR_SURFACE = [*({**INTO_CONE, "b": at} for at in ("31/20", 2, "5/2")), {**INTO_CONE, "w_last": "1/50", "b": "31/500"}]


def percent_off(form, affine: float, *at: float) -> str:
    """How far the affine model's gradient is from that of the ReLU."""
    return f"{100 * abs(affine / form(*at) - 1):.1f} %"


# At b/||w|| = 3.1 and gamma = 2, for w along Lambda: by ||w||.
WEIGHT_OFF = percent_off(linear_target.weight_gradient_form, 0.5 - 2, 0.5, 2, 3.1 * 0.5, 0.5, 2)
BIAS_OFF = {s: percent_off(linear_target.bias_gradient_form, 3.1 * s, 3.1 * s, s, 2) for s in (0.5, 0.02)}
LISTED = "for the whole cone the errors at these points are no bound: relative to the gradient there is none."

# Approximately equal in the linear cone: the affine gradient, which we put in for the paper's words. To b/||w|| =
# sqrt(-2 log t), where phi is t phi(0): the error is of the order of phi but for b/||w||.
in_the_cone = common(
    at="section 5, linear cone",
    relation=Approximates(
        order=0, along=lambda t: {**INTO_CONE, "b": sympy.sqrt(-2 * sympy.log(t)) / 2}, at=NEAR_SURFACE
    ),
    points=LINEAR_CONE,
    form=Form.OURS,
    quote="parameter evolution in the linear cone will be approximately identical to the affine model",
    **SIZE,
)

claim(
    "relu/text.linear-cone",
    form=Form.OURS,
    at="section 5, linear cone",
    says="as b/||w|| tends to infinity, Phi tends to 1 while phi and (b/||w||) phi tend to 0, and the "
    "gradients tend to those of the affine model",
    quote="the gradients can be verified to equal those of the affine model in Sec. 4, as expected",
    proof=linear_cone_limits,
    assumptions="||w|| and Lambda are fixed",
)

in_the_cone(
    "relu/text.linear-cone.bias",
    says="in the linear cone the bias gradient is about that of the affine model, b",
    printed=affine_model.gradient_b,
    exact=linear_target.bias_gradient_form,
    derived=DERIVED,
    integral=Linear.bias,
    measured=mean(kernels.linear_target, kernels.BIAS),
    note=f"{LISTED} At b/||w|| = 3.1 the difference is {BIAS_OFF[0.5]} for ||w|| a quarter of gamma, and "
    f"{BIAS_OFF[0.02]} for one hundredth of gamma. Towards the tip of the cone it is of the order of phi gamma/b, and "
    "beside the tip the gradient even has the other sign: relu/beyond.linear-cone-tip. On max(0, Lambda.x) "
    "both gradients differ (relu/beyond.linear-cone-relu-target-bias)",
)

in_the_cone(
    "relu/text.linear-cone.weight",
    says="in the linear cone the gradient with respect to w is about that of the affine model, w - Lambda",
    printed=affine_model.gradient_w,
    exact=linear_target.weight_gradient_form,
    derived={
        **DERIVED,
        "w": lambda w_last: w_last,
        "Lambda": lambda gamma: gamma,
        "w_i": lambda w_last: w_last,
        "lambda_i": lambda gamma: gamma,
    },
    integral=Linear.weight,
    measured=mean(kernels.linear_target, kernels.LAST),
    note=f"{LISTED} At b/||w|| = 3.1 the difference is {WEIGHT_OFF} for ||w|| = gamma/4. At w = Lambda the "
    "affine gradient is 0 and that of the ReLU is not",
)


def optimum_is_between_the_cones() -> bool:
    """The optimum (Lambda, 0) is at the distance gamma from the origin, and has b/||w|| = 0, P(active) = 1/2.

    Between the cones, for every gamma and every eps < 1/2. A shifted target is the control: its optimum is not.
    """
    at, gradient = {s: gamma, p: gamma, b: 0}, (linear_target.weight_gradient_along, linear_target.bias_gradient_form)
    still = all(vanishes(f.expr.subs(at)) for f in gradient)
    active = linear_target.activation_probability_form.expr.subs(at)
    shifted = curvature.optimum_kappa.expr.subs(curvature.delta, 1)
    return still and active == sympy.Rational(1, 2) and sympy.limit(shifted, gamma, 0, "+") == sympy.oo


take_away = common(
    at="section 5, influence of gamma",
    form=Form.OURS,
    quote="the global optimum will be closer to the origin and eventually between the dead and the linear cone",
)

take_away(
    "relu/text.first-take-away",
    says="as gamma decreases, the optimum moves closer to the origin, and it lies between the dead and the linear cone",
    proof=lambda: rectified_target_is_best() and optimum_is_between_the_cones(),
    assumptions="eps < 1/2",
    note="the optimum is between the cones for every gamma, not only 'eventually': "
    "relu/text.first-take-away.eventually",
)

take_away.alternative(
    "relu/text.first-take-away.eventually",
    says="the optimum gets between the dead and the linear cone as gamma decreases, and for larger gamma "
    "it is not there",
    printed=linear_target.activation_probability_form,
    relation=Always(
        "for gamma of 1 and more P(active) at the optimum is not between 0.001 and 0.999",
        lambda value: not 1e-3 < value < 1 - 1e-3,
    ),
    points=grid(b=0, gamma=[1, 1000]),
    derived={"s": lambda gamma: gamma},
    expects=wrong(correct="relu/text.first-take-away relu/beyond.optimum-activity"),
    note="the paper does not say that the optimum is elsewhere for larger gamma. At the optimum ||w|| = gamma, b = 0 "
    "and P(active) = 1/2 for every gamma, so it always lies between the cones. Only its distance gamma from the common "
    "tip of the cones decreases",
)

beyond = common(at="additional to section 5, influence of gamma", kind=Kind.ADDITIONAL)

beyond(
    "relu/beyond.optimum-activity",
    **PROBABILITY,
    says="at the optimum the unit is active with probability 1/2, for every gamma",
    note="this is the correct form of relu/text.first-take-away.eventually",
    printed=Formula(
        "P(active) at b = 0",
        sympy.Rational(1, 2),
        [linear_target.s],
        source=Source("relu", "section 5"),
        lhs=linear_target.activation_probability_form.lhs,
    ),
    points=grid(w_rest=0, w_last=["1/1000", 1000], b=0, gamma=1, fan_in=1),
    derived=DERIVED,
    integral=lambda b, s: over_active(lambda _u: 1, b, s),
    measured=mean(kernels.linear_target, kernels.ACTIVE),
    slips={"Phi(1/||w||)": Phi(1 / s)},
)


def shifted_optimum_has_no_gradient() -> bool:
    """At (Lambda, delta), whose kappa is delta/gamma, the error of active inputs for Lambda.x + delta is zero.

    E[1{z > 0} (z - Lambda.x - delta) (u, 1)]: the target's shift adds -delta phi and -delta Phi to the gradient.
    """
    delta = curvature.delta
    at = {b: delta, s: gamma, p: gamma}
    shifted = kappa.subs(kappa, curvature.optimum_kappa.expr)
    along = linear_target.weight_gradient_along.expr.subs(at) - delta * phi(shifted)
    bias = linear_target.bias_gradient_form.expr.subs(at) - delta * Phi(shifted)
    return vanishes(along) and vanishes(bias)


beyond(
    "relu/beyond.shifted-optimum",
    says="for a target Lambda.x + delta the optimum is w = Lambda and b = delta, where b/||w|| is delta/gamma",
    proof=lambda: rectified_target_is_best() and shifted_optimum_has_no_gradient(),
    note="gamma then determines in which cone the optimum lies. As gamma decreases below "
    f"|delta|/{-linear_target.dead_cone_edge(1e-3):.2f}, for eps = 1e-3, the optimum moves into the linear cone if "
    "delta > 0, and into the dead cone if delta < 0",
)
