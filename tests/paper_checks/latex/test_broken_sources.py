"""A source that cannot be read gives one line that says where and why, and exit status 2."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

CASES = {
    "brace": (r"\begin{equation} \frac{a}{b \end{equation}", r"paper\.tex, line 3: this \{ is never closed"),
    "closing": (r"a } b", r"line 3: this \} closes nothing"),
    "formula": (r"{$a}", r"line 3: this \$ is never closed"),
    "environment": (r"\begin{equation} a = b", r"line 3: \\begin\{equation\} is never closed"),
    "crossed": (r"\begin{align} a \end{equation}", r"line 3: \\begin\{align\} is closed by \\end\{equation\}"),
    "end": (r"\end{align}", r"line 3: \\end\{align\} closes nothing"),
    "dollar": (r"\begin{equation} a = b \end{equation} and $x", r"line 3: this \$ is never closed"),
    "nothing": (r"Only words.", r"has no numbered equation, theorem or table"),
    "unnumbered": (r"\[ a = b \]", r"has no numbered equation"),
    "missing": (r"\input{sections/intro}", r"line 3: \\input names 'sections/intro', which is not in"),
    "itself": (r"\input{paper}", r"line 3: .*paper\.tex is read within itself"),
    "endless": (r"\newcommand{\a}{\a\a}\begin{equation}\a\end{equation}", r"line 3: the macros make no end"),
    "growing": (r"\def\a{x\a}\begin{equation}\a\end{equation}", r"line 3: the macros make no end"),
    "compared": (r"\ifx{}{} \else", r"line 3: \\else is never closed"),
    "long": (r"\def\a{\a" + "{}" * 2_000 + r"}\a", r"line 3: the macros make no end, \d\d calls"),
    "branch": (r"\iffalse \begin{equation} a \end{equation}", r"line 3: \\iffalse is never closed"),
    "argument": (r"\newcommand{\f}[2]{#1#2}\begin{equation}\f{a}\end{equation}", r"line 3: \\f lacks an argument"),
    "name": (r"{\def", r"line 3: \\def lacks an argument"),
    "meaning": (r"\title{\let\a}", r"line 3: \\let lacks what the command shall be"),
    "condition": (r"\newif{}", r"line 3: \\newif names ''; give it a name that begins with if"),
    "number": (r"\newcommand{\f}[99999999999]{x}\begin{equation}\f\end{equation}", r"line 3: \\f lacks an argument"),
    "optional": (r"\newcommand{\f}[1][a]{#1}\f[b", r"line 3: an argument of \\f is never closed"),
}
FILES = {
    "a PDF": (b"%PDF-1.7 ...", "is a PDF; give the LaTeX source"),
    "an archive": (b"\x1f\x8b\x08\x00", "is a gzip archive; unpack it"),
    "zeros": (b"\\begin{equation}\0", "is no text (byte 0 at position 16)"),
    "nothing": (b"", "is empty"),
    "spaces": (b" \n\n", "is empty"),
    "Latin-1": ("a\n\\title{Bäcklund}".encode("latin-1"), "line 2: byte 0xe4 is not UTF-8; convert it"),
    "UTF-16": ("\\title{a}".encode("utf-16"), "is encoded in UTF-16; save it as UTF-8"),
}


def refused(run, folder):
    """The one line that a command says."""
    status, out, err = run("new", "paper.tex")
    assert (status, out) == (2, "")
    assert not (folder / "paper.py").exists()
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize("name", CASES)
def test_broken_latex(folder, in_process, monkeypatch, name):
    monkeypatch.setattr("paper_checks.latex.reader.MOST_CALLS", 5_000)
    monkeypatch.setattr("paper_checks.latex.reader.MOST_STEPS", 50_000)
    body, says = CASES[name]
    text = f"\\documentclass{{article}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    (folder / "paper.tex").write_text(text)
    assert re.search(says, refused(in_process, folder))


@pytest.mark.parametrize("name", FILES)
def test_what_is_no_latex(folder, in_process, name):
    data, says = FILES[name]
    (folder / "paper.tex").write_bytes(data)
    assert says in refused(in_process, folder)


@pytest.mark.parametrize("text", ["%", "\\newcommand{\\v}{1}", "\\begin{document}\\end{document}"])
def test_a_source_of_which_nothing_is_left(folder, in_process, text):
    (folder / "paper.tex").write_text(text)
    assert "has no numbered equation, theorem or table" in refused(in_process, folder)


def test_a_folder_and_no_file(folder, in_process):
    assert "there is no such file" in refused(in_process, folder)
    (folder / "paper.tex").mkdir()
    assert "is a folder; give the main .tex file" in refused(in_process, folder)


def test_arguments_that_grow(folder, in_process):
    names = "abcdefghij"
    growing = "".join(f"\\def\\{a}#1{{\\{b}{{{'#1' * 20}}}}}" for a, b in pairwise(names))
    (folder / "paper.tex").write_text(f"{growing}\n\\a{{x}}")
    assert re.search(r"line 2: .*(make|makes) no end", refused(in_process, folder))


def test_a_circle_of_inputs(folder, in_process):
    (folder / "paper.tex").write_text(r"\begin{document}\input{a}\end{document}")
    (folder / "a.tex").write_text(r"\input{b}")
    (folder / "b.tex").write_text("\n" + r"\include{a}")
    assert "b.tex, line 2:" in (said := refused(in_process, folder))
    assert "a.tex is read within itself" in said


def test_groups_nested_too_deeply(folder, in_process):
    (folder / "paper.tex").write_text("{" * 20_000 + "}" * 20_000)
    assert "has no numbered equation" in refused(in_process, folder)
    (folder / "paper.tex").write_text(r"\section{" * 1_000 + "}" * 1_000)
    assert "nested too deeply" in refused(in_process, folder)


def test_another_ending_is_refused(folder, said):
    (folder / "paper.md").write_text("# A paper")
    assert "FILE must end in .py for a template, or in .tex, got paper.md" in said(2, "new", "paper.md")


def test_a_bom_and_the_line_ends_of_other_systems_are_read(folder, in_process):
    text = "\\title{T}\r\n\\begin{equation}\r\na = b\r\n\\end{equation}\r\n"
    (folder / "paper.tex").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert in_process("new", "paper.tex")[0] == 0
    assert "# paper.tex, line 3" in (folder / "paper.py").read_text()


@pytest.mark.slow
def test_cut_anywhere_a_paper_gives_a_line_or_a_file(folder, in_process):
    """Damage at every place: never a traceback, never a file that is not Python."""
    whole = (Path(__file__).parent / "papers" / "icml.tex").read_text(encoding="utf-8")
    for at in range(0, len(whole), 211):
        (folder / "paper.tex").write_text(whole[:at] + whole[at + 5 :], encoding="utf-8")
        (folder / "paper.py").unlink(missing_ok=True)
        status, _, err = in_process("new", "paper.tex")
        assert status in (0, 2), err
        assert "Traceback" not in err
        assert status == 2 or compile((folder / "paper.py").read_text(encoding="utf-8"), "paper.py", "exec")
