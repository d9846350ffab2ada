"""LaTeX cut into tokens, each with its file and line; comments and what is verbatim are left out."""

import bisect
import re
from dataclasses import dataclass
from pathlib import Path

from paper_checks.latex.files import LatexError

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
  | (?P<open>\{{) | (?P<close>\}}) | (?P<square>[\[\]])
  | (?P<text>[^\\%{{}}\[\]\#]+|\#)
    """,
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    r"""A piece of LaTeX.

    Attributes
    ----------
    kind : {"command", "symbol", "parameter", "open", "close", "square", "text", "end"}
        The last one ends a file.
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


def balanced(given: list[Token]) -> None:
    """Check that each brace has its partner.

    Raises
    ------
    LatexError
    """
    opened: list[Token] = []
    for token in given:
        if token.kind == "open":
            opened.append(token)
        elif token.kind == "close":
            if not opened:
                raise LatexError(
                    f"{token.where}: this }} closes nothing; remove it, or add the {{ that it should close"
                )
            opened.pop()
    if opened:
        raise LatexError(f"{opened[-1].where}: this {{ is never closed; add the }} that is missing")
