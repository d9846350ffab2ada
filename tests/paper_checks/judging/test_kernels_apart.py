"""Somebody's kernel that writes out of bounds or never returns ends a child, not the run; the message says where."""

import os
import signal
import subprocess

import pytest
from kernels_for_tests import uniform
from sympy import Rational

from montecarlo import BrokenKernel, Job, estimate, mean
from montecarlo.engine import apart
from montecarlo.kernels.raw_draws import uniforms
from paper_checks import Status, check
from theory import Formula

pytestmark = pytest.mark.slow

MINE = """
from sympy import Rational
from montecarlo import kernel, mean, uniform2
from paper_checks import claim, grid, paper
from theory import Formula

@kernel
def careless(stream, first, k: int, out):
    i = 0
    while i < out.shape[0]:
        out[i, k // 2], _ = uniform2(stream, first + i, 0)
        i += k

paper("mine", "Mine", "Me")
half = Formula("one half", Rational(1, 2))
claim("mine/fine", at="", says="", printed=half, points=grid(k=1), measured=mean(careless))
claim("mine/beyond", at="", says="", printed=half, points=grid(k=2 * 10**9), measured=mean(careless))
claim("mine/forever", at="", says="", printed=half, points=grid(k=0), measured=mean(careless))
"""


@pytest.fixture(autouse=True)
def new_processes(monkeypatch):
    """As everywhere but in tests, where they are forked."""
    monkeypatch.setattr(apart, "subprocess", subprocess)


def test_a_kernel_that_would_end_the_process_is_an_error_of_its_claim(tmp_path, monkeypatch, said):
    monkeypatch.setattr(apart, "cache_folder", lambda: tmp_path / "cache" / "compiled")
    monkeypatch.chdir(tmp_path)
    begin = apart.failures
    monkeypatch.setattr("paper_checks.judging.foreign.failures", lambda tests: begin(tests, seconds=1.0))
    (tmp_path / "mine.py").write_text(MINE)
    out = said(1, "verify", "mine.py")
    assert "mine/fine                          CONFIRMED" in out
    assert "claim mine/beyond: claims_of_mine.careless at {'k': 2000000000}: must keep within its arrays" in out
    assert "index 1000000000 is out of bounds for axis 1 with size 1" in out
    assert "claim mine/forever: claims_of_mine.careless at {'k': 0}: must return, got nothing within 1 s" in out
    assert len(list((tmp_path / "cache" / "examined").iterdir())) == 1


def typed(text, name):
    """A kernel as a cell of a notebook leaves it: of no file, in the main module, with a helper typed beside it."""
    session = {"__name__": "__main__"}
    exec(compile(f"import numba\nfrom montecarlo import *\n{text}", "<cell 1>", "exec"), session)
    return session[name]


CELL = """
@numba.njit
def place(k):
    return k // 2

@kernel
def careless(stream, first, k: int, out):
    for i in range(out.shape[0]):
        out[i, place(k)], _ = uniform2(stream, first + i, 0)
"""


def test_a_kernel_typed_into_a_notebook_does_not_end_it():
    careless = typed(CELL, "careless")
    assert apart.is_typed(careless)
    assert not apart.is_foreign(careless)
    assert estimate(mean(careless), {"k": 1}, samples=100).n == 100
    assert check(Formula("half", Rational(1, 2)), mean(careless), at={"k": 1}).status is Status.CONFIRMED
    beyond = check(Formula("half", Rational(1, 2)), mean(careless), at={"k": 2 * 10**9})
    assert "__main__.careless at {'k': 2000000000}: must keep within its arrays" in beyond.error
    with pytest.raises(BrokenKernel, match="index 1000000000 is out of bounds for axis 1"):
        estimate(mean(careless), {"k": 2 * 10**9})


def test_what_has_passed_is_not_played_again(tmp_path, monkeypatch):
    monkeypatch.setattr(apart, "cache_folder", lambda: tmp_path / "compiled")
    job = Job(mean(uniform), {}, "test/apart")
    test = job.kernel, job.task()[2], (), 100
    monkeypatch.setattr(apart, "_played", lambda tests, _seconds: iter([""] * len(tests)))
    assert apart.failures([test]) == {}
    monkeypatch.setattr(apart, "_played", lambda tests, _seconds: pytest.fail("played again"))
    assert apart.failures([test]) == {}
    monkeypatch.setattr(apart, "_PASSED", set())  # as in another process
    assert apart.failures([test]) == {}


def test_kernels_of_this_project_are_not_tested_apart():
    assert apart.is_foreign(uniform)
    assert not apart.is_foreign(uniforms)


def test_the_end_of_a_process_is_named():
    assert "by signal 11 (SIGSEGV)" in apart._ended("mine.kernel", -signal.SIGSEGV)
    assert f"exit status {os.EX_USAGE}" in apart._ended("mine.kernel", os.EX_USAGE)
