"""Far in the dead cone: probability and gradients of both targets, sampled among active inputs alone.

Values are divided by the density phi(b/||w||) at the threshold: numbers of moderate size, down to b/||w|| = -37, below
which phi leaves float64.
"""

from __future__ import annotations

import mpmath

from montecarlo import mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Kind, claim, grid
from paper_checks.papers.dying_relu.one_relu import TAIL_DERIVED, Linear, Rectified, number, over_active
from theory.relu_unit import linear_target as relu_unit
from theory.relu_unit import relu_target as relu_unit_relu_target

ASSUMED = "x ~ N(0, I); target Lambda.x"
RECTIFIED = "x ~ N(0, I); target max(0, Lambda.x)"

# Five, and 30 standard deviations from activity; 37 is about as far as float64 reaches.
DEAD = [
    *grid(s=1, rho="3/5", b=-5, gamma="1/2"),
    *grid(s=2, rho="-4/5", b=-60, gamma=1),
    *grid(s=1, rho="1/3", b=-37, gamma=2),
]


def per_density(function, values):
    """A value divided by the density at the threshold: numbers of moderate size however dead the unit is."""
    return function() / mpmath.npdf(number(values["b"]) / number(values["s"]))


DEAD_CLAIM = {
    "at": "beyond section 5, in the dead cone",
    "functional": per_density,
    "points": DEAD,
    "derived": TAIL_DERIVED,
    "assumptions": ASSUMED,
    "kind": Kind.ADDITIONAL,
}

claim(
    "relu/beyond.dead-cone-probability",
    says="the probability of activity in units of phi(b/||w||), down to b/||w|| = -37",
    printed=relu_unit.activation_probability_form,
    integral=lambda b, s: over_active(lambda _u: 1, b, s) / mpmath.npdf(b / s),
    measured=mean(kernels.linear_target_tail, kernels.ACTIVE),
    **DEAD_CLAIM,
)

claim(
    "relu/beyond.dead-cone-bias-gradient",
    says="the bias gradient in units of phi(b/||w||), down to b/||w|| = -37",
    printed=relu_unit.bias_gradient_form,
    integral=lambda b, s, p: Linear.bias(b, s, p) / mpmath.npdf(b / s),
    measured=mean(kernels.linear_target_tail, kernels.BIAS),
    **DEAD_CLAIM,
)

claim(
    "relu/beyond.dead-cone-weight-gradient",
    says="the gradient along w in units of phi(b/||w||), down to b/||w|| = -37",
    printed=relu_unit.weight_gradient_along,
    integral=lambda b, s, p: Linear.along(b, s, p) / mpmath.npdf(b / s),
    measured=mean(kernels.linear_target_tail, kernels.ALONG),
    **DEAD_CLAIM,
)

DEAD_RECTIFIED = [*grid(s="1/2", rho="3/5", b="-5/2", gamma="1/2"), *grid(s=1, rho="1/2", b=-37, gamma=2)]


for _id, _name, _form, _column, _integral in (
    (
        "relu/beyond.dead-cone-relu-target-bias",
        "bias",
        relu_unit_relu_target.bias_gradient_form,
        kernels.BIAS,
        Rectified.bias,
    ),
    (
        "relu/beyond.dead-cone-relu-target-weight",
        "weight",
        relu_unit_relu_target.weight_gradient_along,
        kernels.ALONG,
        Rectified.along,
    ),
):
    claim(
        _id,
        at="beyond section 5, in the dead cone",
        says=f"the {_name} gradient on max(0, Lambda.x) in units of phi(b/||w||), down to b/||w|| = -37",
        printed=_form,
        functional=per_density,
        points=DEAD_RECTIFIED,
        derived=TAIL_DERIVED,
        integral=lambda b, s, p, t, of=_integral: of(b, s, p, t) / mpmath.npdf(b / s),
        measured=mean(kernels.relu_target_tail, _column),
        assumptions=RECTIFIED,
        kind=Kind.ADDITIONAL,
    )

claim(
    "relu/beyond.dead-cone-opposed",
    at="beyond section 5, in the dead cone",
    says="for w against Lambda the bias gradient on max(0, Lambda.x) in the dead cone nearly forgets the target",
    printed=relu_unit_relu_target.bias_gradient_form,
    functional=per_density,
    points=grid(s="3/2", rho=["-1/10", "-4/5"], b=-6, gamma="3/2"),
    derived=TAIL_DERIVED,
    integral=lambda b, s, p, t: Rectified.bias(b, s, p, t) / mpmath.npdf(b / s),
    measured=mean(kernels.relu_target_tail, kernels.BIAS),
    scale=lambda b, s: s**2 / abs(b),
    scale_says="||w||^2/|b|",
    slips={
        "the linear target": relu_unit.bias_gradient_form.expr.subs(
            relu_unit.p, relu_unit_relu_target.rho * relu_unit_relu_target.gamma
        )
    },
    assumptions=RECTIFIED,
    kind=Kind.ADDITIONAL,
)
