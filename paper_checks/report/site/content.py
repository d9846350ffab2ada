"""What pages are made of: claims, their verdicts and lines, figures, and which belong together; where pages are.

In a text claims are links.
"""

import html
import re
from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

from paper_checks import __version__
from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Kind
from paper_checks.claims.registry import Registry
from paper_checks.judging.verdict import Verdict
from paper_checks.record import Record
from paper_checks.report.overview import Picture
from paper_checks.report.sections import SECTIONS, SEVERITIES, section, severity
from paper_checks.report.text import FORMULA, escape, sentence, tabular
from paper_checks.rules.means import Status
from theory import Formula

ID = re.compile(r"\b[a-z0-9]+/[A-Za-z0-9.\-_]*[A-Za-z0-9]")
LABEL = re.compile(r"\b(figure|table)s? (\d+)(?:(?:,| and| to) (\d+))?", re.IGNORECASE)
# What MyST takes for attributes, for a character, and for the begin of another block than a paragraph.
BRACE, ENTITY = re.compile(r"^\{|(?<=\])\{"), re.compile(r"&(?=#?\w+;)")
BEGINNING = re.compile(r"^((?=[#>+~:=-]|```|\([^()]*\)=$)|\d+(?=[.)](?: |$)))")
# The head of a page that no list of contents has.
ORPHAN = ("---", "orphan: true", "---", "")
FORMS = ("printed", "corrected", "exact")
COLOURS = {
    "CONFIRMED": "right", "REFUTED": "wrong", "INCONCLUSIVE": "open", "REPRODUCED": "right", "NOT REPRODUCED": "wrong",
    "TOO FEW": "open", "not run": "open",
}  # fmt: skip
KINDS = {Kind.ALTERNATIVE: "alternative interpretation (ours)", Kind.ADDITIONAL: "additional result (not in the paper)"}


@dataclass(frozen=True)
class Line:
    """A claim in a list: its verdict in words and colour."""

    id: str
    paper: str
    at: str
    says: str
    status: str
    colour: str
    severity: str
    section: str
    kind: str


class Content:
    """What pages are made of.

    Parameters
    ----------
    registry : Registry
    record : Record
    pictures : mapping of str to Picture
        By name of the figures.
    drawn : container of str
        Names of the figures of which there is a picture.

    Attributes
    ----------
    mentions, mentioned : mapping of id to list of ids
        Which claims the words of a claim name, and which name it.
    users : mapping of name to list of ids
        Claims by the public name of a formula.
    showing : mapping of id to list of names
        Figures that show what a claim is about.
    """

    def __init__(self, registry: Registry, record: Record, pictures: Mapping[str, Picture], drawn: Container[str]):
        self.registry, self.record, self.pictures, self.drawn = registry, record, pictures, drawn
        self.claims = list(registry)
        self.verdicts = {v.id: v for v in record.verdicts}
        self.lines = {c.id: line_of(c, self.verdicts.get(c.id)) for c in self.claims}
        self.version = __version__
        self.mentions = {c.id: [i for i in dict.fromkeys(ID.findall(_words(c))) if i in self.lines and i != c.id]
                         for c in self.claims}  # fmt: skip
        self.mentioned: Mapping[str, list[str]] = defaultdict(list)
        self.users: Mapping[str, list[str]] = defaultdict(list)
        for claim in self.claims:
            for other in self.mentions[claim.id]:
                self.mentioned[other].append(claim.id)
            for name in formulas_of(claim):
                self.users[name].append(claim.id)
        labels = {name: _labels(picture.caption) for name, picture in pictures.items()}
        self.showing = {c.id: _showing(c, pictures, labels) for c in self.claims}


def line_of(claim: Claim, verdict: Verdict | None) -> Line:
    """A claim with its verdict, or without one."""
    status = claim.relation.word(verdict.status) if verdict else "not run"
    wrong = SEVERITIES[severity(claim)] if verdict and verdict.status is Status.REFUTED else ""
    place = SECTIONS[section(claim, verdict)].title if verdict else ""
    return Line(
        claim.id, claim.paper, claim.at, sentence(claim.says), status, COLOURS[status], wrong,
        "" if wrong else place, KINDS.get(claim.kind, ""),
    )  # fmt: skip


def formulas_of(claim: Claim) -> dict[str, Formula]:
    """The formulas of a claim that have a public name."""
    forms = [form for name in FORMS if (form := getattr(claim, name)) is not None]
    return {form.name: form for form in forms if form.name and not form.name.startswith("paper_checks")}


def _words(claim: Claim) -> str:
    return " ".join((claim.says, claim.note, claim.assumptions, claim.unchecked))


def _labels(text: str) -> set[tuple[str, int]]:
    """Figures and tables that a text names.

    Examples
    --------
    >>> sorted(_labels("Figures 1 and 6 of the paper; table 3"))
    [('figure', 1), ('figure', 6), ('table', 3)]
    """
    return {(kind.lower(), int(n)) for kind, *numbers in LABEL.findall(" ".join(text.split())) for n in numbers if n}


def _showing(claim: Claim, pictures: Mapping[str, Picture], labels: Mapping[str, set[tuple[str, int]]]) -> list[str]:
    """The figures that name a claim, that it names, or that show the figure or table where it is."""
    words, place = set(_words(claim).split()), _labels(claim.at)
    return [
        name
        for name, picture in pictures.items()
        if claim.id in picture.caption + picture.details
        or name in words
        or (picture.paper == claim.paper and labels[name] & place)
    ]


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
                found += [_quoted(part[end : match.start()]), link_to(match[0], root)]
                end = match.end()
        return "".join([*found, _quoted(part[end:])])

    def link(text: str) -> str:
        parts = CODE.split(" ".join(text.split()))
        linked = "".join(coded(part) if i % 2 else plain(part) for i, part in enumerate(parts))
        return BEGINNING.sub(r"\1\\", linked)

    return link


def inert(text: str) -> str:
    """Text in which MyST finds nothing to mark but code; with formulas and links see :func:`linker`.

    Examples
    --------
    >>> print(inert("1. [a]{.b}"), inert("# `c`{.d} &copy;"))
    1\\. [a]\\{.b} \\# `c`\\{.d} &amp;copy;
    """
    parts = CODE.split(" ".join(text.split()))
    return BEGINNING.sub(r"\1\\", "".join(part if i % 2 else _plain(part) for i, part in enumerate(parts)))


def _plain(text: str) -> str:
    return escape(BRACE.sub(r"\{", ENTITY.sub("&amp;", text)))


def _quoted(text: str) -> str:
    return "".join(part if part.startswith("$") else _plain(part) for part in FORMULA.split(text))


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
