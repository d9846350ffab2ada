"""The arrows between the rooms, and what an import may cost."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# A room may name what lies in a lower storey or in itself, and theory and montecarlo nothing of each other.
STOREYS = {"theory": 0, "montecarlo": 0, "paper_checks": 1, "paper_checks.papers": 2, "figures": 3}
ROOMS = [name for name in STOREYS if "." not in name]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def modules():
    return sorted(p for room in ROOMS for p in (ROOT / room).rglob("*.py"))


def room_of(name):
    return "paper_checks.papers" if name.startswith("paper_checks.papers") else name.split(".")[0]


def dotted(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_no_truth_value_of_numpy_is_compared_by_identity():
    """It is not the same object as Python's, so that ``is not`` would always hold."""
    by_identity = re.compile(r"\.(all|any)\(\) is |is (not )?[\w.]+\.(all|any)\(\)")
    assert by_identity.search("bool(where.all()) is not falls.all()")
    assert not [path for path in modules() if by_identity.search(path.read_text(encoding="utf-8"))]


def test_no_text_stands_below_the_statement_that_it_belongs_to():
    """A second line of a text without brackets is a statement of its own, and lost."""
    lost = []
    for path in modules():
        waiting = [ast.parse(path.read_text(encoding="utf-8"))]
        while waiting:
            statement = waiting.pop()
            blocks = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody", "handlers", "cases")]
            waiting += chain(*blocks)
            if not isinstance(statement, ast.Module | ast.ClassDef):  # there it documents a name
                lost += [f"{path}:{s.lineno}" for block in blocks for s in block[1:] if is_text(s)]
    assert lost == []


def is_text(statement):
    value = getattr(statement, "value", None) if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.JoinedStr) or isinstance(getattr(value, "value", None), str)


# What the linter of imports cannot see: modules named in strings.


def named_in_strings(text):
    """Modules of ours that are named in string constants, and the beginnings of such names in f-strings."""
    nodes = ast.walk(ast.parse(text)) if re.search(r"[\"'](theory|montecarlo|paper_checks|figures)\b", text) else ()
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            (name, *_) = node.value.split(":")
            if re.fullmatch(r"(theory|montecarlo|paper_checks|figures)(\.\w+)*\.?", name):
                yield name


def breaches(module, text):
    here = room_of(module)
    for name in named_in_strings(text):
        there = room_of(name)
        if STOREYS[there] > STOREYS[here] or (STOREYS[there] == STOREYS[here] and there != here):
            yield name


# Names of experiments, of groups of entry points and of tools, which import nothing.
NOT_IMPORTED = {"figures", "theory", "montecarlo", "paper_checks", "paper_checks.figures"}


@pytest.mark.parametrize("room", ROOMS)
def test_no_module_names_one_of_a_higher_room(room):
    for path in (p for p in modules() if room_of(dotted(p)).split(".")[0] == room):
        found = set(breaches(dotted(path), path.read_text(encoding="utf-8"))) - NOT_IMPORTED
        assert found - EXCEPTIONS.get(dotted(path), set()) == set(), path


# The group of entry points by which papers are found.
EXCEPTIONS = {"paper_checks.claims.catalogue": {"paper_checks.papers"}}


@pytest.mark.parametrize(("module", "line"), [
    ("paper_checks.report", 'import_module("figures.style")'),
    ("paper_checks.judging.judge", 'importlib.import_module(f"paper_checks.papers.{name}")'),
    ("paper_checks.record", 'TABLE = {"x": "paper_checks.papers.galu.figure_9"}'),
    ("theory.nac", '__import__("montecarlo.streams")'),
    ("montecarlo.engine", 'EntryPoint("x", "theory.nac:mean", "g")'),
])  # fmt: skip
def test_a_name_in_a_string_against_the_arrows_is_found(module, line):
    assert list(breaches(module, line))


# The contracts of the linter.


def test_the_contracts_of_the_linter_find_what_breaks_them(tmp_path):
    config = (ROOT / "pyproject.toml").read_text()
    empty = (
        "montecarlo/__init__", "figures/__init__", "figures/constants/__init__", "figures/galu/__init__",
        "figures/nerva/__init__", "figures/network_smoothness/__init__", "figures/neural_arithmetic_units/__init__",
        *(f"paper_checks/{n}" for n in ("__init__", "__main__", "papers/__init__", "papers/nau", "report", "claims")),
        *(f"paper_checks/{n}" for n in ("evidence", "experiments", "latex", "rules", "values", "judging/__init__")),
        "paper_checks/commands/__init__", "paper_checks/commands/verify",
    )  # fmt: skip
    skeleton = dict.fromkeys(empty, "") | {
        "theory/__init__": "import theory.nac\nimport numba",
        "theory/nac/__init__": "from theory.nac import moments",
        "theory/nac/moments": "from theory.nac import ranges",
        "theory/nac/ranges": "from theory.nac import moments\nfrom montecarlo import engine",
        "montecarlo/engine": "import sympy",
        "figures/dying_relu/__init__": "from figures import galu",
        "paper_checks/papers/galu": "from paper_checks.papers import nau",
        "paper_checks/record": "import numba",
        "paper_checks/judging/judge": "from paper_checks.commands import verify\nimport figures",
    }
    for name, text in skeleton.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.py").write_text(text)
    config = re.sub(r"^ignore_imports = .*\n", "", config, flags=re.MULTILINE)
    (tmp_path / "pyproject.toml").write_text(config)
    program = "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command; " + (
        "lint_imports_command(['--no-cache', '--no-logo'])"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    shown = " ".join(done.stdout.split())
    for contract in PROJECT["tool"]["importlinter"]["contracts"]:
        assert f"{contract['name']} BROKEN" in shown, contract["id"]


def test_the_contracts_of_the_linter_are_about_all_rooms_and_these_are_packaged():
    assert set(PROJECT["tool"]["importlinter"]["root_packages"]) == set(ROOMS)
    listed = PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]
    assert set(ROOMS) == {name.removesuffix("*").removesuffix(".") for name in listed}


# Names.


def public_names(package):
    """Names that a package's ``__init__`` defines or takes from its modules, those of modules left out."""
    for node in ast.walk(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.ImportFrom) and node.module != dotted(package / "__init__.py"):
            yield from (alias.asname or alias.name for alias in node.names)


def test_no_submodule_has_the_name_of_something_public_in_its_package():
    for package in (p.parent for p in modules() if p.name == "__init__.py"):
        submodules = {p.stem for p in package.glob("*.py")} | {p.parent.name for p in package.glob("*/__init__.py")}
        assert set(public_names(package)) & submodules == set(), package


@pytest.mark.parametrize("room", ROOMS)
def test_nothing_refers_to_what_is_outside_the_repository(room):
    outside = ["../" + "shared", "/work" + "/"]
    for path in (ROOT / room).rglob("*"):
        if path.suffix in {".py", ".md", ".json", ".toml", ".txt"}:
            text = path.read_text(encoding="utf-8")
            assert not any(word in text for word in outside), path


# What an import costs.


def loaded_by(*statements):
    """Names of the modules that a fresh Python has loaded after each of some statements."""
    lines = (f"{statement}\nprint(json.dumps(sorted(sys.modules)))" for statement in statements)
    program = "\n".join(["import json, sys", *lines])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return [set(json.loads(line)) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def imported():
    """What is loaded for what the forms stand on, for the forms, and for what judges, one after the other."""
    return loaded_by("import sympy, numpy, mpmath", "import theory", "from paper_checks import verify")


def test_importing_theory_loads_little_more_than_sympy_and_numpy(imported):
    needed, found, _ = imported
    more = {name.split(".")[0] for name in found - needed} - {"theory"}
    assert not {"numba", "matplotlib", "scipy", "montecarlo", "paper_checks", "figures"} & more
    # By number of modules, as time is another thing on a busy machine.
    assert len(found) < 1.05 * len(needed) + 20, more


def test_a_parser_of_commands_waits_for_nothing_slow():
    (found,) = loaded_by("from paper_checks.commands import main\nmain._parser()")
    assert not {"numpy", "scipy", "sympy", "numba", "matplotlib", "figures", "distributed", "tqdm"} & found
    assert not {"theory", "montecarlo"} & found
    # Python itself has about 60 with argparse and importlib.metadata.
    assert len(found) < 210


def test_importing_what_judges_loads_no_plots_and_no_figures(imported):
    assert not {"matplotlib", "figures", "distributed", "tqdm", "torch", "jax", "keras"} & imported[-1]
