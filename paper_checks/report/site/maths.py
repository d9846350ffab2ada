"""LaTeX as MathML, and two formulas with their difference marked."""

import re
from difflib import SequenceMatcher
from functools import cache
from html import escape, unescape
from xml.etree import ElementTree

ENTITY = re.compile(r"&(?!lt;|gt;|amp;|quot;|#)\w+;")
LEAVES = ("mi", "mn", "mo", "mtext")
DIFFERS = "differs"


@cache
def mathml(latex: str, displayed: bool) -> str:
    """A formula as MathML; LaTeX that cannot be converted as text.

    Examples
    --------
    >>> print(mathml("x < 1", False))
    <math><mi>x</mi><mo>&lt;</mo><mn>1</mn></math>
    """
    from math_core import LatexError, LatexToMathML

    try:
        text = LatexToMathML().convert_with_local_state(latex, displaystyle=displayed)
    except LatexError:
        text = f"<math><mtext>{escape(latex)}</mtext></math>"
    return ENTITY.sub(lambda found: unescape(found[0]), text)


def compared(first: str, second: str) -> tuple[str, str]:
    """MathML of two displayed formulas, in which what only one of them has is marked.

    Examples
    --------
    >>> first, second = compared("x + 1", "x + 2")
    >>> '<mn class="differs">1</mn>' in first, '<mn class="differs">2</mn>' in second
    (True, True)
    """
    trees = [ElementTree.fromstring(mathml(text, True)) for text in (first, second)]
    leaves = [[node for node in tree.iter() if node.tag in LEAVES] for tree in trees]
    texts = [[node.text for node in some] for some in leaves]
    for what, *bounds in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        if what != "equal":
            for some, (begin, end) in zip(leaves, (bounds[:2], bounds[2:]), strict=True):
                for node in some[begin:end]:
                    node.set("class", DIFFERS)
    first, second = (ElementTree.tostring(tree, encoding="unicode") for tree in trees)
    return first, second
