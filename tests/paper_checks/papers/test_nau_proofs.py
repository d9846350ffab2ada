"""Proofs on neural arithmetic units refuse formulas that are slightly wrong, and domains in which a sentence fails."""

from importlib import import_module
from types import SimpleNamespace

import pytest
import sympy
from sympy import Abs, Max, Min, Rational, exp, prod, tanh

from theory.arithmetic import four_inputs, nearly_perfect, regularisers
from theory.initialisation import glorot
from theory.nac import moments as nac
from theory.nac_mul import backward, backward_exact, depth, gradients
from theory.nmu import criteria, moments as nmu

pytestmark = pytest.mark.slow
PAPER = "paper_checks.papers.neural_arithmetic_units"


w, half = regularisers.w, Rational(1, 2)
step, c = regularisers.step, regularisers.c
z, eps, weight = gradients.z, gradients.eps, gradients.w
BOUND, RARE = depth.variance_bound.expr, depth.rare_log_bound.expr
FORWARD, SLOPE = criteria.forward_weight_variance.expr, gradients.single_input_derivative.expr
EXPLODES, JACOBIAN = backward.input_gradient_variance_taylor.expr, backward_exact.jacobian_mean.expr
CURVE = four_inputs.nac_mul_second_weight.expr

# A proof, the formula that it reads, and others that may be mistaken for it.
WRONG = {
    ("section_3.task", "sparsity_is_at_most_half", regularisers, "weight_sparsity_error"): [
        Min(2 * Abs(w), Abs(1 - Abs(w))), Min(Abs(w), Abs(1 - w)), Min(Abs(w), 1 - Abs(w)),
    ],
    ("section_2.nmu", "oob_vanishes_on_the_interval", regularisers, "nmu_oob"): [
        Max(Abs(w - half) - Rational(1, 4), 0) ** 2, Max(Abs(w) - half, 0) ** 2, Max(Abs(w) - 1, 0) ** 2,
        Max(Abs(w - half) - 1, 0) ** 2, Max(w - 1, 0) ** 2, (Abs(w - half) - half) ** 2,
    ],
    ("section_2.nmu", "oob_vanishes_on_the_interval", regularisers, "nmu_oob_slope"): [
        -regularisers.nmu_oob_slope.expr, 2 * Max(w - 1, 0),
    ],
    ("section_2.zero_mean", "clamped_gradient_is_present", regularisers, "nau_clamp"): [Min(Max(w, 0), 1), tanh(w)],
    ("section_2.zero_mean", "clamped_gradient_is_present", regularisers, "nau_oob"): [
        Max(w - 1, 0) ** 2, Max(Abs(w) - 2, 0) ** 2, Max(Abs(w) - 1, 0),
    ],
    ("section_2.nau", "bias_is_zero_at_the_discrete_values", regularisers, "nau_bias"): [
        w**2 * (1 - w) ** 2, (1 - Abs(w)) ** 2, w**2 * (2 - Abs(w)) ** 2,
    ],
    ("section_2.nau", "bias_is_zero_at_the_discrete_values", regularisers, "nmu_bias"): [
        w**2 * (1 - w), w**2, w**2 * (1 - w) ** 4,
    ],
    ("section_2.nau", "bias_slope_is_largest_where_stated", regularisers, "nmu_bias"): [w**2 * (1 - w) ** 4],
    ("section_2.nau", "bias_slope_is_largest_where_stated", regularisers, "nau_bias_slope"): [
        -regularisers.nau_bias_slope.expr, 2 * w * (1 - w) * (1 - 2 * w),
    ],
    ("section_2.start", "every_variance_below_one", nac, "tanh_second_moment"): [
        nac.tanh_second_moment.expr / 2, 1 - nac.tanh_second_moment.expr, tanh(nac.r) / 2,
    ],
    ("section_2.division", "moments_exist_above", gradients, "single_input_derivative"): [
        SLOPE * (Abs(z) + eps), SLOPE.subs(weight, weight - 1), SLOPE / weight,
    ],
    ("section_2.division", "changes_sign_at_zero", gradients, "single_input_derivative"): [
        SLOPE * sympy.sign(z), SLOPE * (Abs(z) + eps) ** 3, SLOPE * (Abs(z) + eps) ** (1 - weight),
    ],
    ("section_2.figure_2", "division_solves", four_inputs, "nac_mul_second_weight"): [
        2 * CURVE, -CURVE, CURVE.subs(four_inputs.b, four_inputs.b**2), CURVE.subs(Abs(four_inputs.w_1), 1),
    ],
    ("appendix_b.b1", "variance_increases_to_one_half", nac, "weight_variance"): [
        2 * nac.weight_variance.expr, nac.weight_variance.expr * nac.r, 1 - tanh(nac.r) / nac.r,
    ],
    ("appendix_b.b1_backward", "square_layers_keep_both_variances", glorot, "weight_variance"): [
        1 / (glorot.fan_in + glorot.fan_out), 2 / (glorot.fan_in + 2 * glorot.fan_out), 1 / glorot.fan_in,
    ],
    ("appendix_b.b1_backward", "explodes_at_zero_mean", backward, "input_gradient_variance_taylor"): [
        EXPLODES * backward.eps**6, EXPLODES / backward.eps,
    ],
    ("appendix_b4.quarter", "backward_limit", criteria, "unit_backward_weight_variance"): [
        criteria.unit_backward_weight_variance.expr.subs(criteria.fan_out, criteria.fan_out**2),
        criteria.unit_backward_weight_variance.expr + Rational(1, 100),
    ],
    ("appendix_b4.quarter", "mean_is_a_power", nmu, "mean"): [
        (1 + nmu.mean_w * nmu.mean_z) ** nmu.fan_in, nmu.mean.expr.subs(nmu.mean_z, -nmu.mean_z),
    ],
    ("appendix_b4.attainable", "feasible_forward", criteria, "forward_weight_variance"): [
        FORWARD + Rational(1, 100), FORWARD.subs(criteria.input_variance, 1 + criteria.input_variance),
    ],
    ("appendix_b4.depth_nac_mul", "logarithms_stay_bounded", depth, "variance_bound"): [
        BOUND / 2, BOUND.subs(depth.width, 1), BOUND.subs(depth.layers, depth.layers - 1),
    ],
    ("appendix_b4.depth_nac_mul", "rare_events_explode", depth, "rare_log_bound"): [
        -RARE, 2 * RARE, RARE - depth.width**3, RARE.subs(depth.width, 1),
        RARE.subs(depth.layers, depth.layers + 1),
    ],
    ("appendix_c.settings", "ramp_is_gradual", regularisers, "ramp"): [
        c * (1 - exp(-step * 10**5)), c * (1 + exp(-step / 10**5)), c * step / 10**5, 2 * regularisers.ramp.expr,
    ],
}  # fmt: skip


def nmu_of(first, second):
    return lambda v, sums: prod([first(v) * h + second(v) for h in sums])


NMU_OF_SUMS = [nmu_of(lambda v: v, lambda v: 1 + v), nmu_of(lambda v: 1 + v, lambda v: 1 - v)]
NAC_OF_SUMS = [lambda v, sums, f=f: prod([Abs(h) ** f(v) for h in sums]) for f in (lambda v: 2 * v, lambda v: v + 1)]
VANISHING = [form.expr for form in (nearly_perfect.simple_mse_addition, nearly_perfect.simple_mse_subtraction)]

# A proof, what its module defines or imports, and definitions that may be mistaken for it.
ELSE = {
    ("section_2.figure_2", "one_and_one_solves", None, "nmu"): NMU_OF_SUMS,
    ("section_2.figure_2", "one_and_one_solves", None, "nac_mul"): NAC_OF_SUMS,
    ("section_2.figure_2", "minus_one_solves_as_well", None, "nac_mul"): NAC_OF_SUMS,
    ("section_2.figure_2", "division_solves", None, "nac_mul"): NAC_OF_SUMS,
    ("section_2.figure_2", "nothing_else_inside", None, "nac_mul"): NAC_OF_SUMS,
    ("section_2.figure_2", "nmu_has_two_solutions", None, "nmu"): NMU_OF_SUMS,
    ("section_2.figure_2", "nmu_has_two_solutions", None, "SUMS"): [{four_inputs.a: half, four_inputs.b: Rational(6)}],
    ("gradient_quantities", "nmu_gradients_at_any_size", None, "nmu_factor"): [
        lambda v, h: v * h + 1 + v, lambda v, h: v * h, lambda v, h: v * h + (1 - v) ** 2,
    ],
    ("gradient_quantities", "nac_mul_gradients_at_any_size", None, "sign"): [lambda h: 1, Abs],
    ("gradient_quantities", "nac_mul_gradients_at_any_size", None, "exp"): [lambda h: h, lambda h: exp(2 * h)],
    ("section_3.threshold", "perfect_solution_has_no_error", None, "SIMPLE_FORMS"): [
        [SimpleNamespace(expr=e - nearly_perfect.eps**2 * nearly_perfect.upper**3) for e in VANISHING],
        [SimpleNamespace(expr=e + nearly_perfect.eps**4 + 1) for e in VANISHING],
        [SimpleNamespace(expr=e * nearly_perfect.eps) for e in VANISHING],
    ],
    ("appendix_c.reach", "positive_cannot_subtract", None, "threshold"): [lambda operation: 17.4],
}  # fmt: skip


@pytest.mark.parametrize(("module", "proof", "room", "name"), WRONG | ELSE)
def test_a_proof_refuses_other_formulas_and_definitions(module, proof, room, name, monkeypatch):
    home = import_module(f"{PAPER}.{module}")
    holds = getattr(home, proof)
    assert holds() is True
    for wrong in (WRONG | ELSE)[module, proof, room, name]:
        if room:
            monkeypatch.setitem(vars(getattr(room, name)), "expr", wrong)
        else:
            monkeypatch.setattr(home, name, wrong)
        assert holds() is False, wrong


@pytest.mark.parametrize("wrong", [-JACOBIAN, JACOBIAN + 1, JACOBIAN.subs(backward_exact.a, 2 * backward_exact.a)])
def test_the_sign_of_the_derivative_is_refused_for_other_means(wrong):
    holds = import_module(f"{PAPER}.appendix_b.b3_backward_exact").sign_is_that_of_the_product
    assert holds() is True
    assert holds(wrong) is False
