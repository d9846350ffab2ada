"""The single ReLU on the target that the paper means, max(0, Lambda.x): its loss and gradients.

The paper argues sample by sample (section 3), states gradients for the linear target (section 5), and describes its
experiments with both. Here are the exact loss and gradients of the rectified target.
"""

from __future__ import annotations

import mpmath
import sympy

from montecarlo import mean, probability_below
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Kind, claim, grid
from paper_checks.papers.dying_relu.one_relu import (
    DERIVED,
    MORE_INPUTS,
    SIZE,
    SQUARED,
    Rectified,
    number,
    over_active,
    rectified,
)
from theory.numerics import orthants as orthant
from theory.numerics.normal_tails import Phi
from theory.relu_unit import linear_target as relu_unit
from theory.relu_unit import relu_target as relu_unit_relu_target

b, s, gamma, rho = (getattr(relu_unit_relu_target, name) for name in ("b", "s", "gamma", "rho"))
r = relu_unit_relu_target.r
ASSUMED = "x ~ N(0, I); target max(0, Lambda.x)"

# Every sign of the correlation and of b; three and ten inputs.
TARGET_POINTS = [
    *grid(w_rest="2/5", w_last="1/5", b="3/10", gamma=1, fan_in=3),
    *grid(w_rest="-2/5", w_last="-1/5", b="-3/10", gamma="1/2", fan_in=3),
    *grid(w_rest="1/5", w_last="-4/5", b="1/2", gamma="3/2", fan_in=10),
]
OTHER_POINTS = [TARGET_POINTS[0], *grid(w_rest="1/5", w_last="4/5", b="-1/4", gamma="3/2", fan_in=3)]

ON_TARGET = {
    "points": [*TARGET_POINTS, *MORE_INPUTS], "derived": DERIVED, "assumptions": ASSUMED, "kind": Kind.ADDITIONAL,
}  # fmt: skip

claim(
    "relu/beyond.orthant-probability",
    at="beyond section 3",
    says="the unit is active on a positive target with probability Phi(kappa)/2 + T(kappa, rho/r), T of Owen",
    printed=orthant.orthant_probability_form,
    points=TARGET_POINTS,
    derived={**DERIVED, "kappa": lambda b, s: b / s},
    # At most code 1: inactive, or active with a positive target.
    functional=lambda both, values: 1 - mpmath.ncdf(number(values["kappa"])) + both(),
    integral=lambda b, s, p, t: 1 - over_active(lambda u: mpmath.ncdf(-p * u / t), b, s),
    measured=probability_below(kernels.error_relation, 1.5),
    scale=lambda: 1,
    scale_says="certainty",
    slips={"independent": Phi(orthant.kappa) / 2},
    kind=Kind.ADDITIONAL,
)

claim(
    "relu/beyond.relu-target-loss",
    at="beyond eq. (24)",
    says="the expected loss on the target max(0, Lambda.x), in closed form",
    printed=relu_unit_relu_target.loss_form,
    **ON_TARGET,
    integral=Rectified.loss,
    measured=mean(kernels.relu_target, kernels.LOSS),
    **SQUARED,
    slips={"the linear target": relu_unit.loss_form.expr.subs(relu_unit.p, rho * gamma)},
)

claim(
    "relu/beyond.relu-target-bias",
    at="beyond eq. (26)",
    says="the bias gradient on the target max(0, Lambda.x)",
    printed=relu_unit_relu_target.bias_gradient_form,
    derivation=lambda: sympy.diff(relu_unit_relu_target.loss_form.expr, b),
    **ON_TARGET,
    integral=Rectified.bias,
    measured=mean(kernels.relu_target, kernels.BIAS),
    **SIZE,
    slips={"the linear target": relu_unit.bias_gradient_form.expr.subs(relu_unit.p, rho * gamma)},
)

claim(
    "relu/beyond.relu-target-along",
    at="beyond eq. (28)",
    says="the gradient along w on the target max(0, Lambda.x)",
    printed=relu_unit_relu_target.weight_gradient_along,
    # w grows along itself: s changes, rho does not.
    derivation=lambda: sympy.diff(relu_unit_relu_target.loss_form.expr, s),
    **ON_TARGET,
    integral=Rectified.along,
    measured=mean(kernels.relu_target, kernels.ALONG),
    **SIZE,
    slips={"the linear target": relu_unit.weight_gradient_along.expr.subs(relu_unit.p, rho * gamma)},
)

claim(
    "relu/beyond.relu-target-across",
    at="beyond eq. (27)",
    says="the gradient across w, towards Lambda, on the target max(0, Lambda.x)",
    printed=relu_unit_relu_target.weight_gradient_across,
    # A step across w turns it: rho changes by r/s per unit of length.
    derivation=lambda: sympy.diff(relu_unit_relu_target.loss_form.expr, rho) * r / s,
    **ON_TARGET,
    integral=Rectified.across,
    measured=mean(kernels.relu_target, kernels.ACROSS),
    **SIZE,
    slips={"the linear target": -gamma * r * Phi(b / s)},
)

claim(
    "relu/beyond.relu-target-gap",
    at="beyond eq. (12)",
    says="by how much the bias gradient is smaller on max(0, Lambda.x) than on Lambda.x",
    printed=relu_unit_relu_target.bias_gradient_gap,
    derivation=lambda: (
        relu_unit_relu_target.bias_gradient_form.expr - relu_unit.bias_gradient_form.expr.subs(relu_unit.p, rho * gamma)
    ),
    points=OTHER_POINTS,
    derived=DERIVED,
    integral=lambda b, s, p, t: over_active(lambda u: -rectified(-p * u, t)[0], b, s),
    measured=mean(kernels.relu_target, kernels.GAP),
    assumptions=ASSUMED,
    scale=lambda gamma: gamma,
    scale_says="gamma",
    kind=Kind.ADDITIONAL,
)
