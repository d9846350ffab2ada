"""The single ReLU on the target that the paper means, max(0, Lambda.x): its loss and gradients.

The paper argues sample by sample (section 3), states gradients for the linear target (section 5), and describes its
experiments with both. Here are the exact loss and gradients of the rectified target.
"""

import mpmath
import sympy

from montecarlo import mean, probability_below
from montecarlo.kernels import relu_unit as kernels
from paper_checks import additional, grid
from paper_checks.papers.dying_relu import one_relu
from theory.numerics import orthants
from theory.numerics.normal_tails import Phi
from theory.relu_unit import linear_target, relu_target

b, s, gamma, rho = (getattr(relu_target, name) for name in ("b", "s", "gamma", "rho"))
r = relu_target.r
ASSUMED = "x ~ N(0, I); target max(0, Lambda.x)"

# Every sign of the correlation and of b; three and ten inputs.
TARGET_POINTS = [
    *grid(w_rest="2/5", w_last="1/5", b="3/10", gamma=1, fan_in=3),
    *grid(w_rest="-2/5", w_last="-1/5", b="-3/10", gamma="1/2", fan_in=3),
    *grid(w_rest="1/5", w_last="-4/5", b="1/2", gamma="3/2", fan_in=10),
]

additional(
    "relu/beyond.orthant-probability",
    **one_relu.PROBABILITY,
    at="additional to section 3",
    says="the unit is active and its target positive with the probability Phi(kappa)/2 + "
    "T(kappa, rho/sqrt(1 - rho^2)), where T is Owen's function",
    printed=orthants.orthant_probability_form,
    points=TARGET_POINTS,
    derived={**one_relu.DERIVED, "kappa": lambda b, s: b / s},
    # At most code 1: inactive, or active with a positive target.
    functional=lambda both, values: 1 - mpmath.ncdf(one_relu.number(values["kappa"])) + both(),
    integral=lambda b, s, p, t: 1 - one_relu.over_active(lambda u: mpmath.ncdf(-p * u / t), b, s),
    measured=probability_below(kernels.error_relation, 1.5),
    slips={"independence of activity and target": Phi(orthants.kappa) / 2},
)

# w grows along itself: s changes, rho does not. A step across w turns it: rho changes by r/s per unit of length.
loss = relu_target.loss_form.expr
for _id, _at, _says, _form, _derivation, _integral, _column, _scale, _linear in (
    ("relu/beyond.relu-target-loss", "additional to eq. (24)",
     "the expected loss on the target max(0, Lambda.x), in closed form", relu_target.loss_form,
     None, one_relu.Rectified.loss, kernels.LOSS, one_relu.SQUARED, linear_target.loss_form.expr),
    ("relu/beyond.relu-target-bias", "additional to eq. (26)", "the bias gradient on the target max(0, Lambda.x)",
     relu_target.bias_gradient_form, lambda: sympy.diff(loss, b), one_relu.Rectified.bias, kernels.BIAS, one_relu.SIZE,
     linear_target.bias_gradient_form.expr),
    ("relu/beyond.relu-target-along", "additional to eq. (28)", "the gradient along w on the target max(0, Lambda.x)",
     relu_target.weight_gradient_along, lambda: sympy.diff(loss, s), one_relu.Rectified.along, kernels.ALONG,
     one_relu.SIZE, linear_target.weight_gradient_along.expr),
    ("relu/beyond.relu-target-across", "additional to eq. (27)", "the gradient across w, towards Lambda, on the target "
     "max(0, Lambda.x)", relu_target.weight_gradient_across, lambda: sympy.diff(loss, rho) * r / s,
     one_relu.Rectified.across, kernels.ACROSS, one_relu.SIZE, -gamma * r * Phi(b / s)),
):  # fmt: skip
    additional(
        _id,
        at=_at,
        says=_says,
        printed=_form,
        derivation=_derivation,
        points=[*TARGET_POINTS, *one_relu.MORE_INPUTS],
        derived=one_relu.DERIVED,
        integral=_integral,
        measured=mean(kernels.relu_target, _column),
        slips={"the linear target": _linear.subs(linear_target.p, rho * gamma)},
        assumptions=ASSUMED,
        **_scale,
    )

additional(
    "relu/beyond.relu-target-gap",
    at="additional to eq. (12)",
    says="the bias gradient on max(0, Lambda.x) minus that on Lambda.x, in closed form; it is never positive",
    printed=relu_target.bias_gradient_gap,
    derivation=lambda: (
        relu_target.bias_gradient_form.expr - linear_target.bias_gradient_form.expr.subs(linear_target.p, rho * gamma)
    ),
    points=[TARGET_POINTS[0], *grid(w_rest="1/5", w_last="4/5", b="-1/4", gamma="3/2", fan_in=3)],
    derived=one_relu.DERIVED,
    integral=lambda b, s, p, t: one_relu.over_active(lambda u: -one_relu.rectified(-p * u, t)[0], b, s),
    measured=mean(kernels.relu_target, kernels.GAP),
    assumptions=ASSUMED,
    scale=(lambda gamma: gamma, "gamma"),
)
