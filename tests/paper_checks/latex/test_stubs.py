"""From a source to claims: the file that is written loads at once, and is compared with the source."""

import json
from pathlib import Path

import pytest

from paper_checks.claims.catalogue import load_file
from paper_checks.latex.document import source
from paper_checks.latex.reading import readings

PAPERS = Path(__file__).parent / "papers"
SMALL = r"""
\documentclass{article}
\title{Powers}
\author{A. Uthor}
\newtheorem{theorem}{Theorem}
\begin{document}
\section{Means}
\begin{equation}\label{eq:mean} \mathbb{E}[U^k] = \frac{1}{k+1} \end{equation}
\begin{equation}\label{eq:var} \mathrm{Var}[U] = \frac{1}{12} \end{equation}
\begin{theorem}\label{thm:so} So it is. \end{theorem}
\begin{table}\caption{Throws.}\label{tab:throws}
\begin{tabular}{lc} & throws \\ \midrule die & $14.2 \pm 5.8$ \\ coin & $4.6 \pm 1.2$ \end{tabular}
\end{table}
\end{document}
"""
FILLED = """
from sympy import Rational, Symbol
from sympy.stats import Uniform
from montecarlo import mean, variance
from paper_checks import Simulated, claim, grid, paper, unchecked
from theory import Formula

paper("small", "Powers", "A. Uthor")
k = Symbol("k", positive=True)
claim("small/eq-mean", at="eq. (1)", says="the mean of a power",
      printed=Formula("E[U^k]", 1 / (k + 1), lhs=r"\\mathbb{E}[U^k]"), points=grid(k=[1, 2]),
      measured=mean(Simulated(Uniform("u", 0, 1) ** k)))
claim("small/eq-var", at="eq. (2)", says="TODO", expects=unchecked("to be written"))
claim("small/thm-so", at="Theorem 1", says="so it is", expects=unchecked("an opinion"))
claim("small/tab-throws", at="Table 1", says="throws", expects=unchecked("no runs"))
"""


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A folder with a small paper."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.tex").write_text(SMALL)
    return tmp_path


@pytest.mark.parametrize("name", ["icml.tex", "neurips.tex", "ams.tex", "split/main.tex"])
def test_a_claim_for_each_statement_in_the_papers_order(tmp_path, said, name):
    file = tmp_path / "claims.py"
    out = said(0, "new", PAPERS / name, "--to", file)
    found = source(PAPERS / name)
    claims = list(load_file(file))
    assert [c.at for c in claims] == [s.place for s in found.numbered]
    assert all(c.unchecked == "to be written" and c.quote for c in claims)
    assert f"{found.count('equation')} equation" in out
    (paper,) = load_file(file).papers.values()
    assert (paper.title, paper.authors) == (found.title, "Ada Example, Béla Sample")


def test_ids_are_made_of_labels(small, in_process):
    assert in_process("new", "small.tex")[0] == 0
    assert [c.id for c in load_file("small.py")] == [
        "small/eq-mean", "small/eq-var", "small/thm-so", "small/tab-throws",
    ]  # fmt: skip


def test_a_stub_keeps_the_left_hand_side_and_sympys_reading_as_comments(small, in_process):
    in_process("new", "small.tex")
    text = (small / "small.py").read_text()
    assert r'# printed=Formula("TODO: what it is", TODO, lhs=r"\mathbb{E}[U^k]"),' in text
    assert "# SymPy reads the right-hand side as 1/(k + 1); compare it with the paper." in text
    assert not [line for line in text.splitlines() if "1/(k + 1)" in line and not line.lstrip().startswith("#")]


def test_the_commands_take_what_was_written(small, in_process, said):
    in_process("new", "small.tex")
    assert "TODO: what Theorem 1 states" in said(0, "list", "small.py")
    assert "eq. (2)" in in_process("show", "small/eq-var", "--claims", "small.py")[1]
    assert in_process("verify", "small.py", "--json")[0] == 0


def test_a_file_is_never_overwritten(small, in_process):
    (small / "small.py").write_text("mine = 1\n")
    status, _, err = in_process("new", "small.tex")
    assert (status, (small / "small.py").read_text()) == (2, "mine = 1\n")
    assert "small.py exists already; choose another name with --to" in err


def test_readings_of_sympy_are_given_only_where_there_is_one():
    assert readings([r"y = \sqrt{x}", r"y = f(x) + a b", r"y < x", r"\|x\| = \operatorname{rank} A", "x"]) == [
        "sqrt(x)", "", "", "", "",
    ]  # fmt: skip


def test_a_table_is_compared_as_soon_as_there_are_runs(small, in_process, said):
    in_process("new", "small.tex")
    text = (small / "small.py").read_text()
    runs = "[13.0 + (i % 11) / 4 for i in range(200)]"
    given = text.replace("ours={},", f'ours={{"row die, column throws": {runs}}},').replace("n=None", "n=20")
    (small / "small.py").write_text(given)
    assert "spread must say what ± is in 'row die, column throws', got None" in in_process("list", "small.py")[2]
    (small / "small.py").write_text(given.replace("spread=None", 'spread="standard deviation"'))
    out = said(0, "verify", "small/tab-throws", "--claims", "small.py", "--json")
    assert json.loads(out)["verdict"] == "REPRODUCED"


@pytest.mark.parametrize("wrong", ["12.2 ± 0.1", "19.0"])
def test_a_table_that_runs_contradict_is_not_reproduced(small, in_process, wrong):
    in_process("new", "small.tex")
    runs = "[13.0 + (i % 11) / 4 for i in range(200)]"
    text = (small / "small.py").read_text().replace("14.2 ± 5.8", wrong)
    text = text.replace("ours={},", f'ours={{"row die, column throws": {runs}}},').replace("n=None", "n=20")
    (small / "small.py").write_text(text.replace("spread=None", 'spread="standard error"'))
    status, out, _ = in_process("verify", "small/tab-throws", "--claims", "small.py", "--json")
    assert (status, json.loads(out)["verdict"]) == (1, "NOT REPRODUCED")


def test_coverage_counts_what_is_still_to_be_written(small, in_process):
    in_process("new", "small.tex")
    status, out, err = in_process("coverage", "small.py", "--against", "small.tex")
    assert (status, err) == (1, "")
    assert "Powers. 4 numbered statements: 4 to be written." in out
    (small / "small.py").write_text(FILLED)
    status, out, _ = in_process("coverage", "small.py", "--against", "small.tex")
    assert (status, out.splitlines()[0]) == (1, "Powers. 4 numbered statements: 3 checked, 1 to be written.")
    (small / "small.py").write_text(FILLED.replace('"to be written"', '"a definition"'))
    assert in_process("coverage", "small.py", "--against", "small.tex")[0] == 0


def test_coverage_names_what_has_no_claim_and_no_statement(small, said):
    text = FILLED.replace('"to be written"', '"so"').replace('small/eq-var", at="eq. (2)', 'small/other", at="eq. (9)')
    (small / "small.py").write_text(text)
    out = said(1, "coverage", "small.py", "--against", "small.tex")
    assert "  no claim       eq. (2)    small.tex, line 9" in out
    assert "small/other says 'eq. (9)', which the source does not have; correct at=" in out


def test_coverage_notices_that_a_number_has_moved(small, in_process, said):
    (small / "small.py").write_text(FILLED.replace('"to be written"', '"so"'))
    assert in_process("coverage", "small.py", "--against", "small.tex")[0] == 0
    (small / "small.tex").write_text(SMALL.replace(r"\section", r"\begin{equation} a = b \end{equation}\section"))
    out = said(1, "coverage", "small.py", "--against", "small.tex")
    assert "small/eq-mean says 'eq. (1)'; its statement is eq. (2) now; correct at=" in out
    assert "no claim       eq. (1)" in out


def test_a_place_covers_a_statement_whatever_the_id(small, in_process):
    text = FILLED.replace("small/eq-var", "small/second").replace('"to be written"', '"so"')
    (small / "small.py").write_text(text)
    assert in_process("coverage", "small.py", "--against", "small.tex")[0] == 0


def test_coverage_as_json(small, in_process):
    (small / "small.py").write_text(FILLED)
    _, out, _ = in_process("coverage", "small.py", "--against", "small.tex", "--json")
    found = [json.loads(line) for line in out.splitlines()]
    assert [(o["statement"], o["state"], o["claims"]) for o in found] == [
        ("eq. (1)", "checked", ["small/eq-mean"]), ("eq. (2)", "to be written", ["small/eq-var"]),
        ("Theorem 1", "checked", ["small/thm-so"]), ("Table 1", "checked", ["small/tab-throws"]),
    ]  # fmt: skip
    assert (found[0]["file"], found[0]["line"], found[0]["label"]) == ("small.tex", 8, "eq:mean")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["small.py", "--against", "small.tex", "--check"], "--check and --against compare"),
        (["small.py", "--against", "none.tex"], "none.tex: there is no such file"),
        (["--against", "small.tex"], "--against needs the claims of one paper"),
    ],
)
def test_coverage_refuses_what_makes_no_sense(small, said, arguments, says):
    (small / "small.py").write_text(FILLED)
    assert says in said(2, "coverage", *arguments)
