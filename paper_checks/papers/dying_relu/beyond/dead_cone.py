"""Far in the dead cone: probability and gradients of both targets, sampled among active inputs alone.

Values are divided by the density phi(b/||w||) at the threshold: numbers of moderate size, down to b/||w|| = -37, below
which phi leaves float64.
"""

import mpmath

from montecarlo import mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Kind, common, grid
from paper_checks.papers.dying_relu.one_relu import TAIL_DERIVED, Linear, Rectified, number, over_active
from theory.relu_unit import linear_target, relu_target

bias_gradient = linear_target.bias_gradient_form
ASSUMED = "x ~ N(0, I); target Lambda.x"
RECTIFIED = "x ~ N(0, I); target max(0, Lambda.x)"

# Five, and 30 standard deviations from activity; 37 is about as far as float64 reaches.
DEAD = [
    *grid(s=1, rho="3/5", b=-5, gamma="1/2"),
    *grid(s=2, rho="-4/5", b=-60, gamma=1),
    *grid(s=1, rho="1/3", b=-37, gamma=2),
]

dead_cone = common(
    at="additional to section 5, in the dead cone",
    functional=lambda function, values: function() / mpmath.npdf(number(values["b"]) / number(values["s"])),
    derived=TAIL_DERIVED,
    kind=Kind.ADDITIONAL,
)

for _id, _what, _form, _column, _integral in (
    ("relu/beyond.dead-cone-probability", "probability that the unit is active",
     linear_target.activation_probability_form, kernels.ACTIVE,
     lambda b, s: over_active(lambda _u: 1, b, s) / mpmath.npdf(b / s)),
    ("relu/beyond.dead-cone-bias-gradient", "bias gradient", bias_gradient,
     kernels.BIAS, lambda b, s, p: Linear.bias(b, s, p) / mpmath.npdf(b / s)),
    ("relu/beyond.dead-cone-weight-gradient", "gradient along w", linear_target.weight_gradient_along,
     kernels.ALONG, lambda b, s, p: Linear.along(b, s, p) / mpmath.npdf(b / s)),
):  # fmt: skip
    dead_cone(
        _id,
        says=f"the {_what} is correct far in the dead cone too, in units of phi(b/||w||) down to b/||w|| = -37",
        printed=_form,
        points=DEAD,
        integral=_integral,
        measured=mean(kernels.linear_target_tail, _column),
        assumptions=ASSUMED,
    )

for _id, _name, _form, _column, _integral in (
    ("relu/beyond.dead-cone-relu-target-bias", "bias gradient", relu_target.bias_gradient_form,
     kernels.BIAS, Rectified.bias),
    ("relu/beyond.dead-cone-relu-target-weight", "gradient along w", relu_target.weight_gradient_along,
     kernels.ALONG, Rectified.along),
):  # fmt: skip
    dead_cone(
        _id,
        says=f"the {_name} on max(0, Lambda.x) is correct far in the dead cone too, down to b/||w|| = -37",
        printed=_form,
        points=[*grid(s="1/2", rho="3/5", b="-5/2", gamma="1/2"), *grid(s=1, rho="1/2", b=-37, gamma=2)],
        integral=lambda b, s, p, t, of=_integral: of(b, s, p, t) / mpmath.npdf(b / s),
        measured=mean(kernels.relu_target_tail, _column),
        assumptions=RECTIFIED,
    )

dead_cone(
    "relu/beyond.dead-cone-opposed",
    says="for w against Lambda, the bias gradient on max(0, Lambda.x) in the dead cone hardly depends on the target",
    printed=relu_target.bias_gradient_form,
    points=grid(s="3/2", rho=["-1/10", "-4/5"], b=-6, gamma="3/2"),
    integral=lambda b, s, p, t: Rectified.bias(b, s, p, t) / mpmath.npdf(b / s),
    measured=mean(kernels.relu_target_tail, kernels.BIAS),
    scale=(lambda b, s: s**2 / abs(b), "||w||^2/|b|"),
    slips={"the linear target": bias_gradient.expr.subs(linear_target.p, relu_target.rho * relu_target.gamma)},
    assumptions=RECTIFIED,
)
