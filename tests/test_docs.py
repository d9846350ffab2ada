"""README and documentation: their examples run, what they name exists, and they are plain to read."""

import doctest
import json
import re
import shlex
from pathlib import Path

import pytest

from montecarlo.engine.models import load_module
from paper_checks.claims import catalogue
from paper_checks.commands.options import RECORD
from paper_checks.record import Record
from tests import english

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
DOCS = sorted(p for p in (ROOT / "docs").rglob("*.md") if not {"results", "_build"} & set(p.parts))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CODE_OF_CONDUCT.md", *DOCS]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
FENCE = re.compile(r"^```.*$", re.MULTILINE)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name, language):
    return re.findall(rf"```{language}\n(.*?)```", text_of(name), re.DOTALL)


@pytest.mark.parametrize("name", [name for name in NAMES if ">>>" in text_of(name)])
def test_sessions_give_what_they_show(name):
    parsed = doctest.DocTestParser().get_doctest(FENCE.sub("", text_of(name)), {}, name, name, 0)
    result = doctest.DocTestRunner(optionflags=OPTIONS).run(parsed)
    assert result.attempted > 3
    assert result.failed == 0


def test_there_are_examples_for_each_reader():
    with_sessions = {Path(name).stem for name in NAMES if ">>>" in text_of(name)}
    assert {"README", "initialisation", "cite", "formula", "table"} <= with_sessions
    assert len(text_of("README.md").splitlines()) <= 120


FROM_LATEX = "docs/tutorials/from_latex.md"


def sessions():
    for name in NAMES:
        if name == FROM_LATEX:  # its commands read files that it shows
            continue
        for block in blocks(name, "console"):
            for part in block.split("$ ")[1:]:
                command, _, shown = part.partition("\n")
                yield pytest.param(command, shown, id=f"{name}: {command}")


@pytest.mark.parametrize(("command", "shown"), list(sessions()))
def test_commands_print_what_is_shown(command, shown, said):
    program, *arguments = shlex.split(command)
    assert program == "paper-checks"
    out = said(0, *arguments)
    assert doctest.OutputChecker().check_output(shown, out, OPTIONS), out


def test_a_latex_source_becomes_the_stubs_that_are_shown(said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dropout.tex").write_text(blocks(FROM_LATEX, "latex")[0], encoding="utf-8")
    command, _, shown = blocks(FROM_LATEX, "console")[0].removeprefix("$ paper-checks ").partition("\n")
    out = said(0, *command.split())
    assert doctest.OutputChecker().check_output(shown, out, OPTIONS), out
    assert blocks(FROM_LATEX, "python")[0] in (tmp_path / "dropout.py").read_text(encoding="utf-8")


def commands():
    for name in NAMES:
        text = text_of(name)
        found = re.findall(r"(?:`|^)paper-checks ((?:list|show|init|coverage) [^`\n#]+)", text, re.MULTILINE)
        yield from (c.replace("'", "").strip() for c in found if not {"ID", "--against"} & set(c.split()))


@pytest.mark.parametrize("command", sorted(set(commands())))
def test_commands_that_are_named_run(command, said):
    said(0, *command.split())


def test_the_file_of_claims_is_judged_as_the_text_says(said, tmp_path):
    (code,) = (block for block in blocks("docs/tutorials/paper.md", "python") if "claim(" in block)
    file = tmp_path / "my_paper.py"
    file.write_text(code, encoding="utf-8")
    assert re.search("mine/eq1 +REFUTED", said(0, "verify", file))


def test_a_claim_is_drawn_into_axes_as_the_text_says():
    (code,) = (block for block in blocks("docs/tutorials/paper.md", "python") if "ax=" in block)
    names = {}
    exec(code, names)
    assert names["above"].lines
    assert names["below"].get_xlabel()


@pytest.mark.parametrize("name", NAMES)
def test_claims_that_are_named_exist(name):
    named = set(re.findall(r"`((?:galu|nau|nerva|relu|smooth|constants)/[^\s`*]+)`", text_of(name)))
    runs = {match for match in named if match.startswith(("nau/table", "nau/figure"))}
    assert named - runs <= {claim.id for claim in catalogue.load()} | {"nau/eq12"}


@pytest.mark.parametrize("name", NAMES)
def test_links_to_files_lead_somewhere(name):
    for target in re.findall(r"\]\(<?([^)>#]+)[^)]*\)", text_of(name)):
        if not target.startswith("http") and "results/" not in target:
            assert (ROOT / name).parent.joinpath(target).exists(), target


def test_the_table_of_results_is_that_of_the_saved_verdicts():
    readme = load_module(ROOT / "docs" / "readme.py", "docs_readme")
    table = readme.results(catalogue.load(), Record.read(RECORD))
    assert readme.with_results(text_of("README.md"), table) == text_of("README.md"), "run 'python docs/readme.py'"
    assert table.count("\n") == 2 + len(catalogue.papers())


def test_all_fields_of_json_are_described(said):
    found = json.loads(said(0, "show", "nau/eq59", "--json"))
    assert set(found) | set(found["points"][0]) <= set(re.findall(r"`(\w+)`", text_of("docs/commands.md")))


def test_every_command_has_its_help_in_the_manual():
    from paper_checks.commands.main import COMMANDS

    assert re.findall(r":::\{command\} (\w+)", text_of("docs/commands.md")) == list(COMMANDS)


def test_sentences_are_short_on_average():
    paragraphs = [paragraph for page in PAGES for paragraph in english.paragraphs(page)]
    assert len(paragraphs) > 200
    assert english.mean_length(paragraphs) <= english.MEAN


@pytest.mark.parametrize("name", NAMES)
def test_pages_are_plain(name):
    assert [fault for text in english.paragraphs(ROOT / name) for fault in english.faults(text)] == []


def test_broken_links_of_pages_are_found(tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html#here"> <a href="b.html#there"> <img src="no.png"> <a href="x:y">')
    (tmp_path / "b.html").write_text('<p id="here">')
    broken = load_module(ROOT / "docs" / "links.py", "docs_links").broken
    assert list(broken(tmp_path)) == ["a.html: no place b.html#there", "a.html: no file no.png"]
