"""Exact evidence that does not come to an end leaves its claim open, and others go on."""

import signal
import subprocess
import sys
import time

import pytest
from sympy import Integer

from paper_checks import Claim, Status, verify
from paper_checks.values.patience import within


def endless():
    n = 0
    while True:
        n += 1


def test_what_takes_too_long_is_open_with_what_took_long(monkeypatch):
    monkeypatch.setattr(sys.modules["paper_checks.judging.judge"], "SECONDS", {"quick": 0.2})
    late, next_one = verify([
        Claim("test/late", at="", says="", proof=endless),
        Claim("test/next", at="", says="", proof=lambda: Integer(2) + 2 == 4),
    ])  # fmt: skip
    assert late.status is Status.INCONCLUSIVE
    assert "the symbolic evidence was not found within 0.2 s" in late.error
    assert next_one.as_expected


def test_a_limit_around_another_is_kept():
    with pytest.raises(TimeoutError, match=r"within 0\.2 s"):
        within(0.2, lambda: within(60, endless))


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
