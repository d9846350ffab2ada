"""Where pages are, and text as Markdown in which claims are links."""

import html
import re
from collections.abc import Callable, Container, Sequence

from paper_checks.report.site.content import ID
from paper_checks.report.text import quoted, tabular

CAPITAL = re.compile("[A-Z]")
CODE = re.compile(r"(`[^`]*`)")


def page_of(id: str) -> str:
    """The document of a claim; ids that differ in capitals only have different files everywhere.

    Examples
    --------
    >>> page_of("nerva/table1.Diag")
    'claims/nerva/table1.~diag'
    """
    return f"claims/{CAPITAL.sub(lambda found: '~' + found[0].lower(), id)}"


def link_to(id: str, root: str) -> str:
    """A link to the page of a claim."""
    return f"[`{id}`](<{root}{page_of(id)}.md>)"


def linker(known: Container[str], root: str) -> Callable[[str], str]:
    """What makes links of the ids of known claims in a text, keeps code and formulas, and escapes all else.

    Examples
    --------
    >>> print(linker(["nau/eq9"], "../")("a_b < 1: nau/eq9, `code_x`"))
    a\\_b &lt; 1: [`nau/eq9`](<../claims/nau/eq9.md>), `code_x`
    """

    def coded(part: str) -> str:
        return link_to(part[1:-1], root) if part[1:-1] in known else part

    def plain(part: str) -> str:
        found, end = [], 0
        for match in ID.finditer(part):
            if match[0] in known:
                found += [quoted(part[end : match.start()]), link_to(match[0], root)]
                end = match.end()
        return "".join([*found, quoted(part[end:])])

    def link(text: str) -> str:
        parts = CODE.split(" ".join(text.split()))
        return "".join(coded(part) if i % 2 else plain(part) for i, part in enumerate(parts))

    return link


def table(head: tuple[str, ...], rows: list[tuple[str, ...]], kind: str) -> list[str]:
    """A table in Markdown, whose cells are Markdown; ``kind`` is its class.

    Examples
    --------
    >>> table(("at", "p"), [("x", "0.1")], "points")
    [':::{table}', ':class: points', '| at | p |', '|---|---|', '| x | 0.1 |', ':::', '']
    """
    return [":::{table}", f":class: {kind}", *tabular(head, rows)[:-1], ":::", ""]


def numbers(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    """A table of texts as HTML, of which Sphinx has nothing to do; its numbers are not searched for.

    Examples
    --------
    >>> numbers(("at",), [("x < 1",)])[3]
    '<tr><td>x &lt; 1</td></tr>'
    """
    lines = [f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows]
    names = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    begin = f'<div class="table-wrapper"><table class="docutils"><thead><tr>{names}</tr></thead><tbody>'
    return ["```{raw} html", "", begin, *lines, "</tbody></table></div>", "```", ""]
