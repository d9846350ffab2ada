"""A stack of tokens to read from, and what arguments a macro takes from it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from paper_checks.latex.files import LatexError
from paper_checks.latex.tokens import Token, tokens

MOST_TOKENS = 1_000_000


@dataclass(frozen=True)
class Macro:
    """A macro of the author's.

    Attributes
    ----------
    takes : tuple of (kind, tokens)
        Its arguments: ``m`` in braces, ``o`` in square brackets with a default, ``s`` a star, ``u`` up to a text, ``t``
        a text that must follow and is no argument.
    body : tuple of Token
    """

    takes: tuple[tuple[str, tuple[Token, ...]], ...]
    body: tuple[Token, ...]


def simple(number: int, default: tuple[Token, ...] | None, body: Iterable[Token]) -> Macro:
    r"""A macro as ``\newcommand`` makes it."""
    optional = (("o", default),) if default is not None else ()
    number = min(number, 9)  # LaTeX has no more.
    return Macro((*optional, *((("m", ()),) * (number - len(optional)))), tuple(body))


def text_of(given: Iterable[Token]) -> str:
    """The tokens as LaTeX; a space parts a command from a letter that follows.

    Examples
    --------
    >>> from pathlib import Path
    >>> alpha, x = Token("command", r"\\alpha", Path("a"), 1), Token("text", "x", Path("a"), 1)
    >>> text_of([alpha, x])
    '\\\\alpha x'
    """
    parts: list[str] = []
    for token in given:
        if parts and token.text[:1].isalpha() and parts[-1][:1] == "\\" and parts[-1][-1:].isalpha():
            parts.append(" ")
        parts.append(token.text)
    return "".join(parts)


class Stream:
    """Tokens still to be read; what a macro stands for is put back on top."""

    def __init__(self, given: Iterable[Token] = ()):
        self._stack = list(given)[::-1]

    def __bool__(self) -> bool:
        return bool(self._stack)

    def push(self, given: Iterable[Token]) -> None:
        self._stack.extend(list(given)[::-1])

    def pop(self) -> Token:
        return self._stack.pop()

    def peek(self) -> Token | None:
        return self._stack[-1] if self._stack else None

    def clear(self) -> None:
        self._stack.clear()

    def skip_space(self) -> None:
        while self._stack and self._stack[-1].kind == "text":
            top = self._stack.pop()
            if rest := top.text.lstrip():
                self._stack.append(replace(top, text=rest))
                return

    def character(self) -> Token | None:
        """The next token; of a text its first character."""
        if not self._stack:
            return None
        top = self._stack.pop()
        if top.kind == "text" and len(top.text) > 1:
            self._stack.append(replace(top, text=top.text[1:]))
            return replace(top, text=top.text[0])
        return top

    def starred(self) -> bool:
        """Whether a star follows, which is taken."""
        top = self.peek()
        if top is None or top.kind != "text" or not top.text.startswith("*"):
            return False
        self.character()
        return True

    def argument(self, of: Token) -> list[Token]:
        """A group without its braces, or a single token."""
        self.skip_space()
        first = self.character()
        if first is None or first.kind in ("end", "close") or first.name == "end":
            raise LatexError(f"{of.where}: {of.text.strip()} lacks an argument; add it in braces")
        if first.kind == "open":
            return self._until(of, "close", "}")
        return [replace(first, text=first.text.rstrip())] if first.kind == "command" else [first]

    def optional(self, of: Token) -> list[Token] | None:
        """What stands in square brackets, None without them."""
        self.skip_space()
        top = self.peek()
        if top is None or top.text != "[":
            return None
        self.pop()
        return self._until(of, "square", "]")

    def _until(self, of: Token, kind: str, text: str) -> list[Token]:
        taken, depth = [], 0
        while self._stack:
            token = self.pop()
            if token.kind == "end":
                self._stack.append(token)
                break
            if depth == 0 and token.kind == kind and token.text == text:
                return taken
            depth += (token.kind == "open") - (token.kind == "close")
            taken.append(token)
            if depth < 0:
                break
        raise LatexError(f"{of.where}: an argument of {of.text.strip()} is never closed; add the missing {text}")

    def up_to(self, of: Token, text: str) -> list[Token]:
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

    def word(self, of: Token) -> str:
        r"""A file's name: in braces, or up to a space, as after plain ``\input``."""
        self.skip_space()
        top = self.peek()
        if top is not None and top.kind == "open":
            return text_of(self.argument(of)).strip()
        taken = ""
        while (token := self.character()) is not None and token.kind != "end" and not token.text.isspace():
            taken += token.text
            if token.text != taken and token.text[-1:].isspace():
                break
        if token is not None and token.kind == "end":
            self._stack.append(token)
        return taken.strip()

    def call(self, macro: Macro, of: Token) -> list[Token]:
        """The body of a macro with its arguments, which are taken."""
        given: list[list[Token]] = []
        for kind, what in macro.takes:
            if kind == "m":
                given.append(self.argument(of))
            elif kind == "o":
                found = self.optional(of)
                given.append(list(what) if found is None else found)
            elif kind == "s":
                given.append(tokens("*" if self.starred() else "", of.file, of.line))
            elif kind == "u":
                given.append(self.up_to(of, text_of(what)))
            else:
                self.up_to(of, text_of(what))
        return substituted(macro.body, given, of)


def substituted(body: Iterable[Token], given: list[list[Token]], of: Token) -> list[Token]:
    """A body with arguments in the places of its parameters, all at the place of the call."""
    made: list[Token] = []
    if sum(map(len, given)) > MOST_TOKENS:
        what = f"more than {MOST_TOKENS} pieces"
        raise LatexError(f"{of.where}: {of.text.strip()} makes no end, {what}; look for a macro that calls itself")
    for token in body:
        if token.kind == "parameter" and made and made[-1].text == "#":
            made[-1] = replace(token, file=of.file, line=of.line)
        elif token.kind == "parameter":
            number = int(token.text[1:])
            made += given[number - 1] if number <= len(given) else []
        else:
            made.append(replace(token, file=of.file, line=of.line))
    return made
