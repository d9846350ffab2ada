"""Section 5: w on the axis of the target, equations (30)-(32), and the lower left quadrant."""

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Always, Kind, claim, common, grid, unchecked
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.one_relu import AXIS_POINTS, DERIVED, MORE_ON_AXIS, SIZE, Linear
from paper_checks.papers.dying_relu.section_5.gradients import PRICE_POINTS, relu_target
from paper_checks.papers.dying_relu.section_5.saddle import mills_bounds
from paper_checks.papers.dying_relu.signs import positive
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import axis, linear_target

w_l, b, gamma, psi = axis.w_l, axis.b, axis.gamma, axis.psi
ON_AXIS_PRICE = [p for p in PRICE_POINTS if p["w_rest"] == 0]


def derivative_on_axis(form, variable) -> bool:
    """Whether a form is the derivative of the loss at s = |w_L|, p = alpha gamma, on either side of w_L = 0."""
    size = sympy.Symbol("s", positive=True)
    for side in (1, -1):
        loss = linear_target.loss_form.expr.subs({linear_target.s: side * w_l, linear_target.p: side * gamma})
        if not vanishes((sympy.diff(loss, variable) - form.expr).subs(w_l, side * size).doit()):
            return False
    return True


claim(
    "relu/eq30",
    at="eq. (30)",
    says="if w lies on the axis of the target, the gradient with respect to every other weight is zero",
    printed=axis.other_weight_gradient,
    points=[
        *grid(w_rest=0, w_last="-1/2", b="1/4", gamma=1, fan_in=10),
        *grid(w_rest=0, w_last="4/5", b="-1/4", gamma=1, fan_in=3),
    ],
    derived=DERIVED,
    measured=mean(kernels.linear_target, kernels.FIRST),
    **SIZE,
    slips={"gamma Phi instead of 0": gamma * Phi(psi), "b phi instead of 0": b * phi(psi)},
    assumptions="x ~ N(0, I)",
)

axis_gradient = common(**SIZE, derived=DERIVED, points=[*AXIS_POINTS, *MORE_ON_AXIS])

axis_gradient(
    "relu/eq31",
    at="eq. (31)",
    says="for w on the axis of the target, dL/dw_L = (w_L - gamma) (Phi - psi phi) + alpha b phi, where "
    "psi = b/|w_L| and alpha = sign(w_L)",
    printed=axis.weight_gradient,
    proof=lambda: derivative_on_axis(axis.weight_gradient, w_l),
    integral=Linear.on_axis,
    measured=mean(kernels.linear_target, kernels.LAST),
    slips={"without alpha": (w_l - gamma) * (Phi(psi) - psi * phi(psi)) + b * phi(psi)},
    price=relu_target(kernels.LAST, ON_AXIS_PRICE),
    note="our copy has lost the formula. This one follows from (28)",
)

beyond = common(at="additional to section 5, on Figure 3", kind=Kind.ADDITIONAL)

beyond(
    "relu/beyond.eq31-short",
    at="additional to eq. (31)",
    says="(31) is equal to (w_L - gamma) Phi + gamma psi phi, in which alpha does not appear",
    printed=axis.weight_gradient_short,
    derivation=lambda: axis.weight_gradient.expr.subs(b, psi * sympy.Abs(w_l)),
    points=AXIS_POINTS[1:2],
    derived=DERIVED,
    integral=Linear.on_axis,
    measured=mean(kernels.linear_target, kernels.LAST),
    **SIZE,
)

axis_gradient(
    "relu/eq32",
    at="eq. (32)",
    says="for w on the axis of the target, dL/db = alpha (w_L - gamma) phi + b Phi, where psi = b/|w_L| "
    "and alpha = sign(w_L)",
    printed=axis.bias_gradient,
    proof=lambda: (
        derivative_on_axis(axis.bias_gradient, b) and not derivative_on_axis(axis.bias_gradient_without_sign, b)
    ),
    integral=Linear.bias,
    measured=mean(kernels.linear_target, kernels.BIAS),
    slips={"without alpha": axis.bias_gradient_without_sign},
    price=relu_target(kernels.BIAS, ON_AXIS_PRICE),
    note="our copy has lost the formula. This one follows from (29). relu/eq32.published asks whether the paper has it",
)

claim(
    "relu/eq32.published",
    at="eq. (32); proposition C.1, third statement",
    says="the published gradient with respect to the bias has the sign alpha",
    expects=unchecked(
        "our copy has lost the formula. With alpha it follows from (29): see relu/eq32 and "
        "relu/propC1.bias. The sentences on Figures 3 and 4 describe a field without alpha "
        "(relu/beyond.eq32-or-figures). Either the published formula lacks the sign, or the figures do, "
        "or the sentences are wrong. Needed to settle it: eq. (32) as published, and Figure 3"
    ),
)

# Where psi Phi = (1 + psi^2) phi.
FALLS_BELOW = mpmath.findroot(lambda k: k * mpmath.ncdf(k) - (1 + k * k) * mpmath.npdf(k), 0.6)
LOWER_LEFT = [
    *grid(w_rest=0, w_last=-1, b="-1/2", gamma=1, fan_in=1),
    *grid(w_rest=0, w_last="-1/2", b="-1/2", gamma="1/10", fan_in=1),
    *grid(w_rest=0, w_last="-3/10", b="-1/5", gamma=1, fan_in=3),
]

beyond(
    "relu/text.lower-left",
    says="in the lower left quadrant dL/db is positive, so descent lowers b, away from the linear cone",
    printed=axis.bias_gradient,
    points=LOWER_LEFT,
    derived=DERIVED,
    integral=Linear.bias,
    measured=mean(kernels.linear_target, kernels.BIAS),
    **SIZE,
    slips={"without alpha": axis.bias_gradient_without_sign},
    note="for all w_L < 0, dL/db = |w_L| (psi Phi + phi) + gamma phi > 0. Without alpha it is negative at "
    "these points. This is the correct form of relu/text.lower-left.fate",
)


def lower_left_falls(velocity=axis.psi_velocity.expr) -> bool:
    """Whether d psi/dt < -phi(psi) for all w_L < 0 and b < 0, by the signs of terms; at w_L = gamma it is positive.

    So psi falls, and by a rate that has a bound above the edge of a dead cone: the path gets into it.
    """
    k, size = sympy.symbols("k s", positive=True)
    left, right = (velocity.subs({w_l: side * size, b: -k * size}) for side in (-1, 1))
    return positive(-left - phi(k)) and positive(right.subs(gamma, size))


beyond(
    "relu/text.lower-left.direction",
    says="for w_L < 0 and b < 0, descent along the gradient lowers b/|w_L| towards the dead cone, for every gamma",
    printed=axis.psi_velocity,
    relation=Always("b/|w_L| falls", lambda value: value < 0),
    proof=lower_left_falls,
    points=grid(w_l=[-1, "-1/2", "-1/10"], b=["-1/10", "-1/2"], gamma=["1/10", 1]),
    note="this is the correct form of relu/text.lower-left.fate. For b > 0 the ratio b/|w_L| also falls for every "
    f"gamma while it is below {float(FALLS_BELOW):.3f}. Above that it rises if gamma is large compared with |w_L|",
)


def sign_turns_the_lower_left(gradient=axis.bias_gradient.expr) -> bool:
    """Whether for all w_L < 0, b < 0 the bias gradient is positive with alpha, and negative without it.

    With w_L = -s and b = -k s, phi = Phi (k + r) and r > 0 (Mills), it is Phi (s r + gamma (k + r)) with alpha; without
    it -(s + gamma) phi - k s Phi, whose terms are all negative.
    """
    k, r, size, tail = sympy.symbols("k r s Phi", positive=True)
    forms = gradient, axis.bias_gradient_without_sign.expr
    signed, without = (
        form.subs({w_l: -size, b: -k * size}).subs({phi(k): tail * (k + r), Phi(-k): tail}) for form in forms
    )
    return mills_bounds() and positive(signed) and positive(-without)


beyond(
    "relu/beyond.eq32-or-figures",
    at="additional to section 5, eq. (32) and Figure 3",
    says="in the whole lower left quadrant descent lowers b with the sign alpha in (32) and raises b "
    "without it. Therefore (32) with alpha and the sentence on this quadrant cannot both be correct",
    printed=axis.bias_gradient_without_sign,
    relation=Always("without alpha dL/db is below 0", lambda value: value < 0),
    points=grid(w_l=[-1, "-1/2", "-1/10"], b=["-1/10", "-1/2"], gamma=["1/10", 1]),
    proof=sign_turns_the_lower_left,
    note="to evolve towards the linear cone b must rise. relu/text.lower-left.fate has the fates, and "
    "relu/beyond.joint-settings the other sentences on Figures 3 to 5",
)
