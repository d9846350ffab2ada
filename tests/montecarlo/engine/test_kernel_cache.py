"""The cache of compiled kernels: what runs is what the sources say, and nothing is compiled twice."""

import json
import shutil
from pathlib import Path

import pytest
from forks import Forks

import montecarlo

pytestmark = pytest.mark.slow

PACKAGE = Path(montecarlo.__file__).parent

HELPER = """
import numba

@numba.njit
def helper(x):
    return {factor} * x
"""

KERNEL = """
from montecarlo import kernel
from montecarlo.kernels.helper_of_test import helper

@kernel
def played(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0] = helper(first + i)
"""

# The first function that is compiled takes longest.
SHARED = """
import numba
numba.njit(lambda x: 2.0 * x)(1.0)
"""
PROGRAM = """
import json
import numba
numba.config.CACHE_DIR = "elsewhere"
import numpy as np
from montecarlo.engine.compiled import cache_folder
from montecarlo.kernels.kernel_of_test import played
from montecarlo.streams.philox import stream
out = np.empty((3, 1), order="F")
played(stream(0, "test", 0), 0, out)
stats = played.function.stats
print(json.dumps({
    "values": out[:, 0].tolist(), "digest": played.digest, "set": numba.config.CACHE_DIR,
    "hits": sum(stats.cache_hits.values()), "misses": sum(stats.cache_misses.values()),
}))
"""


@pytest.fixture(scope="module")
def forks():
    with Forks(SHARED) as forks:
        yield forks


@pytest.fixture
def run(copied, forks):
    """Play the kernel in a new process."""

    def run():
        (done,) = forks.run(PROGRAM)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture
def copied(python_environment, monkeypatch):
    """A copy of the package with a kernel and its helper in two files."""
    copy = python_environment / "montecarlo"
    shutil.copytree(PACKAGE, copy)
    (copy / "kernels" / "helper_of_test.py").write_text(HELPER.format(factor=2.0))
    (copy / "kernels" / "kernel_of_test.py").write_text(KERNEL)
    monkeypatch.setenv("PYTHONPATH", str(python_environment))
    monkeypatch.setenv("PAPER_CHECKS_CACHE", str(python_environment / "cache"))
    return copy


def test_an_edited_helper_changes_the_result_and_unchanged_sources_compile_nothing(copied, run):
    cache = copied.parent / "cache"
    first = run()
    assert first["values"] == [0.0, 2.0, 4.0]
    assert (first["hits"], first["misses"]) == (0, 1)
    files = {p: p.stat().st_mtime_ns for p in cache.rglob("*.nb?")}
    assert files
    assert all(f"played-{first['digest']}" in p.name for p in files)

    second = run()
    assert second == {**first, "hits": 1, "misses": 0}
    assert {p: p.stat().st_mtime_ns for p in cache.rglob("*.nb?")} == files

    (copied / "kernels" / "helper_of_test.py").write_text(HELPER.format(factor=3.0))
    third = run()
    assert third["values"] == [0.0, 3.0, 6.0]
    assert third["digest"] != first["digest"]
    assert first["set"] == third["set"] == "elsewhere", "the process keeps its own setting"


def test_where_nothing_can_be_written_kernels_still_run(run, monkeypatch):
    monkeypatch.setenv("PAPER_CHECKS_CACHE", "/proc/nowhere")
    result = run()
    assert result["values"] == [0.0, 2.0, 4.0]
    assert result["hits"] == 0


def test_what_cannot_be_loaded_is_compiled_anew_and_kept(copied, run):
    run()
    for defect in (
        lambda content: content.replace(b"montecarlo.kernels", b"montecarlo.elsewhe"),
        lambda content: content[: len(content) // 2],
    ):
        for file in (copied.parent / "cache").rglob("*.nbc"):
            content = file.read_bytes()
            file.write_bytes(defect(content))
            assert file.read_bytes() != content
        anew, again = run(), run()
        assert anew["values"] == again["values"] == [0.0, 2.0, 4.0]
        assert (anew["misses"], again["hits"]) == (1, 1)
