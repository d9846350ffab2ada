r"""A paper read from its source: what LaTeX would number, in the paper's order."""

import re
from pathlib import Path
from typing import Any

from paper_checks.latex.counters import SECTIONS, Counters
from paper_checks.latex.equations import DISPLAYS, equations
from paper_checks.latex.expansion import Expanded, Expansion
from paper_checks.latex.files import LatexError
from paper_checks.latex.front import FRONT, NUMBERING, section
from paper_checks.latex.parsed import arguments, children, nodes, plain, verbatim, where
from paper_checks.latex.state import Theorem
from paper_checks.latex.statements import Numbered, Source, in_line, with_numbers
from paper_checks.latex.tables import cells

FLOATS = {"table", "longtable", "wraptable", "sidewaystable", "tablehere"}
TABULARS = {"tabular", "tabularx", "tabulary", "longtable"}
# What a class or a style may declare that the source does not show.
CUSTOMARY = {
    "theorem", "lemma", "proposition", "corollary", "definition", "remark", "example", "assumption", "conjecture",
    "claim", "fact", "hypothesis", "condition", "property", "observation",
}  # fmt: skip
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_BEGIN = re.compile(r"\\begin\{[^{}]*\}")
_SUBTABLE = re.compile(r"\\begin\{subtable\}.*?\\end\{subtable\}|\\subcaption\s*\{[^{}]*\}", re.DOTALL)
_INNER = re.compile(r"\\begin\{([^{}]*)\}.*?\\end\{\1\}", re.DOTALL)


def source(path: Path) -> Source:
    r"""Read a paper.

    Parameters
    ----------
    path : Path
        The main file; what it names by ``\input`` is read too.

    Raises
    ------
    LatexError
        When a file cannot be read, the LaTeX is broken, or nothing in it has a number.
    """
    expanded = Expansion(path).run()
    reader = _Reader(expanded)
    try:
        for node in nodes(expanded):
            reader.read(node)
    except RecursionError:
        raise LatexError(f"{path}: groups are nested too deeply; give the main .tex file of a paper") from None
    found = reader.source
    found.displays = [with_numbers(display, reader.labelled) for display in found.displays]
    found.notes = [*expanded.missing, *found.notes]
    if not found.numbered:
        what = f"{path}: has no numbered equation, theorem or table"
        raise LatexError(f"{what}; give the main .tex file of a paper, or write the claims by hand")
    return found


class _Reader:
    """What is known so far of a document that is read from its begin to its end."""

    def __init__(self, expanded: Expanded):
        self.expanded, self.source = expanded, Source()
        self.counters, self.theorems = Counters(), dict(expanded.theorems)
        self.labels: dict[str, str] = {}
        self.labelled: dict[str, Numbered] = {}
        self.section = ""
        for name, theorem in self.theorems.items():
            if theorem.within and theorem.counter == name:
                self.counters.put_within(name, theorem.within)

    def read(self, node: Any) -> None:
        """Take in what a node numbers, and what stands within it."""
        kind = type(node).__name__
        if kind == "LatexEnvironmentNode":
            self._environment(node)
        elif kind == "LatexMathNode":
            if node.displaytype == "display":
                self._display("displaymath", verbatim(self.expanded, node)[2:-2], node.pos + 2)
        elif kind != "LatexMacroNode" or not self._command(node):
            self._within(node)

    def _command(self, node: Any) -> bool:
        """Whether a command is one that names or numbers; then it is carried out."""
        name = node.macroname
        if name in FRONT:
            FRONT[name](self.source, arguments(self.expanded, node))
        elif name in SECTIONS[:6]:
            heading = section(self.counters, name, arguments(self.expanded, node))
            self.section = self.section if heading is None else heading
        elif name in NUMBERING:
            NUMBERING[name](self.counters, name, arguments(self.expanded, node))
        elif name == "captionof" and arguments(self.expanded, node)[1].strip() == "table":
            said = re.sub(r"\s+", " ", arguments(self.expanded, node)[-1]).strip()
            self._add("table", "Table", self.counters.step("table"), "", said, node.pos)
        else:
            return False
        return True

    def _environment(self, node: Any) -> None:
        name = node.environmentname
        base = name.rstrip("*")
        if base in DISPLAYS:
            self._display(name, *self._body(node))
        elif base == "empheq":
            body, at = self._body(node)
            head = re.match(r"\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}", body)
            if head:
                self._display(head[1].strip(), body[head.end() :], at + head.end())
        elif base == "subequations":
            self._subequations(node)
        elif base == "restatable":
            self._theorem(node, self._restated(node))
        elif name in self.theorems or base in CUSTOMARY:
            self._theorem(node, name)
        elif base in FLOATS:
            self._table(node)
        elif base == "appendices":
            self.counters.appendix()
            self._within(node)
        else:
            self._within(node)

    def _within(self, node: Any) -> None:
        for child in children(node):
            self.read(child)

    def _body(self, node: Any) -> tuple[str, int]:
        r"""What stands between ``\begin`` and ``\end``, and where it begins."""
        text = verbatim(self.expanded, node)
        begin, end = len(_BEGIN.match(text)[0]), text.rindex("\\end")
        return text[begin:end], node.pos + begin

    def _add(self, kind: str, name: str, number: str, label: str, latex: str, at: int, **more: Any) -> None:
        token, line = where(self.expanded, at)
        made = Numbered(kind, name, number, label, latex, self.section, str(token.file), line, **more)
        if label and number:
            self.labels[label] = number
            self.labelled[label] = made
        self.source.displays.append(made)

    def _display(self, name: str, body: str, at: int) -> None:
        for found in equations(name, body, self.counters, self.labels):
            self._add("equation", "eq.", found.number, found.label, found.latex, at + found.at, lhs=found.lhs)

    def _subequations(self, node: Any) -> None:
        """Number by letters behind the number that all share."""
        outer = self.counters.step("equation")
        value, form = self.counters.values["equation"], self.counters.formats.get("equation")
        body, _ = self._body(node)
        if label := _LABEL.search(_INNER.sub("", body)):
            self.labels[label[1]] = outer
        self.counters.set("equation", 0)
        self.counters.formats["equation"] = rf"{outer}\alph{{equation}}"
        self._within(node)
        self.counters.set("equation", value)
        self.counters.formats["equation"] = form or r"\arabic{equation}"

    def _restated(self, node: Any) -> str:
        match = re.match(r"\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}\s*\{[^{}]*\}", self._body(node)[0])
        return match[1].strip() if match else "theorem"

    def _theorem(self, node: Any, name: str) -> None:
        body, at = self._body(node)
        theorem = self.theorems.get(name)
        if theorem is None:
            theorem = Theorem(name.rstrip("*").capitalize(), name, numbered=not name.endswith("*"))
            self.theorems[name] = theorem
            where_from = "is declared by the document class or a style that is not here"
            self.source.notes.append(f"environment {name} {where_from}; compare its numbers with the print")
        note = re.match(r"\s*\[((?:[^\[\]{}]|\{[^{}]*\}|\[[^\]]*\])*)\]", body)
        text = body[note.end() :] if note else body
        if node.environmentname.startswith("restatable"):
            text = re.sub(r"^\s*\{[^{}]*\}\s*\{[^{}]*\}", "", text)
        label = _LABEL.search(_INNER.sub("", body))
        if theorem.numbered:
            number = self.counters.step(theorem.counter)
            said = in_line(text)
            title = plain(theorem.title) or name.capitalize()
            self._add(
                "theorem", title, number, label[1] if label else "", said, at, note=plain(note[1]) if note else ""
            )
        self._within(node)

    def _table(self, node: Any) -> None:
        body, at = self._body(node)
        outer = _SUBTABLE.sub(lambda m: " " * len(m[0]), body)
        captions = list(re.finditer(r"\\caption\s*(?:\[[^\]]*\])?\s*(?=\{)", outer))
        bodies = _tabulars(node, self._body)
        for place, caption in enumerate(captions):
            number = self.counters.step("table")
            own = bodies if len(captions) == 1 else bodies[place : place + 1]
            text = _group(body, caption.end())
            upto = captions[place + 1].start() if place + 1 < len(captions) else len(body)
            start = 0 if place == 0 else caption.start()
            label = _LABEL.search(text) or _LABEL.search(outer, start, upto)
            said = re.sub(r"\s+", " ", _LABEL.sub("", text)).strip()
            numbers = tuple(cell for tabular in own for cell in cells(tabular))
            self._add("table", "Table", number, label[1] if label else "", said, at + caption.start(), cells=numbers)


def _group(text: str, at: int) -> str:
    """What stands in the braces that open at a place."""
    depth = 0
    for match in re.finditer(r"\\.|[{}]", text[at:], re.DOTALL):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return text[at + 1 : at + match.start()]
    return text[at + 1 :]


def _tabulars(node: Any, body_of: Any) -> list[str]:
    """The bodies of all tabulars of a float, without those of inner ones."""
    found = []
    name = getattr(node, "environmentname", "").rstrip("*")
    if name in TABULARS:
        text = body_of(node)[0]
        text = re.sub(r"^\s*(?:\[[^\]]*\])?\s*(?:\{[^{}]*\})?", "", text)
        found.append(re.sub(r"\\caption\s*(?:\[[^\]]*\])?\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}\s*(?:\\label\{[^{}]*\})?"
                            r"\s*(?:\\\\)?", "", text) if name == "longtable" else text)  # fmt: skip
        return found
    for child in children(node):
        found += _tabulars(child, body_of)
    return found
