"""LaTeX cut into tokens, each with its file and line; comments and what is verbatim are left out."""

import bisect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_VERBATIM = r"verbatim|Verbatim|BVerbatim|lstlisting|minted|comment|filecontents|alltt|tikzpicture|CCSXML"
_TOKEN = re.compile(
    rf"""
    (?P<verbatim>\\begin\s*\{{(?P<env>(?:{_VERBATIM})\*?)\}}.*?\\end\s*\{{(?P=env)\}}
      |\\(?:verb|lstinline)\b\*?(?:\[[^\]]*\])?(?P<mark>[^A-Za-z\s*]).*?(?P=mark)
      |\\(?:url|path|nolinkurl|href)\s*\{{[^{{}}]*\}})
  | (?P<comment>%[^\n]*(?:\n[ \t]*)?)
  | (?P<command>\\[A-Za-z@]+)(?P<space>[ \t]*(?:\n[ \t]*)?(?!\n))?
  | (?P<symbol>\\(?:.|\Z))
  | (?P<parameter>\#[1-9])
  | (?P<open>\{{) | (?P<close>\}}) | (?P<square>[\[\]]) | (?P<math>\$\$?)
  | (?P<text>[^\\%{{}}\[\]\#$]+|\#)
    """,
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    r"""A piece of LaTeX.

    Attributes
    ----------
    kind : {"command", "symbol", "parameter", "open", "close", "square", "math", "text", "environment", "kept", "end"}
        An environment is its begin or its end; a command that is kept is replaced by nothing; the last one ends a file.
    text : str
        With the spaces that follow a command.
    file : Path
    line : int
    """

    kind: str
    text: str
    file: Path
    line: int

    @property
    def name(self) -> str:
        r"""Of a command or symbol, without the backslash.

        >>> Token("command", r"\alpha ", Path("a.tex"), 1).name
        'alpha'
        """
        return self.text[1:].rstrip() if self.kind == "command" else self.text[1:] if self.kind == "symbol" else ""

    @property
    def where(self) -> str:
        return f"{self.file}, line {self.line}"


def tokens(text: str, file: Path, first: int = 1) -> list[Token]:
    r"""The tokens of a text.

    Examples
    --------
    >>> [t.text for t in tokens("a % not\n\\b{c}", Path("a.tex"))]
    ['a ', '\\b', '{', 'c', '}']
    """
    breaks = [match.start() for match in re.finditer("\n", text)]
    made = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup if match.lastgroup != "space" else "command"
        line = first + bisect.bisect_left(breaks, match.start())
        if match["verbatim"]:
            if match["mark"] or not match["env"]:
                made.append(Token("text", "…", file, line))
        elif kind != "comment":
            made.append(Token(kind, match[0], file, line))
    return made


def pieces(given: Iterable[Token]) -> Iterator[tuple[Token, str]]:
    """Each token with its text, before which a space parts a letter from a command."""
    before = ""
    for token in given:
        gap = token.text[:1].isalpha() and before[:1] == "\\" and before[-1:].isalpha()
        before = token.text
        yield token, " " + token.text if gap else token.text


def text_of(given: Iterable[Token]) -> str:
    """The tokens as LaTeX.

    Examples
    --------
    >>> text_of([Token("command", r"\\alpha", Path("a"), 1), Token("text", "x", Path("a"), 1)])
    '\\\\alpha x'
    """
    return "".join(text for _, text in pieces(given))


def line_at(given: Iterable[Token], place: int, of: Token) -> tuple[Path, int]:
    """The file and line in which a place of the tokens' text was written; those of another token behind their end."""
    for token, text in pieces(given):
        if place < len(text):
            return token.file, token.line + (text[:place].count("\n") if token.kind == "text" else 0)
        place -= len(text)
    return of.file, of.line
