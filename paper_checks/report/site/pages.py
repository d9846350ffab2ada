"""All pages of the results as Markdown for Sphinx, by their places."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from paper_checks.claims.claim import Claim
from paper_checks.claims.registry import Paper
from paper_checks.report.coverage import LEGEND, OURS, PUBLISHED, counts, covered, summary
from paper_checks.report.errata import errata
from paper_checks.report.formulas import latex
from paper_checks.report.overview import Picture
from paper_checks.report.sections import SEVERITIES, by_severity
from paper_checks.report.site.claim import Page, anchor_of
from paper_checks.report.site.content import ORPHAN, Content, Line, formulas_of, inert, link_to, linker, page_of, table
from paper_checks.report.text import printable, sentence

# Characters of what is published, and of a note, in a row of the errata.
ROOM, BESIDE = 400, 300
COLOURS = {"correct": "right", "wrong": "wrong", "not reproduced": "wrong"}


class Site(Content):
    """Pages that are to be written."""

    def pages(self) -> Iterator[tuple[str, str]]:
        """Where each page goes, and its text."""
        for place, lines in self._pages():
            yield f"{place}.md", printable("\n".join(lines))

    def _pages(self) -> Iterator[tuple[str, Iterator[str] | Sequence[str]]]:
        yield "index", self._index()
        for paper in self.registry.papers.values():
            yield f"papers/{paper.name}", self._paper(paper)
            if paper.statements:
                yield f"papers/{paper.name}_statements", self._statements(paper)
        yield "errata", self._errata()
        yield "formulas", self._formulas()
        if self.pictures:
            yield "gallery", self._gallery()
        for name, picture in self.pictures.items():
            yield f"pictures/{name}", self._picture(name, picture)
        for claim, before, after in _with_neighbours(self.claims):
            page = Page(self, claim, before, after)
            yield page_of(claim.id), [page.text()]

    def _index(self) -> Iterator[str]:
        record = self.record
        yield from ("# Results", "")
        yield (f"{len(self.claims)} claims. The first {len(PUBLISHED)} columns count those that check statements of a "
               f"paper, the last {len(OURS)} count ours.")  # fmt: skip
        yield ""
        pairs = [(c, self.verdicts.get(c.id)) for c in self.claims]
        rows = []
        for paper in self.registry.papers.values():
            found = counts(pair for pair in pairs if pair[0].paper == paper.name)
            rows.append((f"[{inert(paper.title)}](papers/{paper.name}.md)", *map(str, found)))
        yield from table(("paper", *PUBLISHED, *OURS), rows, "counts")
        tail = ["errata", "formulas", *(["gallery"] if self.pictures else [])]
        yield from ("```{toctree}", ":maxdepth: 1", "")
        yield from (f"papers/{name}" for name in self.registry.papers)
        yield from (*tail, "```", "")
        yield f"Made by `{record.command}`; precision {record.tier}, seed {record.seed}; Paper Checks {self.version}."
        yield ""

    def _row(self, line: Line, root: str) -> tuple[str, ...]:
        status = f"[{line.status}]{{.{line.colour}}}"
        about = ", ".join(filter(None, [line.severity or line.section, line.kind]))
        return link_to(line.id, root), inert(line.at), linker(self.lines, root)(line.says), status, inert(about)

    def _paper(self, paper: Paper) -> Iterator[str]:
        link = linker(self.lines, "../")
        lines = [line for line in self.lines.values() if line.paper == paper.name]
        found = Counter(line.status for line in lines)
        yield from (f"# {inert(paper.title)}", "", link(sentence(paper.authors)), "")
        yield from (", ".join(f"{n} {status}" for status, n in found.items()) + ".", "")
        if paper.lost:
            yield from (":::{warning}", link(sentence(paper.lost)), ":::", "")
        if paper.finding:
            yield from (":::{admonition} The main finding", link(sentence(paper.finding)), ":::", "")
        if paper.statements:
            yield from (f"[All statements of the paper, in its order](<{paper.name}_statements.md>)", "")
        yield from ("## Claims", "", "In the order of the paper.", "")
        rows = [self._row(line, "../") for line in lines]
        yield from table(("claim", "place", "statement", "verdict", "kind"), rows, "claims")
        if own := [name for name, p in self.pictures.items() if p.paper == paper.name]:
            yield from ("## Figures", "", *self._thumbnails(own, "../"), "")

    def _statements(self, paper: Paper) -> Iterator[str]:
        found = covered(paper, self.registry, self.verdicts)
        link = linker(self.lines, "../")
        yield from (*ORPHAN, f"# {inert(paper.title)}: all statements", "", summary(found), "", LEGEND, "")
        for section, some in groupby(found, lambda pair: pair[0].section):
            yield from (f"## {inert(section)}", "") if section else ()
            rows = [
                (inert(s.place), link(s.words), s.kind, f"[{name}]{{.{COLOURS.get(name, 'open')}}}",
                 ", ".join(link_to(i, "../") for i in s.claims if i in self.lines) or link(sentence(s.why)))
                for s, name in some
            ]  # fmt: skip
            yield from table(("place", "statement", "kind", "outcome", "claims"), rows, "statements")

    def _errata(self) -> Iterator[str]:
        yield from ("# Errata", "", "Everything that is wrong in a paper, and what our runs do not reproduce.", "")
        for paper in self.registry.papers.values():
            pairs = [(c, self.verdicts[c.id]) for c in self.claims if c.paper == paper.name and c.id in self.verdicts]
            found = {name: some for name, some in by_severity(pairs).items() if name != "reading"}
            if found:
                yield from (f"## {inert(paper.title)}", "")
                yield from (
                    (":::{warning}", linker(self.lines, "")(sentence(paper.lost)), ":::", "") if paper.lost else ()
                )
            for name, some in found.items():
                yield from (f"### {SEVERITIES[name]}", "")
                rows = [
                    (f"{e.where}: " + ", ".join(link_to(i, "") for i in e.ids), e.printed, e.right, e.consequence)
                    for e in errata(self.registry, some, ROOM, BESIDE)
                ]
                yield from table(("place", "published", "correct", "effect"), rows, "errata")

    def _formulas(self) -> Iterator[str]:
        forms = {name: form for claim in self.claims for name, form in formulas_of(claim).items()}
        yield from ("# Formulas", "", "The public formulas that claims check.", "")
        for name, form in sorted(forms.items()):
            yield from (f"({anchor_of(name)})=", "", f"## theory.{inert(name)}", "", inert(sentence(form.says)), "")
            yield from ("$$", latex(form), "$$", "")
            yield from ("Checked by " + ", ".join(link_to(i, "") for i in self.users[name]) + ".", "")

    def _thumbnails(self, names: Sequence[str], root: str) -> Iterator[str]:
        for name in names:
            if name in self.drawn:
                thumbnail = f"{root}drawn/{name}.thumb.png"
                yield from (f"[![{inert(name)}]({thumbnail}){{.thumbnail}}]({root}pictures/{name}.md)", "")
            else:
                yield from (f"- [{inert(name)}]({root}pictures/{name}.md)", "")

    def _gallery(self) -> Iterator[str]:
        titles = {p.name: p.title for p in self.registry.papers.values()}
        groups: dict[str, list[str]] = {}
        for name, picture in self.pictures.items():
            groups.setdefault(titles.get(picture.paper, picture.paper), []).append(name)
        yield from ("# Gallery", "", "Each picture leads to its caption and to the code that draws it.", "")
        for title, some in groups.items():
            yield from (f"## {inert(title)}", "", *self._thumbnails(some, ""), "")

    def _picture(self, name: str, picture: Picture) -> Iterator[str]:
        yield from (*ORPHAN, f"# Figure {inert(name)}", "")
        if name in self.drawn:
            yield from (picture.embedded(name, f"../drawn/{name}.png"), "")
        linked = linker(self.lines, "../")
        yield from (linked(sentence(picture.caption)), "")
        yield from (*(f"- {linked(text)}" for text in picture.paragraphs), "")
        if picture.paper in self.registry.papers:
            title = self.registry.papers[picture.paper].title
            yield from (f"Belongs to [{inert(title)}](../papers/{picture.paper}.md).", "")
        if users := [link_to(id, "../") for id, names in self.showing.items() if name in names]:
            yield from (f"Claims: {', '.join(users)}.", "")
        if picture.source:
            yield from ("## Source", "", "```python", picture.source, "```", "")


def _with_neighbours(claims: Sequence[Claim]) -> Iterator[tuple[Claim, str, str]]:
    """Claims with those before and after in their paper."""
    for _, some in groupby(claims, lambda claim: claim.paper):
        own = list(some)
        ids = ["", *(claim.id for claim in own), ""]
        for i, claim in enumerate(own):
            yield claim, ids[i], ids[i + 2]
