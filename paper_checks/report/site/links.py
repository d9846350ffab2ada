"""Where pages are, and text in which claims are links."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from html import escape

from markupsafe import Markup

from paper_checks.report.site.graph import ID

__all__ = ["linker", "page_of"]

CAPITAL = re.compile("[A-Z]")


def page_of(id: str) -> str:
    """The file of a claim; ids that differ in capitals only have different files everywhere.

    Examples
    --------
    >>> page_of("nerva/table1.Diag")
    'claims/nerva/table1.~diag.html'
    """
    return f"claims/{CAPITAL.sub(lambda found: '~' + found[0].lower(), id)}.html"


def linker(known: Container[str], root: str) -> Callable[[str], Markup]:
    """What makes links of the ids of known claims in a text, and escapes all else.

    Examples
    --------
    >>> print(linker(["nau/eq9"], "../")("a < b: nau/eq9"))
    a &lt; b: <a href="../claims/nau/eq9.html">nau/eq9</a>
    """

    def link(found: re.Match[str]) -> str:
        return f'<a href="{root}{page_of(found[0])}">{found[0]}</a>' if found[0] in known else found[0]

    return lambda text: Markup(ID.sub(link, escape(text, quote=False)))
