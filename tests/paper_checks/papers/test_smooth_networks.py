"""Claims on trained tanh networks: what falls with 1/sigma, and the same claims on a user's images."""

import json
import struct
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from montecarlo.training.images import CIFAR_FILES, IDX_FILES, RECORD
from paper_checks import Registry, Status, declaring, paper
from paper_checks.papers.network_smoothness.by_length import at_lengths, falls, falls_in_order
from paper_checks.papers.network_smoothness.section_3_5 import images, sweeps
from paper_checks.papers.network_smoothness.section_3_5.images import best_gain, judged_on, sentences, trade_off
from paper_checks.papers.network_smoothness.section_3_5.sweeps import DIGITS, MNIST, POINTS
from paper_checks.papers.network_smoothness.tanh_sweeps import ADDITION, ADDITION_FULL, ANNULUS, DISC, LENGTHS
from paper_checks.papers.network_smoothness.within_paper import LEVEL


def having(rows):
    """A context with made-up rows."""
    return SimpleNamespace(rows=lambda _sweep: rows)


def _rows(sweep, column, value):
    rng = np.random.default_rng(0)
    rows = [rng.random((sweep.runs_at(i), len(sweep.columns))) for i in range(len(sweep.points))]
    for point, row in zip(sweep.points, rows, strict=True):
        row[:, sweep.columns.index(column)] = value(point) + 0.01 * rng.random(len(row))
    return rows


@pytest.mark.parametrize(("value", "status"), [
    (lambda p: -p["inverse_sigma"], Status.CONFIRMED),
    (lambda p: p["inverse_sigma"], Status.REFUTED),
    (lambda p: 0.0, Status.INCONCLUSIVE),
    (lambda p: -p["inverse_sigma"] if p["data"] == "disc" else 0.0, Status.INCONCLUSIVE),
])  # fmt: skip
def test_a_column_falls_where_it_falls_at_each_step_on_both_data(value, status):
    experiment = falls(ADDITION, "curvature", {"disc": {"data": "disc"}, "annulus": {"data": "annulus"}})
    found = experiment(having(_rows(ADDITION, "curvature", value)))
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


def accuracies(value):
    """Made-up rows of MNIST whose columns are a function of their name and of 1/sigma, with a little noise."""
    noise = np.random.default_rng(0)
    return [
        np.array([[value(c, p["inverse_sigma"]) + 1e-3 * noise.random() for c in MNIST.columns] for _ in range(24)])
        for p in MNIST.points
    ]


@pytest.mark.parametrize(("robust", "clean", "status"), [
    (1, -1, Status.CONFIRMED), (-1, 1, Status.REFUTED), (1, 1, Status.REFUTED), (0, 0, Status.INCONCLUSIVE)
])  # fmt: skip
def test_a_trade_off_is_more_robust_and_less_accurate_at_each_step(robust, clean, status):
    rows = accuracies(lambda column, length: (clean if column == "clean" else robust) * length)
    assert trade_off(MNIST, LEVEL)(having(rows)).printed is status


@pytest.mark.parametrize(("strong", "status"), [(1, Status.CONFIRMED), (-1, Status.REFUTED)])
def test_ascents_that_reverse_an_effect_of_the_sign_step_are_no_same_results(strong, status):
    def value(column, length):
        return (strong if column == "ascent_2" else 1) * length

    found = images.alike(MNIST, images.rises(MNIST, "ascent_1", images.RISES, LEVEL), LEVEL)(having(accuracies(value)))
    assert (found.printed, found.killed, found.total) == (status, 1, 1)


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


def fabricated_idx(folder):
    """Forty and twelve images of 4 x 4 pixels in the format of MNIST: the brightest pixel is the class."""
    rng = np.random.default_rng(1)
    for name in IDX_FILES:
        classes = np.arange(40 if name.startswith("train") else 12, dtype=np.uint8) % 10
        pixels = rng.integers(0, 60, (len(classes), 4, 4), dtype=np.uint8)
        pixels.reshape(len(classes), -1)[np.arange(len(classes)), classes] = 255
        array = classes if "labels" in name else pixels
        head = bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape)
        (folder / name).write_bytes(head + array.tobytes())


def fabricated_cifar(folder):
    """Ten images in each file in the binary format of CIFAR-10, made as those above."""
    rng, classes = np.random.default_rng(2), np.arange(10, dtype=np.uint8)
    for name in CIFAR_FILES:
        records = np.column_stack([classes, rng.integers(0, 60, (10, RECORD - 1), dtype=np.uint8)])
        records[np.arange(10), 1 + classes] = 255
        (folder / name).write_bytes(records.astype(np.uint8).tobytes())


@pytest.mark.parametrize("fabricated", [fabricated_idx, fabricated_cifar])
def test_the_command_on_images_trains_and_judges_all_six_claims(fabricated, tmp_path, monkeypatch, in_process):
    short = {"units": 8, "steps": 3, "batch": 16, "attacked": 5, "ascents": 1, "restarts": 1}
    monkeypatch.setattr(sweeps, "SETTINGS", short)
    fabricated(tmp_path)
    (tmp_path / "images.py").write_text(
        "from paper_checks import paper\n"
        "from paper_checks.papers.network_smoothness.section_3_5.images import judged_on\n\n"
        f"paper('fabricated', 'Figures 5, 8 and 10 on images that were made up', '')\n"
        f"judged_on('fabricated', {str(tmp_path)!r}, runs=2)\n"
    )
    options = ["--json", "--workers", "1"]
    status, out, _ = in_process("verify", "--claims", tmp_path / "images.py", *options)
    assert status == 1  # two runs decide nothing
    found = [json.loads(line) for line in out.splitlines()]
    assert len(found) == len(sentences(DIGITS))
    assert {claim["verdict"] for claim in found} == {"INCONCLUSIVE"}
    assert [claim["error"] for claim in found] == [""] * 6


@pytest.mark.parametrize(("sign", "status", "slips"), [(-1, Status.CONFIRMED, 2), (1, Status.REFUTED, 0)])
def test_eight_orders_that_all_agree_decide_a_trend(sign, status, slips):
    values = {"disc": {"data": "disc"}, "annulus": {"data": "annulus"}}
    sweep = replace(ADDITION_FULL, runs=4)
    rows = _rows(sweep, "curvature", lambda p: sign * p["inverse_sigma"])
    found = falls_in_order(sweep, "curvature", values)(having(rows))
    assert (found.printed, found.killed, found.total) == (status, slips, slips)
    rows[0][0] = rows[3][0]
    assert falls_in_order(sweep, "curvature", values)(having(rows)).printed is Status.INCONCLUSIVE
