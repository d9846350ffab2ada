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
class Scale:
    value = 3.0

    def _repr_html_(self):
        return 'three'

CONSTANT = Scale.value

def _twice(x):
    return 2 * x

def factor(x):
    return CONSTANT * _twice(x)

def other(x):
    return x
"""
TABLES = "SIZE = 4\nOTHER = 5\n"
FILES = {
    "kernels_of_test.py": KERNELS, "helpers/__init__.py": HELPERS, "helpers/inner.py": INNER,
    "helpers/tables.py": TABLES,
}  # fmt: skip
# Each folder in a process of its own, all of them from one that has imported what they share.
PROGRAM = """
import json
import os
import sys
import montecarlo
for folder in sys.argv[1:]:
    if not os.fork():
        sys.path.insert(0, folder)
        import kernels_of_test as k
        print(json.dumps({name: getattr(k, name).digest for name in ("scaled", "helped", "dotted")}), flush=True)
        os._exit(0)
    assert os.wait()[1] == 0
"""
EDITS = [
    ("kernels_of_test.py", "SCALE = 2.0", "SCALE = 2.5", {"scaled"}),
    ("kernels_of_test.py", "UNUSED = 1", "UNUSED = 2", set()),
    # A variable of a comprehension that has the name of another's argument.
    ("kernels_of_test.py", "UNUSED = 1", "UNUSED = [first for first in range(2)]", set()),
    ("kernels_of_test.py", "out[i, 0] = SCALE", "# why\n        out[i, 0] = SCALE", set()),
    ("helpers/inner.py", "return 2 * x", "return x + x", {"helped", "dotted"}),
    ("helpers/inner.py", "def other(x):\n    return x", "def other(x):\n    return -x", set()),
    ("helpers/inner.py", "return 'three'", "return 'drei'", set()),
    ("helpers/inner.py", "    def _repr_html_(self):\n        return 'three'\n", "", set()),
    ("helpers/inner.py", "value = 3.0", "value = 3.5", {"helped", "dotted"}),
    ("helpers/inner.py", "CONSTANT = Scale.value", "CONSTANT = 3.5", {"helped", "dotted"}),
    ("helpers/inner.py", "def factor(x):\n", 'def factor(x):\n    "Documented."\n', set()),
    ("helpers/tables.py", "SIZE = 4", "SIZE = 4\nSIZE += 1", {"dotted"}),
    ("helpers/tables.py", "OTHER = 5", "OTHER = 6", set()),
    ("helpers/__init__.py", "inner import factor", "inner import other as factor", {"helped"}),
]


def written(folder, file="", old="", new=""):
    """The files in a folder, with text replaced in one of them."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        assert name != file or old in text
        path.write_text(text.replace(old, new) if name == file else text)
    return str(folder)


@pytest.fixture(scope="module")
def digests(tmp_path_factory):
    """Digests of three kernels: of the files as they are, and after each edit."""
    root = tmp_path_factory.mktemp("digests")
    folders = [written(root / "as they are"), *(written(root / str(i), *e[:3]) for i, e in enumerate(EDITS))]
    command = [sys.executable, "-c", PROGRAM, *folders]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("number", range(len(EDITS)), ids=lambda i: " to ".join(EDITS[i][1:3]))
def test_an_edit_changes_the_digests_of_what_it_can_change_and_no_others(digests, number):
    before, after = digests[0], digests[1 + number]
    assert {name for name in before if before[name] != after[name]} == EDITS[number][3]
