r"""Conditions: ``\iffalse``, ``\newif``, and those that can be told without running LaTeX."""

from paper_checks.latex.files import LatexError
from paper_checks.latex.reader import Reader
from paper_checks.latex.stream import Macro
from paper_checks.latex.tokens import Token, text_of, tokens


def _skip(reader: Reader, at: Token, *, to_else: bool = True) -> None:
    r"""Leave out what follows, up to ``\else`` or ``\fi``."""
    depth, read = 0, reader.stream
    while read and read.peek().kind != "end":
        name = read.pop().name
        if name == "else" and depth == 0 and to_else:
            return
        depth += (name in reader.conditions) - (name == "fi")
        if depth < 0:
            return
    if read:
        raise LatexError(rf"{at.where}: {at.text.strip()} is never closed; add the \fi that is missing")


def _go_on(*_given: object) -> None:
    pass


def _name(given: list[Token]) -> str:
    return text_of(given).strip().removeprefix("\\")


def _if_defined(reader: Reader, at: Token, given: list[Token]) -> None:
    if _name(given) not in reader.macros:
        _skip(reader, at)


def _if_same(reader: Reader, at: Token, *given: list[Token]) -> None:
    names = [_name(tokens) for tokens in given]
    one, other = (reader.macros.get(name, name) for name in names)
    if one != other and not ("undefined" in names and not any(name in reader.macros for name in names)):
        _skip(reader, at)


def _new_if(reader: Reader, at: Token, given: list[Token]) -> None:
    name = _name(given)
    if not name.startswith("if"):
        raise LatexError(f"{at.where}: \\newif names {name!r}; give it a name that begins with if")
    reader.conditions[name] = CONDITIONS["iffalse"]
    for value in ("true", "false"):
        body = tokens(rf"\let\{name}\if{value}", at.file, at.line)
        reader.define(name.removeprefix("if") + value, Macro((), tuple(body)))


# What cannot be told here counts as false.
_UNKNOWN = (
    "if", "ifcat", "ifnum", "ifdim", "ifodd", "ifcase", "ifmmode", "ifvmode", "ifhmode", "ifinner", "ifeof",
    "ifcsname", "ifvoid", "ifhbox", "ifvbox", "ifxetex", "ifXeTeX", "ifluatex", "ifLuaTeX",
)  # fmt: skip
CONDITIONS = {
    **dict.fromkeys(("iffalse", *_UNKNOWN), ("", _skip)),
    **dict.fromkeys(("iftrue", "ifpdf", "ifPDFTeX", "ifpdftex"), ("", _go_on)),
    "ifdefined": ("m", _if_defined),
    "ifx": ("mm", _if_same),
}
COMMANDS = {
    "newif": ("m", _new_if),
    **dict.fromkeys(("else", "or"), ("", lambda reader, at: _skip(reader, at, to_else=False))),
    **dict.fromkeys(("fi", "makeatletter", "makeatother", "xspace", "ensuremath"), ("", _go_on)),
}
