"""Numbers in the notes of claims on Neural Arithmetic Units are those of the stored runs and of the formulas."""

import math
import re
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import brentq

from paper_checks import Approximates, standard_error
from paper_checks.claims.catalogue import load
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.neural_arithmetic_units import section_1, sweeps
from paper_checks.papers.neural_arithmetic_units.appendix_b.figure_8 import KURTOSIS
from paper_checks.papers.neural_arithmetic_units.printed_tables import CUSTOMARY, TABLE_4, welch
from paper_checks.papers.neural_arithmetic_units.section_3 import look_before, narrow
from paper_checks.papers.neural_arithmetic_units.section_3.threshold import MOVED
from paper_checks.papers.neural_arithmetic_units.trained import Runs, runs_at
from paper_checks.rules.strata import p_value
from theory import nac_mul
from theory.arithmetic import exchanged_inputs_error, halved_weights_error, success_threshold, task_sizes
from theory.arithmetic.two_sums import moved_weight_error
from theory.initialisation import gains, laws
from theory.nac import ranges
from theory.nac_mul import backward, backward_exact, depth as nac_mul_depth, error
from theory.nac_mul.exact import log_square_mean
from theory.nmu import criteria, depth as nmu_depth, feasibility

STORED = SimpleNamespace(rows=stored_rows)


def at(sweep, **values) -> Runs:
    """The runs of the point with these values."""
    (index,) = [i for i in range(len(sweep.points)) if values.items() <= sweep.values(i, 0).items()]
    return runs_at(sweep, stored_rows(sweep), index)


def stricter(runs: Runs) -> int:
    """Successes with eps = 1e-5, whose threshold is a hundredth."""
    return Runs(runs.columns, runs.threshold / 100).successes


def ends(values, low, high):
    assert (float(f"{min(values):.2g}"), float(f"{max(values):.2g}")) == (low, high)


def test_networks_that_fail_on_narrow_ranges_end_where_their_notes_say():
    tenths = at(sweeps.FIGURE_7["nmu"], lower=0.1)
    ends(tenths.columns["validation_error"], 8.3e-5, 1.1e-4)
    assert (round(tenths.columns["test_error"].min(), 1), round(tenths.columns["test_error"].max(), 1)) == (8.9, 12.3)
    formulas = [[exchanged_inputs_error(narrow.ALONE, *s, k) for k in range(3, 7)] for s in (narrow.TENTHS, (0.2, 2))]
    ends(formulas[0], 8.3e-5, 1.2e-4)
    ends(formulas[1], 8.7, 12.0)
    elevenths = at(sweeps.FIGURE_7["nmu"], lower=1.1)
    ends(elevenths.columns["validation_error"], 7.3e-5, 9.4e-5)
    assert (round(elevenths.columns["test_error"].min()), round(elevenths.columns["test_error"].max())) == (361, 461)
    assert halved_weights_error(narrow.ALONE, *narrow.ELEVENTHS) == pytest.approx(8.7e-5, rel=0.01)
    assert tenths.successes == elevenths.successes == 0
    assert at(sweeps.UNREGULARISED).successes == sweeps.UNREGULARISED.runs == 20


def test_an_approximation_that_is_tried_at_inputs_of_one_sign_says_so():
    tried = [c for c in load() if isinstance(c.relation, Approximates) and c.points and "a" in c.points[0]]
    assert len(tried) > 10
    assert not [c.id for c in tried if "a >= 0" not in c.assumptions and "|z|" not in c.assumptions]


def test_the_mean_gradient_of_m_hat_in_nac_multiplication_can_be_negative():
    def gradient(w_hat, m_hat, z=4, t=4):
        gate = 1 / (1 + np.exp(-m_hat))
        out = z ** (np.tanh(w_hat) * gate)
        return (out - t) * out * np.log(z) * np.tanh(w_hat) * gate * (1 - gate)

    grid = (np.arange(400) + 1 / 2) / 400 - 1 / 2
    assert gradient(*np.meshgrid(grid, grid)).mean() == pytest.approx(-0.035, abs=5e-4)


def test_intervals_of_means_are_students():
    def normal(half, n):
        return half / 1.96

    (mean, half), n = TABLE_4["-", "NALU"].solved, TABLE_4["-", "NALU"].successes
    # Two runs are apart by two standard errors, and none is below 0 or above 5,000,000.
    assert (mean, n) == (3.6e6, 2)
    assert 2 * standard_error(half, n) < 5e6 < 2 * normal(half, n)
    assert (look_before.least_above_rounding(), look_before.least_above_rounding(normal)) == (7, 6)
    assert [f"{p_value(0, 367, k, 94):.1e}" for k in (7, 6)] == ["1.2e-05", "6.3e-05"]


def test_rms_loss_of_an_nmu_is_far_below_the_axis_of_figure_2():
    first, second = np.meshgrid(np.linspace(-1, 1, 401), np.linspace(0, 1, 401))
    loss = np.abs(nmu([first * 2.2, first * 6], second) - 13.2)
    assert 13.3 < loss.max() < 13.4
    assert loss[0, 0] == pytest.approx(12.2)


def nmu(sums, weight):
    return np.prod([weight * total + 1 - weight for total in sums], axis=0)


def test_second_weights_of_table_3_end_where_the_captions_say():
    smaller, failed = {}, {}
    for model in ("nac_mul", "nalu", "nmu"):
        runs = at(sweeps.TABLE_3, model=model)
        pairs = np.sort([runs.columns["w2_0"], runs.columns["w2_1"]], axis=0)
        assert np.abs(pairs[:, runs.solved] - 1).max() < 2e-5
        smaller[model], failed[model] = pairs[0][~runs.solved], int((~runs.solved).sum())
    assert (failed["nac_mul"], int((smaller["nac_mul"] < 0).sum())) == (308, 306)
    assert np.mean(smaller["nalu"] < 0) > 0.5
    assert (smaller["nmu"] == 0).all()


def test_as_much_of_a_weight_passes_as_the_note_says():
    for inputs, most in ((100, 0.16), (200, 0.46)):
        size, shared, _ = task_sizes(inputs, 0.25, 0.5)
        limit = success_threshold("multiplication", inputs, size, shared, 2, 6, sweeps.CRITERION_EPS)
        assert (
            moved_weight_error(size - shared, 2, 6, most) < limit < moved_weight_error(size - shared, 2, 6, most + 0.01)
        )
    large = at(sweeps.FIGURE_3_LARGE["nmu"], inputs=200)
    ends(large.sparsity, 0.011, 0.22)
    assert large.sparsity.max() > MOVED


def test_as_many_networks_of_table_3_succeed_as_the_note_says():
    assert [at(sweeps.TABLE_3, model=model).successes for model in ("nalu", "nac_mul")] == [88, 92]
    assert sweeps.TABLE_3.runs == 400


def test_the_stricter_criterion_counts_as_the_note_says():
    for model in ("nau", "linear"):
        assert stricter(at(sweeps.TABLE_5[model], operation="subtraction")) == 0
    for runs, usual, strict in (
        (at(sweeps.FIGURE_7["nmu"], lower=-2.0), 10, 0),
        (at(sweeps.FIGURE_3_LARGE["nmu"], inputs=200), 9, 3),
        (at(sweeps.FIGURE_4["nmu"], overlap=0), 10, 4),
    ):
        assert (runs.successes, stricter(runs)) == (usual, strict)


def test_as_many_nalus_succeed_at_the_simple_function_task_as_the_note_says():
    nalus = section_1.by_task(STORED, "solved_at")[section_1.SIMPLE, "NALU"]
    assert sum(len(nalu) for _, nalu in nalus) == 13
    first, more = (at(s, operation="subtraction") for s in (sweeps.TABLE_5["nalu"], sweeps.TABLE_5_NALU["subtraction"]))
    assert [(runs.successes, len(runs)) for runs in (first, more)] == [(1, 10), (7, 15)]
    assert at(sweeps.TABLE_5["nalu"], operation="addition").successes == 2


def test_published_sparsity_errors_are_those_of_the_note():
    rows = {where: (own[0][0], other[0][0]) for where, own, other in section_1.beside("sparsity", section_1.SPARSITY)}
    assert [round(value, 3) for value in rows["Figure 4, overlap ratio 1, nac_mul"]] == [0.073, 0.039]
    assert (
        "simple function task, against NAC mul: 114 of 227 and 27 of 141 (p = 3e-13)"
        in section_1.smaller(STORED, "sparsity")[1]
    )


def test_as_many_published_means_of_our_units_are_later_as_the_note_says():
    pairs = list(section_1.beside("solved", section_1.SOLVED_AT))
    later = {where: welch(*own, *other) for where, own, other in pairs if own[0][0] > other[0][0]}
    assert (list(later), len(section_1.LATER_TOO), len(section_1.UNTESTED)) == (section_1.LATER, 4, 14)
    assert round(later["Figure 6, 4 hidden units, nac_mul"], 4) == 0.0054
    assert min(later.values()) > CUSTOMARY / len(pairs)


CLAIMS = {c.id: c for c in load(["nau"]).select(["nau"])}
LOG = np.log


def independent_signs_mean(width, layers):
    """Mean after NMU layers with E[W] = 1/2, as if the inputs of each layer were independent, from mean zero."""
    mean = 0.0
    for _ in range(layers):
        mean = ((1 + mean) / 2) ** width
    return mean


def grown_mean(width):
    """The E[z] from which (41) with Var[W] = 1/H, iterated, grows."""
    return math.exp(brentq(lambda level: nac_mul_depth.taylor_log_growth(1 / width, level, width) - 1, 1, 10))


def rare_bound(width, layers, value):
    """Integer part of the largest lower bound of log E[z^2] over the shares of an event; Glorot's weights."""
    shares = np.linspace(0.5, 0.99, 491)
    return math.floor(max(nac_mul_depth.rare_log_bound(math.sqrt(3 / width), shares, LOG(value), width, layers)))


def nau_variance(inputs, outputs):
    """Variance of a NAU's output at the start, inputs from U[1, 2]."""
    return inputs * gains.nau_published_variance(inputs, outputs) * 7 / 3


DEEP = criteria.forward_weight_variance(10, 2)
LIMITS = {count: feasibility.forward_input_variances(count) for count in (2, 3, 4, 10)}

NUMBERS = [
    ("nau/eq41.zero-mean", "130 times", LOG(1e-7) ** 2 / log_square_mean(0, 1, 1e-7)),
    ("nau/eq41.wide-inputs", "0.547 Var", log_square_mean(0, 2, 0) / 2),
    ("nau/eq41.wide-inputs", "87 %", 100 * LOG(1.5) ** 2 / log_square_mean(1, 2, 0)),
    ("nau/eq45.zero", "0.0726", nac_mul.exact_variance(1, 0.5, 1.5, 0, 2)),
    ("nau/fig8.distributions", "9.47", ranges.weight_range(3, 2)),
    ("nau/fig8.distributions", "2.17", KURTOSIS(ranges.weight_range(3, 2))),
    ("nau/fig8.distributions", "1.803", KURTOSIS(0.1)),
    ("nau/eq50.zero-mean", "1e7", backward.inverse_square_from_zero(1, 1e-7)),
    ("nau/eq50.zero-mean", "1e28", backward.inverse_square_taylor(0, 1 / 3, 1e-7)),
    ("nau/eq47.layer", "-195", backward_exact.jacobian_mean(0.5, 0, 1, 1e-7, 1)),
    ("nau/beyond.derivative-mean", "-195", backward_exact.jacobian_mean(0.5, 0, 1, 1e-7, 1)),
    ("nau/beyond.derivative-mean", "-3.6", backward_exact.jacobian_mean(0.5, 0, 1, 1e-3, 1)),
    ("nau/text.variance-explodes", "1/12", backward.inverse_square(2, 6, 1e-20)),
    ("nau/eq68.last", "287/8", (17**2 - 2) / 8),
    ("nau/eq69.negative", "0.457", criteria.unit_backward_weight_variance(2, 1)),
    *(("nau/beyond.nmu-feasible-forward", text, LIMITS[count][which]) for text, count, which in (
        ("up to 0.5,", 2, 0), ("0.20,", 3, 0), ("0.082,", 4, 0), ("0.00099", 10, 0), ("from 1.5,", 2, 1),
        ("1.030,", 3, 1), ("1.0039,", 4, 1), ("14,", 2, 2), ("6.5,", 3, 2), ("5.0,", 4, 2), ("3.5", 10, 2),
    )),
    ("nau/beyond.nmu-feasible-forward", "2.4e-7", LIMITS[10][1] - 1),
    ("nau/beyond.nmu-default.forward", "0.0022", criteria.forward_gain(1 / 48, 1, 10)),
    ("nau/beyond.nmu-default.forward", "V = 5", nau_variance(100, 2)),
    ("nau/beyond.init-nmu-published", "0.0022", criteria.forward_gain(1 / 48, 1, 10)),
    ("nau/beyond.init-nmu-published", "0.017", (2 / 3) ** 10),
    ("nau/beyond.nmu-depth.signs-mean", "0.741", independent_signs_mean(2, 10)),
    ("nau/beyond.nmu-depth.signs-mean", "0.944", nmu_depth.signs_mean(2, 10)),
    ("nau/beyond.nmu-depth.signs-variance", "0.109", nmu_depth.signs_variance(2, 10)),
    ("nau/beyond.nmu-depth.signs-variance", "0.9985", nmu_depth.signs_variance(8, 10)),
    ("nau/beyond.nmu-depth.elasticity", "1.65", (2.01 / 2) ** 100),
    ("nau/eq55.second-layer", "0.107", DEEP),
    ("nau/eq55.second-layer", "8.6e9", nmu_depth.second_layer_variance(10)(DEEP, 2)),
    ("nau/text.nmu-quarter.second-layer", "1.11", nmu_depth.binary_second_layer_square(2)(1)),
    ("nau/text.nmu-quarter.second-layer", "5.47", nmu_depth.binary_second_layer_square(4)(1)),
    ("nau/text.nmu-quarter.second-layer", "1.6e15", nmu_depth.binary_second_layer_square(10)(1)),
    ("nau/text.nac-mul-depth.limit", "e^1727", rare_bound(10, 5, 1.5)),
    ("nau/text.nac-mul-depth.taylor", "7.5", grown_mean(100)),
    ("nau/beyond.init-truncated", "0.773741", laws.truncated_variance(2)),
    ("nau/beyond.init-truncated", "0.077", laws.truncated_variance(2) ** 10),
    ("nau/beyond.init-nau-published", "1.22", math.sqrt(6 / 4)),
    ("nau/beyond.init-nau-published", "1/6", 2 * gains.nau_published_variance(2, 2)),
    ("nau/beyond.taylor-sign-change", "11.894", error.taylor_sign_change_limit.mp()),
]  # fmt: skip


def as_written(text):
    """The number of a text, and with how many significant digits it is written."""
    whole = re.search(r"-?\d[\d.]*(e-?\d+)?(/\d+)?", text.partition("^")[2] or text)[0]
    top, _, bottom = whole.partition("/")
    digits = top.partition("e")[0].strip("-").replace(".", "").lstrip("0")
    return float(top) / float(bottom or 1), 15 if bottom else len(digits)


@pytest.mark.parametrize(("id", "text", "value"), NUMBERS, ids=[f"{id}: {text}" for id, text, _ in NUMBERS])
def test_a_number_in_a_note_is_what_the_formula_gives(id, text, value):
    assert text in f"{CLAIMS[id].says}. {CLAIMS[id].note}"
    number, digits = as_written(text)
    assert float(f"{float(value):.{digits - 1}e}") == pytest.approx(number, rel=1e-14)


def test_the_taylor_form_is_nowhere_too_large_above_the_width_in_the_note():
    ends = np.linspace(20, 30, 101)
    tops = [error.taylor_relative_error(width, 0, ends, 1e-8, 1).max() for width in (0.4410, 0.4412)]
    assert tops[0] > 0 > tops[1]
    assert "0.4411" in CLAIMS["nau/beyond.taylor-sign-change"].note
