"""ReLU networks that learn to add: gradients, training step by step, fresh batches, and what is reported of runs."""

from itertools import pairwise

import numpy as np
import pytest
from kernels_for_tests import rows_of, slopes

from montecarlo.streams.philox import stream
from montecarlo.training.optimisers import Adam
from montecarlo.training.smooth import interpolation, relu, runs
from montecarlo.training.smooth.data import by_region, disc, grid
from montecarlo.training.smooth.loop import Plan, train
from montecarlo.training.smooth.regions import pieces
from montecarlo.training.smooth.runs import annulus_network, answers, disc_network, error_regions, started

KEY = stream(5, "smooth networks", 0)
SETTINGS = {
    "width": 16, "operation": "addition", "number": 32, "first_seed": 42, "grid_size": 24, "half_width": 1.5,
    "steps": 300, "step_size": 1e-3, "decay": 0.9, "every": 100,
}  # fmt: skip


def parts(theta):
    a, b, c, v = theta[:-1].reshape(4, -1)
    return a, b, c, v, theta[-1]


def by_definition(theta, x):
    a, b, c, v, d = parts(theta.astype(np.float64))
    return v @ np.maximum(np.outer(a, x[0]) + np.outer(b, x[1]) + c[:, None], 0) + d


def test_values_are_those_of_the_definition():
    theta, x = started(KEY, 0, 64), disc(1, 300)
    np.testing.assert_allclose(relu.outputs(theta, x), by_definition(theta, x), atol=3e-6)
    np.testing.assert_allclose(relu.outputs(theta, x[:, :37]), relu.outputs(theta, x)[:37], rtol=0, atol=0)


def test_parameters_start_as_torch_lets_them():
    theta = started(KEY, 2, 4096)
    a, b, c, v, _ = parts(theta)
    for values, bound in ((a, 2**-0.5), (b, 2**-0.5), (c, 2**-0.5), (v, 1 / 64)):
        assert abs(values).max() <= bound
        assert values.std() == pytest.approx(bound / 3**0.5, rel=0.05)
    assert len(np.unique(theta)) > 0.99 * len(theta)


@pytest.mark.parametrize("symmetric", [False, True])
def test_training_is_adam_along_the_gradient_of_the_loss(symmetric):
    """By differences in float64; a symmetric network is the mean over both orders of its inputs."""
    start, x = started(KEY, 3, 8), disc(4, 100)
    places = runs.mirrored(x) if symmetric else x.copy()
    theta, adam = start.astype(np.float64), Adam(1e-3)

    def loss(at):
        found = by_definition(at, places).reshape(-1, 100).mean(axis=0)
        return ((found - x.sum(axis=0)) ** 2).mean()

    for step in range(60):
        adam.step(theta, slopes(loss, theta), 0.5 ** (step // 20))
    ours = start.copy()
    train(KEY, 3, Plan(60, 1e-3, 0.5, 20, 0, symmetric=symmetric), ours, places)
    np.testing.assert_allclose(ours, theta, atol=3e-6)
    assert abs(ours - start).max() > 1e-2
    assert runs.symmetric_errors(ours, x, symmetric).mean() == pytest.approx(loss(ours.astype(float)), rel=1e-3)


def test_fresh_batches_are_uniform_on_the_annulus_and_every_run_has_its_own():
    room = np.empty((2, 4096), dtype=np.float32)
    plan = Plan(1, 1e-3, 0.9, 10, 0, 0.25, relu.draws_of_start(8))
    batches = []
    for sample in (0, 1, 0):
        train(KEY, sample, plan, started(KEY, sample, 8), room)
        batches.append(room.copy())
    square = (batches[0].astype(float) ** 2).sum(axis=0)
    assert 0.25 <= square.min() <= square.max() <= 1.000001
    assert np.histogram(square, np.linspace(0.25, 1, 9))[0].min() > 400
    assert abs(batches[0].mean(axis=1)).max() < 0.05
    assert (batches[0] != batches[1]).any()
    np.testing.assert_array_equal(batches[0], batches[2])


def test_pieces_are_what_a_fine_grid_sees():
    theta = started(KEY, 6, 8)
    places = grid(1200, 1.0)
    places = places[:, by_region(places)["ring"]].astype(np.float64)
    a, b, c, _, _ = parts(theta.astype(np.float64))
    active = np.outer(a, places[0]) + np.outer(b, places[1]) + c[:, None] > 0
    patterns = len(np.unique(2 ** np.arange(len(a)) @ active))
    assert patterns == pieces(theta)
    theta[24] = 0
    assert pieces(theta) <= patterns


def test_errors_of_a_run_are_those_of_their_parameters():
    (row,) = rows_of(disc_network, SETTINGS, first=1, key=KEY)
    theta, x = started(KEY, 1, 16), disc(43, 32)
    train(KEY, 1, Plan(300, 1e-3, 0.9, 100, 0), theta, x)
    places = grid(24, 1.5).astype(np.float64)
    wrong = (by_definition(theta, places) - places.sum(axis=0)) ** 2
    where = (places**2).sum(axis=0) <= 1
    assert row[1:3] == pytest.approx([wrong[where].mean(), wrong[~where].mean()], rel=1e-4)
    assert row[4] == pieces(theta)


def test_the_sign_of_errors_is_counted_along_lines_in_float64():
    settings = {k: v for k, v in SETTINGS.items() if k != "operation"}
    row = rows_of(error_regions, settings, key=KEY)[0]
    before, x = started(KEY, 0, 16), disc(42, 32)
    after = before.copy()
    train(KEY, 0, Plan(300, 1e-3, 0.9, 100, 0), after, x)
    places = grid(24, 1.5).astype(np.float64)
    for found, theta in zip(row, (after, before), strict=True):
        error = (by_definition(theta, places) - places.sum(axis=0)).reshape(24, 24)
        error[((places**2).sum(axis=0) > 1).reshape(24, 24)] = np.nan
        lines = [line[~np.isnan(line)] for line in (*error, *error.T)]
        counts = [sum(p * q < 0 for p, q in pairwise(line)) for line in lines if line.size]
        assert found == np.mean(counts) > 0


def test_rings_and_regions_of_the_annulus():
    settings = {k: v for k, v in SETTINGS.items() if k not in ("operation", "number", "first_seed")}
    settings |= {"batch": 64, "low": 0.25, "grid_size": 96, "half_width": np.pi / 2}
    row = rows_of(annulus_network, settings, key=KEY)[0]
    assert (row[:3] > 0).all()
    assert np.log10(row[0]) > row[3 + 5 : 3 + 10].min()  # a mean of logs is below the log of a mean


def test_multiplication_is_learnt_from_other_targets():
    x = disc(1, 4)
    np.testing.assert_allclose(answers("multiplication", x), x[0].astype(float) * x[1])
    both = (SETTINGS | {"operation": name} for name in ("addition", "multiplication"))
    adds, multiplies = (rows_of(disc_network, settings, key=KEY) for settings in both)
    assert multiplies[0, 0] < 0.1
    assert multiplies[0, 0] != adds[0, 0]


VARIED = {k: v for k, v in SETTINGS.items() if k not in ("operation", "half_width")}


@pytest.mark.parametrize("rest", ["zero", "copies"])
def test_the_exact_solution_is_exact_and_ends_its_lines(rest):
    theta, x = interpolation.exact(16, rest), disc(1, 200)
    np.testing.assert_allclose(relu.outputs(theta, x), x.sum(axis=0), atol=1e-6)
    settings = {"rest": rest, "test_seed": 9, "test_number": 64} | VARIED
    del settings["grid_size"]
    shape = 2, len(interpolation.LINES), len(interpolation.ALPHAS)
    row = rows_of(interpolation.interpolated_network, settings, key=KEY).reshape(shape)
    assert row[0, 0, -1] == row[0, 2, 0] > 1e-10 > row[0, 1, -1] == row[0, 2, -1]
    assert row[0, 0, 0] == row[0, 1, 0]
    np.testing.assert_array_equal(rows_of(interpolation.initial_to_exact, settings, key=KEY)[0], row[0, 1])


def test_the_best_second_layer_is_the_shortest_that_fits():
    theta, x = started(KEY, 5, 64), disc(6, 20)
    best = interpolation.best_second_layer(theta, x)
    a, b, c, v, d = parts(best)
    np.testing.assert_array_equal(best[:192], theta[:192])
    assert d == 0
    np.testing.assert_allclose(relu.outputs(best, x), x.sum(axis=0), atol=1e-4)
    hidden = np.maximum(np.outer(a, x[0]) + np.outer(b, x[1]) + c[:, None], 0).astype(np.float64)
    np.testing.assert_allclose(v, np.linalg.pinv(hidden.T) @ x.sum(axis=0), atol=1e-4)
