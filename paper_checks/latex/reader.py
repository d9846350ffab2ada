"""A paper that is being read as LaTeX reads it: macros replaced, branches taken, what is opened closed."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from paper_checks.latex.counters import Counters
from paper_checks.latex.files import LatexError
from paper_checks.latex.statements import Numbered, Source
from paper_checks.latex.stream import Macro, Stream
from paper_checks.latex.tokens import Token, text_of

MOST_CALLS = 200_000
MOST_STEPS = 1_000_000
PARTNERS = {"{": "}", "$": "$", "$$": "$$", r"\[": r"\]", r"\(": r"\)"}
# What an author may define anew without changing what it means here.
STRUCTURE = {
    "begin", "end", "item", "paragraph", "part", "label", "tag", "notag", "nonumber", "ref", "eqref", "cref", "Cref",
    "cite", "citep", "citet", "footnote", "maketitle", "frac", "sqrt", "left", "right", "text", "multicolumn",
    "multirow", "and", "And", "AND", "pm", "toprule", "midrule", "bottomrule", "hline", "document", "thanks", "date",
    "address", "email", "sum", "int",
}  # fmt: skip

Command = tuple[str, Callable[..., None]]
Close = Callable[[list[Token]], str | None]


@dataclass(frozen=True)
class Opened:
    """A group, formula or environment whose end is still to come."""

    token: Token
    partner: str
    start: int
    close: Close | None


@dataclass
class Float:
    r"""A table that is being read: its captions with their places, and the bodies of its tabulars."""

    captions: list[tuple[int, Numbered]] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)
    inner: int = 0


class Reader:
    """The state of reading.

    Attributes
    ----------
    commands, in_text, conditions : dict by name
        The letters of what each command takes, and the function that carries it out; ``in_text`` are those that mean
        nothing in a preamble, ``conditions`` those that begin a branch.
    environments : dict by name
        The function that begins each; what it returns is called with the tokens inside when it ends, and returns the
        formula that stands for them, if one does.
    macros : dict by name
        Those of the author.
    stream : Stream
        What is still to be read.
    out : list of Token
        What has been read, after macros are replaced.
    opened : list of Opened
    in_body, foreign : bool
        Whether the preamble is over; whether this is a style file.
    source : Source
        What has been found; ``section``, ``counters``, ``labelled`` and ``table`` are those at this place.
    """

    def __init__(
        self,
        main: Path,
        commands: Mapping[str, Command],
        in_text: Mapping[str, Command],
        conditions: Mapping[str, Command],
        environments: Mapping[str, Callable[["Reader", Token, str], Close | None]],
    ):
        self.main, self.commands, self.in_text = main, commands, in_text
        self.conditions, self.environments = dict(conditions), dict(environments)
        self.files: list[Path] = []
        self.stream, self.out, self.opened = Stream(), list[Token](), list[Opened]()
        self.in_body = self.foreign = False
        self.macros: dict[str, Macro] = {}
        self.source, self.counters = Source(), Counters()
        self.section = ""
        self.labelled: dict[str, Numbered] = {}
        self.table: Float | None = None
        self._steps = self._calls = 0

    def define(self, name: str, macro: Macro) -> None:
        """Know a macro, unless it stands for structure, or for the layout of a style file."""
        if name and not self.fixed(name) and not (self.foreign and any("@" in t.text for t in macro.body)):
            self.macros[name] = macro

    def fixed(self, name: str) -> bool:
        """Whether a command means the same in all papers."""
        return any(name in known for known in (STRUCTURE, self.commands, self.in_text))

    def add(self, found: Numbered) -> None:
        """Take in a statement."""
        self.source.displays.append(found)
        self.label(found)

    def label(self, found: Numbered) -> None:
        if found.label and found.number:
            self.labelled[found.label] = found

    def text(self, given: Iterable[Token] | None) -> str:
        """An argument as LaTeX, with macros replaced."""
        return text_of(self.expand(given or ())).strip()

    def expand(self, given: Iterable[Token], *, in_body: bool = True) -> list[Token]:
        """What is left of the given tokens.

        Raises
        ------
        LatexError
            When the LaTeX is broken, or a file cannot be read.
        """
        outer = self.stream, self.out, self.opened, self.in_body
        self.stream, self.out, self.opened, self.in_body = Stream(), [], [], in_body
        self.stream.push(given)
        try:
            while self.stream:
                self._step(self.stream.pop())
            if self.opened:
                raise _never_closed(self.opened[-1])
            return self.out
        finally:
            self.stream, self.out, self.opened, self.in_body = outer

    def _step(self, token: Token) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS or self._calls > MOST_CALLS:
            what = f"{self._calls} calls in {self._steps} steps"
            raise LatexError(f"{token.where}: the macros make no end, {what}; look for one that calls itself")
        name = token.name
        if token.kind == "end":
            self.files.pop()
        elif name in self.macros:
            before = len(self.stream)
            self.stream.call(self.macros[name], token)
            self._calls += 1
            self._steps += max(len(self.stream) - before, 0)
        elif command := self._command(name):
            takes, do = command
            do(self, token, *self.stream.arguments(takes, token))
        elif self.in_body or token.kind in ("open", "close"):
            self.emit(token)

    def _command(self, name: str) -> Command | None:
        known = self.conditions.get(name) or self.commands.get(name)
        return known or (self.in_text.get(name) if self.in_body else None)

    def emit(self, token: Token) -> None:
        """Leave a token for what is around it, and keep account of pairs."""
        text = token.text
        awaited = self.opened[-1].partner if self.opened else ""
        if text == "$$" and awaited == "$":
            for _ in text:
                self.emit(replace(token, text="$"))
        elif text != awaited and text in PARTNERS:
            self.out.append(token)
            display = text in (r"\[", "$$") and self.environments["displaymath"]
            self._open(token, PARTNERS[text], display and display(self, token, "displaymath"))
        elif text == awaited or text in PARTNERS.values() or token.kind == "environment":
            if text != awaited:
                raise self._unmatched(token)
            top = self.opened.pop()
            formula = top.close(self.out[top.start :]) if top.close else None
            if formula:
                self.out[top.start - 1 :] = [replace(token, kind="kept", text=f" $${formula}$$ ")]
            else:
                self.out.append(token)
        else:
            self.out.append(token)

    def begin(self, at: Token, given: list[Token]) -> None:
        name = text_of(given).strip()
        known = self.environments.get(name) or self.environments.get(name.rstrip("*"))
        if name == "document":
            self.in_body = True
        elif known is None and name in self.macros:
            self.stream.call(self.macros[name], at)
        elif self.in_body:
            token = replace(at, kind="environment", text=f"\\begin{{{name}}}")
            self.out.append(token)
            self._open(token, f"\\end{{{name}}}", known and known(self, at, name))

    def end(self, at: Token, given: list[Token]) -> None:
        name = text_of(given).strip()
        known = name in self.environments or name.rstrip("*") in self.environments
        if name == "document":
            self.stream.clear()
        elif not known and name in self.macros:
            self.stream.call(self.macros.get(f"end{name}", Macro((), ())), at)
        elif self.in_body:
            self.emit(replace(at, kind="environment", text=f"\\end{{{name}}}"))

    def _open(self, token: Token, partner: str, close: Close | None) -> None:
        self.opened.append(Opened(token, partner, len(self.out), close))

    def _unmatched(self, token: Token) -> LatexError:
        top = self.opened[-1] if self.opened else None
        if top is not None and top.token.kind == token.kind == "environment":
            what = f"{top.token.text} is closed by {token.text} in line {token.line}"
            return LatexError(f"{top.token.where}: {what}; make the two names the same")
        if any(opened.partner == token.text for opened in self.opened):
            return _never_closed(top)
        return LatexError(f"{_named(token)} closes nothing; remove it, or add what it should close")


def _named(token: Token) -> str:
    return f"{token.where}: {token.text if token.kind == 'environment' else f'this {token.text}'}"


def _never_closed(opened: Opened) -> LatexError:
    return LatexError(f"{_named(opened.token)} is never closed; add the {opened.partner} that is missing")
