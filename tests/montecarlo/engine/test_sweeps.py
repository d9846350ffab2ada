"""Training runs are samples: kept row by row, the same bits from any executor, stored, and gone on with."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from kernels_for_tests import Counting, recursion, rows_of, samples_of, training

from montecarlo import Rows, Store, Sweep, generator, measure, simulator
from montecarlo.streams.philox import stream

POINTS = [{"step_size": s, "law": law} for s in (0.1, 0.3) for law in ("normal", "logistic")]


def sweep(**changes):
    fields = {"name": "tests/training", "says": "a training run", "play": training, "points": POINTS, "runs": 7}
    return Sweep(**{**fields, "settings": {"steps": 20, "why": "chosen here"}, **changes})


@pytest.fixture(scope="module")
def expected():
    """The rows of one thread."""
    with ThreadPoolExecutor(1) as thread:
        return measure(sweep().jobs(seed=3), executor=thread)


def test_rows_are_the_runs_in_order_whoever_plays_them(expected):
    for point, rows in zip(POINTS, expected, strict=True):
        key = stream(3, "tests/training", POINTS.index(point))
        for run in range(7):
            alone = rows_of(training, (point["step_size"], 20, point["law"]), first=run, key=key)
            assert rows.values[run].tolist() == alone[0].tolist()


def test_runs_of_another_sweep_are_played_anew_or_found(tmp_path, expected):
    again = replace(sweep(runs=3), name="tests/again", stream="tests/training")
    assert [r.values.tolist() for r in measure(again.jobs(seed=3))] == [r.values[:3].tolist() for r in expected]
    assert measure(replace(again, stream="").jobs(seed=3)) != measure(again.jobs(seed=3))
    with Store(tmp_path / "s.sqlite") as store:
        measure(sweep().jobs(seed=3), store=store)
        with Counting() as none:
            measure(again.jobs(seed=3), executor=none, store=store)
    assert none.tasks == []


def test_runs_are_stored_one_by_one_and_more_of_them_play_the_new_ones_only(tmp_path, expected):
    with Store(tmp_path / "s.sqlite") as store:
        measure(sweep(runs=4).jobs(seed=3), store=store)
        with Counting() as counting:
            assert measure(sweep().jobs(seed=3), executor=counting, store=store) == expected
        with Counting() as none:
            assert measure(sweep(runs=5).jobs(seed=3), executor=none, store=store)[0].n == 5
    assert sorted(samples_of(task)[0] for task in counting.tasks) == sorted([4, 5, 6] * len(POINTS))
    assert none.tasks == []


def test_rows_depend_on_seed_name_and_point_and_a_seed_of_its_own_is_kept(expected):
    other = measure(sweep().jobs(seed=4))
    assert all(a != b for a, b in zip(other, expected, strict=True))
    assert measure(sweep(seed=3).jobs(seed=4)) == expected
    same_settings = measure(sweep(points=[POINTS[0], POINTS[0]]).jobs(seed=3))
    assert same_settings[0] == expected[0] != same_settings[1]


def test_a_compiled_kernel_is_a_sweep_as_well():
    played = Sweep("tests/recursion", "a recursion", recursion, [{"rate": r} for r in (2.0, 3.9)], runs=1000)
    first, second = measure(played.jobs(seed=1))
    assert first.values.shape == (1000, 2)
    assert first.values[:, 1].tolist() == list(range(1000))
    alone = rows_of(recursion, (3.9,), first=5, key=stream(1, "tests/recursion", 1))
    assert second.values[5].tolist() == alone[0].tolist()


def test_a_simulator_may_take_the_seed_as_a_number():
    @simulator
    def echo(stream, first, seed: int, out):
        out[:, 0] = seed

    assert measure(Sweep("tests/echo", "", echo, [{}], runs=1).jobs(seed=9))[0].values.item() == 9
    assert measure(Sweep("tests/echo", "", echo, [{}], runs=1, seed=8).jobs(seed=9))[0].values.item() == 8


def test_a_point_has_as_many_runs_as_it_says_and_a_tier_as_well():
    few = sweep(points=[*POINTS, {**POINTS[0], "runs": 2}], runs={"quick": 3, "full": 9})
    assert [job.looks for job in few.jobs(1, "quick")] == [(3,)] * 4 + [(2,)]
    assert [job.looks for job in few.jobs(1)] == [(9,)] * 4 + [(2,)]


def test_rows_merge_in_order_and_bytes_come_back():
    rows = Rows(np.arange(6.0).reshape(3, 2))
    both = rows.merge(Rows(np.full((1, 2), np.nan)))
    assert both.n == 4
    assert Rows.from_bytes(both.to_bytes()) == both
    assert both != rows
    assert Rows.from_bytes(rows.to_bytes()).values.tolist() == rows.values.tolist()


def test_every_sample_of_a_generator_has_bits_of_its_own():
    keys = [stream(1, "tests/g", point) for point in range(2)]
    drawn = {generator(key, sample).normal() for key in keys for sample in range(500)}
    assert len(drawn) == 1000
    assert generator(keys[0], 3).normal(size=4).tolist() == generator(keys[0], 3).normal(size=4).tolist()


def test_generators_of_neighbouring_samples_are_uncorrelated():
    draws = np.array([generator(stream(1, "tests/g", 0), i).normal(size=2) for i in range(4000)])
    pairs = [draws[:-1, 0] * draws[1:, 0], draws[:, 0] * draws[:, 1], draws[:, 0]]
    assert max(abs(p.mean()) * np.sqrt(len(p)) for p in pairs) < 5


def test_a_long_run_is_tested_with_other_values(expected):
    job = sweep(points=POINTS[:1], tested={"steps": 3}).jobs(seed=3)[0]
    *_, (tested_arguments, wanted) = job.task()
    assert (job.arguments[1], tested_arguments[1], wanted) == (20, 3, 7)
    assert measure([job]) == expected[:1]
