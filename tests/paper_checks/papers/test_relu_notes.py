"""What notes on dying ReLU say of the stored runs is so in these; numbers in captions are those of the formulas."""

import re

import numpy as np
import pytest

from figures.dying_relu import momentum_eigenvalues, relu_momentum_regions, relu_overshoot
from montecarlo.descent.fates import OPTIMUM
from montecarlo.descent.parts import AT_ONCE
from montecarlo.descent.relu_unit import Method, descend
from montecarlo.training.scaled_targets import DATA
from paper_checks import Status
from paper_checks.evidence.setting import Setting
from paper_checks.papers.dying_relu import joint_settings
from paper_checks.papers.dying_relu.fates import CONVENTIONS, FATES, SCALES, Fates, Setting as Map, grid_of
from paper_checks.papers.dying_relu.joint_settings import SENTENCES, Shown, off_boundary
from paper_checks.papers.dying_relu.section_1.error import networks as shallow_networks
from paper_checks.papers.dying_relu.section_5.figure_4 import ALL
from paper_checks.papers.dying_relu.section_6.depth import more
from paper_checks.papers.dying_relu.stored_runs import GAMMA, networks as deep_networks
from paper_checks.papers.dying_relu.sweeps import DEPTHS, FIGURE_1, FIGURE_6, GAMMAS, RUNS, STARTS, WIDE
from paper_checks.rules.proportions import sign_test
from theory.momentum import eigenvalues, oscillation_threshold
from theory.relu_unit import dead_cone_edge, largest_eigenvalue, linear_target as relu_unit, smallest_eigenvalue
from theory.relu_unit.basins import separatrix


@pytest.fixture(scope="module")
def setting():
    return Setting("quick", 1)


@pytest.fixture(scope="module")
def deep(setting):
    return deep_networks(setting)


@pytest.fixture(scope="module")
def fates(setting):
    return Fates(setting.rows(FATES))


def test_from_1_to_a_sixteenth_the_error_falls_for_two_data_sets(setting):
    one_layer = shallow_networks(setting)
    rises = [one_layer("adam", GAMMAS[1], d).log_error - one_layer("adam", 1.0, d).log_error for d in DATA]
    assert [sign_test(rise).status for rise in rises].count(Status.REFUTED) == 2


def test_gradient_descent_leaves_more_than_adam_for_targets_of_0_and_as_much_for_small_ones(setting):
    one_layer = shallow_networks(setting)
    left, small, adam = (np.median(one_layer(m, g).error) for m, g in (("sgd", 0.0), ("sgd", GAMMAS[4]), ("adam", 0.0)))
    assert (round(left / adam, 1), round(small / left, 2)) == (1.3, 1.0)


def test_units_of_residual_networks_die_at_the_largest_step_size_alone(deep):
    dead = {(m, g): sum(int(deep(True, d, m, g).last.sum()) for d in DEPTHS)
            for m in ("adam", "adam-fast", "adam-fastest", "sgd") for g in (1.0, GAMMA)}  # fmt: skip
    assert {m for (m, _), count in dead.items() if count > 20} == {"adam-fastest"}
    assert min(dead["adam-fastest", g] for g in (1.0, GAMMA)) > 1000
    # With its own step size, of which relu/fig6.persists.error speaks, none does.
    assert dead["adam", 1.0] == dead["adam", GAMMA] == 0


def test_at_scale_1_no_more_units_of_the_deeper_residual_networks_die(deep):
    for updates in (10, 1000):
        assert sign_test(more(deep, True, "adam-fastest", 1.0, (1, 6), updates)).status is not Status.CONFIRMED


def test_numbers_of_runs_are_those_that_the_notes_on_settings_give():
    runs = {sweep.name: {p.get("runs", 48) for p in sweep.points} for sweep in (FIGURE_1, FIGURE_6, STARTS)}
    assert runs == {FIGURE_1.name: {48, 240}, FIGURE_6.name: {48, 144, 240, 480}, STARTS.name: {48}}
    assert RUNS == 48
    assert all((p["data"], p["step_size"]) == (DATA[1], 0.01) for p in FIGURE_1.points if p.get("runs", 48) == 240)
    more_runs = {
        (p["residual"], p["depth"], p["method"], p["gamma"], p["runs"])
        for p in FIGURE_6.points if "runs" in p and (p["residual"] or p["runs"] != 240)
    }  # fmt: skip
    assert more_runs == {
        (False, 3, "sgd", 1.0, 144), *((False, d, "adam", g, 480) for d in (1, 3) for g in (1.0, GAMMA)),
        *((True, d, "adam-fastest", GAMMA, 240) for d in DEPTHS),
    }  # fmt: skip
    assert all(p.get("runs", 48) >= 240 for p in FIGURE_6.points if not (p["residual"] or "width" in p))


def test_with_gradient_descent_fewer_units_die_for_small_targets(deep):
    for depth in DEPTHS[1:]:
        small, large = (deep(False, depth, "sgd", g).deaths for g in (GAMMA, 1.0))
        assert small.mean() < large.mean()


def test_with_small_steps_of_gradient_descent_units_die_in_three_layers_and_revive_in_six(setting):
    increases = {d: networks_of_128(setting, d).increase for d in DEPTHS}
    assert not increases[1].any()
    # relu/beyond.sgd-more has the sign test.
    assert 0 < increases[3].mean() < 3 * WIDE / 100
    assert increases[6].mean() < 0


def test_with_small_steps_of_gradient_descent_a_smaller_share_dies_in_six_layers_than_in_three(setting):
    cells = [(depth, networks_of_128(setting, depth)) for depth in DEPTHS[1:]]
    three, six = (cell.died[1000] / (depth * WIDE - cell.first) for depth, cell in cells)
    found = sign_test(six - three)
    assert (found.above, found.below) == (17, 31)


def networks_of_128(setting, depth):
    return deep_networks(setting)(False, depth, "sgd-slow", 1.0, width=WIDE)


def test_in_the_linear_cone_the_affine_gradients_have_no_bound_relative_to_those_of_the_unit():
    # Beside the tip the bias gradient has the other sign; at w = Lambda the affine weight gradient is 0.
    assert relu_unit.bias_gradient_form(3.1e-4, 1e-4, 1.0) < 0 < 3.1e-4
    assert abs(relu_unit.weight_gradient_form(1.0, 1.0, 3.1, 1.0, 1.0)) > 1e-3


def test_the_error_for_small_targets_grows_with_depth_in_residual_networks_and_falls_in_plain_ones(deep):
    medians = {r: [np.median(deep(r, d, "adam", GAMMA).normalised) for d in DEPTHS] for r in (False, True)}
    assert medians[True] == sorted(medians[True])
    assert medians[False] == sorted(medians[False], reverse=True)
    # For targets of scale 1 it falls in both.
    for residual in (False, True):
        falls = [np.median(deep(residual, d, "adam", 1.0).normalised) for d in DEPTHS]
        assert falls == sorted(falls, reverse=True)


def test_large_regions_die_but_for_one_kind_of_setting(fates):
    fails = {
        (s.step_size, s.tolerance)
        for s in ALL
        for c in CONVENTIONS
        if not fates.dead(0.01, s.above(c)[-1], c, setting=s).mean() > max(0.5, fates.dead(1.0, setting=s).mean())
    }
    assert fails == {(0.03, 1e-4)}


def test_momentum_below_the_threshold_changes_nothing_but_for_small_targets_and_the_coarsest_tolerance(fates):
    fails = [
        (g, s.tolerance)
        for s in ALL for c in CONVENTIONS for g in SCALES if not Shown(fates, s, (g,), g, c).same_below()
    ]  # fmt: skip
    assert {tolerance for _, tolerance in fails} == {1e-4}
    assert max(g for g, _ in fails) == 0.3
    # On the boundary something changes in every setting for gamma = 1, up to two of 24 cells in a column.
    for s, c in ((s, c) for s in ALL for c in CONVENTIONS):
        without, alive = fates.converges(1.0, setting=s), fates.converges(1.0, s.below(c), c, setting=s)
        assert (without != alive).any()
        assert s.cells < 24 or np.sum(without != alive, axis=0).max() <= 2


def test_of_the_lower_left_quadrant_one_start_converges_at_the_largest_step_size(fates):
    found = set()
    for s, g in ((s, g) for s in ALL for g in SCALES if s.target == "linear"):
        w, b = grid_of(s.cells)
        found |= {(s.step_size, *cell) for cell in np.argwhere(fates.converges(g, setting=s) & (w < 0) & (b < 0))}
    assert [step_size for step_size, *_ in found] == [0.3]


def test_a_map_tells_a_change_off_the_boundary_only():
    alive = np.zeros((6, 6), dtype=bool)
    alive[:, 3:] = True
    moved = alive.copy()
    moved[:, 2] = True
    assert not off_boundary(alive, moved).any()
    moved[4, 0] = True
    assert np.argwhere(off_boundary(alive, moved)).tolist() == [[4, 0]]


def test_momenta_lie_on_their_sides_of_the_threshold():
    for setting in ALL:
        for convention in ("ema", "heavy-ball"):
            below, above = setting.below(convention), setting.above(convention)
            assert 0 < below < min(above) < max(above) < 1


def test_each_sentence_holds_somewhere_and_fails_somewhere(fates):
    shown = [s for target in ("linear", "without-sign") for s in joint_settings.settings(fates, target)]
    largest = [s for s in shown if s.scale == s.scales[-1]]
    assert all({question(s) for s in largest} == {True, False} for question in SENTENCES.values())


def test_the_exact_gradient_never_saves_most_of_the_lower_left(fates):
    linear = [s for s in ALL if s.target == "linear"]
    assert not any(Shown(fates, s, SCALES, SCALES[0], "ema").lower_left() for s in linear)
    assert Shown(fates, Map("without-sign"), SCALES, SCALES[0], "ema").lower_left()


CONE = f"{-dead_cone_edge(0.001):.2f}"
AVERAGE = f"{oscillation_threshold(0.1):.3f}"
HEAVY_BALL = f"{oscillation_threshold(0.1, convention='heavy-ball'):.3f}"
WITHOUT_MOMENTUM = "{:g} and {:g}".format(*abs(np.sort(eigenvalues(0.1, 0.0).real).round(9)))
CURVATURES = f"{smallest_eigenvalue(0):.3f}, 0.5 and {largest_eigenvalue(0):.3f}"


@pytest.mark.parametrize(("module", "texts"), [
    (momentum_eigenvalues,
     [f"a double root at beta = {AVERAGE}", f"(w + b/{CONE})", f"they go from {WITHOUT_MOMENTUM} to"]),
    (relu_momentum_regions, [f"oscillates above beta = {AVERAGE}", f"which oscillates above {HEAVY_BALL}"]),
    (relu_overshoot, [f"(w_L + b/{CONE})", f"the curvatures are {CURVATURES}"]),
])  # fmt: skip
def test_numbers_of_captions_are_computed_ones(module, texts):
    caption = re.sub(r"\s+", " ", module.DETAILS)
    assert [text for text in texts if text not in caption] == []


@pytest.mark.parametrize(("convention", "momenta"), relu_momentum_regions.MOMENTA.items())
def test_below_the_threshold_the_border_leaves_the_separatrix_for_the_largest_scale(convention, momenta):
    w, b = np.meshgrid(np.linspace(-1, -0.2, 33), np.linspace(-0.1, 1, 441))
    method = Method(0.1, momenta[0], convention)
    for gamma, low, high in ((1.0, 0.0975, 0.1425), (0.1, -0.06, 0.06), (0.01, -0.06, 0.06)):
        alive = descend(w, b, gamma, method, steps=20_000, executor=AT_ONCE).outcome == OPTIMUM
        inside = alive.any(axis=0)
        lower = (-w[0] * separatrix(-w[0] / gamma) - b[np.argmax(alive, axis=0), 0])[inside]
        assert inside.sum() > 15
        assert low < lower.min() < lower.max() < high
