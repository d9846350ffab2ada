r"""Pieces of a formula: rows of an ``align``, its number, its left-hand side."""

import re
from collections.abc import Iterator
from typing import NamedTuple

# The end of a row, an environment's begin or end, a delimiter with its size, a command, a character that is escaped, or
# a character.
_PIECE = re.compile(
    r"\\\\\*?\s*(?:\[[^\]]*\])?"
    r"|\\begin\s*\{[^{}]*\}|\\end\s*\{[^{}]*\}|\\(?:left|right|middle|[bB]igg?[lrm]?)(?![A-Za-z])\s*(?:\\[A-Za-z]+|\\.|.)"
    r"|\\[A-Za-z]+\*?|\\.|.",
    re.DOTALL,
)
_OPENS = re.compile(r"\{|\\begin\s*\{|\\left(?![A-Za-z])")
_CLOSES = re.compile(r"\}|\\end\s*\{|\\right(?![A-Za-z])")
LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
INNER = re.compile(r"\\begin\{([^{}]*)\}.*?\\end\{\1\}", re.DOTALL)
_TAG = re.compile(r"\\tag\s*(\*?)\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
_UNNUMBERED = re.compile(r"\\(?:nonumber|notag)(?![A-Za-z])")
_LAYOUT = re.compile(
    r"\\(?:displaystyle|textstyle|allowbreak|nobreak|qedhere|noindent|centering|hfill|medskip|smallskip|bigskip|par"
    r"|displaybreak|pagebreak|nopagebreak|small|footnotesize|scriptsize|normalsize)(?![A-Za-z])(?:\[\d\])?"
    r"|\\(?:vspace|hspace)\*?\s*\{[^{}]*\}|\\intertext\s*\{[^{}]*\}|\\shortintertext\s*\{[^{}]*\}"
)
RELATIONS = {
    "=", "<", ">", ":=", "=:", "\\le", "\\leq", "\\leqslant", "\\ge", "\\geq", "\\geqslant", "\\approx", "\\equiv",
    "\\sim", "\\simeq", "\\cong", "\\propto", "\\to", "\\coloneqq", "\\triangleq", "\\ll", "\\gg", "\\lesssim",
    "\\gtrsim", "\\prec", "\\preceq", "\\succ", "\\succeq", "\\defeq", "\\eqdef", "\\doteq", "\\Rightarrow",
    "\\implies", "\\iff", "\\Leftrightarrow", "\\rightarrow", "\\ne", "\\neq", "\\in", "\\subset", "\\subseteq",
    "\\mapsto", "\\eqqcolon", "\\longrightarrow", "\\overset", "\\stackrel",
}  # fmt: skip


def outer_pieces(text: str) -> Iterator[tuple[int, str, int]]:
    r"""Place, text and depth of each piece: deeper in braces, ``\left``…``\right`` and environments."""
    depth = 0
    for match in _PIECE.finditer(text):
        piece = match[0]
        if _CLOSES.match(piece):
            depth -= 1
        yield match.start(), piece, depth
        if _OPENS.match(piece):
            depth += 1


def split(text: str, at: str) -> list[str]:
    """The parts of a formula between the pieces that match a pattern, outside of braces and of inner environments."""
    made, begin = [], 0
    for place, piece, depth in outer_pieces(text):
        if depth <= 0 and re.fullmatch(at, piece, re.DOTALL):
            made.append(text[begin:place])
            begin = place + len(piece)
    return [*made, text[begin:]]


def rows(text: str) -> list[str]:
    r"""The rows of a formula, at each ``\\\\`` outside of braces and of inner environments.

    Examples
    --------
    >>> rows(r"a &= b \\[2pt] c &= \begin{cases} 1 \\ 2 \end{cases}")
    ['a &= b ', ' c &= \\begin{cases} 1 \\\\ 2 \\end{cases}']
    """
    made = split(text, r"\\\\.*|\\cr|\\tabularnewline")
    return made if made[-1].strip() else made[:-1]


class Row(NamedTuple):
    r"""A row of a display.

    The formula is without label, tag, alignment and punctuation at its end; it continues the row before if it has no
    left-hand side of its own. ``unnumbered`` says whether there is a ``\nonumber``.
    """

    latex: str
    label: str
    tag: str
    unnumbered: bool
    continues: bool


def row(text: str) -> Row:
    r"""Take a row apart.

    Examples
    --------
    >>> row(r"a &= b, \label{eq:a}")
    Row(latex='a = b', label='eq:a', tag='', unnumbered=False, continues=False)
    """
    labels = LABEL.findall(text)
    tag = _TAG.search(text)
    bare = clean(text)
    continues = not left_side(bare) and bool(re.match(r"\s*&|\s*$", text) or first_relation(bare) == 0)
    return Row(bare, labels[0] if labels else "", tag[2] if tag else "", bool(_UNNUMBERED.search(text)), continues)


def joined(lines: list[str]) -> str:
    r"""Rows in one line; those with a left-hand side of their own are parted.

    Examples
    --------
    >>> joined(["a &= b", "  &= c", "d &= e"])
    'a = b = c,\\quad d = e'
    """
    latex = ""
    for line in map(row, lines):
        latex += ("" if not latex else " " if line.continues else r",\quad ") + line.latex
    return latex


def clean(text: str) -> str:
    """A formula without what is not mathematics."""
    for pattern in (LABEL, _TAG, _UNNUMBERED, _LAYOUT):
        text = pattern.sub(" ", text)
    kept = [" " if piece == "&" and depth <= 0 else piece for _, piece, depth in outer_pieces(text)]
    bare = re.sub(r"\s+", " ", "".join(kept)).strip()
    return re.sub(r"(?<!\\right)(?<!\\right )(?<!\\big)(?:\\?[.,;\s]|\\[qe]?quad|~)+$", "", bare)


def first_relation(latex: str) -> int:
    """Where the first relation stands outside of braces; -1 where there is none."""
    inside = 0
    for at, piece, depth in outer_pieces(latex):
        if piece in "([":
            inside += 1
        elif piece in ")]":
            inside -= 1
        elif depth == 0 and inside <= 0 and piece in RELATIONS:
            before = latex[:at].rstrip()
            return len(before) - 1 if piece == "=" and before.endswith(":") else at
    return -1


def left_side(latex: str) -> str:
    r"""What stands before the first relation.

    Examples
    --------
    >>> left_side(r"\mathrm{Var}[z] \approx \frac{a=1}{n}"), left_side("x + y")
    ('\\mathrm{Var}[z]', '')
    """
    at = first_relation(latex)
    return latex[:at].strip() if at > 0 else ""


def right_side(latex: str) -> str:
    r"""What stands behind a first ``=``, if there is no second relation; else nothing.

    Examples
    --------
    >>> right_side("a = b + c"), right_side("a = b = c"), right_side("a < b")
    ('b + c', '', '')
    """
    at = first_relation(latex)
    equals = re.compile(":?=").match(latex, at) if at >= 0 else None
    rest = latex[equals.end() :].strip() if equals else ""
    return "" if first_relation(rest) >= 0 else rest
