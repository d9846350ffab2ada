"""Claims on trained tanh networks: what falls with 1/sigma, and the same claims on a user's images."""

import numpy as np
import pytest

from montecarlo.training.cifar import CIFAR_FILES, RECORD
from paper_checks import Registry, Status, declaring, paper
from paper_checks.papers.network_smoothness.by_length import at_lengths, falls
from paper_checks.papers.network_smoothness.robustness_sweeps import DIGITS, POINTS
from paper_checks.papers.network_smoothness.section_3_5_images import best_gain, judged_on, sentences
from paper_checks.papers.network_smoothness.tanh_sweeps import ADDITION, ANNULUS, DISC, LENGTHS


class Rows:
    """A context with made-up rows."""

    def __init__(self, rows):
        self.made_up = rows

    def rows(self, _sweep):
        return self.made_up


def _rows(sweep, column, value):
    rng = np.random.default_rng(0)
    rows = [rng.random((sweep.runs_at(i), len(sweep.columns))) for i in range(len(sweep.points))]
    for point, row in zip(sweep.points, rows, strict=True):
        row[:, sweep.columns.index(column)] = value(point) + 0.01 * rng.random(len(row))
    return rows


@pytest.mark.parametrize(
    ("value", "status"),
    [
        (lambda p: -p["inverse_sigma"], Status.CONFIRMED),
        (lambda p: p["inverse_sigma"], Status.REFUTED),
        (lambda p: 0.0, Status.INCONCLUSIVE),
        (lambda p: -p["inverse_sigma"] if p["data"] == "disc" else 0.0, Status.INCONCLUSIVE),
    ],
)
def test_a_column_falls_where_it_falls_at_each_step_on_both_data(value, status):
    experiment = falls(ADDITION, "curvature", {"disc": {"data": "disc"}, "annulus": {"data": "annulus"}})
    found = experiment(Rows(_rows(ADDITION, "curvature", value)))
    assert found.printed is status
    assert found.total == (2 if status is Status.CONFIRMED else 0)


def test_settings_are_told_apart():
    rows = _rows(ADDITION, "inside", lambda p: {"disc": 1, "annulus": 2, "independent": 3}[p["data"]])
    for data, expected in (("disc", 1), ("annulus", 2), ("independent", 3)):
        found = at_lengths(ADDITION, rows, "inside", data=data)
        assert all(np.floor(v).min() == expected for v in found.values())
    assert tuple(at_lengths(ADDITION, rows, "inside", data="disc")) == LENGTHS
    assert (DISC["low"], ANNULUS["low"]) == (0, 0.25)


def test_gains_are_those_over_the_baseline():
    def value(point):
        best = point["inverse_sigma"] == 4 if point["kind"] == "tanh" else point["weight_decay"] == 0.1
        return 0.5 + best * (0.2 if point["kind"] == "tanh" else 0.3)

    rows = _rows(DIGITS, "sign_1", value)
    for kind, gain in (("tanh", 0.2), ("relu", 0.3)):
        assert best_gain(DIGITS, rows, kind, "sign")[2] == pytest.approx(gain, abs=0.011)


def test_images_of_a_user_are_judged_by_the_same_claims(tmp_path):
    for name in CIFAR_FILES:
        (tmp_path / name).write_bytes(bytes(RECORD))
    with declaring(Registry()) as mine:
        paper("mine", "Figures on images of mine", "")
        judged_on("mine", tmp_path, runs=3)
    names = [name.replace("smooth/", "mine/").replace(".digits", "") for name in sentences(DIGITS)]
    assert [c.id for c in mine] == names
    (sweep,) = {c.runs[0] for c in mine}
    assert (sweep.stored, sweep.points, sweep.runs) == (False, POINTS, 3)
    other = {name for name in sweep.settings if sweep.settings[name] != DIGITS.settings[name]}
    assert other == {"folder", "digest"}
