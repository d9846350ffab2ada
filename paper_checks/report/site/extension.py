"""What our pages need of Sphinx: formulas as MathML, a search that knows both spellings and numbers of equations."""

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

from paper_checks.report.site.maths import mathml

# Unicode's names, as in GREEK SMALL LETTER ALPHA.
GREEK = {letter: unicodedata.name(letter).split()[-1].lower() for letter in "αβγδεζηθικλμνξοπρςστυφχψω"}
LETTERS = str.maketrans({letter: f" {name.replace('lamda', 'lambda')} " for letter, name in GREEK.items()})
SPELLING = (("isation", "ization"), ("isations", "izations"), ("ise", "ize"), ("ised", "ized"), ("ises", "izes"),
            ("ising", "izing"), ("iser", "izer"), ("isers", "izers"), ("our", "or"), ("ours", "ors"))  # fmt: skip
BRITISH = re.compile(rf"\b(\w{{3,}})({'|'.join(end for end, _ in SPELLING)})\b")
# An equation, a figure or a table by its number.
NUMBERED = re.compile(r"(?:\(|\b(?:eqs?|equations?|figs?|figures?|tables?)\.? ?\(?)(\d{1,3})\b")
WORDS = re.compile(r"\w+")


def split(text: str) -> list[str]:
    """Words for the index: American spellings, names of Greek letters, numbers of equations as ``n59``.

    Examples
    --------
    >>> split("Initialisation: δ, eq. (59)")
    ['initialization', 'delta', 'eq', '59', 'n59']
    """
    text = text.lower().translate(LETTERS)
    text = BRITISH.sub(lambda found: found[1] + dict(SPELLING)[found[2]], text)
    return WORDS.findall(text) + [f"n{number}" for number in NUMBERED.findall(text)]


class Search(SearchEnglish):
    """English in both spellings; the script splits a query in the same way."""

    js_splitter_code = files("paper_checks.report.site").joinpath("assets/split.js").read_text(encoding="utf-8")

    def __init__(self, options: dict[str, str]):
        super().__init__(options)
        # The same words come again on each page.
        self.stem = cache(super().stem)

    def split(self, input: str) -> list[str]:
        return split(input)


def _inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(mathml(node.astext(), False))
    raise nodes.SkipNode


def _block(translator: Any, node: nodes.math_block) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    translator.body.append(f"{mathml(node.astext(), True)}</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_block, None))
    app.add_search_language(Search)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
