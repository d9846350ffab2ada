"""Numbers in notes of claims and in captions of figures on network smoothness are those of the stored runs."""

from itertools import pairwise

import numpy as np
import pytest
import scipy

from montecarlo.training.smooth.interpolation import ALPHAS
from montecarlo.training.smooth.robustness import NORMS
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.network_smoothness import relu_sweeps, sweeps, tanh_sweeps
from paper_checks.papers.network_smoothness.by_length import at_lengths
from paper_checks.papers.network_smoothness.section_3_1.linear_regions import OF_WIDTH
from paper_checks.papers.network_smoothness.section_3_3.length_scales import zeros_at
from paper_checks.papers.network_smoothness.section_3_3.sweeps import NOISES, SINE
from paper_checks.papers.network_smoothness.section_3_5.attacks import sign_gain
from paper_checks.papers.network_smoothness.section_3_5.images import NOISE, SIGN, by_length, on_average
from paper_checks.papers.network_smoothness.section_3_5.mnist import TRAINED
from paper_checks.papers.network_smoothness.section_3_5.sweeps import DIGITS, MNIST
from paper_checks.papers.network_smoothness.table_1.sweeps import EXACT_PROCESSES, FITTED_LENGTH

PLACES = np.array(ALPHAS)


def column(sweep, index, name):
    return stored_rows(sweep)[index][:, sweep.columns.index(name)]


def of(sweep, name, **setting):
    (index,) = [i for i, p in enumerate(sweep.points) if all(p.get(k) == v for k, v in setting.items())]
    return column(sweep, index, name)


def disc(inverse_sigma):
    return {"data": "disc", "inverse_sigma": inverse_sigma}


def losses(way, line, rest):
    return np.array([of(relu_sweeps.INTERPOLATION, f"{way} {line} {alpha:g}", rest=rest) for alpha in ALPHAS]).T


def test_losses_rise_where_and_as_much_as_the_notes_say():
    to_trained = losses("loss", "start-trained", "zero")
    rises = to_trained[:, 1:] / to_trained[:, :-1] - 1
    assert (rises[:, PLACES[1:] <= 0.999] < 0).all()
    assert 0.03 < rises.max() < 0.1  # "a few percent"
    for rest in ("zero", "copies"):
        curve = losses("loss", "start-exact", rest)
        rises = curve[:, 1:] / curve[:, :-1] - 1
        assert (rises[:, PLACES[1:] > 0.5] < 0).all()
        assert 0 < rises.max() <= 0.1
        assert (rises.max(axis=1) > 0).any()


def test_to_copies_the_best_loss_falls_on_the_second_half():
    median = np.median(losses("best", "start-exact", "copies"), axis=0)
    half = PLACES >= 0.5
    assert (np.diff(median[half & (PLACES <= 0.999)]) < 0).all()
    assert median[PLACES < 0.5].min() >= median[0]


def test_networks_of_16_units_fit_to_rounding_but_for_a_few():
    train = column(relu_sweeps.NETWORKS, 0, "train")
    assert np.median(train) <= relu_sweeps.ROUNDING
    worse = (train > 1e6 * np.median(train)).sum()
    assert 1 <= worse <= 6
    assert np.sort(train)[-6:].sum() > 0.99 * train.sum()


def test_most_errors_by_distance_grow_from_a_distance_on():
    bands = stored_rows(relu_sweeps.NORMAL_DATA)[0][:, 1:]
    assert (np.diff(np.median(bands, axis=0)) > 0).all()


def test_errors_with_60_digits_are_a_tenth_larger():
    rows = stored_rows(EXACT_PROCESSES)[0].mean(axis=0)
    printed = {"train": 2.43e-14, "inside": 3.04e-14, "outside": 6.97e-12}
    ratios = [rows[EXACT_PROCESSES.columns.index(name)] / value for name, value in printed.items()]
    assert all(1.05 < ratio < 1.15 for ratio in ratios)


def test_inside_the_median_error_is_least_at_one():
    for data in ("disc", "annulus"):
        inside = at_lengths(tanh_sweeps.ADDITION, stored_rows(tanh_sweeps.ADDITION), "inside", data=data)
        assert min(inside, key=lambda length: np.median(inside[length])) == 1.0


def test_of_the_best_settings_relu_is_better_at_small_norms_and_tanh_from_one_on():
    best = {
        kind: [
            max(np.median(column(DIGITS, i, f"sign_{v:g}")) for i, p in enumerate(DIGITS.points) if p["kind"] == kind)
            for v in NORMS
        ]
        for kind in ("tanh", "relu")
    }
    ahead = np.sign(np.subtract(best["tanh"], best["relu"]))
    assert (ahead[np.array(NORMS) < 1] <= 0).all()
    assert (ahead[np.array(NORMS) >= 1] >= 0).all()
    assert ahead.tolist().count(1) >= 1


@pytest.mark.parametrize("sweep", [DIGITS, MNIST])
def test_ascents_are_never_weaker_than_the_sign_step_on_average(sweep):
    for i in range(len(sweep.points)):
        for v in NORMS:
            assert column(sweep, i, f"ascent_{v:g}").mean() <= column(sweep, i, f"sign_{v:g}").mean()


def test_the_baseline_of_relu_networks_has_more_to_gain_on_mnist():
    baseline = {"inverse_sigma": 1, "weight_decay": 0}
    shares = [round(of(MNIST, "sign_2", kind=kind, **baseline).mean(), 2) for kind in ("tanh", "relu")]
    assert shares == [0.34, 0.03]


def test_tanh_networks_on_mnist_are_not_trained_to_the_end():
    found = by_length(MNIST, stored_rows(MNIST), "train")
    assert TRAINED.endswith(" is 0.93, 0.89, 0.83 and 0.70")
    assert [f"{np.median(v):.2f}" for v in found.values()] == ["0.93", "0.89", "0.83", "0.70"]


@pytest.mark.parametrize(("columns", "directions"), [(SIGN, (1, 1, -1)), (NOISE, (1, -1, -1)), (("clean",), (-1,) * 3)])
def test_on_average_over_strengths_all_runs_agree_on_each_step_of_1_over_sigma(columns, directions):
    found = list(on_average(MNIST, stored_rows(MNIST), columns, by_length).values())
    for one, other, direction in zip(found[:-1], found[1:], directions, strict=True):
        assert (np.sign(other - one) == direction).all()


def test_closed_forms_in_notes():
    assert OF_WIDTH(width=1024) / OF_WIDTH(width=256) == pytest.approx(16, rel=0.02)
    assert (zeros_at(0) / zeros_at(3)) > 6
    assert sign_gain(784) == pytest.approx(np.sqrt(2 / np.pi), rel=1e-3)
    assert np.isfinite(sign_gain(10_000))


def test_means_and_numbers_of_runs_are_those_of_the_note_on_table_1():
    ours, networks = {}, (relu_sweeps.NETWORKS,)
    sweeps_of = {16: (*networks, relu_sweeps.MORE_NETWORKS, relu_sweeps.PAIRS), 1024: networks}
    for width, mean, n in ((16, 5.7e-6, 780), (1024, 5.0e-6, 60)):
        found = np.concatenate([of(sweep, "inside", width=width) for sweep in sweeps_of[width]])
        assert len(found) == n
        assert float(f"{found.mean():.1e}") == mean
        ours[width] = found
    assert scipy.stats.ttest_ind(ours[16], ours[1024], equal_var=False).pvalue > 0.05
    needed = (ours[16].mean() - ours[1024].mean()) / (scipy.stats.norm.isf(0.025) + scipy.stats.norm.isf(0.01))
    runs = ours[16].var(ddof=1) / (needed**2 - ours[1024].var(ddof=1) / 500)
    assert round(runs, -2) == 13_500


def test_fitted_length_scales_end_where_the_note_says():
    lengths = column(FITTED_LENGTH, 0, "length_scale")
    assert FITTED_LENGTH.points[0]["restarts"] == 0
    assert round(np.median(lengths)) == 86
    assert round(100 * (lengths > 150).mean()) == 8
    assert round(100 * (np.abs(lengths - 1) < 0.01).mean()) == 16


def test_a_wider_network_has_no_smaller_training_error_in_most_runs():
    trains = [column(relu_sweeps.NETWORKS, i, "train") for i in range(4)]
    assert all((trains[0] < other).mean() > 0.9 for other in trains[1:])


def test_sums_without_normalisation_are_smoother_than_with_it_at_two():
    free = of(tanh_sweeps.WITHOUT, "curvature", task="addition", kind="plain")
    assert np.median(free) < np.median(of(tanh_sweeps.ADDITION, "curvature", **disc(2.0)))
    # U(-1/sqrt(N), 1/sqrt(N)) has the standard deviation 1/sqrt(3 N).
    assert scipy.stats.uniform(-1, 2).std() == pytest.approx(1 / np.sqrt(3))


def test_without_the_division_alone_sums_are_no_better():
    data = {"task": "addition", "kind": "scaled"}
    without = [of(tanh_sweeps.WITHOUT, "inside", **data, inverse_sigma=v) for v in tanh_sweeps.FEWER]
    normalised = [of(tanh_sweeps.ADDITION, "inside", **disc(v)) for v in tanh_sweeps.FEWER]
    assert [(a > b).sum() for a, b in zip(without, normalised, strict=True)] == [35, 29, 27]
    at_one = {"inverse_sigma": 1.0}
    for name in ("inside", "outside"):
        started = of(tanh_sweeps.INITIALISED, name, task="addition", **at_one)
        normalised = of(tanh_sweeps.ADDITION, name, data="independent", **at_one)
        assert scipy.stats.mannwhitneyu(started, normalised).pvalue > 0.5
    one, two = (np.median(of(tanh_sweeps.ADDITION, "outside", **disc(v))) for v in (1.0, 2.0))
    assert two < one


@pytest.mark.parametrize("noise", NOISES)
def test_length_scales_2_and_3_of_a_sine_are_as_good(noise):
    two, three = (of(SINE, "test", noise=noise, length_scale=v).mean() for v in (2.0, 3.0))
    assert three == pytest.approx(two, rel=0.02)


def test_at_the_length_scale_one_the_process_is_worse_outside():
    better = [
        (of(sweeps.ANNULUS_PROCESSES, name, length_scale=1.0) < of(relu_sweeps.ANNULUS, name, width=1000)).sum()
        for name in ("ring", "hole", "outside")
    ]
    assert better == [40, 40, 40 - 37]


def test_changes_of_sign_grow_as_the_note_says():
    found = [of(relu_sweeps.ERROR_REGIONS, "changes", width=width) for width in (64, 256, 1024)]
    growth = [other / one for one, other in pairwise(found)]
    assert [((v > 1).sum(), len(v)) for v in growth] == [(59, 60), (36, 60)]
    narrow, wide = (of(relu_sweeps.LAST_STEP, "changes", width=width) for width in (256, 1024))
    assert ((wide > narrow).sum(), len(wide)) == (72, 120)
