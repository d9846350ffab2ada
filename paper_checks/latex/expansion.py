"""The text of a paper as LaTeX reads it: files put in, the author's macros replaced, branches taken."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from paper_checks.latex.definitions import CONDITIONS, DEFINING, skip_branch
from paper_checks.latex.files import LatexError, found, read
from paper_checks.latex.state import State, Theorem
from paper_checks.latex.stream import Stream, text_of
from paper_checks.latex.tokens import Token, balanced, tokens

MOST_CALLS = 200_000
MOST_STEPS = 5_000_000
# Commands of a preamble that number or name: how many groups each takes.
KEPT = {
    "title": 1, "author": 1, "icmltitle": 1, "icmlauthor": 2, "numberwithin": 2, "counterwithin": 2, "setcounter": 2,
    "addtocounter": 2, "documentclass": 1, "counterwithout": 2,
}  # fmt: skip
INPUTS = {"input": 1, "include": 1, "subfile": 1, "subfileinclude": 1, "import": 2, "subimport": 2}
_BODY = re.compile(r"(?<!\\)\\begin\s*\{document\}(.*?)(\\end\s*\{document\}|\Z)", re.DOTALL)
_COLUMNS = re.compile(r"[><@!]\s*\{(?:[^{}]|\{[^{}]*\})*\}")


@dataclass(frozen=True)
class Expanded:
    """What is left of a paper.

    Attributes
    ----------
    text : str
    places : list of (int, Token)
        Where in the text what was written where begins.
    theorems : dict of str to Theorem
    missing : list of str
        Files that the preamble names and the folder lacks.
    """

    text: str
    places: list[tuple[int, Token]]
    theorems: dict[str, Theorem]
    missing: list[str]

    def pieces(self) -> Iterator[tuple[Token, str]]:
        """What was written where, and what stands for it in the text."""
        begins = [begin for begin, _ in self.places]
        for (begin, token), end in zip(self.places, [*begins[1:], len(self.text)], strict=False):
            yield token, self.text[begin:end]


class Expansion(State):
    """A paper that is being read."""

    def __init__(self, main: Path):
        super().__init__(main)
        self._open: list[Path] = []
        self._steps = self._calls = 0

    def run(self) -> Expanded:
        """Read the paper.

        Raises
        ------
        LatexError
            When a file cannot be read, or the LaTeX is broken.
        """
        text = read(self.main)
        if not text.strip():
            raise LatexError(f"{self.main}: is empty; give the main .tex file of a paper")
        self.in_body = not _BODY.search(text)
        self._enter(self.main, text)
        self._expand()
        text, places = _joined(self.out)
        return Expanded(text, places, self.theorems, self.missing)

    def _enter(self, path: Path, text: str, first: int = 1) -> None:
        self._open.append(path.resolve())
        given = tokens(text, path, first)
        balanced(given)
        self.stream.push([*given, Token("end", "", path, first + text.count("\n"))])

    def _expand(self) -> None:
        while self.stream:
            token = self.stream.pop()
            self._steps += 1
            if self._steps > MOST_STEPS or self._calls > MOST_CALLS:
                what = f"{self._calls} calls in {self._steps} steps"
                raise LatexError(f"{token.where}: the macros make no end, {what}; look for one that calls itself")
            if token.kind == "end":
                self._open and self._open.pop()
            elif token.kind in ("command", "symbol"):
                self._command(token)
            elif self.in_body:
                self.out.append(token)

    def _command(self, at: Token) -> None:
        name = at.name
        if name in self.same:
            meant = self.same[name]
            self._emit(Token(meant.kind, meant.text, at.file, at.line))
        elif name in self.macros:
            self._calls += 1
            self.stream.push(self.stream.call(self.macros[name], at))
        elif name in DEFINING:
            DEFINING[name](at, self)
        elif name in CONDITIONS or name in self.flags:
            if not (self.flags[name] if name in self.flags else CONDITIONS[name](at, self)):
                skip_branch(self, at)
        elif name in ("else", "or"):
            skip_branch(self, at, to_else=False)
        elif name == "IfBooleanTF":
            chosen, yes, no = (self.stream.argument(at) for _ in range(3))
            self.stream.push(yes if text_of(chosen) == "*" else no)
        elif name == "newif":
            flag = self.stream.argument(at)[0].name
            self.flags[flag] = False
        elif f"if{name[:-4]}" in self.flags and name.endswith("true"):
            self.flags[f"if{name[:-4]}"] = True
        elif f"if{name[:-5]}" in self.flags and name.endswith("false"):
            self.flags[f"if{name[:-5]}"] = False
        elif name in INPUTS:
            self._input(at)
        elif name == "endinput":
            while self.stream and self.stream.peek().kind != "end":
                self.stream.pop()
        elif name in ("begin", "end"):
            self._environment(at)
        elif name in ("usepackage", "RequirePackage") and not self.foreign:
            self._package(at)
        elif name in KEPT and not self.in_body and not self.foreign:
            self._kept(at)
        elif name not in ("fi", "makeatletter", "makeatother", "xspace", "ensuremath"):
            self._emit(at)

    def _emit(self, token: Token) -> None:
        if self.in_body:
            self.out.append(token)

    def _environment(self, at: Token) -> None:
        name = text_of(self.stream.argument(at)).strip()
        if name == "document":
            self.in_body = at.name == "begin" or self.in_body
            if at.name == "end":
                self.stream.clear()
        elif name in self.environments and name not in self.theorems:
            begin, end = self.environments[name]
            body = self.stream.call(begin, at) if at.name == "begin" else end
            self.stream.push([Token(t.kind, t.text, at.file, at.line) for t in body])
        else:
            self._emit(Token("environment", f"\\{at.name}{{{name}}}", at.file, at.line))
            if at.name == "begin" and name.rstrip("*") in ("tabular", "tabularx", "longtable", "array", "tabulary"):
                self._columns(at, name)

    def _columns(self, at: Token, name: str) -> None:
        """Leave of the columns of a table only their letters: what stands before each cell may be half a formula."""
        optional = self.stream.optional(at)
        wide = self.stream.argument(at) if name.rstrip("*") in ("tabularx", "tabulary") or name == "tabular*" else None
        optional = self.stream.optional(at) if wide is not None else optional
        columns = text_of(self.stream.argument(at))
        while (fewer := _COLUMNS.sub("", columns)) != columns:
            columns = fewer
        del optional
        self._emit(Token("text", "{" + re.sub(r"[^a-zA-Z|]", "", columns) + "}", at.file, at.line))

    def _kept(self, at: Token) -> None:
        star = "*" if self.stream.starred() else ""
        optional = self.stream.optional(at)
        groups = [self.stream.argument(at) for _ in range(KEPT[at.name])]
        outer, self.stream, self.in_body = self.stream, Stream(), True
        self._emit(Token("command", f"\\{at.name}{star}", at.file, at.line))
        if optional is not None and at.name == "counterwithin":
            optional = None
        for group in groups:
            self._emit(Token("open", "{", at.file, at.line))
            self.stream.push(group)
            self._expand()
            self._emit(Token("close", "}", at.file, at.line))
        self.stream, self.in_body = outer, False

    def _input(self, at: Token) -> None:
        folder = self.stream.word(at) if INPUTS[at.name] == 2 else ""
        name = (Path(folder) / self.stream.word(at)).as_posix() if folder else self.stream.word(at)
        path = found(name, [self.main.parent, at.file.parent]) if name else None
        if path is None and not self.in_body:
            self.missing.append(f"{at.where}: {at.text.strip()} names {name!r}, which is not in the folder")
            return
        if path is None:
            what = (
                f"{at.text.strip()} names {name!r}, which is not in {self.main.parent.resolve().name or 'the folder'}"
            )
            raise LatexError(f"{at.where}: {what}; add the file, or remove the line")
        if path.resolve() in self._open:
            raise LatexError(f"{at.where}: {path} is read within itself; remove this {at.text.strip()}")
        text = read(path)
        body = _BODY.search(text)
        first = text.count("\n", 0, body.start(1)) + 1 if body else 1
        self._enter(path, body[1] if body else text, first)

    def _package(self, at: Token) -> None:
        r"""Take the author's own macros from a style file that lies beside the paper."""
        self.stream.optional(at)
        for name in text_of(self.stream.argument(at)).split(","):
            path = self.main.parent / f"{name.strip()}.sty"
            if not path.is_file():
                continue
            outer, body, opened = self.stream, self.in_body, list(self._open)
            self.stream, self.in_body, self.foreign = Stream(), False, True
            try:
                self._enter(path, read(path))
                self._expand()
            except LatexError as error:
                self.missing.append(f"{path}: its macros are read only in part: {error}")
            self.stream, self.in_body, self.foreign, self._open = outer, body, False, opened


def _joined(given: list[Token]) -> tuple[str, list[tuple[int, Token]]]:
    parts, places, at = [], [], 0
    for token in given:
        places.append((at, token))
        gap = parts and token.text[:1].isalpha() and parts[-1][:1] == "\\" and parts[-1][-1:].isalpha()
        parts.append(" " + token.text if gap else token.text)
        at += len(parts[-1])
    return "".join(parts), places
