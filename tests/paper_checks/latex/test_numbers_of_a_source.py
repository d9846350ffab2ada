"""What LaTeX numbers is found with the numbers that LaTeX prints: four papers, and single constructions."""

from pathlib import Path

import pytest

from paper_checks.latex.document import source
from paper_checks.latex.statements import Cell
from paper_checks.latex.tables import cells

PAPERS = Path(__file__).parent / "papers"
# Of each paper the numbers by kind in its order; those of labels are what pdflatex wrote into the .aux file.
NUMBERS = {
    "icml.tex": ("1 2 3 ∗ 4", "Assumption 2.1, Theorem 2.2, Lemma 2.3, Proposition A.1", "Table 1"),
    "neurips.tex": (
        "1 2a 2b 3 4 5 6 7",
        "Definition 1, Theorem 1, Corollary 1.1, Corollary 1.2, Theorem 2, Corollary 2.1",
        "Table 1",
    ),
    "ams.tex": ("1.1 1.2 2.1 2.10 2.11 S 2.12 R A.1", "Theorem 2.1, Lemma 2.2, Conjecture 2.3, Theorem A.1", ""),
    "split/main.tex": ("1.1 1.2 2.3", "Claim 1", "Table 1"),
}


def document(folder, body, preamble="", kind="article"):
    path = folder / "paper.tex"
    path.write_text(f"\\documentclass{{{kind}}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n")
    return source(path)


def labelled(found):
    return {s.label: s.number for s in found.numbered if s.label}


@pytest.mark.parametrize("name", NUMBERS)
def test_the_numbers_of_a_paper(name):
    equations, theorems, tables = NUMBERS[name]
    found = source(PAPERS / name).numbered
    assert [s.number for s in found if s.kind == "equation"] == equations.split()
    assert ", ".join(s.place for s in found if s.kind == "theorem") == theorems
    assert ", ".join(s.place for s in found if s.kind == "table") == tables


@pytest.mark.parametrize("name", NUMBERS)
def test_a_statement_names_the_line_of_its_source(name):
    for statement in source(PAPERS / name).displays:
        near = Path(statement.file).read_text(encoding="utf-8").splitlines()[statement.line - 1 :][:4]
        assert near[0].strip(), statement
        assert statement.label in "\n".join(near), statement


def test_titles_and_authors():
    found = {name: source(PAPERS / name) for name in NUMBERS}
    assert [f.title for f in found.values()] == [
        "Gates at Rest: How Little Noise Suffices", "Attention Without Regret", "On the ζ-function of a p-adic thing",
        "A Paper in Several Files",
    ]  # fmt: skip
    assert all(f.authors == ["Ada Example", "Béla Sample"] for f in found.values())


@pytest.mark.parametrize(("name", "label", "latex"), [
    ("icml.tex", "eq:cost", r"L(w) = \tfrac12\mathbb{E}_{x}\!\left[(w x - 1)^2\right]"),
    ("icml.tex", "eq:var", r"\operatorname{Var}[w] = \frac{\eta}{2 - \eta \sigma^2} \le \eta"),
    ("icml.tex", "thm:rest", r"Under Assumption 2.1, $$\operatorname{Var}[w] = \frac{\eta}{2 - \eta \sigma^2} \le "
     r"\eta$$ for every $\eta < 1$."),
    ("neurips.tex", "eq:long", r"f(x) = 1 + x + \frac{x^2}{2} + \frac{x^3}{6}"),
    ("neurips.tex", "def:score", r"The score is $s = \mathbf{x}^\top \mathbf{x}$."),
    ("ams.tex", "eq:long", r"\varphi (x) \coloneqq \left\lfloor x \right\rfloor + \varepsilon"),
    ("ams.tex", "eq:six", r"\zeta(6) = \frac{\pi^6}{945} > 1"),
    ("split/main.tex", "eq:bayes", r"p(x \mid y) = \frac{q(y | x) p(x)}{p(y)}"),
    ("split/main.tex", "cl:one", r"$\langle u, v \rangle = 0$"),
])  # fmt: skip
def test_macros_are_replaced(name, label, latex):
    (found,) = (s for s in source(PAPERS / name).numbered if s.label == label)
    assert found.latex == latex


def test_a_left_side_is_what_stands_before_the_first_relation():
    found = {s.label: s.lhs for name in NUMBERS for s in source(PAPERS / name).numbered if s.label and s.lhs}
    assert found == {
        "eq:cost": "L(w)", "eq:var": r"\operatorname{Var}[w]", "eq:limit": r"\mathbb{E}_{}\!\left[w_\infty\right]",
        "eq:softmax": "p_i", "eq:pair-a": "a", "eq:long": r"\varphi (x)", "eq:u": "u", "eq:rs": "r", "eq:code": "…",
        "eq:zeta": r"\zeta(s)", "eq:in-theorem": r"\zeta(2)", "eq:four": r"\zeta(4)", "eq:six": r"\zeta(6)",
        "eq:special": r"\zeta(0)", "eq:ramanujan": r"\zeta(-1)", "eq:app": "a", "eq:bayes": r"p(x \mid y)",
        "eq:last": r"\mathrm{KL}\left(p \,\middle\|\, q\right)",
    }  # fmt: skip


def test_the_cells_of_tables():
    found = {s.label: s.cells for name in NUMBERS for s in source(PAPERS / name).numbered if s.kind == "table"}
    short = {label: [(c.row, c.column, c.value, c.spread) for c in cells] for label, cells in found.items()}
    assert short == {
        "tab:errors": [
            ("SGD, 0.1", "η", "0.1", ""), ("SGD, 0.1", "Data, A", "4.21", "0.13"),
            ("SGD, 0.1", "Data, B", "7.5", "0.2"),
            ("SGD, 0.01", "η", "0.01", ""), ("SGD, 0.01", "Data, A", "3.90", "0.10"),
            ("Adam, 0.1", "η", "0.1", ""), ("Adam, 0.1", "Data, A", "1204", ""),
            ("Adam, 0.1", "Data, B", "12.0", "1.5"),
        ],
        "tab:sizes": [("Softmax", "Parameters", "12", ""), ("Linear", "Parameters", "3.5e4", "")],
        "tab:depth": [
            ("Small, 2", "2019", "0.91", "0.02"), ("Small, 2", "2020", "93.5", ""),
                ("Small, 4", "2019", "", ""), ("Small, 4", "2020", "95.0", ""),
            ("Large, 2", "2019", "0.97", ""), ("Large, 2", "2020", "-1.5e-3", ""),
        ],
    }  # fmt: skip
    assert all(isinstance(cell, Cell) for cells in found.values() for cell in cells)


def test_unnumbered_displays_are_kept_apart():
    assert [s.lhs for s in source(PAPERS / "icml.tex").displays if not s.number] == [
        "w_{t+1}", r"\operatorname*{arg\,min}_w L(w)", r"\mathbb{E}_{}\!\left[w_{t+1}^2\right]",
    ]  # fmt: skip


@pytest.mark.parametrize(("body", "numbers"), [
    (r"\begin{align*} a &= b \tag{7}\label{a} \\ c &= d \end{align*}", {"a": "7"}),
    (r"\begin{equation}a=b\label{a}\end{equation}\begin{equation}c=d\tag{\ref{a}}\end{equation}", {"a": "1"}),
    (r"\begin{equation}\label{a}a\end{equation}\addtocounter{equation}{3}"
     r"\begin{equation}\label{b}b\end{equation}", {"a": "1", "b": "5"}),
    (r"\begin{gather} a \label{a} \\ b \notag \\ c \label{c} \end{gather}", {"a": "1", "c": "2"}),
    (r"\begin{table}\caption{One}\label{a}\caption{Two}\label{b}\end{table}", {"a": "1", "b": "2"}),
    (r"\begin{figure}\caption{F}\end{figure}\begin{table}\caption{T\label{a}}\end{table}", {"a": "1"}),
    (r"\section*{S}\section{T}\begin{equation}\label{a}\left.a\right|_0\end{equation}", {"a": "1"}),
    (r"$$a\eqno b$$ \begin{equation}\label{a} \text{if $x$ \& $y$} \end{equation}", {"a": "1"}),
    (r"\footnote{\begin{equation}\label{a} a \end{equation}}", {"a": "1"}),
    (r"\begin{empheq}[left=\empheqlbrace]{align} a &= 1 \label{a} \\ b &= 2 \label{b} \end{empheq}",
     {"a": "1", "b": "2"}),
    (r"\begin{table}\begin{subtable}{1em}\caption{S}\end{subtable}\caption{T}\label{a}\end{table}", {"a": "1"}),
    (r"\begin{equation} a \tag*{[x]}\label{a} \end{equation}", {"a": "x"}),
    (r"{\small\begin{equation}\label{a} a \end{equation}}", {"a": "1"}),
    (r"\begin{table}\begin{equation}\label{a}a\end{equation}\end{table}", {"a": "1"}),
    (r"$a$$b$ \begin{equation}\label{a} a \end{equation}", {"a": "1"}),
    (r"\begin{equation}\label{a}\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} = A\end{equation}", {"a": "1"}),
])  # fmt: skip
def test_constructions(tmp_path, body, numbers):
    assert labelled(document(tmp_path, body)) == numbers


def test_a_percent_sign_in_an_address_is_no_comment(tmp_path):
    body = r"\href{http://a.b/c%20d}{here} \url{x%y} \verb|%{| \begin{equation}\label{a} a \end{equation}"
    assert labelled(document(tmp_path, body)) == {"a": "1"}


def test_cells_that_span(tmp_path):
    rows = r" & \multicolumn{2}{c}{x} \\ & a & b \\ \hline \multirow{2}*{M} & 1 & 2 \\ & 3 & "
    tabular = rf"\begin{{tabular}}{{lcc}}{rows}\end{{tabular}}"
    (table,) = document(tmp_path, rf"\begin{{table}}\caption{{T}}{tabular}\end{{table}}").numbered
    assert [(c.row, c.column, c.value) for c in table.cells] == [
        ("M, 1", "x, a", "1"), ("M, 1", "x, b", "2"), ("M, 3", "x, a", "3"),
    ]  # fmt: skip


@pytest.mark.parametrize(("cell", "value", "spread"), [
    ("1.0(2)", "1.0", "0.2"), ("$92.13(25)$", "92.13", "0.25"), ("0.5134(12)", "0.5134", "0.0012"),
    ("$1{,}234.5(6)$", "1234.5", "0.6"), (r"\num{-.5(1)}\%", "-.5", "0.1"), (r"92.13\,(25)", "92.13", "0.25"),
    ("1.2e-3(4)", "1.2e-3", "0.0004"),
    ("92.13 (0.25)", "92.13", "0.25"), (r"1.0 ($\pm$ 2)", "1.0", "2"), ("0.5 (1e-3)", "0.5", "1e-3"),
    ("45 (3)", "45", "3"),
    (r"$1.2 \pm 0.1 \times 10^{-3}$", "", ""), ("92.13 (1,234)", "", ""), ("45 (of 50)", "", ""),
    (r"\ding{51}", "", ""), ("$0,5$", "", ""), ("1e9999999999999999999(2)", "", ""),
])  # fmt: skip
def test_errors_of_numbers(cell, value, spread):
    (found,) = cells(rf"& a \\ \midrule r & {cell} \\ ")
    assert (found.row, found.value, found.spread) == ("r", value, spread)


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        (r"& a & b \\ \hline r5 & $1.2^{+0.1}_{-0.2}$ & 45/50 \\ r6 & 1 & 1.2k", ["r5 a", "r5 b", "r6 a", "r6 b"]),
        (r"& a & b \\ r5 & $<$0.01 & 45/50 \\ r6 & 1 & 2", ["r5 a", "r5 b", "r6 a", "r6 b"]),  # no rule
        (r"& a & b \\ \hline r5 & -- & -- \\ r6 & 1 & 2", ["r6 a", "r6 b"]),
        (r"& a \\ \hline r5 & 45/50 \\ r6 & 1/50", ["r5 a", "r6 a"]),
        (r"& a & b \\ \hline & & 45/50 \\ r6 & 1 & 2", [" b", "r6 a", "r6 b"]),
        (r"& a & b \\ \hline \multicolumn{3}{c}{2 layers} \\ r6 & 1 & ", ["2 layers, r6 a"]),
        (r"& a & b \\ \hline Deep \\ r6 & 1 & ", ["Deep, r6 a"]),
        (r"& \multicolumn{2}{c}{x} \\ \hline & a & b \\ \hline r6 & 1 & 2", ["r6 x, a", "r6 x, b"]),
        (r"& o & a \\ \hline r5 & SGD & 1 \\ r5 & Adam & 2/3", ["r5, SGD a", "r5, Adam a"]),
        (r"& o & a \\ \hline r5 & SGD & 1 \\ r5 & Adam & 2 \\ r7 & none", ["r5, SGD a", "r5, Adam a"]),
        (r"& o \\ \hline r5 & SGD \\ r6 & Adam", []),  # nothing to compare
    ],
)
def test_no_cell_is_lost_and_no_row_with_several_is_a_heading(rows, names):
    assert [f"{c.row} {c.column}" for c in cells(rows)] == names


def test_a_number_of_a_table_in_a_book(tmp_path):
    body = r"\chapter{C}\begin{equation}\label{a}a\end{equation}\begin{table}\caption{T}\label{t}\end{table}"
    assert labelled(document(tmp_path, body, kind="book")) == {"a": "1.1", "t": "1.1"}


@pytest.mark.parametrize(
    ("preamble", "body", "latex"),
    [
        (r"\newcommand\a{\alpha}", r"\a x = 1", r"\alpha x = 1"),
        (r"\newcommand{\f}[2][q]{#1_{#2}}", r"\f{1} = \f[r]{2}", "q_{1} = r_{2}"),
        (r"\def\d#1/#2.{\frac{#1}{#2}}", r"y = \d a/b. c", r"y = \frac{a}{b} c"),
        (r"\renewcommand{\theta}{\vartheta}", r"\theta{} = 1", r"\vartheta{} = 1"),
        (r"\let\old\epsilon\renewcommand{\epsilon}{\old'}", r"\epsilon = 1", r"\epsilon'= 1"),
        (r"\newcommand{\mk}[1]{\newcommand{#1}{m}}\mk{\x}", r"\x = 1", "m= 1"),
        (r"\newcommand{\outer}{\def\inner##1{[##1]}}\outer", r"\inner{z} = 1", "[z] = 1"),
        (r"\NewDocumentCommand{\v}{O{b} m}{#2^{#1}}", r"\v{x} = \v[c]{y}", "x^{b} = y^{c}"),
        (r"\NewDocumentCommand{\v}{s m}{\IfBooleanTF{#1}{a}{b}#2}", r"\v*{x} = \v{y}", "ax = by"),
        (r"\newcommand{\R}{\ensuremath{\mathbb{R}}\xspace}", r"\R = 1", r"{\mathbb{R}}= 1"),
        (r"\newcommand{\p}{\mathcal P}\newcommand{\q}{\p_0}", r"\q=\p", r"\mathcal P_0=\mathcal P"),
        (r"\ifx\undefined\nothing\newcommand{\c}{1}\else\newcommand{\c}{2}\fi", r"c = \c", "c = 1"),
        (r"\let\ifdraft\iftrue\ifdraft\newcommand{\c}{1}\else\newcommand{\c}{2}\fi", r"c = \c", "c = 1"),
    ],
)
def test_a_macro_is_replaced_as_latex_does(tmp_path, preamble, body, latex):
    assert document(tmp_path, f"\\begin{{equation}}{body}\\end{{equation}}", preamble).numbered[0].latex == latex


def test_macros_of_a_style_file_beside_the_paper_are_read(tmp_path):
    (tmp_path / "mine.sty").write_text(
        "\\newcommand{\\R}{\\mathbb{R}}\n\\def\\title#1{\\gdef\\@title{#1}}\n\\newtheorem{thm}{Theorem}\n"
    )
    body = "\\title{T}\\begin{thm}\\label{t} $x \\in \\R$ \\end{thm}"
    found = document(tmp_path, body, "\\usepackage{mine}")
    assert (found.title, found.numbered[0].place, found.numbered[0].latex) == ("T", "Theorem 1", r"$x \in \mathbb{R}$")


def test_a_theorem_that_the_class_declares_is_told(tmp_path):
    found = document(tmp_path, r"\begin{lemma}\label{l} So. \end{lemma}")
    assert labelled(found) == {"l": "1"}
    assert found.notes == ["environment lemma is declared by the document class or a style that is not here; compare "
                           "its numbers with the print"]  # fmt: skip


def test_a_long_paper_is_read_within_seconds(tmp_path):
    one = r"\begin{align} a_{%d} &= \sum_{i=1}^n \E{x_i^2} \label{e%d}\\ &+ \frac{1}{2} \nonumber \end{align} words. "
    body = "".join(one % (i, i) + "Some text of a paper. " * 40 for i in range(300))
    found = document(tmp_path, body, r"\newcommand{\E}[1]{\mathbb{E}[#1]}")
    assert [s.number for s in found.numbered] == [str(i + 1) for i in range(300)]
