"""A kernel whose numbers are not its samples' gives no verdict: it is found out before its first sample."""

import contextlib
import itertools
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from kernels_for_tests import BLOCK, uniform

from montecarlo import BrokenKernel, Failed, Job, Store, Sweep, kernel, mean, measure, simulate, simulator
from montecarlo.engine.examination import examine
from montecarlo.engine.models import load_module
from montecarlo.streams.draws import bernoulli2, uniform2
from montecarlo.streams.philox import stream

broken_kernels = load_module(Path(__file__).parent.parent.parent / "broken_kernels.py", "broken_kernels")

KEY = stream(1, "tests/examination", 0)
# BROKEN_KERNELS=10000 generates as many: ten minutes.
NUMBER = int(os.environ.get("BROKEN_KERNELS", "180"))
COMPILED = int(os.environ.get("BROKEN_KERNELS_COMPILED", "4"))


def broken(line, head="pass", rows="range(out.shape[0])", columns=1, work=0):
    """A kernel that plays a line for each of its rows."""
    scope = {"np": np, "uniform2": uniform2, "bernoulli2": bernoulli2, "__name__": __name__}
    exec(f"def played(stream, first, out):\n    {head}\n    for i in {rows}:\n        {line}\n", scope)
    return kernel(columns=columns, work=work)(scope["played"])


RIGHT = "out[i, 0], _ = uniform2(stream, first + i, 0)"
BOTH = "out[i, 0], out[i, 1] = uniform2(stream, first + i, 0)"
REMEMBERED, CALLS, TESTED, TOGETHER = [], [], [], threading.Barrier(2)


@simulator
def remembers(stream, first, out):
    REMEMBERED.append(first)
    out[:, 0] = len(REMEMBERED)


# A kernel, and what is said of it.
DEFECTS = {
    "forgets first": (
        lambda: broken("out[i, 0], _ = uniform2(stream, i, 0)"),
        r"row i must be the sample first \+ i, got the same rows from first = 0 and 682",
    ),
    "forgets first for rare events": (
        lambda: broken("out[i, 0], _ = bernoulli2(stream, i, 0, 1e-3)"), r"row i must be the sample first \+ i",
    ),
    "forgets first in one draw": (
        lambda: broken(f"{RIGHT}; out[i, 1] = out[i, 0] + uniform2(stream, i, 1)[0]", columns=2),
        "row i must depend on the sample first",
    ),
    "counts from the end": (
        lambda: broken("out[i, 0], _ = uniform2(stream, out.shape[0] - i, 0)"), "row i must depend on the sample first",
    ),
    "adds up": (
        lambda: broken("total += uniform2(stream, first + i, 0)[0]; out[i, 0] = total", head="total = 0.0"),
        "carry nothing from row to row",
    ),
    "draws elsewhere": (
        lambda: broken("out[i, 0] = np.random.random()"),
        "must give the same rows each time, got others for the same samples; .*instead of np.random",
    ),
    "leaves odd rows": (
        lambda: broken(RIGHT, rows="range(0, out.shape[0], 2)"),
        "must write its one column in every row, got nothing in row 1, column 0",
    ),
    "leaves the last row": (
        lambda: broken(RIGHT, rows="range(out.shape[0] - 1)"), "got nothing in row 2047, column 0",
    ),
    "leaves a column": (
        lambda: broken(RIGHT, columns=2),
        r"must write its 2 columns in every row, got nothing in columns \[1\]",
    ),
    "writes one column more": (
        lambda: broken(BOTH), "must write within its one column of out, got 1 numbers outside",
    ),
    "writes behind two columns": (
        lambda: broken(f"{BOTH}; out[i, 2] = 1.0", columns=2),
        "must write within its 2 columns of out, got 2048 numbers outside",
    ),
    "adds to memory": (
        lambda: broken("out[i, 0] += uniform2(stream, first + i, 0)[0]"), "none from what was in out",
    ),
    "uses work that it did not do": (
        lambda: broken("out[i, 0] = 1.0 if out[i, 1] > 0.5 else uniform2(stream, first + i, 0)[0]", work=1),
        "must write each number before it reads it",
    ),
    "remembers": (lambda: remembers, "must give the same rows each time"),
}  # fmt: skip


@pytest.mark.parametrize(("make", "word"), DEFECTS.values(), ids=DEFECTS)
def test_what_is_wrong_is_said_and_no_sample_is_taken(make, word):
    job = Job(mean(make()), {}, "tests/broken", 0, 1)
    with Store(None) as store:
        with pytest.raises(BrokenKernel, match=word):
            measure([job], store=store)
        assert store.load(job.key()) == {}
    with pytest.raises(BrokenKernel, match=word):
        simulate(job.task(0, 1))


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


def test_what_one_run_has_passed_is_not_enough_for_several():
    @simulator
    def alike(stream, first, out):
        out[:, 0] = np.arange(len(out))

    (one,), (several,) = (Sweep("tests/alike", "", alike, [{}], runs=n).jobs(1) for n in (1, 2))
    measure([one])
    with pytest.raises(BrokenKernel, match="first"):
        measure([several])


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


def test_an_error_is_the_failure_of_its_job_alone():
    @simulator
    def fails(stream, first, out):
        raise ArithmeticError("no root")

    def needed(index, moments):
        if index == 3:
            raise LookupError("cannot judge this")
        return 0

    played = uniform, fails, DEFECTS["forgets first"][0](), uniform, uniform
    jobs = [Job(mean(of), {}, "tests/f", index, 1, (BLOCK, 2 * BLOCK)) for index, of in enumerate(played)]
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
    for name, columns, *texts in itertools.islice(broken_kernels.generated(20190), NUMBER):
        right, broken = (broken_kernels.made(text, columns, compiled=False) for text in texts)
        examine(right, KEY, (1.5,))
        seen.add(name)
        try:
            examine(broken, KEY, (1.5,))
        except BrokenKernel:
            continue
        passed.append((name, texts[1]))
    assert not passed, f"{len(passed)} of {NUMBER}: {passed[0][0]}\n{passed[0][1]}"
    assert len(seen) == 6


def test_compiled_broken_kernels_are_found_out_and_right_ones_pass():
    """Compiled code checks no bounds: what is written beyond the rows is found by the guards around them."""
    examined = set()  # Defects follow one another in one right kernel.
    for _name, columns, right, broken in itertools.islice(broken_kernels.generated(7), COMPILED):
        if "memory" in broken:  # Numba refuses to write to a global array
            continue
        if right not in examined:
            examine(broken_kernels.made(right, columns, compiled=True), KEY, (1.5,))
            examined.add(right)
        wrong = broken_kernels.made(broken, columns, compiled=True)
        with pytest.raises(BrokenKernel):  # else see ``broken``, which has the defect ``_name``
            examine(wrong, KEY, (1.5,))
