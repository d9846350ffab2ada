"""Section 5: objective and gradients of the single ReLU on the linear target, equations (24)-(29)."""

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Kind, Price, claim, common, grid
from paper_checks.papers.dying_relu import one_relu
from paper_checks.papers.dying_relu.truncated_moments import truncated_moment
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import kept_error, linear_target, rotated

b, s, p = linear_target.b, linear_target.s, linear_target.p
ASSUMED = "x ~ N(0, I), target Lambda.x"


def loss_from_moments():
    """1/2 E[(max(0, s u + b) - p u - t v)^2] with gamma^2 = p^2 + t^2, from truncated moments of u."""
    square = s**2 * truncated_moment(2) + 2 * b * s * truncated_moment(1) + b**2 * truncated_moment(0)
    product = s * p * truncated_moment(2) + b * p * truncated_moment(1)
    return square / 2 - product + linear_target.gamma**2 / 2


def relu_target(column, points):
    """The same statistic for the target max(0, Lambda.x), which the paper means."""
    return Price("the target max(0, Lambda.x) instead of Lambda.x", mean(kernels.relu_target, column), points)


EVERYWHERE = [*one_relu.POINTS, *one_relu.MORE_INPUTS, *one_relu.MORE_ON_AXIS]
PRICE_POINTS = [
    *grid(w_rest=0, w_last=1, b="-1/2", gamma="1/2", fan_in=3),
    *grid(w_rest="2/5", w_last="1/5", b="3/10", gamma=1, fan_in=3),
    *grid(w_rest=0, w_last=1, b=3, gamma=1, fan_in=3),
]

claim(
    "relu/eq24",
    at="eq. (24)",
    says="the objective is 1/2 E[(1{w.x + b > 0} (w.x + b) - Lambda.x)^2]; here it is in closed form",
    printed=linear_target.loss_form,
    derivation=loss_from_moments,
    points=EVERYWHERE,
    derived=one_relu.DERIVED,
    integral=one_relu.Linear.loss,
    measured=mean(kernels.linear_target, kernels.LOSS),
    **one_relu.SQUARED,
    slips={"indicator on the whole error": kept_error.loss, "without the half": 2 * linear_target.loss_form.expr},
    assumptions="x ~ N(0, I); the target is Lambda.x, by which the paper replaces max(0, Lambda.x)",
    price=relu_target(kernels.LOSS, PRICE_POINTS),
    note="our copy has lost the formula. The indicator models the ReLU, so it multiplies w.x + b and not the target",
)

indicator_on_error = common(
    at="additional to eq. (24); alternative interpretation",
    points=one_relu.SEVERAL_INPUTS[:2],
    derived=one_relu.DERIVED,
    kind=Kind.ADDITIONAL,
)

indicator_on_error(
    "relu/beyond.indicator-on-error.bias",
    says="if the indicator multiplied the squared error, the derivative with respect to b would not be "
    "(26): the edge of the active set would add a term",
    printed=kept_error.bias_derivative,
    derivation=lambda: sympy.diff(kept_error.loss.expr, b),
    integral=lambda b, s, p, t: mpmath.diff(
        lambda at: one_relu.over_active(lambda u: ((s - p) * u + at) ** 2 + t * t, at, s) / 2,
        b,
        h=mpmath.mpf(10) ** -14,
    ),
    slips={"eq. (26), without the added term": linear_target.bias_gradient_form},
    note="we do not use this interpretation, because a dead unit would then be optimal, with loss 0",
)

indicator_on_error(
    "relu/beyond.indicator-on-error",
    says="if the indicator multiplied the squared error, the objective would be 1/2 E[1{w.x + b > 0} (w.x "
    "+ b - Lambda.x)^2]; here it is in closed form",
    printed=kept_error.loss,
    integral=lambda b, s, p, t: one_relu.over_active(lambda u: ((s - p) * u + b) ** 2 + t * t, b, s) / 2,
    measured=mean(kernels.kept_error),
    **one_relu.SQUARED,
    slips={"eq. (24), with all samples": linear_target.loss_form},
)


def weight_derivative():
    """dJ/dw_i by the chain rule: s and p change by w_i/s and (Lambda_i - p w_i/s)/s."""
    loss = linear_target.loss_form.expr
    w_i, lambda_i = linear_target.w_i, linear_target.lambda_i
    return sympy.diff(loss, s) * w_i / s + sympy.diff(loss, p) * (lambda_i - p * w_i / s) / s


for _id, _column, _weight in (
    ("relu/eq25", kernels.LAST, {"w_i": lambda w_last: w_last, "lambda_i": lambda gamma: gamma}),
    ("relu/eq25.others", kernels.FIRST, {"w_i": lambda w_rest: w_rest, "lambda_i": lambda: 0}),
):
    claim(
        _id,
        at="eq. (25)",
        says="the gradient with respect to w is E[1{w.x + b > 0} (w.x + b - Lambda.x) x]; here in closed form for "
        + ("a weight across the target" if _column == kernels.FIRST else "the weight on the axis of the target"),
        printed=linear_target.weight_gradient_form,
        derivation=weight_derivative,
        points=[*one_relu.SEVERAL_INPUTS, *one_relu.MORE_INPUTS],
        derived={**one_relu.DERIVED, **_weight},
        integral=one_relu.Linear.weight,
        measured=mean(kernels.linear_target, _column),
        **one_relu.SIZE,
        slips={"without the term along w": linear_target.weight_gradient_form.expr.subs(p, 0)},
        assumptions=ASSUMED,
        price=relu_target(_column, PRICE_POINTS[:2] if _column == kernels.LAST else PRICE_POINTS[1:2]),
        note="see relu/eq25"
        if _column == kernels.FIRST
        else "the ReLU is continuous, so the edge of the active set adds nothing to the derivative of (24). The "
        "mean of the paper's integrand is therefore the exact gradient. No rotation is needed",
    )

gradient = common(**one_relu.SIZE, assumptions=ASSUMED)

gradient(
    "relu/eq26",
    at="eq. (26)",
    says="the gradient with respect to b is E[1{w.x + b > 0} (w.x + b - Lambda.x)]; here it is in closed form",
    printed=linear_target.bias_gradient_form,
    derivation=lambda: sympy.diff(linear_target.loss_form.expr, b),
    points=EVERYWHERE,
    derived=one_relu.DERIVED,
    integral=one_relu.Linear.bias,
    measured=mean(kernels.linear_target, kernels.BIAS),
    slips={
        "that of the affine model": b,
        "indicator on the squared error": kept_error.bias_derivative.expr.subs(linear_target.gamma, p),
    },
    price=relu_target(kernels.BIAS, PRICE_POINTS),
)

dw = rotated.dw
DEVIATION = {**one_relu.DERIVED, "dw": lambda s, p: s - p}

gradient(
    "relu/eq27",
    at="eq. (27)",
    says="in the rotated directions across w, the gradient is the rotated deviation times Phi(b/||w||)",
    printed=rotated.other_gradient,
    derivation=lambda: dw * truncated_moment(0),
    points=one_relu.SEVERAL_INPUTS,
    derived={**one_relu.DERIVED, "dw": lambda t: -t},
    integral=one_relu.Linear.across,
    measured=mean(kernels.linear_target, kernels.ACROSS),
    slips={"without Phi": dw, "Phi(-b/||w||)": dw * Phi(-b / s)},
    price=relu_target(kernels.ACROSS, PRICE_POINTS[1:2]),
    note="the rotated basis is chosen so that one axis lies in the plane of w and Lambda. On the other "
    "axes the deviation is zero",
)

gradient(
    "relu/eq28",
    at="eq. (28)",
    says="in the rotated direction along w, the gradient is dw (Phi - kappa phi) + b phi, where dw is the "
    "rotated deviation and Phi and phi are at kappa = b/||w||",
    printed=rotated.last_gradient,
    derivation=lambda: dw * truncated_moment(2) + b * truncated_moment(1),
    points=one_relu.POINTS[1:3],
    derived=DEVIATION,
    integral=one_relu.Linear.along,
    measured=mean(kernels.linear_target, kernels.ALONG),
    slips={"b Phi for b phi": rotated.last_gradient.expr.subs(phi(b / s), Phi(b / s))},
    price=relu_target(kernels.ALONG, PRICE_POINTS),
)

gradient(
    "relu/eq29",
    at="eq. (29)",
    says="the gradient with respect to b is dw phi + b Phi, where dw is the rotated deviation along w and "
    "Phi and phi are at b/||w||",
    printed=rotated.bias_gradient,
    derivation=lambda: dw * truncated_moment(1) + b * truncated_moment(0),
    points=[one_relu.POINTS[0], one_relu.POINTS[3]],
    derived=DEVIATION,
    integral=one_relu.Linear.bias,
    measured=mean(kernels.linear_target, kernels.BIAS),
    slips={"Phi and phi exchanged": dw * Phi(b / s) + b * phi(b / s)},
    price=relu_target(kernels.BIAS, PRICE_POINTS),
)
