"""A stack of tokens to read from, and what arguments a command takes from it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from paper_checks.latex.files import LatexError
from paper_checks.latex.tokens import Token, text_of

MOST_TOKENS = 1_000_000
# What a command takes, in the letters of \NewDocumentCommand: s a star, o in square brackets with a default, m in
# braces, or all up to the given text. In ours: t a text that must follow and is no argument, w the name of a file.
Take = tuple[str, tuple[Token, ...] | None]


@dataclass(frozen=True)
class Macro:
    """A macro of the author's: what it takes, and what it stands for."""

    takes: tuple[Take, ...]
    body: tuple[Token, ...]


class Stream(list[Token]):
    """Tokens still to be read, the next one last; what a macro stands for is put back there."""

    def push(self, given: Iterable[Token]) -> None:
        self.extend(list(given)[::-1])

    def peek(self) -> Token | None:
        return self[-1] if self else None

    def skip_space(self) -> None:
        while self and self[-1].kind == "text":
            top = self.pop()
            if rest := top.text.lstrip():
                passed = top.text[: len(top.text) - len(rest)]
                self.append(replace(top, text=rest, line=top.line + passed.count("\n")))
                return

    def character(self) -> Token | None:
        """The next token; of a text its first character."""
        top = self.pop() if self else None
        if top is not None and top.kind == "text" and len(top.text) > 1:
            self.append(replace(top, text=top.text[1:], line=top.line + (top.text[0] == "\n")))
            return replace(top, text=top.text[0])
        return top

    def arguments(self, kinds: str, of: Token) -> list[list[Token] | None]:
        """The arguments of a command, by their letters; None for an optional one that is left out."""
        return self._taken([(kind, None) for kind in kinds], of)

    def call(self, macro: Macro, of: Token) -> None:
        """Put the body of a macro with its arguments in the place of its call."""
        self.push(_substituted(macro.body, self._taken(macro.takes, of), of))

    def _taken(self, takes: Iterable[Take], of: Token) -> list[list[Token] | None]:
        given: list[list[Token] | None] = []
        for kind, what in takes:
            if kind == "s":
                given.append(self._star())
            elif kind == "o":
                found = self._optional(of)
                given.append(list(what) if found is None and what is not None else found)
            elif kind == "w":
                given.append(self._word(of))
            elif what:
                before = self._up_to(of, text_of(what))
                given += [before] if kind == "m" else []
            else:
                given.append(self._argument(of))
        return given

    def _argument(self, of: Token) -> list[Token]:
        """A group without its braces, or a single token."""
        self.skip_space()
        first = self.character()
        if first is None or first.kind in ("end", "close") or first.name == "end":
            raise LatexError(f"{of.where}: {of.text.strip()} lacks an argument; add it in braces")
        if first.kind == "open":
            return self._until(of, "}")
        return [replace(first, text=first.text.rstrip())] if first.kind == "command" else [first]

    def _optional(self, of: Token) -> list[Token] | None:
        self.skip_space()
        top = self.peek()
        if top is None or top.text != "[":
            return None
        self.pop()
        return self._until(of, "]")

    def _star(self) -> list[Token]:
        top = self.peek()
        return [self.character()] if top is not None and top.kind == "text" and top.text[0] == "*" else []

    def _until(self, of: Token, closing: str) -> list[Token]:
        taken, depth = [], 0
        while self and self[-1].kind != "end" and depth >= 0:
            token = self.pop()
            if depth == 0 and token.text == closing:
                return taken
            depth += (token.kind == "open") - (token.kind == "close")
            taken.append(token)
        raise LatexError(f"{of.where}: an argument of {of.text.strip()} is never closed; add the missing {closing}")

    def _up_to(self, of: Token, text: str) -> list[Token]:
        """All before a text outside of braces, which is taken too."""
        taken, depth = [], 0
        while (token := self.character()) is not None and token.kind != "end":
            depth += (token.kind == "open") - (token.kind == "close")
            taken.append(token)
            tail = "".join(t.text.rstrip() if t.kind == "command" else t.text for t in taken[-len(text) :])
            if depth == 0 and tail.endswith(text):
                while text and taken:
                    text = text[: len(text) - len(taken.pop().text.rstrip())]
                return taken
        raise LatexError(f"{of.where}: {of.text.strip()} is used without the {text!r} that must follow; add it")

    def _word(self, of: Token) -> list[Token]:
        r"""A file's name: in braces, or up to a space, as after plain ``\input``."""
        self.skip_space()
        top = self.peek()
        if top is None or top.kind != "text":
            return self._argument(of)
        self.pop()
        word, space, rest = top.text.partition(next((c for c in top.text if c.isspace()), "\n"))
        self.push([replace(top, text=space + rest)] if space else [])
        return [replace(top, text=word)]


def _substituted(body: Iterable[Token], given: Sequence[list[Token] | None], of: Token) -> list[Token]:
    """A body with arguments in the places of its parameters, all at the place of the call."""
    made: list[Token] = []
    for token in body:
        if token.kind == "parameter" and made and made[-1].text == "#":
            made[-1] = replace(token, file=of.file, line=of.line)
        elif token.kind == "parameter":
            number = int(token.text[1:])
            made += (given[number - 1] or []) if number <= len(given) else []
            if len(made) > MOST_TOKENS:
                what = f"{of.text.strip()} makes no end, more than {MOST_TOKENS} pieces"
                raise LatexError(f"{of.where}: {what}; look for a macro that calls itself")
        else:
            made.append(Token(token.kind, token.text, of.file, of.line))
    return made
