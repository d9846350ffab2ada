"""What the tests of the machinery share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import settings

from montecarlo.kernel import load_module
from paper_checks.claim import registry

HERE = Path(__file__).resolve().parent

# The same examples in every run: a test that fails now and then proves nothing.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")

# Not on sys.path on purpose: worker processes must find these kernels by their file, like a user's.
if "kernels_for_tests" not in sys.modules:
    load_module(HERE / "kernels_for_tests.py", "kernels_for_tests")


@pytest.fixture
def own_registry():
    """The registry of claims, empty, and as it was afterwards."""
    papers, claims = dict(registry.papers), dict(registry._claims)
    registry.papers.clear()
    registry._claims.clear()
    yield registry
    registry.papers.clear()
    registry._claims.clear()
    registry.papers.update(papers)
    registry._claims.update(claims)


@pytest.fixture
def python_environment(monkeypatch, tmp_path):
    """Environment of a child process that finds this working copy, in a folder of its own."""
    monkeypatch.setenv("PYTHONPATH", str(HERE.parent))
    monkeypatch.delenv("PYTHONWARNINGS", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path
