"""Exact evidence that does not come to an end leaves its claim open, and others go on."""

import sys

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
