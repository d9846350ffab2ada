"""What takes too long is interrupted, in any thread, and only then; its claim is left open, and others go on."""

import itertools
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import sympy
from sympy import Integer

from paper_checks import Claim, Status, verify
from paper_checks.values import limits, patience
from paper_checks.values.patience import within


def forever():
    for _ in itertools.repeat(None):
        try:
            sum(range(100))
        except Exception:  # what catches everything does not catch the interruption
            raise AssertionError from None


def test_what_never_ends_is_interrupted_in_its_thread():
    with ThreadPoolExecutor(1) as aside:
        interrupted = aside.submit(within, 0.05, forever)
        assert isinstance(interrupted.exception(), TimeoutError)
        assert aside.submit(within, 60, lambda: 3).result() == 3


def test_what_is_in_time_or_fails_by_itself_is_left_alone():
    assert within(60, lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        within(60, lambda: 1 / 0)
    assert within(0.01, lambda: 4) == 4
    time.sleep(0.03)  # past its end: what is done is not interrupted


def test_an_interruption_at_the_last_moment_is_late_or_in_time_and_nothing_else():
    found = {outcome(time.perf_counter() + 2e-4 + 2e-6 * k) for k in range(100)}
    time.sleep(0.01)  # none is left to come
    assert found <= {"done", "not computed within 0.0005 s"}


def outcome(end):
    try:
        return within(5e-4, lambda: busy(end))
    except TimeoutError as error:
        return str(error)


def busy(end):
    while time.perf_counter() < end:
        pass
    return "done"


@pytest.mark.parametrize("after", [lambda: float("nan"), forever, lambda: 1 / 0])
def test_an_interruption_that_a_bare_except_has_caught_is_an_interruption(monkeypatch, after):
    monkeypatch.setattr(patience, "AGAIN", 0.05)

    def caught():
        try:
            forever()
        except:  # noqa: E722 - as mpmath has it where it reads a float
            return after()

    with pytest.raises(TimeoutError, match=r"within 0\.05 s"):
        within(0.05, caught)
    time.sleep(0.1)  # none is left to come


def test_a_limit_that_takes_too_long_is_none(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.02)
    monkeypatch.setattr(sympy, "limit", lambda *_: forever())
    n = sympy.Symbol("n", positive=True)
    assert limits.limit_at_infinity(1 + 1 / n, n) == (None, False)


def test_what_takes_too_long_is_open_with_what_took_long(monkeypatch):
    monkeypatch.setattr(sys.modules["paper_checks.judging.judge"], "SECONDS", {"quick": 0.2})
    late, next_one = verify([
        Claim("test/late", at="", says="", proof=forever),
        Claim("test/next", at="", says="", proof=lambda: Integer(2) + 2 == 4),
    ])  # fmt: skip
    assert late.status is Status.INCONCLUSIVE
    assert "the symbolic evidence was not found within 0.2 s" in late.error
    assert next_one.as_expected


def test_a_limit_around_another_is_kept():
    with pytest.raises(TimeoutError, match=r"within 0\.2 s"):
        within(0.2, lambda: within(60, forever))


# A file of one's own: a proof that never ends, one that is a single call of compiled code, and others after them.
OWN = """
from itertools import count
from paper_checks import claim, paper
from paper_checks.judging import judge, pool

judge.SECONDS["quick"], judge.GRACE, pool.SLOW = {limit}, 0.5, 0.5
paper("mine", "My paper", "A. Uthor")
claim("mine/endless", at="", says="it ends", proof=lambda: all(n >= 0 for n in count()))
claim("mine/power", at="", says="it ends", proof=lambda: 3**10**9 > 0)
for i in range(3):
    claim(f"mine/quick{{i}}", at="", says="it is even", proof=lambda i=i: (2 * i) % 2 == 0)
"""


def own(folder, limit):
    (folder / "mine.py").write_text(OWN.format(limit=limit))
    command = [sys.executable, "-m", "paper_checks", "verify", "mine.py", "--workers", "2"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen(command, cwd=folder, **streams, process_group=0)


@pytest.mark.slow
def test_slow_claims_hold_no_others_and_ctrl_c_ends_at_once(tmp_path):
    with own(tmp_path, limit=600) as process:
        shown = [process.stdout.readline() for _ in range(3)]
        assert {line.split()[0] for line in shown} == {"mine/quick0", "mine/quick1", "mine/quick2"}
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        rest = process.stdout.read()
        assert process.wait() == 130
        assert time.monotonic() - begun < 5
    assert "finished verdicts are saved" in rest


@pytest.mark.slow
def test_what_takes_too_long_in_python_or_in_one_compiled_call_is_open(tmp_path):
    with own(tmp_path, limit=0.5) as process:
        shown = process.stdout.read()
        assert process.wait() == 1
    assert "mine/endless: TimeoutError: the symbolic evidence was not found within 0.5 s" in shown
    assert "mine/power: TimeoutError: the exact evidence was not found in time, and its process was ended" in shown
    assert "5 claims: 3 as expected, 2 not" in shown
