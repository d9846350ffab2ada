"""Section 5: the dead and the linear cone, what the gradients are in the latter, and between which the optimum lies."""

from __future__ import annotations

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks.claim import grid, registry
from paper_checks.dying_relu.one_relu import DERIVED, SIZE, Linear, over_active
from paper_checks.relations import Always, Approximates
from paper_checks.verdict import Status
from theory import affine_model, relu_unit, relu_unit_curvature
from theory.normal_tails import Phi, phi

claim = registry.claim

kappa = sympy.Symbol("kappa", real=True)
b, s, p, gamma = relu_unit.b, relu_unit.s, relu_unit.p, relu_unit.gamma


def cones_are_mirrored() -> bool:
    """Whether P(active) at -kappa is 1 - P(active) at kappa: above 1 - eps there is below eps here."""
    mirrored = sympy.simplify((Phi(-kappa) + Phi(kappa) - 1).rewrite(sympy.exp)) == 0
    not_everything_is = sympy.simplify((Phi(-kappa) - Phi(kappa)).rewrite(sympy.exp)) != 0
    return mirrored and not_everything_is and bool(sympy.diff(Phi(kappa), kappa).is_positive)


claim(
    "relu/text.cones",
    at="section 5, dead and linear cone",
    says="the unit is dying where b/||w|| is below Phi^-1(eps): a cone; mirrored in b it is where P(active) > 1 - eps",
    proof=cones_are_mirrored,
)


def linear_cone_limits() -> bool:
    """Phi -> 1 and phi, kappa phi -> 0 for kappa to infinity."""
    values = [sympy.limit(f.rewrite(sympy.exp), kappa, sympy.oo) for f in (Phi(kappa), phi(kappa), kappa * phi(kappa))]
    return values == [1, 0, 0]


INTO_CONE = {"w_rest": 0, "w_last": "1/2", "gamma": 1, "fan_in": 1}


def into_linear_cone(t):
    """To b/||w|| = sqrt(-2 log t), where phi is t phi(0): the error is of the order of phi but for b/||w||."""
    return {**INTO_CONE, "b": sympy.sqrt(-2 * sympy.log(t)) / 2}


LINEAR_CONE = [
    *grid(w_rest=0, w_last="1/2", b="3/2", gamma=1, fan_in=1),
    *grid(w_rest="1/5", w_last="-1/10", b="3/5", gamma=1, fan_in=3),
]
NEAR_CONE = [{**INTO_CONE, "b": at} for at in ("1/2", 1, 2, "5/2")]

claim(
    "relu/text.linear-cone",
    at="section 5, linear cone",
    says="for b/||w|| to infinity Phi -> 1, phi -> 0, (b/||w||) phi -> 0: the gradients are those of the affine model",
    proof=linear_cone_limits,
)

claim(
    "relu/text.linear-cone.bias",
    at="section 5, linear cone",
    says="in the linear cone the bias gradient is about that of the affine model, b",
    printed=affine_model.gradient_b,
    exact=relu_unit.bias_gradient_form,
    relation=Approximates(order=0, along=into_linear_cone, at=NEAR_CONE),
    points=LINEAR_CONE,
    derived=DERIVED,
    integral=Linear.bias,
    measured=mean(kernels.linear_target, kernels.BIAS),
    **SIZE,
    note="with the linear target; with the target max(0, Lambda.x) both differ, see relu/text.linear-cone.relu-target",
)

claim(
    "relu/text.linear-cone.weight",
    at="section 5, linear cone",
    says="in the linear cone the gradient with respect to w is about that of the affine model, w - Lambda",
    printed=affine_model.gradient_w,
    exact=relu_unit.weight_gradient_form,
    relation=Approximates(order=0, along=into_linear_cone, at=NEAR_CONE),
    points=LINEAR_CONE,
    derived={
        **DERIVED,
        "w": lambda w_last: w_last,
        "Lambda": lambda gamma: gamma,
        "w_i": lambda w_last: w_last,
        "lambda_i": lambda gamma: gamma,
    },
    integral=lambda b, s, p, w_i, lambda_i: (
        Linear.along(b, s, p) * w_i / s + over_active(lambda _u: -1, b, s) * (lambda_i - p * w_i / s)
    ),
    measured=mean(kernels.linear_target, kernels.LAST),
    **SIZE,
)

claim(
    "relu/text.first-take-away",
    at="section 5, influence of gamma",
    says="as gamma decreases, the optimum is eventually between the dead and the linear cone; for a large gamma not",
    printed=relu_unit_curvature.optimum_kappa,
    relation=Always("|b|/||w|| at the optimum is beyond 2, in one of the cones", lambda value: abs(value) > 2),
    points=grid(delta=0, gamma=[1000, 10]),
    expected=Status.REFUTED,
    note="the optimum (Lambda, 0) has b/||w|| = 0 and is active for half of the inputs, whatever gamma: it is always "
    "between the cones, and only its distance to their common tip shrinks",
)

claim(
    "relu/beyond.optimum-activity",
    at="section 5, influence of gamma",
    says="at the optimum the unit is active with probability 1/2, for every gamma",
    printed=relu_unit.activation_probability_form,
    points=grid(w_rest=0, w_last=["1/1000", 1000], b=0, gamma=1, fan_in=1),
    derived=DERIVED,
    integral=lambda: mpmath.mpf(1) / 2,
    measured=mean(kernels.linear_target, kernels.ACTIVE),
    slips={"Phi(1/||w||)": Phi(1 / s)},
    scale=lambda: 1,
    scale_says="certainty",
    beyond=True,
)


def shifted_optimum_has_no_gradient() -> bool:
    """At (Lambda, delta), whose kappa is delta/gamma, the error of active inputs for Lambda.x + delta is zero.

    E[1{z > 0} (z - Lambda.x - delta) (u, 1)]: the target's shift adds -delta phi and -delta Phi to the gradient.
    """
    delta = relu_unit_curvature.delta
    at = {b: delta, s: gamma, p: gamma}
    shifted = kappa.subs(kappa, relu_unit_curvature.optimum_kappa.expr)
    along = relu_unit.weight_gradient_along.expr.subs(at) - delta * phi(shifted)
    bias = relu_unit.bias_gradient_form.expr.subs(at) - delta * Phi(shifted)
    return sympy.simplify(along) == 0 and sympy.simplify(bias) == 0


claim(
    "relu/beyond.shifted-optimum",
    at="beyond section 5, influence of gamma",
    says="with a target Lambda.x + delta the optimum is (Lambda, delta), at b/||w|| = delta/gamma",
    proof=shifted_optimum_has_no_gradient,
    note="then gamma decides in which cone it lies: shrinking gamma at a fixed delta > 0 moves the optimum into the "
    "linear cone (below delta/3.09 for eps = 1e-3), at delta < 0 into the dead cone",
    beyond=True,
)
