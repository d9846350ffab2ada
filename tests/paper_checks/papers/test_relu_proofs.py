"""The proofs on the single ReLU and on momentum refuse statements and definitions that are changed."""

from fractions import Fraction
from types import SimpleNamespace

import pytest
from sympy import Abs, Eq, Integer, Max, Piecewise, Rational

from paper_checks.papers.dying_relu import signs
from paper_checks.papers.dying_relu.appendices import d_given, d_training
from paper_checks.papers.dying_relu.appendices import d_theorem as appendix_d_theorem
from paper_checks.papers.dying_relu.beyond import relu_target_axis
from paper_checks.papers.dying_relu.section_1 import dead_units
from paper_checks.papers.dying_relu.section_3 import errors
from paper_checks.papers.dying_relu.section_4 import eigenvalues as section_4_eigenvalues
from paper_checks.papers.dying_relu.section_4 import identical
from paper_checks.papers.dying_relu.section_4 import momentum as section_4
from paper_checks.papers.dying_relu.section_4 import paths as section_4_paths
from paper_checks.papers.dying_relu.section_4 import thresholds as section_4_thresholds
from paper_checks.papers.dying_relu.section_5 import critical as section_5_critical
from paper_checks.papers.dying_relu.section_5 import nullclines as section_5_nullclines
from paper_checks.papers.dying_relu.section_5 import several_inputs
from paper_checks.papers.dying_relu.section_5 import text as section_5_text
from theory.momentum import spectrum
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import axis, target_scaling
from theory.relu_unit import linear_target as relu_unit


def heavy_ball(*_):
    return section_4.heavy_ball_matrix()


def altered(formula, change):
    """A stand-in for a formula, with another expression."""
    return SimpleNamespace(expr=change(formula.expr))


LINEAR_FORM, BIAS_FORM = relu_unit.weight_gradient_form, relu_unit.bias_gradient_form
b, s, p = relu_unit.b, relu_unit.s, relu_unit.p
ALONG, OF_BIAS, ACROSS = identical.DIFFERENCES
# What a proof rests on, where it is, and how it is changed.
ALTERED = {
    "cone, target with the other sign": (
        several_inputs.cone_is_kept, relu_unit, "weight_gradient_form",
        altered(LINEAR_FORM, lambda e: e.subs(relu_unit.lambda_i, -relu_unit.lambda_i)),
    ),
    "cone, without the edge": (
        several_inputs.cone_is_kept, relu_unit, "weight_gradient_form",
        altered(LINEAR_FORM, lambda e: e.subs(phi(b / s), 0)),
    ),
    "cone, bias that rises": (
        several_inputs.cone_is_kept, relu_unit, "bias_gradient_form", altered(BIAS_FORM, lambda e: -e),
    ),
    "wedge, another nullcline of b": (
        section_5_nullclines.between_nullclines_is_forward_invariant, axis, "bias_nullcline",
        altered(axis.bias_nullcline, lambda e: e + axis.gamma),
    ),
    "wedge, gradient twice the target": (
        section_5_nullclines.between_nullclines_is_forward_invariant, axis, "weight_gradient",
        altered(axis.weight_gradient, lambda e: e.subs(axis.gamma, 2 * axis.gamma)),
    ),
    "zoom, one component": (
        section_5_nullclines.homogeneous, relu_unit, "weight_gradient_form",
        altered(LINEAR_FORM, lambda e: e - relu_unit.lambda_i**2 * Phi(b / s)),
    ),
    "saddle, weights that stay": (
        section_5_critical.dead_gradient_vanishes, relu_unit, "weight_gradient_form",
        altered(LINEAR_FORM, lambda e: e.subs(Phi(b / s), 1)),
    ),
    "saddle, a bias that is not multiplied by Phi": (
        section_5_critical.dead_gradient_vanishes, relu_unit, "bias_gradient_form",
        altered(BIAS_FORM, lambda e: e.subs(Phi(b / s), 1)),
    ),
    "bias at any angle": (
        section_5_text.bias_falls_at_any_angle, relu_unit, "bias_gradient_form",
        altered(BIAS_FORM, lambda e: e - p * phi(b / s) / 10),
    ),
    "aligned, from b = 0 on": (
        relu_target_axis.aligned_gradients_agree, axis, "relu_target_bias_gradient",
        altered(axis.relu_target_bias_gradient, lambda e: e + axis.gamma * Piecewise((1, Eq(axis.b, 0)), (0, True))),
    ),
    "best fit, on one side": (
        relu_target_axis.affine_fit_attracts, axis, "relu_target_weight_gradient",
        altered(axis.relu_target_weight_gradient, lambda e: e + axis.gamma * (1 - axis.alpha)),
    ),
    "oscillating path of the heavy ball": (
        section_4_paths.oscillating_form_obeys, section_4_paths, "step_matrix", heavy_ball,
    ),
    "damped path of the heavy ball": (
        section_4_paths.damped_form_obeys, section_4_paths, "step_matrix", heavy_ball,
    ),
    "critical path of the heavy ball": (
        section_4_paths.critical_form_obeys, section_4_paths, "step_matrix", heavy_ball,
    ),
    "sign of the heavy ball": (
        lambda: section_4_paths.has_sign_of_powers(1), section_4_paths, "step_matrix", heavy_ball,
    ),
    "loss beside a dead unit, half the target": (
        lambda: section_5_critical.loss_beside_a_dead_unit(1), axis, "saddle_excess",
        altered(axis.saddle_excess, lambda e: e.subs(axis.gamma, axis.gamma / 2)),
    ),
    "loss beside a dead unit, target with the other sign": (
        lambda: section_5_critical.loss_beside_a_dead_unit(-1), axis, "saddle_excess",
        altered(axis.saddle_excess, lambda e: e.subs(axis.gamma, -axis.gamma)),
    ),
    "double eigenvalue of the heavy ball": (
        section_4_eigenvalues.double_and_negative, section_4_eigenvalues, "step_matrix", heavy_ball,
    ),
    "fastest decay of the heavy ball": (
        section_4_thresholds.radius_falls_to_the_threshold, spectrum, "characteristic_polynomial",
        altered(spectrum.characteristic_polynomial, lambda e: e.subs(spectrum.h, spectrum.h / (1 - spectrum.beta))),
    ),
    "constant network, the negative alpha": (
        d_given.constant_network_is_scaled, target_scaling, "constant_network_scalar",
        altered(target_scaling.constant_network_scalar, lambda e: -1 - e),
    ),
    "both models, bias gradient of the affine one": (
        identical.gradients_differ, identical, "DIFFERENCES", (ALONG, Integer(0), ACROSS),
    ),
    "both models, weight gradient with a term more": (
        identical.gradients_differ, identical, "DIFFERENCES", (ALONG + p * phi(b / s), OF_BIAS, ACROSS),
    ),
    "output of a dead unit, half of the target": (
        section_5_critical.dead_output_is_zero, relu_unit, "loss_form",
        altered(relu_unit.loss_form, lambda e: e - relu_unit.gamma**2 / 4),
    ),
    "coasting, a factor less": (
        dead_units.coasts, dead_units, "coasting", dead_units.coasting + dead_units.eta * dead_units.m,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ALTERED)
def test_a_proof_refuses_what_it_rests_on_when_that_is_changed(name, monkeypatch):
    proof, module, attribute, wrong = ALTERED[name]
    assert proof() is True
    monkeypatch.setattr(module, attribute, wrong)
    assert proof() is False


@pytest.mark.parametrize(
    "wrong", [Abs, lambda y: y, lambda _y: Integer(0), lambda y: Max(y / 10, y), lambda y: Max(0, y) + 1]
)
def test_no_other_output_than_the_rectified_target_is_the_best(wrong):
    assert signs.rectified_target_is_best() is True
    assert signs.rectified_target_is_best(wrong) is False


@pytest.mark.parametrize("wrong", [Abs, lambda y: 2 * Max(0, y), lambda y: Max(0, y) + 1, lambda y: -y])
def test_errors_for_another_target_than_the_rectified_need_not_have_the_same_sign(wrong):
    assert errors.same_sign_at_a_point() is True
    assert errors.same_sign_at_a_point(wrong) is False


@pytest.mark.parametrize(("side", "size"), [
    (1, -Rational(1, 2)), (1, 1 + section_4_paths.SINE), (1, section_4_paths.SINE), (-1, -Rational(1, 2)),
])  # fmt: skip
def test_a_path_has_a_known_sign_between_eigenvalues_of_one_sign_only(side, size):
    assert section_4_paths.has_sign_of_powers(side) is True
    assert section_4_paths.has_sign_of_powers(side, size) is False


def test_the_cone_that_is_kept_is_not_much_wider():
    assert several_inputs.cone_is_kept() is True
    assert several_inputs.cone_is_kept(Integer(2)) is several_inputs.cone_is_kept(Integer(5)) is False


def test_a_step_has_an_end_of_stability_only_where_the_argument_holds():
    eta = section_4.eta
    backwards, faster = (section_4.step_matrix().subs(eta, step) for step in (-eta, eta**2))
    for matrix in (backwards, faster):
        with pytest.raises(ValueError, match="steps of the argument"):
            section_4_eigenvalues.end_of_stability(matrix, eta)


def test_steps_of_2_and_more_are_not_inside_the_unit_circle():
    x = section_4_eigenvalues.X
    wrong = [2 + x, Integer(2), 1 + 2 * x / (1 + x)]
    assert [section_4_eigenvalues.inside_unit_circle(step, Integer(0)) for step in wrong] == [False] * 3


@pytest.mark.parametrize("layers", [-1, 1])
def test_a_scalar_for_all_parameters_is_a_factor_of_each_layer_and_of_no_other_number_of_layers(layers):
    assert appendix_d_theorem.alpha_is_a_factor_of_each() is True
    assert appendix_d_theorem.alpha_is_a_factor_of_each(layers) is False


@pytest.mark.parametrize("power", [0, 1, 3])
def test_the_step_size_without_biases_is_times_the_square_of_the_scalar(power):
    assert d_training.one_scalar_scales_steps() is True
    assert d_training.one_scalar_scales_steps(power) is False


def test_the_scalar_without_biases_is_the_root_of_gamma_for_all_layers():
    assert appendix_d_theorem.one_scalar_without_biases() is True
    assert appendix_d_theorem.one_scalar_without_biases(2) is False


@pytest.mark.parametrize("seed", [113, 119])
def test_a_path_that_diverges_is_away_from_the_plain_one(seed):
    """With biases, one scalar and its step size; without a check for nan these seeds left the mistake unrejected."""
    finding = d_training.training_without_biases(SimpleNamespace(seed=seed))
    assert (finding.killed, finding.total, finding.survivors) == (6, 6, ())


def test_the_last_bias_is_that_of_the_scaled_network_where_a_unit_has_no_slope():
    """The first unit of the second layer has the slope 0. Its intercept is 1/4, and -1/8 once all are multiplied."""
    weights = [[[Fraction(1)], [Fraction(1)]], [[Fraction(1), Fraction(-1)], [Fraction(1), Fraction(0)]], [[1, 1]]]
    before = [[Fraction(1), Fraction(0)], [Fraction(-3, 4), Fraction(0)]]
    half, gamma = Fraction(1, 2), Fraction(1, 8)
    bias = d_given.solved_bias(weights, [*before, [Fraction(0)]], half, gamma)
    assert d_given.serves(weights, [*before, [bias]], half, gamma)
    assert not d_given.serves(weights, [*before, [bias + 1]], half, gamma)
