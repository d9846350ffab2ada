"""All pages of the site as text, by their places in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from itertools import groupby
from typing import Any

import jinja2
import sympy
from markupsafe import Markup

from paper_checks.claims.claim import Claim
from paper_checks.claims.registry import Registry
from paper_checks.record import Record
from paper_checks.report.at import points_in_words
from paper_checks.report.evidence import resolution
from paper_checks.report.formulas import latex, symbol
from paper_checks.report.overview import Picture
from paper_checks.report.severity import SEVERITIES
from paper_checks.report.site.entry import COLOURS, line_of
from paper_checks.report.site.errata import errata_of
from paper_checks.report.site.evidence import priced, shown
from paper_checks.report.site.example import code
from paper_checks.report.site.folding import folded
from paper_checks.report.site.graph import FORMS, Graph, formulas_of
from paper_checks.report.site.links import linker, page_of
from paper_checks.report.site.maths import compared, display, inline, width, with_formulas
from paper_checks.report.site.texts import TEXTS, as_html
from paper_checks.report.text import printable, sentence

__all__ = ["Site"]

# In units of the font's size: what an ordinary screen shows in one line.
SHORT = 44.0
LABELS = {"printed": "As printed", "corrected": "Right", "exact": "Exact"}


class Site:
    """A site that is to be written.

    Parameters
    ----------
    registry : Registry
    record : Record
    pictures : mapping of str to Picture
        By name of the figures.
    drawn : container of str
        Names of the figures of which there is a picture.
    """

    def __init__(self, registry: Registry, record: Record, pictures: Mapping[str, Picture], drawn: Container[str]):
        self.registry, self.record, self.pictures = registry, record, pictures
        self.drawn = drawn
        self.claims = list(registry)
        self.verdicts = {v.id: v for v in record.verdicts}
        self.lines = {c.id: line_of(c, self.verdicts.get(c.id)) for c in self.claims}
        self.graph = Graph.of(self.claims, pictures)
        self.version = version("paper-checks")
        self._templates = _environment()

    def pages(self) -> Iterator[tuple[str, str]]:
        """Where each page goes, and its text."""
        yield "index.html", self._index()
        for paper in self.registry.papers.values():
            yield f"papers/{paper.name}.html", self._paper(paper)
        neighbours = _neighbours(self.claims)
        for claim in self.claims:
            yield page_of(claim.id), self._claim(claim, *neighbours[claim.id])
        yield "gallery.html", self._figures()
        yield "errata.html", self._errata()
        yield "formulas.html", self._formulas()
        for name, title in TEXTS.items():
            html = as_html(name, linker(self.lines, ""))
            yield f"{name}.html", self._page("text.html", "", title=title, html=html)

    def _page(self, template: str, root: str, **values: Any) -> str:
        record = self.record
        text = self._templates.get_template(template).render(
            root=root, papers=list(self.registry.papers.values()), command=record.command, tier=record.tier,
            seed=record.seed, version=self.version, page_of=page_of, sentence=sentence, **values,
        )  # fmt: skip
        return printable(text)

    def _index(self) -> str:
        columns = [*COLOURS]
        counts = Counter((line.paper, line.status) for line in self.lines.values())
        papers = self.registry.papers.values()
        summary = [(p, [counts[p.name, status] for status in columns]) for p in papers]
        return self._page(
            "index.html", "", entries=list(self.lines.values()), columns=columns, summary=summary, verdicts=columns,
            severities=list(SEVERITIES.values()),
        )  # fmt: skip

    def _paper(self, paper: Any) -> str:
        lines = [line for line in self.lines.values() if line.paper == paper.name]
        counts = Counter(line.status for line in lines)
        return self._page(
            "paper.html", "../", paper=paper, entries=lines,
            counts=", ".join(f"{n} {status}" for status, n in counts.items()),
            places=[(place, list(some)) for place, some in groupby(lines, lambda line: line.at)],
            pictures=self._shown(n for n, p in self.pictures.items() if p.paper == paper.name),
        )  # fmt: skip

    def _claim(self, claim: Claim, before: str, after: str) -> str:
        verdict, graph = self.verdicts.get(claim.id), self.graph
        words = points_in_words(claim)
        used = {n: [i for i in graph.users[n] if i != claim.id] for n in formulas_of(claim)}
        return self._page(
            "claim.html", "../../", claim=claim, entry=self.lines[claim.id], verdict=verdict,
            paper=self.registry.papers[claim.paper], forms=_forms(claim),
            link=linker(self.lines, "../../"), quote=with_formulas(claim.quote), before=before, after=after,
            code=code(claim, verdict) if verdict and verdict.counterexample else "", used=used,
            findings=[shown(claim, f, words) for f in verdict.findings] if verdict else [],
            symbols=_symbols(claim),
            price=priced(verdict) if verdict and claim.price else [],
            resolution=resolution(claim, verdict) if verdict else "–", sweeps=[s.name for s in claim.runs],
            mentions=graph.mentions[claim.id], mentioned=graph.mentioned.get(claim.id, []),
            pictures=self._shown(graph.pictures[claim.id]),
        )  # fmt: skip

    def _shown(self, names: Any) -> dict[str, Any]:
        return {n: {"drawn": n in self.drawn, "caption": self.pictures[n].caption} for n in names}

    def _figures(self) -> str:
        titles = {p.name: p.title for p in self.registry.papers.values()}
        groups: dict[str, list[str]] = {}
        for name, picture in self.pictures.items():
            groups.setdefault(titles.get(picture.paper, picture.paper), []).append(name)
        return self._page("gallery.html", "", groups=[(title, self._shown(some)) for title, some in groups.items()])

    def _errata(self) -> str:
        papers = self.registry.papers.values()
        errata = [(p, errata_of([c for c in self.claims if c.paper == p.name], self.verdicts)) for p in papers]
        return self._page("errata.html", "", errata=errata, link=linker(self.lines, ""))

    def _formulas(self) -> str:
        forms = {name: form for claim in self.claims for name, form in formulas_of(claim).items()}
        parts = {
            name: {"says": sentence(form.says), "lines": _lines(form.expr), "users": self.graph.users[name]}
            for name, form in sorted(forms.items())
        }
        return self._page("formulas.html", "", formulas=parts)


def _environment() -> jinja2.Environment:
    loader = jinja2.PackageLoader("paper_checks.report.site", "templates")
    return jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined)


def _neighbours(claims: Sequence[Claim]) -> dict[str, tuple[str, str]]:
    """The claims before and after each in its paper."""
    found = {}
    for _, some in groupby(claims, lambda claim: claim.paper):
        ids = ["", *(claim.id for claim in some), ""]
        found |= {ids[i]: (ids[i - 1], ids[i + 1]) for i in range(1, len(ids) - 1)}
    return found


def _forms(claim: Claim) -> list[dict[str, Any]]:
    """The forms of a claim in lines; a print and its correction with the difference marked, where both are short."""
    forms = {name: form for name in FORMS if (form := getattr(claim, name)) is not None}
    lines = {name: _lines(form.expr) for name, form in forms.items()}
    if "corrected" in forms:
        texts = latex(claim.printed), latex(claim.corrected)
        if max(map(width, texts)) < SHORT:
            lines |= {n: [("", pair)] for n, pair in zip(("printed", "corrected"), compared(*texts), strict=True)}
    return [{"label": LABELS[name], "lines": some} for name, some in lines.items()]


def _symbols(claim: Claim) -> dict[str, Markup]:
    """What names of code stand for in the formulas, where that is not plain."""
    names = {s.name for name in FORMS if (form := getattr(claim, name)) is not None for s in form.expr.free_symbols}
    names |= {name for point in claim.points for name in point} if names else set()
    return {name: shown for name in sorted(names) if (shown := _symbol(name))}


@cache
def _symbol(name: str) -> Markup:
    """A name of code as a symbol, nothing where it is plain."""
    return inline(symbol(name)) if symbol(name) != sympy.latex(sympy.Symbol(name)) else Markup()


@cache
def _lines(expr: sympy.Expr) -> list[tuple[str, Markup]]:
    return [(name, display(f"{name} = {line}" if name else line)) for name, line in folded(expr)]
