"""Section 5: w on the axis of the target, equations (30)-(32), and the lower left quadrant."""

from __future__ import annotations

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Always, Kind, claim, grid
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.one_relu import AXIS_POINTS, DERIVED, MORE_ON_AXIS, SIZE, Linear
from paper_checks.papers.dying_relu.section_5.gradients import PRICE_POINTS, relu_target
from paper_checks.papers.dying_relu.signs import positive
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import axis as relu_unit_axis
from theory.relu_unit import linear_target as relu_unit

w_l, b, gamma, psi = relu_unit_axis.w_l, relu_unit_axis.b, relu_unit_axis.gamma, relu_unit_axis.psi
ON_AXIS_PRICE = [p for p in PRICE_POINTS if p["w_rest"] == 0]


def along_axis(b, s, p, w_l):
    """dJ/dw_L: the gradient along w, signed."""
    return mpmath.sign(w_l) * Linear.along(b, s, p)


def derivative_on_axis(form, variable) -> bool:
    """Whether a form is the derivative of the loss at s = |w_L|, p = alpha gamma, on either side of w_L = 0."""
    size = sympy.Symbol("s", positive=True)
    return all(
        vanishes(
            sympy.diff(relu_unit.loss_form.expr.subs({relu_unit.s: side * w_l, relu_unit.p: side * gamma}), variable)
            .subs(w_l, side * size)
            .doit()
            - form.expr.subs(w_l, side * size)
        )
        for side in (1, -1)
    )


claim(
    "relu/eq30",
    at="eq. (30)",
    says="if w lies on the axis of the target, the gradient with respect to the other weights is zero",
    printed=relu_unit_axis.other_weight_gradient,
    points=[
        *grid(w_rest=0, w_last="-1/2", b="1/4", gamma=1, fan_in=10),
        *grid(w_rest=0, w_last="4/5", b="-1/4", gamma=1, fan_in=3),
    ],
    derived=DERIVED,
    measured=mean(kernels.linear_target, kernels.FIRST),
    **SIZE,
    slips={"gamma Phi": gamma * Phi(psi), "b phi": b * phi(psi)},
    assumptions="x ~ N(0, I)",
)

claim(
    "relu/eq31",
    at="eq. (31)",
    says="dL/dw_L = (w_L - gamma) (Phi - psi phi) + alpha b phi, with psi = b/|w_L| and alpha = sign(w_L)",
    printed=relu_unit_axis.weight_gradient,
    proof=lambda: derivative_on_axis(relu_unit_axis.weight_gradient, w_l),
    points=[*AXIS_POINTS, *MORE_ON_AXIS],
    derived=DERIVED,
    integral=along_axis,
    measured=mean(kernels.linear_target, kernels.LAST),
    **SIZE,
    slips={"without alpha": (w_l - gamma) * (Phi(psi) - psi * phi(psi)) + b * phi(psi)},
    price=relu_target(kernels.LAST, ON_AXIS_PRICE),
    note="the formula is lost in our copy; this is what (28) gives",
)

claim(
    "relu/beyond.eq31-short",
    at="eq. (31), simplified",
    says="dL/dw_L = (w_L - gamma) Phi + gamma psi phi: no alpha is needed",
    printed=relu_unit_axis.weight_gradient_short,
    derivation=lambda: relu_unit_axis.weight_gradient.expr.subs(b, psi * sympy.Abs(w_l)),
    points=AXIS_POINTS[1:2],
    derived=DERIVED,
    integral=along_axis,
    measured=mean(kernels.linear_target, kernels.LAST),
    **SIZE,
    kind=Kind.ADDITIONAL,
)

claim(
    "relu/eq32",
    at="eq. (32)",
    says="dL/db = alpha (w_L - gamma) phi + b Phi, with psi = b/|w_L| and alpha = sign(w_L)",
    printed=relu_unit_axis.bias_gradient,
    proof=lambda: (
        derivative_on_axis(relu_unit_axis.bias_gradient, b)
        and not derivative_on_axis(relu_unit_axis.bias_gradient_without_sign, b)
    ),
    points=[*AXIS_POINTS, *MORE_ON_AXIS],
    derived=DERIVED,
    integral=Linear.bias,
    measured=mean(kernels.linear_target, kernels.BIAS),
    **SIZE,
    slips={"without alpha": relu_unit_axis.bias_gradient_without_sign},
    price=relu_target(kernels.BIAS, ON_AXIS_PRICE),
    note="as reconstructed from (29), the print is lost; what the text says of the figures holds without alpha only, "
    "see relu/text.lower-left.fate",
)

LOWER_LEFT = [
    *grid(w_rest=0, w_last=-1, b="-1/2", gamma=1, fan_in=1),
    *grid(w_rest=0, w_last="-1/2", b="-1/2", gamma="1/10", fan_in=1),
    *grid(w_rest=0, w_last="-3/10", b="-1/5", gamma=1, fan_in=3),
]

claim(
    "relu/text.lower-left",
    at="beyond section 5, on Figure 3",
    says="in the lower left quadrant dL/db is positive: descent lowers b, away from the linear cone",
    printed=relu_unit_axis.bias_gradient,
    points=LOWER_LEFT,
    derived=DERIVED,
    integral=Linear.bias,
    measured=mean(kernels.linear_target, kernels.BIAS),
    **SIZE,
    slips={"without alpha": relu_unit_axis.bias_gradient_without_sign},
    note="dL/db = |w_L| (psi Phi + phi) + gamma phi > 0 for all w_L < 0; without alpha it is negative at these points",
    kind=Kind.ADDITIONAL,
)


def lower_left_falls(velocity=relu_unit_axis.psi_velocity.expr) -> bool:
    """Whether d psi/dt < -phi(psi) for all w_L < 0 and b < 0, by the signs of terms; at w_L = gamma it is positive.

    So psi falls, and by a rate that has a bound above the edge of a dead cone: the path gets into it.
    """
    k, size = sympy.symbols("k s", positive=True)
    left, right = (velocity.subs({w_l: side * size, b: -k * size}) for side in (-1, 1))
    return positive(-left - phi(k)) and positive(right.subs(gamma, size))


claim(
    "relu/text.lower-left.direction",
    at="beyond section 5, on Figure 3",
    says="for w_L < 0 and b < 0 descent along the gradient lowers b/|w_L|, whatever gamma: into the dead cone",
    printed=relu_unit_axis.psi_velocity,
    relation=Always("b/|w_L| falls", lambda value: value < 0),
    proof=lower_left_falls,
    points=grid(w_l=[-1, "-1/2", "-1/10"], b=["-1/10", "-1/2"], gamma=["1/10", 1]),
    note="it falls everywhere in w_L < 0 below psi = 0.622",
    kind=Kind.ADDITIONAL,
)
