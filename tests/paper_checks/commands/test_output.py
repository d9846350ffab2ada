"""What scripts and terminals rely on: JSON, exit statuses, colours."""

import io
import json
import sys

import pytest

from paper_checks.commands import terminal
from paper_checks.commands.main import COMMANDS

pytestmark = pytest.mark.slow


def objects(text):
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(("arguments", "names"), [
    (("coverage", "galu"), {"paper", "place", "statement", "outcome", "claims"}),
    (("seeds", "nau/eq26", "--count", 2), {"id", "verdict", "seed"}),
    (("figures", "--list"), {"name", "caption", "details", "settings"}),
    (("gradient", "tanh(X @ W.T)", "--by", "W", "X:N,D", "W:K,D"), {"gradient", "proved"}),
    (("train", "--list", "nau/table3"), {"name", "runs", "state"}),
    (("init", "nmu", "--fan-in", 10, "--fan-out", 5), {"recommended"}),
])  # fmt: skip
def test_commands_that_report_speak_json(said, arguments, names):
    found = objects(said(0, *arguments, "--json"))
    assert found
    assert all(names <= set(some) for some in found), list(found[0])


def test_a_gradient_of_nothing_is_not_called_tested(said):
    out = said(0, "gradient", "total(X)", "--by", "Y", "X:N", "Y:N")
    assert "at all tested matrices it is 0 or has no values" in out


@pytest.mark.parametrize(("size", "proved"), [("2,2", "proved for these sizes"), ("n,n", "proved for all sizes")])
def test_a_gradient_of_one_size_is_not_called_one_of_all(said, size, proved):
    assert proved in said(0, "gradient", "inverse(A)", "--by", "A", f"A:{size}")


def test_a_report_that_is_out_of_date_is_named_as_json(said, tmp_path):
    place = tmp_path / "report.md"
    report = ("report", "--output", place, "--json")
    (found,) = objects(said(0, *report))
    assert str(place) in found["files"]
    assert objects(said(0, *report, "--check")) == [found | {"out_of_date": []}]
    place.write_text("other")
    assert objects(said(1, *report, "--check"))[0]["out_of_date"] == [str(place)]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_the_exit_statuses_mean(said, command):
    out = said(0, command, "--help")
    assert "exit status: 0 " in out
    assert "2 usage error" in " ".join(out.split())


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("variables", "coloured"), [
    ({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False),
])  # fmt: skip
def test_colours_are_for_terminals_of_who_wants_them(monkeypatch, variables, coloured):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    line = "nau/eq59  REFUTED         eq. (59): wrong"
    assert terminal.painted(line) == line
    monkeypatch.setattr(sys, "stdout", Terminal())
    red = line.replace("REFUTED", "\x1b[31mREFUTED\x1b[0m")
    assert terminal.painted(line) == (red if coloured else line)
