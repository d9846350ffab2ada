"""One's own paper is as easy as ours: files on the path, verdicts beside them, a template, tests of pytest."""

import sys

import pytest
from sympy import Rational

from paper_checks import Claim
from paper_checks.claims.selection import NoSuchClaim, selected
from paper_checks.commands.choosing import files_here
from paper_checks.record import Record
from theory import Formula

pytestmark = pytest.mark.slow

ONE = """
from helpers import half
from montecarlo import mean
from montecarlo.kernels.raw_draws import uniforms
from paper_checks import claim, grid, paper

paper("one", "One", "Me")
claim("one/mean", at="eq. (1)", says="the mean", printed=half, points=grid(draw=0), measured=mean(uniforms))
"""
HELPERS = """
from sympy import Rational
from theory import Formula

half = Formula("one half", Rational(1, 2))
"""
OTHER = """
from paper_checks import claim, paper, unchecked
paper("other", "Other", "Me")
claim("other/fast", at="p. 1", says="it is fast", expects=unchecked("no times are given"))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name, text in (("one.py", ONE), ("helpers.py", HELPERS), ("other.py", OTHER)):
        (tmp_path / name).write_text(text)
    # What a user may well have, and what must not be taken for ours.
    (tmp_path / "theory.py").write_text("raise RuntimeError('not this theory')")
    (tmp_path / "figures").mkdir()
    yield tmp_path
    sys.modules.pop("helpers", None)


def test_verdicts_are_kept_beside_the_file_and_found_there(folder, in_process):
    assert "mine" not in in_process("list", "one.py")[1]
    assert in_process("list", "one.py")[1].split()[1] == "-"
    assert in_process("verify", "one.py")[0] == 0
    assert (folder / "one.verdicts.json").exists()
    assert in_process("list", "one.py")[1].split()[1] == "CONFIRMED"
    assert "verdict:   CONFIRMED" in in_process("show", "one/mean", "--claims", "one.py")[1]
    assert "verdict:   CONFIRMED" in in_process("show", "one/mean")[1]
    (folder / "other.verdicts.json").write_text("{damaged")
    assert [files_here(i) for i in ("one/mean", "other/fast", "nau/eq59")] == [["one.py"], [], []]
    assert in_process("report", "one.py")[0] == 0
    assert "one" in (folder / "one.md").read_text(encoding="utf-8")


def test_figures_of_any_claim_are_drawn_and_shown_in_the_report(folder, in_process):
    assert "run 'paper-checks verify one.py' first" in in_process("figures", "one.py")[2]
    in_process("new", "two.py")
    for file, name in (("one.py", "one-mean"), ("two.py", "two-eq1")):
        assert in_process("verify", file)[0] == 0
        status, out, err = in_process("figures", file)
        assert (status, err) == (0, "")
        assert out.strip().endswith(f"{name}.png")
        assert in_process("report", file)[0] == 0
        picture = f"{file[:-3]}.figures/{name}.png"
        assert (folder / picture).stat().st_size > 10_000
        assert f"]({picture})" in (folder / file).with_suffix(".md").read_text(encoding="utf-8")


def test_several_files_are_judged_together(folder, said):
    assert "2 claims: 2 as expected" in said(0, "verify", "one.py", "--claims", "other.py")
    (folder / "again.py").write_text(OTHER)
    assert "'other/fast', which another file has" in said(2, "verify", "other.py", "again.py")


def test_an_id_means_one_claim_and_its_parts_when_asked(folder):
    ids = ["he/eq9", "he/eq9.input", "he/eq10.a"]
    assert selected(ids, ["he/eq9"]) == ["he/eq9"]
    assert selected(ids, ["he/eq9*"]) == ["he/eq9", "he/eq9.input"]
    with pytest.raises(NoSuchClaim, match=r"'he/eq10\*' matches all parts"):
        selected(ids, ["he/eq10"])


def test_a_template_is_a_paper_that_verifies(folder, in_process, said):
    assert in_process("new", "my_paper.py")[0] == 0
    out = said(0, "verify", "my_paper.py")
    assert "mypaper/eq1" in out
    assert "REFUTED" in out
    assert "exists already" in said(2, "new", "my_paper.py")


def test_pytest_has_one_test_for_each_claim(folder, forks):
    (folder / "wrong.py").write_text(
        ONE + "from sympy import Rational\nfrom theory import Formula\n"
        "claim('one/wrong', at='', says='', printed=Formula('a third', Rational(1, 3)), points=grid(draw=0),"
        " measured=mean(uniforms))\n"
    )  # fmt: skip
    command = ["--paper-checks", "wrong.py", "-q", "-p", "no:cacheprovider", "-n0"]
    (done,) = forks.run(f"import sys, pytest; sys.exit(pytest.main({command}))")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert "REFUTED" in done.stdout
    assert "Traceback" not in done.stdout


def test_pytest_finds_the_files_of_its_setting(folder, forks):
    (folder / "mine.py").write_text(ONE)
    (folder / "test_other.py").write_text("def test_other():\n    assert True\n")
    (folder / "pytest.ini").write_text("[pytest]\npaper_checks = mine.py\n")
    done, named, missing = forks.run(
        *(
            f"import sys, pytest; sys.exit(pytest.main({['-q', '-p', 'no:cacheprovider', '-n0', *more]}))"
            for more in ([], ["mine.py"], ["-o", "paper_checks=nowhere.py"])
        )
    )
    assert "2 passed" in done.stdout, done.stdout + done.stderr
    assert [v.id for v in Record.read(folder / "mine.verdicts.json").verdicts] == ["one/mean"]
    assert "1 passed" in named.stdout, named.stdout + named.stderr
    assert missing.returncode == 4
    assert "paper_checks: must name files of claims, got" in missing.stderr


def test_a_claim_with_a_mistake_is_left_out_and_the_others_go_on(folder, in_process, forks, said):
    lines = ONE + "claim('one/slip', at='', says='', printd=1)\nclaim('one/bare', says='', points=grid(draw=0))\n"
    (folder / "slips.py").write_text(lines)
    first = lines.count("\n") - 1
    for command in (["verify"], ["list"], ["report"]):
        status, out, err = in_process(*command, "slips.py")
        assert status == 2, out + err
        assert f"slips.py, line {first}: claim one/slip: printd= is not a field of a claim; write printed=" in err
        assert f"slips.py, line {first + 1}: claim one/bare: at= is missing; write at=" in err
        assert err.count("one/slip") == 1
    assert [v.id for v in Record.read(folder / "slips.verdicts.json").verdicts] == ["one/mean"]
    options = ["--paper-checks", "slips.py", "-q", "-p", "no:cacheprovider", "-n0"]
    (done,) = forks.run(f"import sys, pytest; sys.exit(pytest.main({options}))")
    assert "2 failed, 1 passed" in done.stdout
    assert "Traceback" not in done.stdout
    (folder / "all.py").write_text(lines.replace('at="eq. (1)", ', ""))
    assert "write at=" in said(2, "verify", "all.py")


def test_a_notebook_shows_a_claim_as_equations():
    form = Formula("a third", Rational(1, 3), lhs="E[u]")
    shown = Claim("one/third", "eq. (1)", "the mean is 1/3", printed=form, derivation=lambda: Rational(1, 3))
    assert shown._repr_markdown_() == "**one/third**, eq. (1): the mean is 1/3\n\n$$ E[u] = \\frac{1}{3} $$"


OPEN = """
from sympy import Symbol
from sympy.stats import LogNormal, Normal
from montecarlo import mean
from paper_checks import Simulated, claim, grid, paper
from theory import Formula

paper("open", "Open", "Me")
k = Symbol("k", positive=True)
claim("open/slow", at="", says="a mean", printed=Formula("mean", k), points=grid(k="1/100"),
      measured=mean(Simulated(Normal("x", k, 1))))
"""


@pytest.mark.parametrize("budget", ["20000", "0.001s"])
def test_a_budget_ends_what_is_open_and_says_what_would_be_needed(folder, in_process, budget, said):
    (folder / "open.py").write_text(OPEN)
    out = said(1, "verify", "open.py", "--budget", budget)
    assert "INCONCLUSIVE" in out
    assert "samples would settle it" in out
    assert in_process("verify", "one.py", "--budget", "1e6")[0] == 0
    for wrong in ("0", "-1s", "soon", "nans"):
        assert in_process("verify", "one.py", f"--budget={wrong}")[0] == 2


def test_what_is_hopeless_is_given_up_long_before_its_budget_is_spent(folder, said):
    (folder / "open.py").write_text(OPEN.replace("1/100", "1/10000"))
    assert "samples would settle it, stopped at 4e+06" in said(1, "verify", "open.py", "--budget", "1e8")
