"""Tables of a paper: their captions, and the tabulars with their numbers."""

import re
from dataclasses import replace
from itertools import pairwise

from paper_checks.latex.parts import LABEL
from paper_checks.latex.reader import Close, Float, Reader
from paper_checks.latex.statements import Numbered
from paper_checks.latex.tables import cells
from paper_checks.latex.tokens import Token, text_of

_COLUMNS = re.compile(r"[><@!]\s*\{(?:[^{}]|\{[^{}]*\})*\}")
_SUBTABLE = re.compile(r"\\begin\{subtable\}.*?\\end\{subtable\}", re.DOTALL)
Given = list[Token]


def _captioned(reader: Reader, at: Token, said: Given) -> Numbered:
    text, number = reader.text(said), reader.counters.step("table")
    label = LABEL.search(text)
    latex = re.sub(r"\s+", " ", LABEL.sub("", text)).strip()
    name = label[1] if label else ""
    return Numbered("table", "Table", number, name, latex, reader.section, str(at.file), at.line)


def _caption(reader: Reader, at: Token, star: Given, _short: Given | None, said: Given) -> None:
    inner = any(opened.partner == r"\end{subtable}" for opened in reader.opened)
    if reader.table is not None and not star and not inner:
        reader.table.captions.append((len(reader.out), _captioned(reader, at, said)))


def _caption_of(reader: Reader, at: Token, _star: Given, kind: Given, _short: Given | None, said: Given) -> None:
    if text_of(kind).strip() == "table":
        reader.add(_captioned(reader, at, said))


def _table(reader: Reader, at: Token, name: str) -> Close:
    table = reader.table = Float()
    tabular = _tabular(reader, at, name) if name.startswith("longtable") else None

    def close(inside: Given) -> None:
        reader.table = None
        if tabular is not None:
            tabular(inside)
        start = len(reader.out) - len(inside)
        ends = [0, *(place - start for place, _ in table.captions[1:]), len(inside)]
        for index, ((_, caption), (begin, end)) in enumerate(zip(table.captions, pairwise(ends), strict=False)):
            own = table.bodies if len(table.captions) == 1 else table.bodies[index : index + 1]
            label = LABEL.search(_SUBTABLE.sub("", text_of(inside[begin:end])))
            name = caption.label or (label[1] if label else "")
            reader.add(replace(caption, label=name, cells=tuple(cell for body in own for cell in cells(body))))

    return close


def _tabular(reader: Reader, at: Token, name: str) -> Close | None:
    """Leave of the columns only their letters: what stands before each cell may be half a formula."""
    wide = name.startswith(("tabularx", "tabulary")) or name == "tabular*"
    columns = text_of(reader.stream.arguments("omom" if wide else "om", at)[-1])
    while (fewer := _COLUMNS.sub("", columns)) != columns:
        columns = fewer
    reader.out.append(replace(at, kind="text", text="{" + re.sub(r"[^a-zA-Z|]", "", columns) + "}"))
    table = reader.table
    if table is None or name == "array":
        return None
    table.inner += 1

    def close(inside: Given) -> None:
        table.inner -= 1
        if not table.inner:
            table.bodies.append(text_of(inside))

    return close


IN_TEXT = {"caption": ("som", _caption), "captionof": ("smom", _caption_of)}
ENVIRONMENTS = {
    **dict.fromkeys(("table", "longtable", "wraptable", "sidewaystable", "tablehere"), _table),
    **dict.fromkeys(("tabular", "tabularx", "tabulary", "array"), _tabular),
}
