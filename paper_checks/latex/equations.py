"""The numbered rows of a display."""

import re
from collections.abc import Container
from typing import NamedTuple

from paper_checks.latex.counters import Counters
from paper_checks.latex.parts import INNER, LABEL, Row, clean, first_relation, joined, left_side, row, rows
from paper_checks.latex.plain import plain
from paper_checks.latex.reader import Close, Reader
from paper_checks.latex.statements import Numbered
from paper_checks.latex.tokens import Token, line_at, text_of

_SINGLE = ("equation", "multline", "dmath", "displaymath", "math", "empheq")
_SEVERAL = ("align", "gather", "eqnarray", "flalign", "alignat", "xalignat", "xxalignat", "IEEEeqnarray", "falign")
_NEVER_NUMBERED = ("displaymath", "math", "xxalignat")
# A display whose lines stand in an environment of their own.
_INNER = re.compile(
    r"\\begin\{(split|aligned|gathered|alignedat)\}\s*(?:\[[^\]]*\]|\{\d+\})?"
    r"((?:(?!\\begin\{\1\}).)*)\\end\{\1\}",
    re.DOTALL,
)
# What follows \begin and is no formula.
_TAKES = {"alignat": "m", "xalignat": "m", "xxalignat": "m", "IEEEeqnarray": "om", "empheq": "om"}


def _display(reader: Reader, at: Token, name: str) -> Close:
    """Number what a display says, as soon as it ends."""
    given = reader.stream.arguments(_TAKES.get(name.rstrip("*"), ""), at)
    own = text_of(given[-1]).strip() if name == "empheq" else name

    def close(inside: list[Token]) -> str:
        body = text_of(inside)
        made = equations(own, body, reader.counters, reader.labelled)
        for found in made:
            file, line = line_at(inside, found.at, at)
            rest = found.number, found.label, found.latex, reader.section, str(file), line, left_side(found.latex)
            reader.add(Numbered("equation", "eq.", *rest))
        return made[0].latex if len(made) == 1 else joined(rows(body))

    return close


def _subequations(reader: Reader, at: Token, _name: str) -> Close:
    """Number by letters behind the number that all share."""
    counters = reader.counters
    outer, form = counters.step("equation"), counters.formats.get("equation", r"\arabic{equation}")
    value, counters.values["equation"] = counters.values["equation"], 0
    counters.formats["equation"] = rf"{outer}\alph{{equation}}"

    def close(inside: list[Token]) -> None:
        if label := LABEL.search(INNER.sub("", text_of(inside))):
            reader.label(Numbered("equation", "eq.", outer, label[1], "", reader.section, str(at.file), at.line))
        counters.values["equation"], counters.formats["equation"] = value, form

    return close


class Equation(NamedTuple):
    """A formula with its number, or with none, and where it begins in the body of its display."""

    latex: str
    number: str
    label: str
    at: int


def equations(name: str, body: str, counters: Counters, labels: Container[str]) -> list[Equation]:
    r"""The formulas of a display, in its order.

    Parameters
    ----------
    name : str
        Of its environment, with the star.
    body : str
        What stands between ``\begin`` and ``\end``.
    counters : Counters
        Those of the document; they are stepped.
    labels : container of str
        Those so far; a tag may repeat the number of one of them.

    Examples
    --------
    >>> found = equations("align", r"a &= b \nonumber \\ &\quad + c \\ d &= e \\ f &= g \notag", Counters(), ())
    >>> [(e.number, e.latex) for e in found]
    [('1', 'a = b \\quad + c'), ('2', 'd = e'), ('', 'f = g')]
    """
    base = name.rstrip("*")
    counts = not name.endswith("*") and base not in _NEVER_NUMBERED
    pieces = rows(body) if base in _SEVERAL else [body]
    found, at = [], 0
    for piece in pieces:
        taken = _whole(piece) if base not in _SEVERAL or "\\begin" in piece else row(piece)
        at = max(body.find(piece, at), 0)
        found.append((taken, _number(taken, counters, counts, labels), at + len(piece) - len(piece.lstrip())))
    return _together(found, pieces)


def _whole(body: str) -> Row:
    """A display with one number: its rows are lines of one formula."""
    taken = row(body)
    inner = _INNER.fullmatch(taken.latex)
    latex = joined(rows(inner[2])) if inner else clean(" ".join(rows(body)))
    return taken._replace(latex=latex, continues=False)


def _number(taken: Row, counters: Counters, counts: bool, labels: Container[str]) -> str:
    if taken.tag:
        repeated = re.search(r"\\(?:eq)?ref\s*\{([^{}]*)\}", taken.tag)
        text = plain(taken.tag)
        return "" if repeated and repeated[1] in labels else text.strip("()[] ") or text
    return counters.step("equation") if counts and not taken.unnumbered else ""


def _together(found: list[tuple[Row, str, int]], pieces: list[str]) -> list[Equation]:
    """Rows that go on with a formula belong to it, as all rows do where one number is for all of them.

    A chain keeps its left-hand side.
    """
    numbers = [number for _, number, _ in found if number]
    if len(numbers) == 1 and len(found) > 1:
        numbered_first = sorted(found, key=lambda one: not one[1])
        label = next((taken.label for taken, _, _ in numbered_first if taken.label), "")
        return [Equation(joined(pieces), numbers[0], label, found[0][2])]
    made: list[Equation] = []
    for taken, number, at in found:
        before = made[-1] if made else None
        if before is not None and taken.continues and not (number and before.number):
            latex, label = f"{before.latex} {taken.latex}".strip(), before.label or taken.label
            made[-1] = Equation(latex, before.number or number, label, before.at)
        elif taken.latex or number:
            lhs = left_side(before.latex) if before is not None and first_relation(taken.latex) == 0 else ""
            made.append(Equation(f"{lhs} {taken.latex}".strip(), number, taken.label, at))
    return made


ENVIRONMENTS = {**dict.fromkeys((*_SINGLE, *_SEVERAL), _display), "subequations": _subequations}
