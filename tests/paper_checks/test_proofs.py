"""A proof refuses statements that are slightly wrong: forms with a sign, a term or a factor changed."""

import numpy as np
import pytest
from sympy import Abs, Integer, Rational

from montecarlo.descent.fields import gradient
from paper_checks.papers.dying_relu import section_5_axis, section_5_saddle, section_5_text
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import axis
from theory.relu_unit import linear_target as relu_unit

VELOCITY, GRADIENT = axis.psi_velocity.expr, axis.bias_gradient.expr
K = axis.b / Abs(axis.w_l)
CONTROLS = {
    "lower left": (section_5_axis.lower_left_falls, VELOCITY, [
        -VELOCITY, VELOCITY + 2 * phi(K), axis.alpha * VELOCITY, VELOCITY + axis.gamma * phi(K) / Abs(axis.w_l) * 2,
        VELOCITY - 3 * phi(K),
    ]),
    "no rest": (section_5_saddle.dead_cone_flow, VELOCITY, [
        -VELOCITY, VELOCITY + 2 * phi(K), VELOCITY - phi(K) / 1000,
    ]),
    "linear cone": (section_5_text.bias_falls, GRADIENT, [
        -GRADIENT, axis.bias_gradient_without_sign.expr, GRADIENT - axis.gamma * phi(K) / 100,
        GRADIENT - axis.b * Phi(K), GRADIENT + 2 * axis.gamma * phi(K),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTROLS)
def test_a_proof_of_a_sign_refuses_forms_that_do_not_have_it(name):
    proof, right, wrong = CONTROLS[name]
    assert proof(right) is True
    assert [proof(form) for form in wrong] == [False] * len(wrong)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (lambda k: phi(k) / (k + 1), lambda k: phi(k) / k**2),
        (lambda k: phi(k) * k / (1 + k**2), lambda k: phi(k) / k**2),
        (lambda k: phi(k) / k - phi(k) / k**3, lambda k: phi(k) / k**2),
        (lambda k: phi(k) / k + Rational(1, 1000), lambda k: phi(k) / k**2),
        (lambda k: phi(k) / k, lambda k: phi(k) / (k**2 + 3)),
        (lambda k: phi(k) / k, lambda k: phi(k) / k**2 - 3 * phi(k) / k**4),
    ],
)
def test_bounds_of_mills_ratio_that_are_too_low_or_do_not_vanish_are_refused(first, second):
    assert section_5_saddle.mills_bounds() is True
    assert section_5_saddle.mills_bounds(first, second) is False


@pytest.mark.parametrize("factor", [Integer(1), Rational(999, 1000)])
@pytest.mark.parametrize(
    ("form", "bound", "lower"),
    [
        (relu_unit.weight_gradient_along, lambda k, s, gamma: s / k + gamma * (k + 1 / k),
         lambda k, s, gamma: s / k + gamma * k),
        (relu_unit.bias_gradient_form, lambda k, s, gamma: s / k**2 + gamma, lambda k, s, gamma: s / k**3 + gamma),
    ],
    ids=["along", "bias"],
)  # fmt: skip
def test_a_gradient_is_below_its_bound_and_not_below_less(form, bound, lower, factor):
    def scaled(*at):
        return factor * bound(*at)

    assert section_5_saddle.below_bound(form.expr, scaled) is (factor == 1)
    assert section_5_saddle.below_bound(form.expr, lower) is False


def test_a_wider_cone_than_the_proof_has_is_left():
    """At a start with |w|^2 = 5 b w_L, far from its target, the ratio |w|^2/(b w_L) grows."""
    u, b = -0.01, -0.2
    v = np.sqrt(5 * b * u - u * u)
    along, across, bias, _ = gradient(u, b, 1.0, across=v)
    assert -2 * (u * along + v * across) / (u * u + v * v) + along / u + bias / b > 0
