"""A fingerprint counts what has made a result, all of it, and nothing else; it is the same in every process."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from kernels_for_tests import recursion

from montecarlo.engine.fingerprint import fingerprint
from montecarlo.engine.models import load_module
from montecarlo.streams.philox import stream

ROOT = Path(__file__).resolve().parents[3]
KERNELS = """
from pathlib import Path
import numpy as np
from helpers import factor, tables
import helpers as h
from montecarlo import kernel

SCALE = 2.0
UNUSED = 1
TABLE = np.loadtxt(Path(__file__).with_name("table.txt"))

@kernel
def scaled(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0] = SCALE

@kernel
def helped(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0] = factor(first + i)

@kernel
def read(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0] = TABLE[i % 2]

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
    "helpers/tables.py": TABLES, "table.txt": "1 2",
}  # fmt: skip
# Each folder in a process of its own, all of them from one that has imported what they share.
PROGRAM = """
import json
import os
import sys
import montecarlo
names = ("scaled", "helped", "dotted", "read")
for folder in sys.argv[1:]:
    if not os.fork():
        sys.path.insert(0, folder)
        import kernels_of_test as k
        print(json.dumps({name: getattr(k, name).digest for name in names}), flush=True)
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
    ("helpers/inner.py", "CONSTANT = Scale.value", "CONSTANT = 3.0", set()),
    ("helpers/inner.py", "def factor(x):\n", 'def factor(x):\n    "Documented."\n', set()),
    ("helpers/tables.py", "SIZE = 4", "SIZE = 4\nSIZE += 1", {"dotted"}),
    ("helpers/tables.py", "OTHER = 5", "OTHER = 6", set()),
    ("helpers/__init__.py", "inner import factor", "inner import other as factor", {"helped"}),
    ("table.txt", "1 2", "1 3", {"read"}),
    ("table.txt", "1 2", "1.0   2.0", set()),
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
    """Digests of the kernels: of the files as they are, and after each edit."""
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


def test_no_process_has_another_digest_than_another_whatever_the_order_of_hashes(tmp_path, monkeypatch):
    written(tmp_path)
    found = set()
    for seed in ("1", "2"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(tmp_path)], capture_output=True, text=True, cwd=ROOT, check=True
        )
        found.add(done.stdout)
    assert len(found) == 1


def made(text, name="f", **names):
    """A function as a session defines it; ``names`` are other global names."""
    space = {"__name__": "__main__", **names}
    exec(text, space)
    return space[name]


def same(one, other):
    return fingerprint(one) == fingerprint(other)


CACHED = "from functools import cache\n@cache\ndef g(x): return x\ndef f(x): return g(x)"
# A text, a part of it, and what is there instead.
SAME = {
    "docstring": ("def f(x): return x + 1.5", ": return", ":\n    'Documented.'\n    return"),
    "layout": ("def f(x): return x", "def f(x): return x", "# first\n\ndef f(x):\n\n    return x  # x"),
    "order of a set": ("a = {'b', 'c'}\ndef f(x): return x in a", "'b', 'c'", "'c', 'b'"),
    "memory": (CACHED, "return g(x)", "return g(x)\ng(3)"),
}
DIFFERENT = {
    "number": ("def f(x): return x + 1", "1", "2"),
    "kind of number": ("a = 1\ndef f(x): return x + a", "1", "1.0"),
    "text in a comprehension": ("def f(x): return ['a' for _ in x]", "'a'", "'b'"),
    "default": ("def f(x=1): return x", "1", "2"),
    "default by keyword": ("def f(*, x=1): return x", "1", "2"),
    "minus zero": ("a = 0.0\ndef f(x): return x / a", "0.0", "-0.0"),
    "table of functions": ("t = {'a': lambda x: x}\ndef f(x): return t['a'](x)", "x: x", "x: -x"),
    "closure": ("def g(a):\n    return lambda x: x + a\nf = g(1)", "1", "2"),
    "method": ("class A:\n    def g(self): return 1\ndef f(x): return A().g()", "1", "2"),
    "property": ("class A:\n    @property\n    def g(self): return 1\ndef f(x): return A().g", "1", "2"),
    "base class": ("class B:\n    g = 1\nclass A(B): pass\ndef f(x): return A.g", "1", "2"),
    "instance": ("class A: pass\na = A()\na.g = 1\ndef f(): return a.g", "1", "2"),
    "order of fields": (
        "from typing import NamedTuple\nclass A(NamedTuple):\n    b: int\n    c: int\na = A(1, 2)\ndef f(): return a.b",
        "b: int\n    c: int", "c: int\n    b: int",
    ),
    "decorated": (CACHED, "return x", "return -x"),
    "partly applied": ("from functools import partial\nf = partial(max, 1)", "1", "2"),
    "function of another package": ("import numpy as np\ndef f(x): return np.sin(x)", "sin", "cos"),
    "compiled with other options": ("import numba\n@numba.njit\ndef f(x): return x", "njit", "njit(fastmath=True)"),
    "recursion": ("def f(x): return g(x) if x else 0\ndef g(x): return f(x - 1)", "1", "2"),
}  # fmt: skip


@pytest.mark.parametrize("name", [*SAME, *DIFFERENT])
def test_what_changes_a_result_counts_and_nothing_else(name):
    text, part, instead = (SAME | DIFFERENT)[name]
    assert same(made(text), made(text))
    assert same(made(text), made(text.replace(part, instead))) == (name in SAME)


@pytest.mark.parametrize(("line", "all_of_it"), [
    ("from imported_by_test import g", False),
    ("import imported_by_test", True),
    ("import imported_by_test as i", True),
    ("import packed_by_test.inner as i", False),
    ("from packed_by_test import inner", False),
    ("from packed_by_test.inner import g", False),
])  # fmt: skip
def test_modules_that_a_function_imports_itself_count(line, all_of_it, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    text = f"def f(x):\n    {line}\n    return g(x)"
    (tmp_path / "imported_by_test.py").write_text("def g(x): return x\ndef other(x): return x")
    (tmp_path / "packed_by_test").mkdir()
    (tmp_path / "packed_by_test" / "__init__.py").write_text("")
    (tmp_path / "packed_by_test" / "inner.py").write_text("from imported_by_test import g")
    function = made(text)
    before = fingerprint(function)
    sys.modules["imported_by_test"].other = None
    assert (fingerprint(function) != before) is all_of_it
    negative = made("def g(x): return -x", "g")
    for name in ("imported_by_test", "packed_by_test.inner"):
        if name in sys.modules:
            monkeypatch.setattr(f"{name}.g", negative)
    assert fingerprint(function) != before
    for name in ("imported_by_test", "packed_by_test.inner", "packed_by_test"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("module", ["no_such_module", ".relative", "no_such_module.inner"])
def test_what_cannot_be_imported_is_for_the_function_to_say(module):
    function = made(f"def f(x):\n    from {module} import g\n    return g(x)")
    assert fingerprint(function) == fingerprint(function)


def test_the_name_under_which_a_file_is_loaded_does_not_count(tmp_path):
    """The program of one process is a module of another."""
    file = tmp_path / "named.py"
    file.write_text("class A:\n    g = 1\na = A()\nT = {'a': A}\ndef f(x): return a.g + len(T)")
    one, other = (load_module(file, name) for name in ("named_so_by_test", "named_otherwise_by_test"))
    assert same(one.f, other.f)
    for name in ("named_so_by_test", "named_otherwise_by_test"):
        sys.modules.pop(name)


def test_packages_of_others_count_by_their_version(monkeypatch):
    function = made("import numpy as np\ndef f(x): return np.sin(x)")
    before = fingerprint(function)
    monkeypatch.setattr("montecarlo.engine.fingerprint._version", lambda name: f"{name} 99")
    assert fingerprint(function) != before


def test_what_is_played_has_the_digest_that_it_had_before():
    rows = recursion.rows(2)
    before = fingerprint(recursion)
    recursion(stream(1, "tests/fingerprint", 0), 0, 3.5, rows)
    assert fingerprint(recursion) == before == recursion.digest


def test_a_kernel_counts_with_its_columns_and_its_blocks():
    assert len({fingerprint(replace(recursion, **c)) for c in ({}, {"columns": 3}, {"block": 2}, {"work": 1})}) == 4
