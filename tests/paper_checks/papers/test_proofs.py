"""A proof refuses statements that are slightly wrong: forms with a sign, a term or a factor changed."""

import numpy as np
import pytest
import sympy
from sympy import Abs, Integer, Max, Piecewise, Rational, sqrt

from montecarlo.descent.fields import gradient
from paper_checks import Status
from paper_checks.evidence.symbolic import differ, is_zero
from paper_checks.papers.constants import other_layers, propagation, truncated
from paper_checks.papers.dying_relu.section_5 import saddle as section_5_saddle
from paper_checks.papers.galu import section_1 as neurons
from paper_checks.papers.galu.least_squares_points import mean_square
from paper_checks.papers.galu.section_4 import comparison, double_descent, features, generalisation, labels, rank
from paper_checks.papers.galu.section_4.least_squares import error_at_a_new_pair
from paper_checks.papers.galu.section_5 import outputs as section_5
from paper_checks.papers.nerva import section_8
from paper_checks.papers.nerva.pieces import wrong_at
from paper_checks.papers.nerva.section_5 import activations as activation, srelu as section_5_srelu
from paper_checks.papers.nerva.section_6 import losses
from paper_checks.papers.nerva.tables import table_2_use
from paper_checks.papers.network_smoothness import section_2, section_4 as smooth_section_4
from paper_checks.papers.network_smoothness.appendix_a import a2 as appendix_a2, a2_variants as appendix_a2_variants
from paper_checks.papers.network_smoothness.section_3_1 import addition as section_3_1
from paper_checks.papers.network_smoothness.section_3_3 import length_scales
from paper_checks.papers.network_smoothness.section_3_5 import attacks as section_3_5
from theory import activations, galu, least_squares
from theory.activations import entrywise as pieces
from theory.galu.neurons import z_u, z_w
from theory.galu.rademacher import m as examples
from theory.least_squares.losses import d, m, sigma
from theory.numerics.normal_tails import phi
from theory.relu_unit import linear_target as relu_unit

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("first", "second"), [
    (lambda k: phi(k) / (k + 1), lambda k: phi(k) / k**2),
    (lambda k: phi(k) * k / (1 + k**2), lambda k: phi(k) / k**2),
    (lambda k: phi(k) / k - phi(k) / k**3, lambda k: phi(k) / k**2),
    (lambda k: phi(k) / k + Rational(1, 1000), lambda k: phi(k) / k**2),
    (lambda k: phi(k) / k, lambda k: phi(k) / (k**2 + 3)),
    (lambda k: phi(k) / k, lambda k: phi(k) / k**2 - 3 * phi(k) / k**4),
])  # fmt: skip
def test_bounds_of_mills_ratio_that_are_too_low_or_do_not_vanish_are_refused(first, second):
    assert section_5_saddle.mills_bounds() is True
    assert section_5_saddle.mills_bounds(first, second) is False


@pytest.mark.parametrize("factor", [Integer(1), Rational(999, 1000)])
@pytest.mark.parametrize(("form", "bound", "lower"), [
    (relu_unit.weight_gradient_along, lambda k, s, gamma: s / k + gamma * (k + 1 / k),
     lambda k, s, gamma: s / k + gamma * k),
    (relu_unit.bias_gradient_form, lambda k, s, gamma: s / k**2 + gamma, lambda k, s, gamma: s / k**3 + gamma),
], ids=["along", "bias"])  # fmt: skip
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


# What a proof takes for the form, or for a part of the sentence, and wrong ones in its place.
OPEN_FOR_ALL, OTHER_SIDE = z_w, Piecewise((z_w, z_u < 0), (0, True))
OF_THE_GATE, LEAKING = Piecewise((z_u, z_u > 0), (0, True)), Piecewise((z_w, z_u > 0), (z_w / 100, True))
LATER, RECTIFIED = Piecewise((z_w, z_u > 1), (0, True)), Piecewise((Max(z_w, 0), z_u > 0), (0, True))
RIDGE, BOUND_1, BOUND_2 = (f.expr for f in (least_squares.optimal_ridge, galu.bound_l1, galu.bound_l2))
TEST_LOSS = least_squares.test_loss_short.expr
SRELU, EXPONENT, GELU = (
    f.expr
    for f in (activations.srelu, length_scales.length_scales.erf_zeros_exponent, propagation.closed.gelu_second_moment)
)
REFUSED = {
    "galu/relu-identity": (neurons.identity_by_cases, [OPEN_FOR_ALL, OTHER_SIDE, LEAKING, LATER]),
    "galu/intro.linear-only": (
        neurons.layers_compose_to_a_linear_map,
        [lambda matrix, v: matrix * (v + v.applyfunc(sympy.sign)), lambda matrix, v: matrix * v.applyfunc(Abs)],
    ),
    "galu/intro.gradient.off-edge": (
        neurons.gate_is_constant_off_the_edge, [OPEN_FOR_ALL, OTHER_SIDE, OF_THE_GATE, LEAKING, LATER, RECTIFIED],
    ),
    "galu/beyond.fixed-filters": (neurons.fixed_filters_are_not_enough, [OPEN_FOR_ALL, OTHER_SIDE, LEAKING]),
    "galu/text.any-bound.one-number": (
        comparison.same_value_is_above_one, [sigma**2 * (1 + d / m), sigma**2, TEST_LOSS - sigma**2],
    ),
    "galu/beyond.strictly-more": (
        neurons.galu_is_strictly_larger, [OPEN_FOR_ALL, OTHER_SIDE, OF_THE_GATE, LEAKING, RECTIFIED],
    ),
    "galu/sec4.linear": (features.neuron_is_linear, [lambda _, w: w, lambda _, w: sympy.Heaviside(w)]),
    "galu/sec4.readout": (
        features.readout_moves_inside, [lambda _, w: w, lambda a, w: -a * w, lambda a, w: Abs(a) * w],
    ),
    "galu/sec4.1.convex": (labels.square_is_convex, [1, 3, 4]),
    "galu/sec4.1.convex, residuals": (
        labels.residual_is_affine, [lambda x, w: x * w**2, lambda x, w: Max(x * w, 0), lambda x, w: x * abs(w)],
    ),
    "galu/sec5.biconvex": (section_5.linear_in_each_layer, [lambda _, w: w, lambda _, w: sympy.Heaviside(w)]),
    "galu/rank.upper": (
        rank.features_have_m_rows_and_k_d_columns,
        [galu.column_bound.expr - 1, *galu.column_bound.expr.args],
    ),
    "galu/text.test-upper": (comparison.is_at_most, [d * sigma**2, (3 + d) * sigma, Integer(3) + d]),
    "galu/text.test-lower": (comparison.is_at_least, [Integer(3), d + 2, d**2]),
    "galu/sec4.1.no-gap": (labels.stationary_is_least, [1, 3, 4]),
    "galu/sec5.no-trick": (section_5.one_neuron_is_not_enough, [(2, 0), (0, 0), (-1, 0)]),
    "galu/text.noise-gap": (generalisation.gap_has_a_positive_slope, [0, 2]),
    "galu/text.rademacher-l1": (
        generalisation.largest_of_signed_sums, [BOUND_1 / sqrt(2), BOUND_1 * sqrt(examples), BOUND_1 * 9 / 10],
    ),
    "galu/text.rademacher-l2": (
        generalisation.mean_square_of_a_signed_sum, [BOUND_2 / 2, BOUND_2 * sqrt(examples), BOUND_2 * 9 / 10],
    ),
    "galu/text.test-loss": (
        error_at_a_new_pair, [TEST_LOSS - sigma**2, TEST_LOSS.subs(m, m + 1), TEST_LOSS.subs(d, d + 1)],
    ),
    "galu/beyond.ridge": (
        double_descent.ridge_is_optimal, [RIDGE / d, RIDGE * 2, sqrt(RIDGE), RIDGE * (d - 1) / d, Integer(0)],
    ),
    "smooth/eq1": (section_2.two_signs_are_the_identity, [sympy.Symbol("beta", positive=True)]),
    "smooth/eq4": (section_3_1.along_the_antidiagonal, [(1, 1), (1, -2), (1, 0)]),
    "smooth/text.hull": (section_3_1.disc_is_the_hull, [0, 2]),
    "smooth/text.pipeline.correct": (smooth_section_4.gradient, [-1, 2]),
    "smooth/text.null-space": (section_3_1.is_the_null_space, [(1, 1), (0, 0), (1, 0)]),
    "smooth/text.far-away": (
        section_3_1.far_away,
        [lambda _square, _scale: Integer(1), lambda square, scale: square / scale, lambda square, _: sympy.exp(square)],
    ),
    "smooth/beyond.one-unit": (section_2.one_unit_on_the_disc, [1, 0]),
    "smooth/beyond.two-units": (section_2.two_units_add, [1, 0]),
    "smooth/beyond.eq1.dimension": (section_2.six_dimensions, [4, 5, 7, 8]),
    "smooth/beyond.sigma-smooths": (length_scales.both_fall, [-EXPONENT, EXPONENT + 1, 2 * EXPONENT]),
    "smooth/beyond.fixed-biases": (length_scales.with_fixed_biases, [length_scales.weight_scale]),
    "smooth/beyond.eq8.cube": (section_3_5.largest_in_a_cube, [lambda g: -sympy.sign(g), lambda _: Integer(1)]),
    "smooth/text.commutative": (
        appendix_a2_variants.is_commutative, [lambda one, _: one, lambda one, other: (one - other) / 2],
    ),
    "smooth/beyond.eq8.least": (section_3_5.least_gain, [1, 3]),
    "smooth/eq9": (appendix_a2.shortest, [lambda m: m, lambda m: 2 * m.pinv()]),
    "smooth/beyond.eq9.condition": (appendix_a2.squared_condition, [1, 3]),
    "smooth/text.rescaling.correct": (appendix_a2.scales_are_absorbed, [0, 1]),
    "nerva/sec8.torch": (section_8.torch_follows_for_a_constant_rate, [section_8.next_rate, 2 * section_8.rate]),
    "nerva/sec5.leaky-all": (
        activation.leaky_is_all_relu_up_to_one,
        [activations.all_relu.expr, activations.relu.expr, sympy.Min(pieces.alpha * pieces.x, pieces.x)],
    ),
    "nerva/sec5.srelu-jump": (
        section_5_srelu.jumps_by, [SRELU.subs(pieces.a_r, pieces.a_l), SRELU.subs(pieces.a_r, 2 * pieces.a_r)],
    ),
    "nerva/sec5.srelu-start.relu": (section_5_srelu.relu_for_any_t_r, [Rational(1, 2), Integer(0)]),
    "nerva/sec5.srelu-overlap": (section_5_srelu.cases_overlap, [(1,), (-1, 0, 1)]),
    "nerva/eq32.no-minimum": (
        losses.falls_without_end,
        [losses.target * sympy.log(1 + sympy.exp(v)) + c for v, c in ((losses.output, 0), (-losses.output, 1))],
    ),
    "nerva/table2.inv_sqrt.e": (
        table_2_use.too_small_by,
        [1 - table_2_use.e / (2 * table_2_use.x), sympy.sqrt(1 + table_2_use.e / table_2_use.x)],
    ),
    "nerva/sec5.alternation": (
        section_5_srelu.alternates, [(-1) ** section_5_srelu.layer, (-1) ** (section_5_srelu.layer // 2), Integer(-1)],
    ),
    "constants/edge.relu": (propagation.edge_of_relu, [1, -1, 2]),
    "constants/edge.tanh": (
        propagation.tanh_edge_at_zero, [sympy.cos, lambda u: 2 * sympy.tanh(u), lambda u: 1 / (1 + sympy.exp(-u))],
    ),
    "constants/gelu.unstable": (
        propagation.gelu_is_unstable, [2 * GELU, GELU + propagation.closed.variance / 4, propagation.closed.variance],
    ),
    "constants/residual.depth": (other_layers.limit_is_e, [-1, Rational(-1, 3)]),
    "constants/torch.trunc-normal.flat": (truncated.flattens, [3, 4]),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_proof_refuses_a_sentence_that_is_wrong(name):
    proof, wrong = REFUSED[name]
    assert proof() is True
    assert [proof(of) for of in wrong] == [False] * len(wrong)


def test_mean_squares_of_forms_that_are_not_linear_are_refused():
    x, y, c = sympy.symbols("x y c")
    assert mean_square(c + 2 * x - y, {x: 3, y: c}) == c**2 + 12 + c
    with pytest.raises(ValueError, match="linear"):
        mean_square(x * y, {x: 1, y: 1})


def test_a_pole_of_equal_forms_is_no_difference():
    loss, short = least_squares.test_loss.expr, least_squares.test_loss_short.expr
    assert is_zero(loss - short) is Status.CONFIRMED
    assert is_zero(loss - short + sigma**2 / m) is Status.REFUTED
    assert differ(loss, loss * (m - d)), "at a probe at which neither has a pole"


def test_a_derivative_is_told_from_one_that_agrees_at_a_number():
    """Of max(alpha x, x): x for alpha, where both are above 1."""
    wrong = Piecewise((pieces.x, (pieces.x > 0) & (pieces.alpha > 1)), (activations.leaky_relu_slope.expr, True))
    assert wrong_at(activations.leaky_relu.expr, wrong, pieces.x, activation.SLOPES)
