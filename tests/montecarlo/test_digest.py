"""A digest counts the code that made a result, all of it, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNELS = """
from helpers import factor, tables
import helpers as h
from montecarlo import kernel

SCALE = 2.0
UNUSED = 1

@kernel
def scaled(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0] = SCALE

@kernel
def helped(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0] = factor(first + i)

@kernel
def dotted(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0] = h.inner.factor(first + i) + tables.SIZE
"""
HELPERS = '''
"""A package."""
from helpers.inner import factor
from helpers import inner
'''
INNER = """
CONSTANT = 3.0

def _twice(x):
    return 2 * x

def factor(x):
    return CONSTANT * _twice(x)

def other(x):
    return x
"""
TABLES = "SIZE = 4\nOTHER = 5\n"
PROGRAM = """
import json
import kernels_of_test as k
print(json.dumps({name: getattr(k, name).digest for name in ("scaled", "helped", "dotted")}))
"""


@pytest.fixture
def digests(python_environment, monkeypatch):
    """Digests of three kernels after replacing text in a file."""
    monkeypatch.setenv("PYTHONPATH", f"{python_environment}:{ROOT}")
    files = {
        "kernels_of_test.py": KERNELS, "helpers/__init__.py": HELPERS, "helpers/inner.py": INNER,
        "helpers/tables.py": TABLES,
    }  # fmt: skip

    def run(file="", old="", new=""):
        for name, text in files.items():
            path = python_environment / name
            path.parent.mkdir(exist_ok=True)
            assert name != file or old in text
            path.write_text(text.replace(old, new) if name == file else text)
        done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.mark.parametrize(
    ("file", "old", "new", "changed"),
    [
        ("kernels_of_test.py", "SCALE = 2.0", "SCALE = 2.5", {"scaled"}),
        ("kernels_of_test.py", "UNUSED = 1", "UNUSED = 2", set()),
        # A variable of a comprehension that has the name of another's argument.
        ("kernels_of_test.py", "UNUSED = 1", "UNUSED = [first for first in range(2)]", set()),
        ("kernels_of_test.py", "out[i, 0] = SCALE", "# why\n        out[i, 0] = SCALE", set()),
        ("helpers/inner.py", "CONSTANT = 3.0", "CONSTANT = 3.5", {"helped", "dotted"}),
        ("helpers/inner.py", "return 2 * x", 'return x + x', {"helped", "dotted"}),
        ("helpers/inner.py", "def other(x):\n    return x", "def other(x):\n    return -x", set()),
        ("helpers/inner.py", "def factor(x):\n", 'def factor(x):\n    "Documented."\n', set()),
        ("helpers/tables.py", "SIZE = 4", "SIZE = 4\nSIZE += 1", {"dotted"}),
        ("helpers/tables.py", "OTHER = 5", "OTHER = 6", set()),
        ("helpers/__init__.py", "inner import factor", "inner import other as factor", {"helped"}),
    ],
)  # fmt: skip
def test_an_edit_changes_the_digests_of_what_it_can_change_and_no_others(digests, file, old, new, changed):
    before, after = digests(), digests(file, old, new)
    assert {name for name in before if before[name] != after[name]} == changed
