"""A text parsed by pylatexenc, and errors with the author's line."""

import bisect
import re
from collections.abc import Iterator
from typing import Any

from paper_checks.latex.expansion import Expanded
from paper_checks.latex.files import LatexError
from paper_checks.latex.tokens import Token

# How many arguments follow, in pylatexenc's notation: { in braces, [ in brackets, * a star.
TAKE = {
    "title": "[{", "author": "[{", "icmltitle": "{", "icmlauthor": "{{", "numberwithin": "{{", "counterwithin": "*{{",
    "counterwithout": "*{{", "setcounter": "{{", "addtocounter": "{{", "renewcommand": "*{[[{", "caption": "*[{",
    "captionof": "*{[{", "label": "{", "documentclass": "[{", "part": "*[{", "chapter": "*[{", "section": "*[{",
    "subsection": "*[{", "subsubsection": "*[{", "paragraph": "*[{", "multicolumn": "{{{", "appendix": "",
    "\\": "*",
}  # fmt: skip

# Of a text behind a command the first characters may be its arguments.
_KEPT = 8
_PROSE = re.compile(r"[A-Za-z0-9.,;:+=/!?()]")


def context() -> Any:
    """What pylatexenc knows of LaTeX, with the commands that number."""
    from pylatexenc.latexwalker import get_default_latex_context_db
    from pylatexenc.macrospec import std_macro

    known = get_default_latex_context_db()
    known.add_context_category("numbering", prepend=True, macros=[std_macro(n, a) for n, a in TAKE.items()])
    return known


def nodes(expanded: Expanded) -> list[Any]:
    """The tree of a text.

    Raises
    ------
    LatexError
        When environments or formulas are not closed as they are opened.
    """
    from pylatexenc.latexwalker import LatexWalker, LatexWalkerParseError

    _environments(expanded)
    try:
        walker = LatexWalker(_masked(expanded), latex_context=context(), tolerant_parsing=False)
        return walker.get_latex_nodes()[0]
    except LatexWalkerParseError as error:
        found, line = where(expanded, error.pos or 0)
        what = re.sub(r"\s+", " ", str(error.msg)).strip().rstrip(".")
        hint = "a $, a bracket or a brace there has no partner"
        raise LatexError(f"{found.file}, line {line}: {what}; {hint}") from None
    except RecursionError:
        raise LatexError(
            f"{expanded.places[0][1].file}: groups are nested too deeply; give the main .tex file"
        ) from None


def _masked(expanded: Expanded) -> str:
    """The text with blanks for what has no structure, which takes a parser of single characters most of its time."""
    return "".join(
        text[:_KEPT] + _PROSE.sub(" ", text[_KEPT:]) if token.kind == "text" else text
        for token, text in expanded.pieces()
    )


def verbatim(expanded: Expanded, node: Any) -> str:
    """What a node stands for."""
    return expanded.text[node.pos : node.pos + node.len]


def where(expanded: Expanded, at: int) -> tuple[Token, int]:
    """What was written at a place of the text, and in which line of its file."""
    index = max(bisect.bisect_right(expanded.places, at, key=lambda place: place[0]) - 1, 0)
    begin, token = expanded.places[index]
    return token, token.line + (token.text[: at - begin].count("\n") if token.kind == "text" else 0)


def _environments(expanded: Expanded) -> None:
    opened: list[Token] = []
    for _, token in expanded.places:
        if token.kind != "environment":
            continue
        if token.text.startswith("\\begin"):
            opened.append(token)
            continue
        name = token.text[len("\\end{") : -1]
        if not opened:
            raise LatexError(f"{token.where}: {token.text} closes nothing; add \\begin{{{name}}}, or remove it")
        begin = opened.pop()
        if begin.text[len("\\begin{") : -1] != name:
            what = f"{begin.text} is closed by {token.text} in line {token.line}"
            raise LatexError(f"{begin.where}: {what}; make the two names the same")
    if opened:
        name = opened[-1].text[len("\\begin{") : -1]
        raise LatexError(f"{opened[-1].where}: {opened[-1].text} is never closed; add \\end{{{name}}}")


def arguments(expanded: Expanded, node: Any) -> list[str]:
    """The arguments of a macro as LaTeX without their braces; empty where one is left out."""
    given = node.nodeargd.argnlist if node.nodeargd is not None else None
    return [_inside(expanded, n) for n in given or []]


def _inside(expanded: Expanded, node: Any) -> str:
    from pylatexenc.latexwalker import LatexGroupNode

    text = "" if node is None else verbatim(expanded, node)
    return text[1:-1] if isinstance(node, LatexGroupNode) else text


def children(node: Any) -> Iterator[Any]:
    """What stands within a node."""
    data = getattr(node, "nodeargd", None)
    yield from (n for n in (data.argnlist if data is not None and data.argnlist else ()) if n is not None)
    yield from (n for n in getattr(node, "nodelist", None) or () if n is not None)


def plain(latex: str) -> str:
    r"""LaTeX as text in one line.

    Examples
    --------
    >>> plain(r"The $\beta$-rule of \emph{Gödel}\thanks{Funded.}")
    'The β-rule of Gödel'
    """
    from pylatexenc.latex2text import LatexNodes2Text
    from pylatexenc.latexwalker import LatexWalkerError

    bare = re.sub(r"\\(?:thanks|footnote|footnotemark|textsuperscript|inst|orcidlink|orcid)\s*(?:\[[^\]]*\])?"
                  r"(?:\{(?:[^{}]|\{[^{}]*\})*\})?", "", latex)  # fmt: skip
    bare = re.sub(r"\\(?:cite[a-z]*|ref|eqref|[cC]ref|autoref)\*?\s*(?:\[[^\]]*\])*\s*\{[^{}]*\}", "…", bare)
    bare = re.sub(r"\\\\(?:\[[^\]]*\])?|\\(?:newline|linebreak)\b", " ", bare)
    try:
        text = LatexNodes2Text().latex_to_text(bare, tolerant_parsing=False)
    except (LatexWalkerError, RecursionError, ValueError, IndexError, TypeError):
        text = re.sub(r"\\[A-Za-z]+|[{}$]", "", bare)
    return re.sub(r"\s+", " ", text).strip()
