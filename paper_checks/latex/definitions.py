r"""Commands that define, and branches.

They are ``\newcommand``, ``\def``, ``\newtheorem`` and their kin; ``\iffalse``, and those whose condition can be told
without running LaTeX.
"""

import operator
import re
from collections.abc import Callable
from dataclasses import replace

from paper_checks.latex.files import LatexError
from paper_checks.latex.state import STRUCTURE, State, Theorem
from paper_checks.latex.stream import Macro, simple, text_of
from paper_checks.latex.tokens import Token, tokens

# How the body of \\theequation differs from that of \\theta.
_PRINTS_A_COUNTER = re.compile(r"\\(?:arabic|alph|Alph|roman|Roman|fnsymbol|the[a-z]+)(?![A-Za-z])")


def _name(given: list[Token]) -> str:
    return next((t.name for t in given if t.kind in ("command", "symbol")), "")


def new_command(at: Token, state: State) -> None:
    read = state.stream
    read.starred()
    name = _name(read.argument(at))
    number = text_of(read.optional(at) or []).strip()
    default = read.optional(at) if number else None
    body = read.argument(at)
    if name.startswith("the") and _PRINTS_A_COUNTER.search(text_of(body)):
        state.keep(f"\\renewcommand{{\\{name}}}{{{text_of(body)}}}", at)
    elif not (at.name == "providecommand" and name in state.macros):
        count = int(number) if number.isdigit() else 0
        state.define(name, simple(count, None if default is None else tuple(default), body))


def define(at: Token, state: State) -> None:
    read = state.stream
    read.skip_space()
    named, text = read.pop(), []
    while (top := read.peek()) is not None and top.kind not in ("open", "end"):
        text.append(read.pop())
    body = read.argument(at)
    takes: list[tuple[str, tuple[Token, ...]]] = []
    for place, token in enumerate(text):
        if token.kind == "parameter":
            takes.append(("m", ()))
        elif takes and text[place - 1].kind == "parameter":
            takes[-1] = ("u", (token,))
        elif takes and takes[-1][0] in "ut":
            takes[-1] = (takes[-1][0], (*takes[-1][1], token))
        else:
            takes.append(("t", (token,)))
    state.define(named.name, Macro(tuple(takes), tuple(body)))


def let(_at: Token, state: State) -> None:
    read = state.stream
    read.skip_space()
    named = read.pop()
    read.skip_space()
    if (top := read.peek()) is not None and top.text.startswith("="):
        read.character()
        read.skip_space()
    meant = read.character()
    if meant is None:
        return
    known = state.macros.get(meant.name) if meant.name else None
    if known is not None:
        state.define(named.name, known)
    else:
        state.same[named.name] = meant


def math_operator(at: Token, state: State) -> None:
    star = "*" if state.stream.starred() else ""
    name = _name(state.stream.argument(at))
    body = text_of(state.stream.argument(at))
    state.define(name, Macro((), tuple(tokens(f"\\operatorname{star}{{{body}}}", at.file, at.line))))


def paired_delimiter(at: Token, state: State) -> None:
    read = state.stream
    name = _name(read.argument(at))
    left, right = text_of(read.argument(at)).strip(), text_of(read.argument(at)).strip()
    body = tokens(rf"\left{left} #3 \right{right}", at.file, at.line)
    state.define(name, Macro((("s", ()), ("o", ()), ("m", ())), tuple(body)))


def document_command(at: Token, state: State) -> None:
    read = state.stream
    name = _name(read.argument(at))
    takes: list[tuple[str, tuple[Token, ...]]] = []
    for match in re.finditer(r"([a-zA-Z])\s*(?:\{([^{}]*)\})?", text_of(read.argument(at))):
        kind, default = match[1], tuple(tokens(match[2] or "", at.file, at.line))
        takes.append(("o", default) if kind in "oO" else ("s", ()) if kind == "s" else ("m", ()))
    state.define(name, Macro(tuple(takes), tuple(read.argument(at))))


def new_environment(at: Token, state: State) -> None:
    read = state.stream
    read.starred()
    name = text_of(read.argument(at)).strip()
    number = text_of(read.optional(at) or []).strip()
    default = read.optional(at) if number else None
    begin, end = read.argument(at), read.argument(at)
    if name not in STRUCTURE and not state.internal(begin):
        count = int(number) if number.isdigit() else 0
        state.environments[name] = (simple(count, None if default is None else tuple(default), begin), tuple(end))


def new_theorem(at: Token, state: State) -> None:
    read = state.stream
    numbered = not read.starred()
    name = text_of(read.argument(at)).strip()
    shared = text_of(read.optional(at) or []).strip()
    title = text_of(read.argument(at)).strip()
    within = text_of(read.optional(at) or []).strip()
    if at.name == "spnewtheorem":
        read.argument(at)
        read.argument(at)
    state.theorems[name] = Theorem(title, shared or name, within, numbered)


def declare_theorem(at: Token, state: State) -> None:
    read = state.stream
    options = text_of(read.optional(at) or [])
    names = text_of(read.argument(at)).split(",")
    options += "," + text_of(read.optional(at) or [])
    given = {k.strip(): v.strip().strip("{}") for k, _, v in (part.partition("=") for part in options.split(","))}
    within = next((given[k] for k in ("numberwithin", "parent", "within") if k in given), "")
    shared = next((given[k] for k in ("sibling", "numberlike", "sharenumber", "sharecounter") if k in given), "")
    numbered = given.get("numbered", "yes") not in ("no", "false", "unless unique")
    for name in (n.strip() for n in names):
        title = given.get("name") or given.get("title") or name.capitalize()
        state.theorems[name] = Theorem(title, shared or name, within, numbered)


DEFINING = {
    **dict.fromkeys(
        ("newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "DeclareMathSymbolCommand"),
        new_command,
    ),
    **dict.fromkeys(("def", "gdef", "edef", "xdef"), define),
    "let": let,
    **dict.fromkeys(("DeclareMathOperator", "newoperator"), math_operator),
    **dict.fromkeys(("DeclarePairedDelimiter",), paired_delimiter),
    **dict.fromkeys(
        ("NewDocumentCommand", "RenewDocumentCommand", "DeclareDocumentCommand", "ProvideDocumentCommand"),
        document_command,
    ),
    **dict.fromkeys(("newenvironment", "renewenvironment"), new_environment),
    **dict.fromkeys(("newtheorem", "spnewtheorem"), new_theorem),
    "declaretheorem": declare_theorem,
}  # fmt: skip


_NUMBERS = re.compile(r"\s*(-?\d+)\s*([<=>])\s*(-?\d+)\s?")
_COMPARE = {"<": operator.lt, "=": operator.eq, ">": operator.gt}


def _never(_at: Token, _state: State) -> bool:
    return False


def _always(_at: Token, _state: State) -> bool:
    return True


def _defined(at: Token, state: State) -> bool:
    name = state.stream.argument(at)[0].name
    return name in state.macros or name in state.same


def _same(at: Token, state: State) -> bool:
    one, other = (state.stream.argument(at)[0] for _ in range(2))
    meant = [state.macros.get(t.name, t.text.strip()) for t in (one, other)]
    undefined = "undefined" in (one.name, other.name)
    return meant[0] == meant[1] or (undefined and not any(t.name in state.macros for t in (one, other)))


def _numbers(_at: Token, state: State) -> bool:
    top = state.stream.peek()
    match = _NUMBERS.match(top.text) if top is not None and top.kind == "text" else None
    if match is None:
        return False
    state.stream.pop()
    state.stream.push([replace(top, text=top.text[match.end() :])])
    return _COMPARE[match[2]](int(match[1]), int(match[3]))


# What cannot be told here counts as false.
_UNKNOWN = (
    "if", "ifcat", "ifdim", "ifodd", "ifcase", "ifmmode", "ifvmode", "ifhmode", "ifinner", "ifeof", "ifcsname",
    "ifvoid", "ifhbox", "ifvbox", "ifxetex", "ifXeTeX", "ifluatex", "ifLuaTeX",
)  # fmt: skip
CONDITIONS: dict[str, Callable[[Token, State], bool]] = {
    "iffalse": _never,
    "iftrue": _always,
    "ifdefined": _defined,
    "ifx": _same,
    "ifnum": _numbers,
    **dict.fromkeys(("ifpdf", "ifPDFTeX", "ifpdftex"), _always),
    **dict.fromkeys(_UNKNOWN, _never),
}


def skip_branch(state: State, at: Token, *, to_else: bool = True) -> None:
    r"""Leave out what follows, up to ``\else`` or ``\fi``."""
    depth = 0
    while state.stream and state.stream.peek().kind != "end":
        token = state.stream.pop()
        if token.kind != "command":
            continue
        if token.name in CONDITIONS or token.name in state.flags:
            depth += 1
        elif token.name in ("fi", "repeat"):
            if depth == 0:
                return
            depth -= 1
        elif token.name == "else" and depth == 0 and to_else:
            return
    if state.stream:
        raise LatexError(rf"{at.where}: {at.text.strip()} is never closed; add the \fi that is missing")
