"""What the README shows is what happens."""

import doctest
import re
from pathlib import Path

import pytest

from paper_checks.claims import catalogue
from paper_checks.commands.main import main

pytestmark = pytest.mark.slow

README = Path(__file__).parents[1] / "README.md"


def test_sessions_in_the_readme_give_what_they_show():
    result = doctest.testfile(str(README), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 8
    assert result.failed == 0


def test_claims_file_in_the_readme_runs(tmp_path, capsys):
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    (code,) = [b for b in blocks if "claim(" in b]
    file = tmp_path / "my_paper.py"
    file.write_text(code, encoding="utf-8")
    assert main(["verify", "--claims", str(file)]) == 0
    assert "mine/eq1" in (shown := capsys.readouterr().out)
    assert "REFUTED" in shown


@pytest.mark.parametrize("command", ["list", "show", "verify", "report", "figures"])
def test_commands_of_the_readme_exist(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    assert command in capsys.readouterr().out


def test_claims_that_the_readme_names_exist():
    named = re.findall(r"paper-checks (?:show|verify|list|seeds) '?((?:galu|nau|relu)[^\s'`,]*)", README.read_text())
    assert len(named) >= 3
    for pattern in named:
        assert catalogue.load([pattern]).select([pattern])
