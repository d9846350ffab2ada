"""From a source to claims: the file that is written loads at once, and is compared with the source."""

import json
import shlex
from pathlib import Path

import pytest

from paper_checks.claims.catalogue import load_file
from paper_checks.latex.document import source

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


COVERAGE = ("coverage", "small.py", "--against", "small.tex")


@pytest.fixture
def small(folder):
    """A small paper in the working folder, and the file of its claims that is to be written."""
    (folder / "small.tex").write_text(SMALL)
    return folder / "small.py"


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


def test_ids_are_made_of_labels_and_the_left_hand_side_and_sympys_reading_are_comments(small, said):
    said(0, "new", "small.tex")
    ids = ["small/eq-mean", "small/eq-var", "small/thm-so", "small/tab-throws"]
    assert [c.id for c in load_file(small)] == ids
    text = small.read_text()
    assert r'# printed=Formula("TODO: what it is", TODO, lhs=r"\mathbb{E}[U^k]"),' in text
    assert "# SymPy reads the right-hand side as 1/(k + 1); compare it with the paper." in text
    assert not [line for line in text.splitlines() if "1/(k + 1)" in line and not line.lstrip().startswith("#")]


def test_the_commands_take_what_was_written(small, said):
    said(0, "new", "small.tex")
    assert "TODO: what Theorem 1 states" in said(0, "list", "small.py")
    assert "eq. (2)" in said(0, "show", "small/eq-var", "--claims", "small.py")
    said(0, "verify", "small.py", "--json")


def test_a_cell_that_is_not_read_is_named_in_the_stub(small, said):
    rows = r"die & $14.2 \pm 5.8$ \\ dice & 4.61(12) \\ coin & 45 (of 50) \\ "
    start, end = SMALL.index("die &"), SMALL.index(r"\end{tabular}")
    Path("small.tex").write_text(SMALL[:start] + rows + SMALL[end:])
    said(0, "new", "small.tex")
    text = small.read_text()
    assert "    # not read: row coin, column throws: 45 (of 50)\n" in text
    assert '"row dice, column throws": "4.61 ± 0.12",  # published: 4.61(12)\n' in text
    assert "COMPARISONS = 2 " in text
    assert len(load_file(small)) == 4
    small.unlink()
    Path("small.tex").write_text(SMALL[:start] + r"coin & 45/50 \\ " + SMALL[end:])
    said(0, "new", "small.tex")
    text = small.read_text()
    assert "# not read: row coin, column throws: 45/50\n    expects=TO_BE_WRITTEN," in text
    assert "printed_table" not in text
    assert len(load_file(small)) == 4


def test_formulas_of_theorems_keep_their_words(small, said):
    words = (
        r"Let \emph{so}, $x \text{ if } y$, \$5 \textbf{or} \$6, $$ a < b \text{ with $c$ } $$ and \(a \text{ or } b\)"
    )
    Path("small.tex").write_text(SMALL.replace("So it is.", words))
    said(0, "new", "small.tex")
    (found,) = (c.quote for c in load_file(small) if c.id == "small/thm-so")
    assert found == r"Let so, $x \text{ if } y$, \$5 or \$6, $$a < b \text{ with $c$ }$$ and \(a \text{ or } b\)"


@pytest.mark.parametrize(
    "name", ["my small.py", "-x.py", "it's.py", "$HOME.py", 'three"""quotes.py', "back\\Nslash.py"]
)
@pytest.mark.parametrize("source", [(), ("--to",)], ids=["template", "latex"])
def test_the_next_commands_work_for_any_name(small, said, name, source):
    given = ("small.tex", f"--to={name}") if source else ("--", name)
    lines = said(0, "new", *given).splitlines()[1:]
    words = [word for line in lines for word in shlex.split(line) if word.endswith(".py")]
    assert words == [f"./{name}" if name.startswith("-") else name] * len(lines)
    assert len(load_file(Path(name))) == (4 if source else 1)


def test_commands_with_a_source_of_any_name(small, said):
    Path("-my small.tex").write_text(SMALL)
    out = said(0, "new", "--", "-my small.tex")
    (line,) = (line for line in out.splitlines() if "coverage" in line)
    said(1, *shlex.split(line)[1:])
    assert line.strip() in Path("-my small.py").read_text()


@pytest.mark.parametrize("name", ["nau.py", "NAU.tex", "galu.py"])
def test_names_of_installed_papers_are_refused(small, said, name):
    Path("NAU.tex").write_text(SMALL)
    short = name[:-4].lower() if name.endswith(".tex") else name[:-3]
    out = said(2, "new", name)
    assert f"the short name of a paper must be new, got {short!r}; constants, galu, nau, " in out
    assert f"are installed; rename {name}, for example to my{short}.{name.rpartition('.')[2]}" in out
    assert not Path(name).with_suffix(".py").exists()


@pytest.mark.parametrize("arguments", [["none/at/all.py"], ["small.tex", "--to", "none/at/all.py"], ["small.tex/x.py"]])
def test_a_folder_that_is_missing_is_named(small, said, arguments):
    folder = Path(arguments[-1]).parent
    out = said(2, "new", *arguments)
    assert f"{folder} must be a folder that exists, as {arguments[-1]} is to be written; make the folder" in out


def test_a_file_is_never_overwritten(said, small):
    small.write_text("mine = 1\n")
    assert "small.py exists already; choose another name with --to" in said(2, "new", "small.tex")
    assert small.read_text() == "mine = 1\n"


@pytest.fixture
def with_runs(small, said):
    """The text of the claims with runs for a cell of the table."""
    said(0, "new", "small.tex")
    runs = "[13.0 + (i % 11) / 4 for i in range(200)]"
    given = f'ours={{"row die, column throws": {runs}}},'
    return small.read_text().replace("ours={},", given).replace("n=None", "n=20")


def test_a_table_is_compared_as_soon_as_there_are_runs(small, with_runs, said):
    small.write_text(with_runs)
    assert "spread must say what ± is in 'row die, column throws', got None" in said(2, "list", "small.py")
    small.write_text(with_runs.replace("spread=None", 'spread="standard deviation"'))
    out = said(0, "verify", "small/tab-throws", "--claims", "small.py", "--json")
    assert json.loads(out)["verdict"] == "REPRODUCED"


@pytest.mark.parametrize("wrong", ["12.2 ± 0.1", "19.0"])
def test_a_table_that_runs_contradict_is_not_reproduced(small, with_runs, said, wrong):
    text = with_runs.replace("14.2 ± 5.8", wrong)
    small.write_text(text.replace("spread=None", 'spread="standard error"'))
    out = said(1, "verify", "small/tab-throws", "--claims", "small.py", "--json")
    assert json.loads(out)["verdict"] == "NOT REPRODUCED"


def test_coverage_counts_what_is_still_to_be_written(small, said):
    said(0, "new", "small.tex")
    assert "Powers. 4 numbered statements: 4 to be written." in said(1, *COVERAGE)
    small.write_text(FILLED)
    assert "Powers. 4 numbered statements: 3 checked, 1 to be written." in said(1, *COVERAGE)
    small.write_text(FILLED.replace('"to be written"', '"a definition"'))
    said(0, *COVERAGE)
    small.write_text(FILLED.replace("small/eq-var", "small/second").replace('"to be written"', '"so"'))
    said(0, *COVERAGE)  # whatever the id


def test_coverage_names_what_has_no_claim_and_no_statement(small, said):
    text = FILLED.replace('"to be written"', '"so"').replace('small/eq-var", at="eq. (2)', 'small/other", at="eq. (9)')
    small.write_text(text)
    out = said(1, *COVERAGE)
    assert "  no claim       eq. (2)    small.tex, line 9" in out
    assert "small/other says 'eq. (9)', which the source does not have; correct at=" in out


def test_coverage_notices_that_a_number_has_moved(small, said):
    small.write_text(FILLED.replace('"to be written"', '"so"'))
    said(0, *COVERAGE)
    Path("small.tex").write_text(SMALL.replace(r"\section", r"\begin{equation} a = b \end{equation}\section"))
    out = said(1, *COVERAGE)
    assert "small/eq-mean says 'eq. (1)'; its statement is eq. (2) now; correct at=" in out
    assert "no claim       eq. (1)" in out


def test_coverage_as_json(said, small):
    small.write_text(FILLED)
    found = [json.loads(line) for line in said(1, *COVERAGE, "--json").splitlines()]
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
    small.write_text(FILLED)
    assert says in said(2, "coverage", *arguments)
