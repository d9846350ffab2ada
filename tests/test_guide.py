"""The guide: its examples run, its commands and claims exist, and it answers the six questions."""

from __future__ import annotations

import doctest
import re
from importlib.resources import files

import pytest

from paper_checks.claims import catalogue
from paper_checks.report.site.texts import TEXTS, source

pytestmark = pytest.mark.slow

GUIDE = files("paper_checks.report.site").joinpath("text/guide.md")
COMMANDS = re.findall(r"(?:`|^)paper-checks ([^`\n#]+)", source("guide"), re.MULTILINE)


def test_its_examples_run():
    result = doctest.testfile(str(GUIDE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 15
    assert result.failed == 0


def test_each_question_has_an_example():
    questions = source("guide").split("\n## ")[1:]
    assert len(questions) == 6
    assert all("```" in question for question in questions)


@pytest.mark.parametrize("name", TEXTS)
def test_claims_that_it_names_exist(name):
    known = {claim.id for claim in catalogue.load()}
    assert set(re.findall(r"`((?:galu|nau|nerva|relu|smooth)/[^\s`]+)`", source(name))) <= known


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith(("list", "show", "init"))])
def test_its_commands_run(command, in_process):
    assert in_process(*command.split())[0] == 0
