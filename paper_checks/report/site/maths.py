"""LaTeX as MathML with its width, and two formulas with the difference marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache
from html import escape, unescape
from xml.etree import ElementTree

from markupsafe import Markup

__all__ = ["compared", "display", "inline", "width", "with_formulas"]

ENTITY = re.compile(r"&(?!lt;|gt;|amp;|quot;|#)\w+;")
FORMULA = re.compile(r"\$\$?([^$]+)\$\$?")
LEAVES = ("mi", "mn", "mo", "mtext")
# Of the size around it; browsers do the same.
SCRIPT = 0.71
DIFFERS = "differs"


def display(latex: str) -> Markup:
    """A formula on a line of its own, which shrinks where the page is narrower than it is."""
    return _written(_parsed(latex, True))


def inline(latex: str) -> Markup:
    """A formula within a sentence."""
    return _written(_parsed(latex, False))


def width(latex: str) -> float:
    """About the width of a formula for display, in units of the font's size."""
    return _width(_parsed(latex, True), 1.0)


def compared(first: str, second: str) -> tuple[Markup, Markup]:
    """Two formulas for display, with what is in one of them only marked.

    Examples
    --------
    >>> first, second = compared("x + 1", "x + 2")
    >>> '<mn class="differs">1</mn>' in first, '<mn class="differs">2</mn>' in second
    (True, True)
    """
    trees = _parsed(first, True), _parsed(second, True)
    leaves = [[node for node in tree.iter() if node.tag in LEAVES] for tree in trees]
    texts = [[node.text for node in some] for some in leaves]
    for what, *bounds in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        if what != "equal":
            for some, (begin, end) in zip(leaves, (bounds[:2], bounds[2:]), strict=True):
                for node in some[begin:end]:
                    node.set("class", DIFFERS)
    return _written(trees[0]), _written(trees[1])


def with_formulas(text: str) -> Markup:
    """Text with its formulas between dollar signs; all else is escaped.

    Examples
    --------
    >>> print(with_formulas("a < b"))
    a &lt; b
    """
    parts = FORMULA.split(text)
    return Markup().join(inline(part) if i % 2 else _text(part) for i, part in enumerate(parts))


def _text(text: str) -> Markup:
    """Escaped, but for the indices that copies of papers have."""
    return Markup(re.sub(r"&lt;(/?su[bp])&gt;", r"<\1>", escape(text, quote=False)))


def _parsed(latex: str, displayed: bool) -> ElementTree.Element:
    return ElementTree.fromstring(_converted(latex, displayed))


@cache
def _converted(latex: str, displayed: bool) -> str:
    from math_core import LatexError, LatexToMathML

    try:
        text = LatexToMathML().convert_with_local_state(latex, displaystyle=displayed)
    except LatexError:
        text = f"<math><mtext>{escape(latex)}</mtext></math>"
    return ENTITY.sub(lambda found: unescape(found[0]), text)


def _written(tree: ElementTree.Element) -> Markup:
    tree.set("style", f"--width: {_width(tree, 1.0) + 1:.1f}")
    return Markup(ElementTree.tostring(tree, encoding="unicode"))


def _width(node: ElementTree.Element, size: float) -> float:
    """An upper bound of the width, in units of the font's size."""
    if node.tag in LEAVES:
        return _leaf(node, size)
    if node.tag == "mfrac":
        return max(_width(part, size) for part in node) + 0.3 * size
    if node.tag in ("msub", "msup", "msubsup"):
        return _width(node[0], size) + max(_width(part, SCRIPT * size) for part in node[1:])
    if node.tag in ("munder", "mover", "munderover"):
        return max(_width(node[0], size), *(_width(part, SCRIPT * size) for part in node[1:]))
    if node.tag == "mtable":
        return sum(_columns(node, size))
    own = {"msqrt": 1.0, "mroot": 1.3, "mspace": 0.2, "mtd": 1.0}.get(node.tag, 0.0)
    return own * size + sum(_width(part, size) for part in node)


def _leaf(node: ElementTree.Element, size: float) -> float:
    text = node.text or ""
    if node.tag == "mo":
        narrow = node.get("stretchy") == "false" or node.get("lspace") == "0" or text in "()[]|{},⁡⁢′∣"
        return size * (0.45 if narrow else 1.35) * len(text)
    each = 0.52 if node.tag in ("mn", "mtext") or len(text) > 1 else 0.78
    return size * (each * len(text) + 0.04)


def _columns(table: ElementTree.Element, size: float) -> Iterator[float]:
    rows = [[_width(cell, size) for cell in row] for row in table]
    return (max(row[i] for row in rows if len(row) > i) for i in range(max(map(len, rows))))
