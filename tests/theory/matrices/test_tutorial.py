"""What the tutorial on matrix identities shows of a command is what it prints; its sessions are run with all pages."""

import re
import shlex
from pathlib import Path

from paper_checks.commands.main import main

TUTORIAL = Path(__file__).parents[3] / "docs" / "tutorials" / "matrix_identities.md"


def test_the_command_of_the_tutorial_prints_what_is_shown(capsys):
    ((command, output),) = re.findall(r"\$ paper-checks (.*)\n((?:.+\n)+)```", TUTORIAL.read_text(encoding="utf-8"))
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out == output
