"""What takes too long is interrupted, in any thread, and only then."""

import itertools
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import sympy

from paper_checks.values import limits
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


def test_a_limit_that_takes_too_long_is_none(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.02)
    monkeypatch.setattr(sympy, "limit", lambda *_: forever())
    n = sympy.Symbol("n", positive=True)
    assert limits.limit_at_infinity(1 + 1 / n, n) == (None, False)
