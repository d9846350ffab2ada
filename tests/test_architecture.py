"""The arrows between the rooms, and what an import may cost."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("theory", "montecarlo", "paper_checks", "figures")
# A module may import these rooms, and no others.
MAY_IMPORT = {
    "theory": {"theory"},
    "montecarlo": {"montecarlo"},
    "paper_checks": {"paper_checks", "theory", "montecarlo"},
    "figures": {"figures", "paper_checks", "theory", "montecarlo"},
}
MAY_NOT_IMPORT = {
    "theory": {"numba", "matplotlib", "pytest"},
    "montecarlo": {"sympy", "matplotlib", "pytest"},
    "paper_checks": {"matplotlib", "numba", "pytest"},
    "figures": {"pytest"},
}
ENTRIES = {"cli.py", "__main__.py"}
LONGEST = 400


def modules(room):
    return sorted(p for p in (ROOT / room).rglob("*.py"))


MODULES = [pytest.param(room, path, id=str(path.relative_to(ROOT))) for room in ROOMS for path in modules(room)]


def imports(path, text=None):
    """Absolute names of everything that a module imports, at the top or inside functions."""
    package = list(path.relative_to(ROOT).with_suffix("").parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8") if text is None else text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def breaches(room, path, text=None):
    """Imports against the arrows."""
    for name in imports(path, text):
        top = name.split(".")[0]
        if top in {*ROOMS, "tests", "benchmarks"} and top not in MAY_IMPORT[room]:
            yield name
        if top in MAY_NOT_IMPORT[room]:
            yield name
        if name.startswith("paper_checks.cli") and path.name not in ENTRIES:
            yield name


@pytest.mark.parametrize(("room", "path"), MODULES)
def test_modules_import_along_the_arrows(room, path):
    assert list(breaches(room, path)) == []


@pytest.mark.parametrize(
    ("room", "line"),
    [
        ("theory", "import montecarlo"),
        ("theory", "from montecarlo.draws import uniform2"),
        ("theory", "def f():\n    import numba"),
        ("theory", "import matplotlib.pyplot as plt"),
        ("theory", "from paper_checks import claim"),
        ("montecarlo", "from theory import nac"),
        ("montecarlo", "import paper_checks.verify"),
        ("paper_checks", "from figures import style"),
        ("paper_checks", "from paper_checks.cli import main"),
        ("paper_checks", "from paper_checks import cli"),
        ("paper_checks", "from . import cli"),
        ("figures", "from tests import conftest"),
    ],
)
def test_an_import_against_the_arrows_is_found(room, line):
    assert list(breaches(room, ROOT / room / "invented.py", line))


@pytest.mark.parametrize(("room", "path"), MODULES)
def test_modules_stay_readable(room, path):
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= LONGEST, "split it along its subject"


@pytest.mark.parametrize("room", ROOMS)
def test_nothing_refers_to_what_is_outside_the_repository(room):
    outside = ["../" + "shared", "/work" + "/"]
    for path in (ROOT / room).rglob("*"):
        if path.suffix in {".py", ".md", ".json", ".toml", ".txt"}:
            text = path.read_text(encoding="utf-8")
            assert not any(word in text for word in outside), path


def loaded_by(statement):
    """Names of the modules that a fresh Python has loaded after a statement."""
    program = f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


def test_importing_theory_loads_little_more_than_sympy_and_numpy():
    needed = loaded_by("import sympy, numpy, mpmath")
    found = loaded_by("import theory")
    more = {name.split(".")[0] for name in found - needed} - {"theory"}
    assert not {"numba", "matplotlib", "scipy", "montecarlo", "paper_checks", "figures"} & more
    # By number of modules, as time is another thing on a busy machine.
    assert len(found) < 1.05 * len(needed) + 20, more


def test_importing_paper_checks_loads_no_plots_and_no_figures():
    found = loaded_by("import paper_checks, paper_checks.cli")
    assert not {"matplotlib", "figures", "distributed", "tqdm"} & found


def test_the_rooms_are_packaged():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = project["tool"]["setuptools"]["packages"]
    found = {
        str(p.parent.relative_to(ROOT)).replace("/", ".") for room in ROOMS for p in (ROOT / room).rglob("__init__.py")
    }
    if isinstance(listed, list):
        assert set(listed) == found
    else:
        assert set(ROOMS) <= {p.removesuffix("*").removesuffix(".") for p in listed["find"]["include"]}
