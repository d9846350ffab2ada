"""The numbered rows of a display."""

import re
from dataclasses import dataclass, field

from paper_checks.latex.counters import Counters
from paper_checks.latex.parts import INNER, LABEL, Row, clean, joined, left_side, row, rows
from paper_checks.latex.plain import plain
from paper_checks.latex.reader import Close, Reader
from paper_checks.latex.statements import Numbered
from paper_checks.latex.tokens import Token, line_at, text_of

_SINGLE = ("equation", "multline", "dmath", "displaymath", "math", "empheq")
_SEVERAL = ("align", "gather", "eqnarray", "flalign", "alignat", "xalignat", "xxalignat", "IEEEeqnarray", "falign")
_NEVER_NUMBERED = ("displaymath", "math", "xxalignat")
# A display whose lines stand in an environment of their own.
_INNER = re.compile(r"\\begin\{(split|aligned|gathered|alignedat)\}(?:(?!\\begin\{\1\}).)*\\end\{\1\}", re.DOTALL)
_INNER_BODY = re.compile(r"\\begin\{(split|aligned|gathered|alignedat)\}(.*)\\end\{\1\}", re.DOTALL)
# What follows \begin and is no formula.
_TAKES = {"alignat": "m", "xalignat": "m", "xxalignat": "m", "IEEEeqnarray": "om", "empheq": "om"}


def _display(reader: Reader, at: Token, name: str) -> Close:
    """Number what a display says, as soon as it ends."""
    given = reader.stream.arguments(_TAKES.get(name.rstrip("*"), ""), at)
    own = text_of(given[-1]).strip() if name == "empheq" else name

    def close(inside: list[Token]) -> None:
        for found in equations(own, text_of(inside), reader.counters, reader.labels):
            file, line = line_at(inside, found.at, at)
            rest = found.number, found.label, found.latex, reader.section, str(file), line, found.lhs
            reader.add(Numbered("equation", "eq.", *rest))

    return close


def _subequations(reader: Reader, _at: Token, _name: str) -> Close:
    """Number by letters behind the number that all share."""
    counters = reader.counters
    outer, form = counters.step("equation"), counters.formats.get("equation", r"\arabic{equation}")
    value, counters.values["equation"] = counters.values["equation"], 0
    counters.formats["equation"] = rf"{outer}\alph{{equation}}"

    def close(inside: list[Token]) -> None:
        if label := LABEL.search(INNER.sub("", text_of(inside))):
            reader.labels[label[1]] = outer
        counters.values["equation"], counters.formats["equation"] = value, form

    return close


@dataclass(frozen=True)
class Equation:
    """A formula with its number, or with none.

    Attributes
    ----------
    latex, lhs, number, label : str
    at : int
        Where it begins in the body of its display.
    """

    latex: str
    lhs: str
    number: str
    label: str
    at: int = field(compare=False, default=0)


def equations(name: str, body: str, counters: Counters, labels: dict[str, str]) -> list[Equation]:
    r"""The formulas of a display, in its order.

    Parameters
    ----------
    name : str
        Of its environment, with the star.
    body : str
        What stands between ``\begin`` and ``\end``.
    counters : Counters
        Those of the document; they are stepped.
    labels : dict
        The numbers of labels so far; a tag may repeat one of them.

    Examples
    --------
    >>> found = equations("align", r"a &= b \nonumber \\ &\quad + c \\ d &= e \\ f &= g \notag", Counters(), {})
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
    if inner:
        bare = re.sub(r"^\s*(?:\[[^\]]*\]|\{\d+\})", "", _INNER_BODY.search(body)[2])
        return Row(joined(rows(bare)), taken.label, taken.tag, taken.unnumbered, False)
    return Row(clean(" ".join(rows(body))), taken.label, taken.tag, taken.unnumbered, False)


def _number(taken: Row, counters: Counters, counts: bool, labels: dict[str, str]) -> str:
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
        latex = joined(pieces)
        label = next((taken.label for taken, number, _ in found if number and taken.label), "")
        label = label or next((taken.label for taken, _, _ in found if taken.label), "")
        return [Equation(latex, left_side(latex), numbers[0], label, found[0][2])]
    made: list[Equation] = []
    lhs = ""
    for taken, number, at in found:
        if not taken.latex and not number:
            continue
        before = made[-1] if made else None
        if taken.continues and before is not None and not (number and before.number):
            both = f"{before.latex} {taken.latex}"
            label = before.label or taken.label
            made[-1] = Equation(both, left_side(both), before.number or number, label, before.at)
        else:
            own = left_side(taken.latex)
            latex = f"{lhs} {taken.latex}" if taken.continues and lhs and not own else taken.latex
            made.append(Equation(latex, own or (lhs if taken.continues else ""), number, taken.label, at))
        lhs = left_side(made[-1].latex) or lhs
    return made


ENVIRONMENTS = {**dict.fromkeys((*_SINGLE, *_SEVERAL), _display), "subequations": _subequations}
