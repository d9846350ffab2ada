"""Interruption: kill it or stop it anywhere, the same command ends with the same bits."""

import os
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from forks import Forks
from kernels_for_tests import BLOCK, Counting, long_job, samples_of

from montecarlo import Store, measure
from montecarlo.engine.models import load_module
from montecarlo.engine.run import Here
from paper_checks.commands import train
from paper_checks.experiments.stored import write

pytestmark = pytest.mark.slow

BLOCKS = 600
PATIENCE = 300  # Seconds, of a machine that is busy with other things; a run that hangs is found out in the end.


CHILD = """
import sys
from pathlib import Path
import montecarlo.engine.store
from montecarlo import Store
from montecarlo.engine.models import load_module
montecarlo.engine.store.COMMIT_INTERVAL = 0.0
kernels = load_module(Path({helpers!r}), "kernels_for_tests")
kernels.run_until_hung(Store({store!r}), {blocks}, {last})
"""


def samples(path: Path) -> int:
    """Committed samples in a store that another process writes."""
    if not path.exists() or not path.stat().st_size:
        return 0
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return db.execute("SELECT coalesce(sum(count), 0) FROM blocks").fetchone()[0]
    except sqlite3.OperationalError:
        return 0  # Not made yet, or locked at this moment.
    finally:
        db.close()


def stopped(
    forks: Forks, script: str, path: Path, kept: Callable[[], int], more: int, sent: signal.Signals
) -> tuple[int, str]:
    """The status and the errors of a program that gets a signal when more is kept than before."""
    output, errors = (path.resolve().with_suffix(end) for end in (".output", ".errors"))
    with forks.start(script, "/dev/null", str(output), str(errors)) as child:
        try:
            wanted, end = kept() + more, time.monotonic() + PATIENCE
            while kept() < wanted:
                assert child.poll() is None, "the run has ended before"
                assert time.monotonic() < end, "the run stores nothing"
                time.sleep(0.002)
            child.send_signal(sent)
            while child.poll() is None:
                assert time.monotonic() < end, "the run does not stop"
                time.sleep(0.002)
        finally:
            child.kill()
    return child.returncode, errors.read_text()


def test_killed_twice_at_any_moment_it_resumes_with_the_identical_result(python_environment, forks):
    import kernels_for_tests

    path = python_environment / "store.sqlite"
    job, helpers = long_job(BLOCKS), kernels_for_tests.__file__
    for more, last in (5, 150), (60, 300):
        script = CHILD.format(helpers=helpers, store=str(path), blocks=BLOCKS, last=last)
        status, _ = stopped(forks, script, path, lambda: samples(path), more * BLOCK, signal.SIGKILL)
        assert status == -signal.SIGKILL
    with Store(path) as store, Counting() as counting:
        stored = store.load(job.key())
        assert stored, "parent and child know the job by another key"
        assert 65 * BLOCK <= samples(path) < BLOCKS * BLOCK
        (resumed,) = measure([job], executor=counting, store=store)
    computed = set(map(samples_of, counting.tasks))
    assert len(counting.tasks) == len(computed)
    assert computed.isdisjoint(stored)
    pieces = [(0, 0), *sorted(computed | stored.keys()), (BLOCKS * BLOCK, 0)]
    assert all(first + count == after for (first, count), (after, _) in pairwise(pieces))
    assert resumed.to_bytes() == measure([job])[0].to_bytes()


@pytest.mark.parametrize("executor", [Counting, Here], ids=["thread", "here"])
@pytest.mark.parametrize("after", [1, 7, 16])
def test_ctrl_c_keeps_every_finished_block(after, executor, tmp_path):
    job = long_job(20)
    path = tmp_path / "s.sqlite"

    def press(done, expected, _unit):
        if done >= after * BLOCK:
            signal.raise_signal(signal.SIGINT)

    with Store(path) as store, executor() as pool, pytest.raises(KeyboardInterrupt):
        measure([job], executor=pool, store=store, progress=press)
    stored = samples(path)
    assert after * BLOCK <= stored <= 20 * BLOCK
    with Store(path) as store, Counting() as counting:
        (resumed,) = measure([job], executor=counting, store=store)
    assert counting.samples == 20 * BLOCK - stored
    assert resumed.to_bytes() == measure([job])[0].to_bytes()


# Training: networks of the arithmetic task, by the command that trains those of the papers.

RUNS = 60  # In all: 20 of each model.
DECLARED = """
import montecarlo.engine.store
from montecarlo import Sweep
from montecarlo.training.arithmetic.runs import four_inputs
from paper_checks.commands import train
from paper_checks.experiments.stored import write

SHORT = Sweep(
    "tests/short", "short runs of the arithmetic task", four_inputs,
    [{"model": m, "steps": steps} for m, steps in (("nmu", 10_000), ("nac_mul", 6_000), ("nalu", 4_000))], 20, seed=1,
    settings={
        "operation": "multiplication", "lower": 1.0, "upper": 2.0, "test_lower": 2.0, "test_upper": 6.0, "eps": 1e-7,
        "threshold": 2.16e-4, "every": 1000, "last": 4, "observations": 300, "step_size": 1e-3, "bias": 0.1, "oob": 1.0,
        "ramp": 1e4, "single": 0, "nac_range_1": 2.0, "nac_range_2": 2.0,
    },
    stored=True, file=__file__,
)
montecarlo.engine.store.COMMIT_INTERVAL = 0.0
train._known = lambda: {SHORT.name: SHORT}
"""
TRAIN = """
import sys
from pathlib import Path
from montecarlo.engine.models import load_module
from paper_checks.commands.main import main
load_module(Path({declared!r}), "declared")
sys.exit(main({command!r}))
"""


@pytest.fixture(scope="module")
def declared(tmp_path_factory):
    """A file that declares short runs, and their table as threads without an interruption write it."""
    folder = tmp_path_factory.mktemp("declared")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("montecarlo.engine.store.COMMIT_INTERVAL", 0.0)
        patch.setattr(train, "_known", train._known)  # as they were, when this is over
        (folder / "declared.py").write_text(DECLARED)
        short = load_module(folder / "declared.py", "declared").SHORT
        yield folder / "declared.py", write(short, measure(short.jobs(0))).read_bytes()
    sys.modules.pop("declared")


def test_training_that_is_killed_and_stopped_ends_with_the_same_table(declared, python_environment, forks, in_process):
    file, whole = declared
    command = ["train", "tests/short", "--store", "s.sqlite", "--results", "again", "--workers", "1"]
    store, script = Path("s.sqlite"), TRAIN.format(declared=str(file), command=command)
    for sent, status in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)):
        ended, err = stopped(forks, script, store, lambda: samples(store), 4, sent)
        assert ended == status, err
        assert "Traceback" not in err
        assert 4 <= samples(store) < RUNS
        assert not list(Path("again").glob("*.json"))
    assert in_process(*command) == (0, "again/tests.short.json\n", "")
    assert Path("again/tests.short.json").read_bytes() == whole
    assert samples(store) == RUNS


@pytest.mark.dask
@pytest.mark.filterwarnings("default")  # Dask's own are not ours to mend.
def test_training_on_a_cluster_that_loses_a_worker_ends_with_the_same_table(declared, python_environment, in_process):
    dask = pytest.importorskip("dask", reason="Dask is not installed, an optional extra")
    distributed = pytest.importorskip("distributed", reason="Dask is not installed, an optional extra")
    _, whole = declared
    store, seen = Path("s.sqlite"), []

    def kill(cluster):
        end = time.monotonic() + PATIENCE
        while samples(store) < 4 and time.monotonic() < end:
            time.sleep(0.002)
        os.kill(cluster.workers[0].pid, signal.SIGKILL)
        seen.append(samples(store))

    with (
        dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, worker_dashboard_address=None
        ) as cluster,
    ):
        killer = threading.Thread(target=kill, args=(cluster,))
        killer.start()
        address = cluster.scheduler_address
        command = ["train", "tests/short", "--store", "s.sqlite", "--results", "again", "--dask", address]
        status, out, _ = in_process(*command)
        killer.join()
    assert (status, out) == (0, "again/tests.short.json\n")
    assert Path("again/tests.short.json").read_bytes() == whole
    assert 4 <= seen[0] < RUNS, "the worker died when all was done: this test shows nothing"
