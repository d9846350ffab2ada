"""One's own paper is as easy as ours: files on the path, verdicts beside them, a template, tests of pytest."""

import sys
from dataclasses import replace

import pytest
from sympy import Rational

from paper_checks import Claim
from paper_checks.claims.selection import NoSuchClaim, selected
from paper_checks.commands.choosing import files_here
from paper_checks.record import Record
from theory import Formula

pytestmark = pytest.mark.slow

ONE = """
from helpers import half, third
from montecarlo import mean
from montecarlo.kernels.raw_draws import uniforms
from paper_checks import claim, grid, paper

paper("one", "One", "Me")
claim("one/mean", at="eq. (1)", says="the mean", printed=half, points=grid(draw=0), measured=mean(uniforms))
"""
HELPERS = """
from sympy import Rational
from theory import Formula
half, third = (Formula("a fraction", Rational(1, k)) for k in (2, 3))
"""
OTHER = """
from paper_checks import claim, paper, unchecked
paper("other", "Other", "Me")
claim("other/fast", at="p. 1", says="it is fast", expects=unchecked("no times are given"))
"""


@pytest.fixture(autouse=True)
def files(folder, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name, text in (("one.py", ONE), ("helpers.py", HELPERS), ("other.py", OTHER)):
        (folder / name).write_text(text)
    # What a user may well have, and what must not be taken for ours.
    (folder / "theory.py").write_text("raise RuntimeError('not this theory')")
    (folder / "figures").mkdir()
    yield
    sys.modules.pop("helpers", None)


def test_verdicts_are_kept_beside_the_file_and_found_there(folder, said):
    assert said(0, "list", "one.py").split()[1] == "-"
    said(0, "verify", "one.py")
    assert (folder / "one.verdicts.json").exists()
    assert said(0, "list", "one.py").split()[1] == "CONFIRMED"
    assert "verdict:   CONFIRMED" in said(0, "show", "one/mean", "--claims", "one.py")
    assert "verdict:   CONFIRMED" in said(0, "show", "one/mean")
    (folder / "other.verdicts.json").write_text("{damaged")
    assert [files_here(i) for i in ("one/mean", "other/fast", "nau/eq59")] == [["one.py"], [], []]
    said(0, "report", "one.py")
    assert "one" in (folder / "one.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("was", "now"), [("printed=half", "printed=third"), ("the mean", "the median")])
def test_a_verdict_on_another_formula_or_statement_is_none_on_this_claim(folder, said, in_process, was, now):
    (folder / "one.py").write_text(ONE)
    said(0, "verify", "one.py")
    said(0, "report", "one.py")
    (folder / "one.py").write_text(ONE.replace(was, now))
    changed = "changed since it was verified; run 'paper-checks verify one.py'"
    assert said(0, "list", "one.py").split()[1] == "changed"
    shown = said(0, "show", "one/mean")
    assert changed in shown
    assert "CONFIRMED" not in shown
    status, _, err = in_process("report", "one.py", "--check")
    assert status == 1
    assert f"one/mean {changed}" in err
    said(0, "report", "one.py")
    report = (folder / "one.md").read_text(encoding="utf-8")
    assert "Not run: `one/mean`." in report
    assert "**Correct**: 0 of 0" in report
    assert "verify what has changed" in said(2, "figures", "one.py")
    said(1 if "third" in now else 0, "verify", "one.py")
    assert said(0, "list", "one.py").split()[1] == ("REFUTED" if "third" in now else "CONFIRMED")
    # A file of verdicts that does not say what was judged is as good as before.
    record = Record.read(folder / "one.verdicts.json")
    replace(record, verdicts=tuple(replace(v, stated="") for v in record.verdicts)).write(folder / "one.verdicts.json")
    (folder / "one.py").write_text(ONE)
    assert "verdict:" in said(0, "show", "one/mean")


def test_commands_that_are_named_quote_a_file_with_a_space(folder, said, in_process):
    (folder / "my one.py").write_text(ONE)
    assert "not verified yet: paper-checks verify 'my one.py'" in said(0, "show", "one/mean", "--claims", "my one.py")
    assert """run "paper-checks verify 'my one.py'" first""" in in_process("report", "my one.py")[2]
    said(0, "verify", "my one.py")
    said(0, "report", "my one.py")
    written = "`paper-checks verify 'my one.py' --tier quick --seed 20190` and `paper-checks report 'my one.py'` write"
    assert written in (folder / "my one.md").read_text(encoding="utf-8")


def test_the_report_on_ones_own_paper_names_the_commands_that_write_it(folder, said, in_process):
    said(0, "verify", "one.py")
    said(0, "report", "one.py")
    report = (folder / "one.md").read_text(encoding="utf-8")
    for words in ("`paper-checks report one.py` write", "whether one paper is correct", "report one.py --site DIR`"):
        assert words in report
    for words in ("neural networks are", "make docs", "`paper-checks report`"):
        assert words not in report
    (folder / "one.md").write_text("old")
    status, _, err = in_process("report", "one.py", "--check")
    assert status == 1
    assert "one.md is not what 'paper-checks report one.py' writes; run it" in err
    said(0, "verify", "one.py", "other.py", "--record", "both.json")
    assert Record.read(folder / "both.json").command.startswith("paper-checks verify one.py other.py --tier quick")
    assert Record.read(folder / "both.json").command.endswith("--record both.json")


def test_a_damaged_file_of_verdicts_is_written_again_by_the_command_that_is_named(folder, said):
    (folder / "one.verdicts.json").write_text("[]")
    for command in ("list", "report"):
        assert "run 'paper-checks verify one.py'" in said(2, command, "one.py")
    said(0, "verify", "one.py")
    assert said(0, "list", "one.py").split()[1] == "CONFIRMED"


def test_figures_of_any_claim_are_drawn_and_shown_in_the_report(said, folder, in_process):
    assert "run 'paper-checks verify one.py' first" in said(2, "figures", "one.py")
    said(0, "new", "two.py")
    for file, name in (("one.py", "one-mean"), ("two.py", "two-eq1")):
        said(0, "verify", file)
        status, out, err = in_process("figures", file)
        assert (status, err) == (0, "")
        assert out.strip().endswith(f"{name}.png")
        said(0, "report", file)
        picture = f"{file[:-3]}.figures/{name}.png"
        assert (folder / picture).stat().st_size > 10_000
        assert f"]({picture})" in (folder / file).with_suffix(".md").read_text(encoding="utf-8")


def test_several_files_are_judged_together(folder, said):
    assert "2 claims: 2 as expected" in said(0, "verify", "one.py", "--claims", "other.py")
    (folder / "again.py").write_text(OTHER)
    assert "'other/fast', which another file has" in said(2, "verify", "other.py", "again.py")


def test_an_id_that_only_parts_have_is_told_how_to_ask_for_them():
    with pytest.raises(NoSuchClaim, match=r"'he/eq10\*' matches all parts"):
        selected(["he/eq9", "he/eq10.a"], ["he/eq10"])


def test_a_template_is_a_paper_that_verifies(in_process, said):
    assert in_process("new", "my_paper.py")[0] == 0
    out = said(0, "verify", "my_paper.py")
    assert "mypaper/eq1" in out
    assert "REFUTED" in out
    assert "exists already" in said(2, "new", "my_paper.py")


def by_pytest(forks, *several):
    """What comes of pytest with some options, or with others."""
    options = ([*some, "-q", "-p", "no:cacheprovider", "-n0"] for some in several)
    return forks.run(*(f"import sys, pytest; sys.exit(pytest.main({some}))" for some in options))


def test_pytest_has_one_test_for_each_claim_of_the_files_of_its_setting(folder, forks):
    more = "claim('one/wrong', at='', says='', printed=third, points=grid(draw=0), measured=mean(uniforms))\n"
    (folder / "mine.py").write_text(ONE + more)
    (folder / "test_other.py").write_text("def test_other():\n    assert True\n")
    (folder / "pytest.ini").write_text("[pytest]\npaper_checks = mine.py\n")
    done, named, missing = by_pytest(forks, [], ["mine.py"], ["-o", "paper_checks=nowhere.py"])
    assert "1 failed, 2 passed" in done.stdout, done.stdout + done.stderr
    assert "REFUTED" in done.stdout
    assert "Traceback" not in done.stdout
    assert done.returncode == 1
    assert [v.id for v in Record.read(folder / "mine.verdicts.json").verdicts] == ["one/mean", "one/wrong"]
    assert "1 failed, 1 passed" in named.stdout, named.stdout + named.stderr
    assert missing.returncode == 4
    assert "paper_checks: must name files of claims, got" in missing.stderr


def test_a_claim_with_a_mistake_is_left_out_and_the_others_go_on(folder, forks, said):
    lines = ONE + "claim('one/slip', at='', says='', printd=1)\nclaim('one/bare', says='', points=grid(draw=0))\n"
    (folder / "slips.py").write_text(lines)
    first = lines.count("\n") - 1
    for command in (["verify"], ["list"], ["report"]):
        err = said(2, *command, "slips.py")
        assert f"slips.py, line {first}: claim one/slip: printd= is not a field of a claim; write printed=" in err
        assert f"slips.py, line {first + 1}: claim one/bare: at= is missing; write at=" in err
        assert err.count("one/slip") == 1
    assert [v.id for v in Record.read(folder / "slips.verdicts.json").verdicts] == ["one/mean"]
    (done,) = by_pytest(forks, ["--paper-checks", "slips.py"])
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
def test_a_budget_ends_what_is_open_and_says_what_would_be_needed(folder, budget, said):
    (folder / "open.py").write_text(OPEN)
    out = said(1, "verify", "open.py", "--budget", budget)
    assert "INCONCLUSIVE" in out
    assert "samples would settle it" in out
    said(0, "verify", "one.py", "--budget", "1e6")
    for wrong in ("0", "-1s", "soon", "nans"):
        said(2, "verify", "one.py", f"--budget={wrong}")


def test_what_is_hopeless_is_given_up_long_before_its_budget_is_spent(folder, said):
    (folder / "open.py").write_text(OPEN.replace("1/100", "1/10000"))
    assert "samples would settle it, stopped at 4e+06" in said(1, "verify", "open.py", "--budget", "1e8")
