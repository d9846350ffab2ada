r"""Branches: ``\iffalse`` and those whose condition can be told without running LaTeX."""

import operator
import re
from collections.abc import Callable
from dataclasses import replace

from paper_checks.latex.files import LatexError
from paper_checks.latex.state import State
from paper_checks.latex.tokens import Token

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
