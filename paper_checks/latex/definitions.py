r"""Commands that define macros and environments: ``\newcommand``, ``\def``, ``\let`` and their kin."""

import re

from paper_checks.latex.files import LatexError
from paper_checks.latex.reader import Reader
from paper_checks.latex.stream import Macro, Take
from paper_checks.latex.tokens import Token, text_of, tokens

# How the body of \theequation differs from that of \theta.
_PRINTS_A_COUNTER = re.compile(r"\\(?:arabic|alph|Alph|roman|Roman|fnsymbol|the[a-z]+)(?![A-Za-z])")
Given = list[Token]


def _name(given: Given) -> str:
    return next((t.name for t in given if t.kind in ("command", "symbol")), "")


def _simple(number: Given | None, default: Given | None, body: Given) -> Macro:
    digits = text_of(number or []).strip()
    count = min(int(digits), 9) if digits.isdigit() else 0  # LaTeX has no more.
    optional: list[Take] = [("o", tuple(default))] if default is not None else []
    return Macro((*optional, *[("m", None)] * (count - len(optional))), tuple(body))


def _new_command(reader: Reader, at: Token, _star: Given, called: Given, *given: Given | None) -> None:
    name, (number, default, body) = _name(called), given
    text = text_of(body)
    if name.startswith("the") and _PRINTS_A_COUNTER.search(text):
        reader.counters.formats[name.removeprefix("the")] = text
    elif not (at.name == "providecommand" and name in reader.macros):
        reader.define(name, _simple(number, default, body))


def _define(reader: Reader, at: Token, called: Given) -> None:
    read, text = reader.stream, []
    while (top := read.peek()) is not None and top.kind not in ("open", "end"):
        text.append(read.pop())
    takes: list[Take] = []
    for token in text:
        if token.kind == "parameter":
            takes.append(("m", ()))
        else:
            kind, what = takes.pop() if takes else ("t", ())
            takes.append((kind, (*what, token)))
    (body,) = read.arguments("m", at)
    reader.define(_name(called), Macro(tuple(takes), tuple(body)))


def _let(reader: Reader, at: Token, called: Given) -> None:
    read, name = reader.stream, _name(called)
    read.skip_space()
    if (top := read.peek()) is not None and top.text.startswith("="):
        read.character()
        read.skip_space()
    meant = read.character()
    if meant is None or meant.kind == "end":
        raise LatexError(f"{at.where}: {at.text.strip()} lacks what the command shall be; add it")
    if name and meant.name in reader.conditions:
        reader.conditions[name] = reader.conditions[meant.name]
    elif meant.name in reader.macros:
        reader.define(name, reader.macros[meant.name])
    elif not meant.name or reader.fixed(meant.name):
        reader.define(name, Macro((), (meant,)))
    else:  # Its name may get another meaning.
        reader.define(name, Macro((), (Token("kept", meant.text, meant.file, meant.line),)))


def _math_operator(reader: Reader, at: Token, star: Given, called: Given, body: Given) -> None:
    latex = rf"\operatorname{text_of(star)}{{{text_of(body)}}}"
    reader.define(_name(called), Macro((), tuple(tokens(latex, at.file, at.line))))


def _paired_delimiter(reader: Reader, at: Token, called: Given, left: Given, right: Given) -> None:
    latex = rf"\left{text_of(left).strip()} #3 \right{text_of(right).strip()}"
    reader.define(_name(called), Macro(_takes("s o m", at), tuple(tokens(latex, at.file, at.line))))


def _document_command(reader: Reader, at: Token, called: Given, takes: Given, body: Given) -> None:
    reader.define(_name(called), Macro(_takes(text_of(takes), at), tuple(body)))


def _takes(text: str, at: Token) -> tuple[Take, ...]:
    made: list[Take] = []
    for kind, default in re.findall(r"([a-zA-Z])\s*(?:\{([^{}]*)\})?", text):
        optional = ("o", tuple(tokens(default, at.file, at.line)))
        made.append(optional if kind in "oO" else ("s" if kind == "s" else "m", None))
    return tuple(made)


def _if_boolean(reader: Reader, _at: Token, chosen: Given, yes: Given, no: Given) -> None:
    reader.stream.push(yes if text_of(chosen) == "*" else no)


def _new_environment(reader: Reader, _at: Token, _star: Given, called: Given, *given: Given | None) -> None:
    name, (number, default, begin, end) = text_of(called).strip(), given
    reader.define(name, macro := _simple(number, default, begin))
    if reader.macros.get(name) is macro:
        reader.environments.pop(name, None)
        reader.macros[f"end{name}"] = Macro((), tuple(end))


COMMANDS = {
    **dict.fromkeys(("newcommand", "renewcommand", "providecommand", "DeclareRobustCommand"), ("smoom", _new_command)),
    **dict.fromkeys(("def", "gdef", "edef", "xdef"), ("m", _define)),
    "let": ("m", _let),
    **dict.fromkeys(("DeclareMathOperator", "newoperator"), ("smm", _math_operator)),
    "DeclarePairedDelimiter": ("mmm", _paired_delimiter),
    **dict.fromkeys(
        ("NewDocumentCommand", "RenewDocumentCommand", "DeclareDocumentCommand", "ProvideDocumentCommand"),
        ("mmm", _document_command),
    ),
    "IfBooleanTF": ("mmm", _if_boolean),
    **dict.fromkeys(("newenvironment", "renewenvironment"), ("smoomm", _new_environment)),
}  # fmt: skip
