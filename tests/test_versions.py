"""The versions of dependencies that the project allows: what is tested is what is declared."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
PROJECT = tomllib.loads(TEXT)["project"]
# Frameworks take minutes to install, and each release supports few versions of Python.
UNTESTED = {"torch", "jax", "keras"}


def declared():
    """All requirements on others, with those of extras."""
    extras = PROJECT["optional-dependencies"].values()
    found = [Requirement(line) for lines in (PROJECT["dependencies"], *extras) for line in lines]
    return [r for r in found if r.name != PROJECT["name"]]


def bounds(requirement, *operators):
    return [Version(s.version) for s in requirement.specifier if s.operator in operators]


def constraints(file):
    lines = (line.split("#")[0].strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines())
    return [Requirement(line) for line in lines if line]


def test_each_requirement_has_one_lower_bound():
    assert all(len(bounds(r, ">=")) == 1 for r in declared())


def test_the_lowest_versions_are_the_declared_ones():
    lowest = {r.name: bounds(r, "==") for r in constraints(".ci/lowest.txt")}
    assert lowest == {r.name: bounds(r, ">=") for r in declared() if r.name not in UNTESTED}


def test_the_versions_of_the_results_are_allowed():
    pinned = {r.name.lower(): bounds(r, "==")[0] for r in constraints("constraints.txt")}
    assert not [r for r in declared() if pinned[r.name] not in r.specifier]


def test_an_upper_bound_has_its_reason():
    for requirement in (r for r in declared() if bounds(r, "<", "<=", "==", "~=", "!=")):
        assert re.search(rf'"{re.escape(requirement.name)}[^"]*",?  # \w.{{20,}}', TEXT), requirement


@pytest.mark.parametrize("module", ["montecarlo.engine.parts", "montecarlo.streams.wide_vectors"])
def test_a_library_whose_private_parts_are_used_has_an_upper_bound(module):
    text = (ROOT / module.replace(".", "/")).with_suffix(".py").read_text(encoding="utf-8")
    assert "from numba.core" in text
    (numba,) = (r for r in declared() if r.name == "numba")
    assert bounds(numba, "<")


def test_the_version_of_the_project_is_the_same_everywhere():
    import paper_checks

    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    logged = re.search(r"^## \[?([\d.]+)\]?", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited[1] == logged[1] == paper_checks.__version__
    assert PROJECT["dynamic"] == ["version"]
