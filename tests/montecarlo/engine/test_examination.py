"""A kernel whose numbers are not its samples' gives no verdict: it is found out before its first sample."""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from kernels_for_tests import BLOCK, area, constant, rare, training, triple, uniform

from montecarlo import (
    BrokenKernel,
    Failed,
    Job,
    Store,
    Sweep,
    bernoulli2,
    kernel,
    mean,
    measure,
    simulate,
    simulator,
    uniform2,
)
from montecarlo.engine.examination import examine
from montecarlo.engine.models import load_module
from montecarlo.streams.philox import stream

broken_kernels = load_module(Path(__file__).parent.parent.parent / "broken_kernels.py", "broken_kernels")

KEY = stream(1, "tests/examination", 0)
# BROKEN_KERNELS=10000 generates as many: ten minutes.
NUMBER = int(os.environ.get("BROKEN_KERNELS", "180"))
COMPILED = int(os.environ.get("BROKEN_KERNELS_COMPILED", "4"))


@kernel
def forgets_first(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0], _ = uniform2(stream, i, 0)


@kernel
def forgets_first_for_rare_events(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0], _ = bernoulli2(stream, i, 0, 1e-3)


@kernel(columns=2)
def forgets_first_in_one_draw(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0], _ = uniform2(stream, first + i, 0)
        out[i, 1] = out[i, 0] + uniform2(stream, i, 1)[0]


@kernel
def counts_from_the_end(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0], _ = uniform2(stream, out.shape[0] - i, 0)


@kernel
def adds_up(stream, first, out):
    total = 0.0
    for i in range(out.shape[0]):
        total += uniform2(stream, first + i, 0)[0]
        out[i, 0] = total


@kernel
def draws_elsewhere(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0] = np.random.random()  # noqa: NPY002 (what is wrong)


@kernel
def leaves_odd_rows(stream, first, out):
    for i in range(0, out.shape[0], 2):
        out[i, 0], _ = uniform2(stream, first + i, 0)


@kernel
def leaves_the_last_row(stream, first, out):
    for i in range(out.shape[0] - 1):
        out[i, 0], _ = uniform2(stream, first + i, 0)


@kernel(columns=2)
def leaves_a_column(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0], _ = uniform2(stream, first + i, 0)


@kernel
def writes_one_column_more(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0], out[i, 1] = uniform2(stream, first + i, 0)


@kernel(columns=2)
def writes_behind_two_columns(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0], out[i, 1] = uniform2(stream, first + i, 0)
        out[i, 2] = 1.0


@kernel
def adds_to_memory(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0] += uniform2(stream, first + i, 0)[0]


@kernel(columns=1, work=1)
def uses_work_that_it_did_not_do(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0] = 1.0 if out[i, 1] > 0.5 else uniform2(stream, first + i, 0)[0]


@simulator
def remembers(stream, first, out):
    remembers_calls.append(first)
    out[:, 0] = len(remembers_calls)


remembers_calls: list[int] = []

DEFECTS = [
    (forgets_first, r"row i must be the sample first \+ i, got the same rows from first = 0 and 682"),
    (forgets_first_for_rare_events, r"row i must be the sample first \+ i"),
    (forgets_first_in_one_draw, "row i must depend on the sample first"),
    (counts_from_the_end, "row i must depend on the sample first"),
    (adds_up, "carry nothing from row to row"),
    (draws_elsewhere, "must give the same rows each time, got others for the same samples; .*instead of np.random"),
    (leaves_odd_rows, "must write all of its 1 columns in every row, got nothing in row 1, column 0"),
    (leaves_the_last_row, "got nothing in row 2047, column 0"),
    (leaves_a_column, r"must write all of its 2 columns in every row, got nothing in columns \[1\]"),
    (writes_one_column_more, "must write within its 1 columns of out, got 1 numbers outside"),
    (writes_behind_two_columns, "must write within its 2 columns of out, got 2048 numbers outside"),
    (adds_to_memory, "none from what was in out"),
    (uses_work_that_it_did_not_do, "must write each number before it reads it"),
    (remembers, "must give the same rows each time"),
]


@pytest.mark.parametrize(("broken", "word"), DEFECTS, ids=[k.name for k, _ in DEFECTS])
def test_what_is_wrong_is_said_and_no_sample_is_taken(broken, word):
    job = Job(mean(broken), {}, "tests/broken", 0, 1)
    with Store(None) as store:
        with pytest.raises(BrokenKernel, match=word):
            measure([job], store=store)
        assert store.load(job.key()) == {}
    with pytest.raises(BrokenKernel, match=word):
        simulate(job.task(0, 1))


def test_right_kernels_pass_in_milliseconds():
    points = {
        uniform: (), area: (2.0,), triple: (0.5, 3), constant: (1.0,), rare: (1e-4,), training: (0.1, 20, "normal"),
    }  # fmt: skip
    for played, arguments in points.items():
        examine(played, KEY, arguments)
        begun = time.process_time()
        examine(played, KEY, arguments)
        assert time.process_time() - begun < 0.1


@pytest.mark.parametrize(("runs", "test"), [(3, [2, 1, 1, 1]), (1, [1, 1, 1])])
def test_training_runs_are_played_five_times_for_their_test_a_single_one_three_times(runs, test):
    @simulator
    def slow(stream, first, out):
        CALLS.append(len(out))
        out[:, 0] = np.arange(first, first + len(out))

    CALLS.clear()
    measure(Sweep("tests/slow", "", slow, [{}], runs=runs).jobs(1))
    assert test + runs * [1] == CALLS


def test_threads_that_begin_with_one_kernel_test_it_once_together():
    """Where a sample is a training run, a test takes as long as five."""

    @simulator
    def slow(stream, first, out):
        with contextlib.suppress(threading.BrokenBarrierError):
            TOGETHER.wait(0.2)  # Until others are there as well, or it is known that they wait elsewhere.
        CALLS.append(len(out))
        out[:, 0] = np.arange(first, first + len(out))

    CALLS.clear()
    TOGETHER.reset()
    with ThreadPoolExecutor(4) as threads:
        measure(Sweep("tests/together", "", slow, [{}], runs=8).jobs(1), executor=threads)
    assert [2, 1, 1, 1, *8 * [1]] == CALLS


TOGETHER = threading.Barrier(2)


def test_what_one_run_has_passed_is_not_enough_for_several():
    @simulator
    def alike(stream, first, out):
        out[:, 0] = np.arange(len(out))

    (one,), (several,) = (Sweep("tests/alike", "", alike, [{}], runs=n).jobs(1) for n in (1, 2))
    measure([one])
    with pytest.raises(BrokenKernel, match="first"):
        measure([several])


CALLS: list[int] = []


def test_a_kernel_is_tested_once_at_each_point():
    @simulator
    def told(stream, first, x, out):
        TESTED.append(x)
        out[:, 0] = x + np.arange(first, first + len(out))

    TESTED.clear()
    points = [{"x": 1.0}, {"x": 2.0}, {"x": 1.0}]
    sweep = Sweep("tests/told", "", told, points, runs=2)
    measure(sweep.jobs(1))
    measure(sweep.jobs(2))
    tests = len(TESTED) - 2 * 2 * len(points)
    assert tests == 4 * 2


TESTED: list[float] = []


def test_an_error_is_the_failure_of_its_job_alone():
    @simulator
    def fails(stream, first, out):
        raise ArithmeticError("no root")

    def needed(index, moments):
        if index == 3:
            raise LookupError("cannot judge this")
        return 0

    jobs = [
        Job(mean(uniform), {}, "tests/f", 0, 1, (BLOCK,)),
        Job(mean(fails), {}, "tests/f", 1, 1, (BLOCK,)),
        Job(mean(forgets_first), {}, "tests/f", 2, 1, (BLOCK,)),
        Job(mean(uniform), {}, "tests/f", 3, 1, (BLOCK, 2 * BLOCK)),
        Job(mean(uniform), {}, "tests/f", 4, 1, (BLOCK,)),
    ]
    done = measure(jobs, needed, keep_failures=True)
    assert [isinstance(d, Failed) for d in done] == [False, True, True, True, False]
    assert str(done[1]) == "ArithmeticError: no root"
    assert isinstance(done[2].error, BrokenKernel)
    assert str(done[3]) == "LookupError: cannot judge this"
    assert done[4].n == BLOCK
    with pytest.raises(ArithmeticError, match="no root"):
        measure(jobs)


def test_generated_broken_kernels_are_found_out_and_right_ones_pass():
    passed, seen = [], set()
    for name, program, right, broken in itertools.islice(broken_kernels.generated(20190), NUMBER):
        columns = len(program.terms)
        examine(broken_kernels.interpreted(right, columns), KEY, (1.5,))
        seen.add(name)
        try:
            examine(broken_kernels.interpreted(broken, columns), KEY, (1.5,))
        except BrokenKernel:
            continue
        passed.append((name, broken))
    assert not passed, f"{len(passed)} of {NUMBER}: {passed[0][0]}\n{passed[0][1]}"
    assert seen == set(broken_kernels.DEFECTS)


def test_compiled_broken_kernels_are_found_out_and_right_ones_pass():
    """Compiled code checks no bounds: what is written beyond the rows is found by the guards around them."""
    examined = set()  # Defects follow one another in one right kernel.
    for _name, program, right, broken in itertools.islice(broken_kernels.generated(7), COMPILED):
        if "memory" in broken:  # Numba refuses to write to a global array
            continue
        columns = len(program.terms)
        if right not in examined:
            examine(broken_kernels.compiled(right, columns), KEY, (1.5,))
            examined.add(right)
        wrong = broken_kernels.compiled(broken, columns)
        with pytest.raises(BrokenKernel):  # else see ``broken``, which has the defect ``_name``
            examine(wrong, KEY, (1.5,))
