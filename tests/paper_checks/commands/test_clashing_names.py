"""A user's files with the names of our packages: named in one sentence, and never run by the command line."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

CLASHES = ("theory", "montecarlo", "figures")


def python(folder, *arguments):
    """Run Python in a folder, as a user does; the command line keeps its files elsewhere."""
    variables = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def folder(tmp_path):
    for name in CLASHES:
        (tmp_path / f"{name}.py").write_text(f"open('{name}.ran', 'w').close()\n")
    return tmp_path


@pytest.mark.parametrize("program", [
    "import paper_checks.layers",
    "import paper_checks; paper_checks.check",
    "import theory, paper_checks.layers",
    "from paper_checks.claims import catalogue; catalogue.load(['galu'])",
])  # fmt: skip
def test_a_library_names_the_file_that_hides_it(folder, program):
    done = python(folder, "-c", program)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    file = os.path.realpath(folder / "theory.py")
    assert f"{file} hides the package 'theory' of Paper Checks; rename it, or run Python in another folder" in last


@pytest.mark.parametrize(("name", "needs"), [
    ("montecarlo", "import paper_checks; paper_checks.check"),
    ("figures", "from paper_checks.claims import catalogue; catalogue.galleries()"),
])  # fmt: skip
def test_other_names_matter_only_where_they_are_needed(folder, name, needs):
    for other in set(CLASHES) - {name}:
        (folder / f"{other}.py").unlink()
    assert python(folder, "-c", "import paper_checks.layers.laws").returncode == 0
    done = python(folder, "-c", needs)
    assert f"{name}.py hides the package '{name}'" in done.stderr.splitlines()[-1]


def test_a_folder_without_modules_hides_an_editable_installation_at_most(tmp_path):
    """Pictures in ``figures`` or notes in ``theory`` are no modules."""
    for name in CLASHES:
        (tmp_path / name).mkdir()
    done = python(tmp_path, "-m", "paper_checks", "show", "nau/eq59")
    assert done.returncode == 0, done.stderr
    done = python(tmp_path, "-c", "import paper_checks.layers")
    assert done.returncode == 0 or "hides the package 'theory'" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("arguments", [
    ("show", "nau/eq59"), ("figures", "no_such_figure"), ("init", "nau", "--fan-in", "4", "--fan-out", "2"),
])  # fmt: skip
def test_the_command_line_imports_nothing_from_the_working_folder(folder, arguments):
    for name in ("random", "statistics", "numpy", "typing", "sympy"):
        (folder / f"{name}.py").write_text(f"open('{name}.ran', 'w').close()\n")
    done = python(folder, "-m", "paper_checks", *arguments)
    assert "Traceback" not in done.stderr
    assert done.returncode == (2 if arguments[0] == "figures" else 0)
    assert list(folder.glob("*.ran")) == []


def test_a_module_of_a_user_that_is_imported_already_is_named(folder):
    program = "import sys; sys.path.append('.'); import theory; from paper_checks.__main__ import main; main()"
    done = python(folder, "-c", program, "show", "nau/eq59")
    assert "theory.py hides the package 'theory'" in done.stderr.splitlines()[-1]
    assert list(folder.glob("*.ran")) == [folder / "theory.ran"]
