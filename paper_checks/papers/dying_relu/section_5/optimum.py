"""Section 5, first paragraph: the optimum for the linear and for the rectified target."""

import sympy

from paper_checks import Form, claim
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.best_output import rectified_target_is_best
from paper_checks.papers.dying_relu.signs import positive
from theory.relu_unit import axis, linear_target

gamma = axis.gamma


def optimum_is_shared() -> bool:
    """Whether (Lambda, 0) has loss 0 and no gradient on the rectified target, and no gradient on the linear one."""
    at = {axis.w_l: gamma, axis.b: 0}
    forms = (
        axis.relu_target_loss,
        axis.relu_target_weight_gradient,
        axis.relu_target_bias_gradient,
        axis.weight_gradient,
        axis.bias_gradient,
    )
    zero = all(vanishes(f.expr.subs(at)) for f in forms)
    elsewhere = {axis.w_l: 2 * gamma, axis.b: 0}
    return zero and all(not vanishes(f.expr.subs(elsewhere)) for f in forms)


def linear_target_is_out_of_reach() -> bool:
    """Whether outputs of at least 0 leave an error for Lambda.x: f + d for the target -d, and gamma^2/4 at the best."""
    output, below = sympy.Symbol("f", nonnegative=True), sympy.Symbol("d", positive=True)
    best = linear_target.loss_form.expr.subs({linear_target.b: 0, linear_target.s: gamma, linear_target.p: gamma})
    return positive(output + below) and vanishes(best - gamma**2 / 4)


claim(
    "relu/text.same-optimum",
    at="section 5, first paragraph; section 4, first paragraph",
    says="a ReLU cannot reach the linear target, but the optimal solution is the same for both targets, w "
    "= Lambda and b = 0",
    proof=lambda: rectified_target_is_best() and optimum_is_shared() and linear_target_is_out_of_reach(),
    quote="Although this target can not be fully recovered, the optimal solution is still the same",
    form=Form.OURS,
)
