"""A verdict is made again when something that it was made from has changed, and only then."""

from __future__ import annotations

import json
import os

import pytest

pytestmark = pytest.mark.slow

CLAIMS = """
from sympy import Rational, Symbol

from helper_of_test import shifted
from montecarlo import kernel, mean, uniform2
from paper_checks import claim, grid, paper
from theory import Formula, Source

paper("mine", "My paper", "Me")
HERE = Source("mine", "")
k = Symbol("k", positive=True)
SCALE = 1.0


@kernel
def scaled(stream, first, k, out):
    for i in range(out.shape[0]):
        out[i, 0] = SCALE * uniform2(stream, first + i, 0)[0] ** k


@kernel
def helped(stream, first, k, out):
    for i in range(out.shape[0]):
        out[i, 0] = shifted(uniform2(stream, first + i, 0)[0]) ** k


def declare(name, kernel, form):
    printed = Formula("m", form, source=HERE)
    claim(name, at="here", says="a mean", printed=printed, points=grid(k=1), measured=mean(kernel))


declare("mine/scaled", scaled, k / 2)
declare("mine/helped", helped, k * Rational(3, 2))
claim("mine/note", at="here", says="nothing", unchecked="no numbers")
"""
HELPER = """
import numba


@numba.njit
def shifted(x):
    return x + 1.0
"""

# That a kernel keeps within its arrays is no matter here.
PROGRAM = """
import sys
import paper_checks.judge
from paper_checks.commands.main import main
paper_checks.judge.failures = lambda tests: {}
sys.exit(main(["verify", "--claims", "mine.py", "--record", "r.json", "--json"]))
"""


@pytest.fixture
def redone(python_environment, monkeypatch, forks):
    """The ids that are judged anew after replacing text in the claims or in their helper."""
    monkeypatch.setenv("PYTHONPATH", f"{python_environment}{os.pathsep}{os.environ['PYTHONPATH']}")

    def run(file="", old="", new=""):
        for name, text in (("mine.py", CLAIMS), ("helper_of_test.py", HELPER)):
            assert name != file or old in text
            (python_environment / name).write_text(text.replace(old, new) if name == file else text)
        (done,) = forks.run(PROGRAM)
        assert done.returncode in (0, 1), done.stderr
        return {json.loads(line)["id"] for line in done.stdout.splitlines()}

    return run


def test_what_is_not_stale_is_left_alone_and_an_edit_redoes_what_it_can_change(redone):
    assert redone() == {"mine/scaled", "mine/helped", "mine/note"}
    assert redone("mine.py", "SCALE = 1.0", "SCALE = 1.25") == {"mine/scaled"}
    assert redone("mine.py", "SCALE = 1.0", "SCALE = 1.25  # why") == set()
    assert redone("helper_of_test.py", "x + 1.0", "1.0 + x") == {"mine/scaled", "mine/helped"}
    assert redone("mine.py", 'says="nothing"', 'says="nothing at all"') == {"mine/note", "mine/helped"}
