"""Papers and figures that are installed: ours, somebody else's, and what list and show say of every claim."""

import contextlib
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kernels_for_tests import MINE

from paper_checks import Registry
from paper_checks.claims import catalogue
from paper_checks.claims.declaring import INSTALLED
from paper_checks.commands import entries, init, options
from paper_checks.commands.main import main
from paper_checks.judging.judge import DEFAULT_SEED
from paper_checks.record import DEFAULT
from paper_checks.rules.means import RESOLUTION
from theory.initialisation import CRITERIA, DISTRIBUTIONS

pytestmark = pytest.mark.slow

PAPER = MINE.replace("mine", "theirs")
FIGURES = """
from pathlib import Path

class Gallery:
    def __iter__(self):
        return iter(["their_figure"])

    def caption(self, name):
        return "What it shows."

    def render(self, name, folder, **options):
        path = Path(folder) / f"{name}.txt"
        path.write_text(f"seed {options['seed']}")
        return path

GALLERY = Gallery()
"""
POINTS = """
[paper_checks.papers]
theirs = their_paper

[paper_checks.figures]
theirs = their_figures:GALLERY
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a distribution with a paper and figures, by its entry points; gone after the test."""
    site = tmp_path / "site"
    before = set(sys.modules)

    def install(their_paper=PAPER, points=POINTS):
        info = site / "their_checks-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-checks\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(points)
        (site / "their_paper.py").write_text(their_paper)
        (site / "their_figures.py").write_text(FIGURES)
        catalogue._on_path.cache_clear()
        monkeypatch.syspath_prepend(str(site))

    yield install
    for module in {m for m in set(sys.modules) - before if m.startswith("their")}:
        del sys.modules[module]
    INSTALLED.move("theirs", Registry())
    catalogue._on_path.cache_clear()


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder for kept entries, at first with those that are kept for the user."""
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(["list"]) == 0
    home = tmp_path_factory.mktemp("cache")
    folder = home / "paper-checks" / "entries"
    folder.mkdir(parents=True)
    for point in catalogue.papers().values():
        shutil.copy(entries._cache_file(point), folder)
    return home


@pytest.fixture(autouse=True)
def here(tmp_path, kept, monkeypatch):
    """Nothing is written into the working copy."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PAPER_CHECKS_CACHE", str(kept))


# Every claim.


def test_list_and_show_answer_for_every_claim(in_process):
    status, out, err = in_process("list")
    ids = [line.split()[0] for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert ids == [c.id for c in catalogue.load()]
    objects = [json.loads(line, parse_constant=pytest.fail) for line in in_process("list", "--json")[1].splitlines()]
    assert [o["id"] for o in objects] == ids
    for known in objects:
        status, out, err = in_process("show", known["id"])
        assert (status, err) == (0, ""), known["id"]
        assert out.startswith(known["id"])
        says = known["statement"][1:].rstrip(".")
        assert says in out
        assert " nan" not in out.replace(says, ""), known["id"]
    for known in objects[::20]:
        assert json.loads(in_process("show", known["id"], "--json")[1]) == known


def test_kept_entries_are_used_again_and_not_when_anything_has_changed(said, kept, monkeypatch):
    out = said(0, "list", "galu")
    (file,) = (kept / "paper-checks" / "entries").glob("galu-*.json")
    file.write_text(file.read_text().replace("theorem", "THEOREM").replace("matri", "MATRI"))
    entries._current.cache_clear()
    assert said(0, "list", "galu") == out.replace("theorem", "THEOREM").replace("matri", "MATRI") != out
    entries._current.cache_clear()
    monkeypatch.setattr(entries, "_digest_of_rooms", lambda: "other sources")
    assert said(0, "list", "galu") == out
    file.write_text("half a fi")
    entries._current.cache_clear()
    assert said(0, "list", "galu") == out


def test_a_cache_that_cannot_be_written_does_no_harm(said, install, monkeypatch):
    install()
    Path("cache").write_text("a file")
    monkeypatch.setenv("PAPER_CHECKS_CACHE", "cache")
    said(0, "show", "theirs/mean")


def test_show_wants_one_claim(in_process, said):
    assert "must match one claim" in said(2, "show", "nau/eq2*")
    ids = [c.id for c in catalogue.load()]
    above = next(i for i in ids if any(other.startswith(f"{i}.") for other in ids))
    assert in_process("show", above)[1].split()[0] == above  # though it also stands for those below it in 'list'


# What takes time is not imported.


def loaded_by(*arguments):
    program = f"import sys\nfrom paper_checks.commands.main import main\nmain({list(arguments)})\n" + (
        "print('LOADED', *(m for m in ('numpy', 'sympy', 'numba', 'scipy', 'matplotlib') if m in sys.modules))"
    )
    return subprocess.check_output([sys.executable, "-c", program], text=True).splitlines()[-1].split()[1:]


def test_list_and_show_import_nothing_slow_the_second_time(in_process):
    in_process("list")
    assert loaded_by("list", "nau") == []
    assert loaded_by("show", "relu/eq26", "--json") == []


def test_a_command_imports_only_the_papers_it_is_asked_about(said, install, monkeypatch):
    install()
    loaded = []
    load = catalogue._loaded
    monkeypatch.setattr(catalogue, "_loaded", lambda point: loaded.append(point.name) or load(point))
    said(0, "verify", "theirs")
    said(0, "list", "theirs/m*")
    assert set(loaded) == {"theirs"}


def test_names_that_a_parser_knows_are_those_of_the_other_rooms():
    assert options.SEED == DEFAULT_SEED
    assert tuple(sorted(RESOLUTION)) == options.TIERS
    assert options.RECORD == DEFAULT
    assert tuple(sorted(name.replace("_", "-") for name in [*CRITERIA, "dense"])) == init.UNITS
    assert tuple(sorted(DISTRIBUTIONS)) == init.DISTRIBUTIONS


# Papers and figures of others.


def test_a_paper_of_another_distribution_has_the_standing_of_ours(said, install):
    install()
    assert len(said(0, "list", "theirs").splitlines()) == 1
    assert "not verified yet" in said(0, "show", "theirs/mean")
    said(0, "verify", "theirs")
    listed = {line.split("/")[0] for line in said(0, "list").splitlines()}
    assert listed == {"constants", "galu", "nau", "nerva", "relu", "smooth", "theirs"}


def test_a_figure_of_another_distribution_has_the_standing_of_ours(in_process, install):
    install()
    assert {"their_figure", "figure8"} <= set(in_process("figures", "--list")[1].split())
    assert in_process("figures", "their_figure", "--folder", ".", "--seed", "5") == (0, "their_figure.txt\n", "")
    assert Path("their_figure.txt").read_text() == "seed 5"


@pytest.mark.parametrize(("text", "words"), [
    ("1 / 0", ["their_paper of their-checks", "line 1", "ZeroDivisionError"]),
    ("import no_such_module", ["their_paper of their-checks", "no_such_module"]),
    (PAPER.replace("theirs", "others"), ["installed as paper 'theirs', but does not declare it"]),
    (PAPER + PAPER, ["'theirs/mean' twice"]),
])  # fmt: skip
def test_a_broken_paper_is_named_and_leaves_the_others_alone(said, install, text, words):
    install(their_paper=text)
    for command in ("list", "verify"):
        err = said(2, command, "theirs")
        assert all(word in err for word in words), err
    said(0, "show", "nau/eq26")
    INSTALLED.move("others", Registry())


def test_two_papers_of_one_name_are_refused(said, install):
    install(points="[paper_checks.papers]\nnau = their_paper\n")
    err = said(2, "list", "nau")
    assert "their_paper of their-checks" in err
    assert "paper-checks" in err


def test_without_any_installed_paper_it_says_what_to_do(in_process, monkeypatch):
    monkeypatch.setattr(catalogue, "entry_points", lambda group: [])
    catalogue._on_path.cache_clear()
    status, _, err = in_process("list")
    catalogue._on_path.cache_clear()
    assert status == 2
    assert "install the project again" in err


def test_a_file_that_imports_an_installed_paper_declares_its_own_claims_only(install):
    install()
    Path("mine.py").write_text(
        "from paper_checks import claim, paper, unchecked\nimport their_paper\npaper('mine', 'M', 'Me')\n"
        "claim('mine/x', at='p. 1', says='x', expects=unchecked('no'))\n"
    )
    assert [c.id for c in catalogue.load_file("mine.py")] == ["mine/x"]
    assert [c.id for c in catalogue.load(["theirs"])] == ["theirs/mean"]


# Completion.


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_the_shell(said, shell):
    assert "paper-checks" in said(0, "completion", shell)


@pytest.mark.parametrize(("line", "offered"), [
    ("paper-checks ver", {"verify"}), ("paper-checks show n", {"nau/"}), ("paper-checks show nau/eq2", {"nau/eq26"}),
    ("paper-checks figures figu", {"figure8"}),
    ("paper-checks verify --tier q", {"quick"}), ("paper-checks init nm", {"nmu"}),
])  # fmt: skip
def test_a_shell_is_offered_commands_ids_and_figures(tmp_path, line, offered):
    environment = {
        "PATH": "/usr/bin:/bin", "_ARGCOMPLETE": "1", "_ARGCOMPLETE_STDOUT_FILENAME": str(tmp_path / "offered"),
        "COMP_LINE": line, "COMP_POINT": str(len(line)), "COMP_TYPE": "9", "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
    }  # fmt: skip
    subprocess.run([sys.executable, "-m", "paper_checks"], env=environment, check=False, capture_output=True)
    found = {word.strip() for word in (tmp_path / "offered").read_text().split("\n")}
    assert offered <= found
    assert all(word.startswith(line.split()[-1]) for word in found if word)


# Training runs that come with a paper.

SWEPT = """
from kernels_for_tests import training
from montecarlo import Sweep
from paper_checks import Reproduces, claim, concluded, paper

paper("theirs", "Their paper", "A. N. Other")
RUNS = Sweep("theirs/runs", "training runs", training, [{"step_size": s} for s in (0.01, 0.3)], 4, seed=3,
             settings={"steps": 20, "law": "normal"}, stored=True)
claim("theirs/trained", at="p. 2", says="it trains", relation=Reproduces(), runs=RUNS,
      experiment=lambda context: concluded("CONFIRMED", str(len(context.rows(RUNS)))))
"""


def test_a_stored_sweep_is_trained_by_its_name_and_read_by_its_claim(in_process, install, tmp_path, said):
    install(their_paper=SWEPT)

    def listed():
        return next(line.split() for line in said(0, "train", "--list").splitlines() if line.startswith("theirs/"))

    assert listed() == ["theirs/runs", "8", "runs", "not", "trained"]
    assert "paper-checks train theirs/runs" in said(1, "verify", "theirs")
    file = tmp_path / "site" / "results" / "theirs.runs.json"
    assert in_process("train", "theirs/runs", "--store", "s") == (0, f"{file}\n", "")
    assert listed()[-1] == "stored"
    said(0, "train", "theirs/runs", "--store", "s", "--results", "r")
    assert Path("r/theirs.runs.json").read_bytes() == file.read_bytes()
    said(0, "train", "theirs/runs", "--store", "s", "--results", "few", "--seeds", "2")
    stored, few = (json.loads(p.read_text())["points"] for p in (file, Path("few/theirs.runs.json")))
    for whole, part in zip(stored, few, strict=True):
        assert {name: values[:2] for name, values in whole["rows"].items()} == part["rows"]
    assert "theirs/runs" in said(2, "train", "theirs/other")
    assert "theirs/runs" in said(2, "train")
    assert "--results" in said(2, "train", "theirs/runs", "--seeds", "2")
    text = file.read_text()
    file.write_text(text.replace('"version": 1', '"version": 2'))
    assert listed()[3:] == ["of", "another", "version", "or", "other", "settings"]
    said(2, "train", "theirs/runs", "--replay", "3")
    file.write_text(text)
    assert said(0, "train", "theirs/runs", "--replay", "3").splitlines() == [
        "  theirs/runs: 2 of 2 runs the same to 9 digits", "1 experiments replayed at seed 3: 0 not as stored",
    ]  # fmt: skip


# Seeds.


def test_seeds_reports_what_is_not_as_declared_at_any_of_them(install, said):
    install()
    out = said(0, "seeds", "theirs", "--count", "2", "--seed", "7")
    assert "seed 7: 1 claim, 0 not as expected" in out
    assert "seed 8: 1 claim, 0 not as expected" in out
    Path("mine.py").write_text(MINE.replace("Rational(1, 2)", "Rational(1, 3)"))
    out = said(1, "seeds", "--claims", "mine.py", "--count", "2")
    assert out.count("mine/mean: REFUTED, expected CONFIRMED") == 2
    assert "2 verdicts not as expected" in out
