r"""What a paper numbers, and what it says of itself.

A sentence is kept as a quotation: formulas between ``$$``, references as numbers.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from paper_checks.latex.parts import LABEL


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Attributes
    ----------
    row, column : str
        Their headings.
    value, spread : str
        The digits, none where the cell could not be read as a number; the error of the number, if it has one.
    text : str
        What the cell has in the paper.
    """

    row: str
    column: str
    value: str
    spread: str = ""
    text: str = ""


@dataclass(frozen=True)
class Numbered:
    r"""A numbered statement of a paper, or a display without a number.

    Attributes
    ----------
    kind : {"equation", "theorem", "table"}
    name, number : str
        ``Theorem`` and ``2.1``; the number of a display without one is empty.
    label : str
        What ``\label`` calls it.
    latex : str
        The formula, the sentence or the caption, with the author's macros replaced.
    lhs : str
        Of an equation what stands before its first relation.
    section : str
        Number and title of the section.
    file, line : str, int
        Where its source is.
    note : str
        What a theorem has in brackets.
    cells : tuple of Cell
        Of a table, without the names of its rows.
    """

    kind: str
    name: str
    number: str
    label: str
    latex: str
    section: str
    file: str
    line: int
    lhs: str = ""
    note: str = ""
    cells: tuple[Cell, ...] = ()

    @property
    def place(self) -> str:
        """Where a reader finds it, such as ``eq. (3)``, ``Theorem 2.1`` or ``Table 1``."""
        return f"eq. ({self.number})" if self.kind == "equation" else f"{self.name} {self.number}"


@dataclass
class Source:
    """A paper as its source has it.

    Attributes
    ----------
    title : str
    authors : list of str
    displays : list of Numbered
        In the paper's order, displays without a number among them.
    notes : list of str
        What could not be read, and what to compare with the print.
    """

    title: str = ""
    authors: list[str] = field(default_factory=list)
    displays: list[Numbered] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def numbered(self) -> list[Numbered]:
        """What has a number."""
        return [s for s in self.displays if s.number]

    def count(self, kind: str) -> int:
        return sum(s.kind == kind for s in self.numbered)


def counted(numbers: Iterable[tuple[int, str]]) -> str:
    """Numbers in words.

    Examples
    --------
    >>> counted([(3, "equation"), (1, "theorem"), (0, "table")])
    '3 equations, 1 theorem and 0 tables'
    """
    parts = [f"{n} {word}{'' if n == 1 else 's'}" for n, word in numbers]
    return " and ".join(", ".join(parts).rsplit(", ", 1))


_REFERENCE = re.compile(r"\\(ref|eqref|[cC]ref|autoref)\*?\s*\{([^{}]*)\}")
_MATHEMATICS = r"(?<!\\)(?:\$\$.*?\$\$|\$(?:\\.|[^$\\])*\$|\\\(.*?\\\)|\\\[.*?\\\])"
_EMPHASIS = re.compile(rf"({_MATHEMATICS})|\\(?:emph|textit|textbf|textsl|text)\s*\{{([^{{}}$]*)\}}", re.DOTALL)


def in_line(latex: str) -> str:
    r"""A sentence without labels and emphasis, in one line; formulas keep their words.

    Examples
    --------
    >>> in_line("If \\emph{so} \\label{thm:a} \n then $$a = b$$")
    'If so then $$a = b$$'
    """
    return re.sub(r"\s+", " ", _EMPHASIS.sub(r"\1\2", LABEL.sub("", latex))).strip()


def with_numbers(display: Numbered, labelled: Mapping[str, Numbered]) -> Numbered:
    """The same with the numbers of what it refers to."""

    def named(match: re.Match) -> str:
        known = [labelled[label.strip()] for label in match[2].split(",") if label.strip() in labelled]
        if not known:
            return match[0]
        if match[1] in ("ref", "eqref"):
            return f"({known[0].number})" if match[1] == "eqref" else known[0].number
        return ", ".join(one.place for one in known)

    if display.kind == "equation" or not _REFERENCE.search(display.latex):
        return display
    return replace(display, latex=_REFERENCE.sub(named, display.latex))
