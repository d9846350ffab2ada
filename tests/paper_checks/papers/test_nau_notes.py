"""Numbers in the notes of claims on Neural Arithmetic Units are those of the stored runs and of the formulas."""

from types import SimpleNamespace

import numpy as np
import pytest

from paper_checks import Approximates, standard_error
from paper_checks.claims.catalogue import load
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.neural_arithmetic_units import section_1, sweeps
from paper_checks.papers.neural_arithmetic_units.printed_tables import CUSTOMARY, TABLE_4, welch
from paper_checks.papers.neural_arithmetic_units.section_3 import look_before, narrow
from paper_checks.papers.neural_arithmetic_units.section_3.threshold import MOVED
from paper_checks.papers.neural_arithmetic_units.trained import Runs, runs_at
from paper_checks.rules.strata import p_value
from theory.arithmetic import exchanged_inputs_error, halved_weights_error, success_threshold, task_sizes
from theory.arithmetic.two_sums import moved_weight_error

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
