"""Section 5: the optimum for both targets, and activity of the single ReLU, equations (21)-(23)."""

import mpmath
import numpy as np
import sympy

from montecarlo import mean, probability_below
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Defines, Form, claim
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.one_relu import DERIVED, POINTS, PROBABILITY, SEVERAL_INPUTS, over_active
from paper_checks.papers.dying_relu.section_3.relu import inputs, pre_activation
from paper_checks.papers.dying_relu.signs import positive, rectified_target_is_best
from paper_checks.papers.dying_relu.truncated_moments import truncated_moment
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import axis, linear_target, rotated

gamma = axis.gamma


def optimum_is_shared() -> bool:
    """Whether (Lambda, 0) has loss 0 and no gradient on the rectified target, and no gradient on the linear one."""
    forms = (
        axis.relu_target_loss,
        axis.relu_target_weight_gradient,
        axis.relu_target_bias_gradient,
        axis.weight_gradient,
        axis.bias_gradient,
    )
    zero = all(vanishes(f.expr.subs({axis.w_l: gamma, axis.b: 0})) for f in forms)
    return zero and all(not vanishes(f.expr.subs({axis.w_l: 2 * gamma, axis.b: 0})) for f in forms)


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

b, s, p = linear_target.b, linear_target.s, linear_target.p


def above_threshold(draws, w_rest, w_last, b, fan_in, **_):
    """1 where (w/||w||).x > -b/||w||."""
    size = np.sqrt(w_last**2 + (fan_in - 1) * w_rest**2)
    return (pre_activation(draws, w_rest, w_last, 0, fan_in) / size > -b / size).astype(float)


def rotated_above_threshold(draws, w_rest, w_last, b, fan_in, **_):
    """1 where the last component of U x exceeds -b/||w||, with U a reflection that maps w to ||w|| e_L."""
    x = inputs(draws, fan_in)
    w = np.array([w_last] + [w_rest] * (int(fan_in) - 1))
    size = np.linalg.norm(w)
    v = w / size - np.eye(int(fan_in))[0]
    last = x[0] - (2 * v[0] / (v @ v) * (v @ x) if v.any() else 0)
    return (last > -b / size).astype(float)


for _id, _at, _where, _reading in (
    ("relu/eq21", "eq. (21)", "(w/||w||).x > -b/||w||", above_threshold),
    ("relu/eq22", "eq. (22)", "the last component of the rotated input exceeds -b/||w||", rotated_above_threshold),
):
    claim(
        _id,
        at=_at,
        says=f"the unit is active where {_where}",
        relation=Defines(_reading),
        points=POINTS,
        measured=mean(kernels.linear_target, kernels.ACTIVE),
        slips={"threshold b/||w||": lambda draws, b, of=_reading, **rest: of(draws, b=-b, **rest)},
    )

claim(
    "relu/eq22.law",
    **PROBABILITY,
    at="section 5, after (22)",
    says="the last component of the rotated input is standard normal",
    printed=rotated.law,
    points=[{**point, "x": x} for point, x in zip(SEVERAL_INPUTS, ["-3/2", "-1/3", "1"], strict=True)],
    integral=lambda x: mpmath.quad(mpmath.npdf, [-16, -10, -6, -3, x]),
    measured=probability_below(kernels.rotated, "x"),
)

claim(
    "relu/eq23",
    **PROBABILITY,
    at="eq. (23)",
    says="the probability of a non-zero output is Phi(b/||w||)",
    printed=linear_target.activation_probability_form,
    derivation=lambda: truncated_moment(0),
    points=POINTS,
    derived=DERIVED,
    integral=lambda b, s: over_active(lambda _u: 1, b, s),
    measured=mean(kernels.linear_target, kernels.ACTIVE),
    slips={"Phi(-b/||w||)": Phi(-b / s), "Phi(b)": Phi(b), "the density": phi(b / s)},
    assumptions="x ~ N(0, I)",
)
