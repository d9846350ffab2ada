"""The page of a claim, as Markdown for Sphinx."""

import ast
import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import sympy

from paper_checks.claims.claim import Claim
from paper_checks.claims.registry import Paper
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.ladder import BY_NAME
from paper_checks.judging.verdict import Verdict
from paper_checks.report.describe import outcome
from paper_checks.report.evidence import NONE, resolution
from paper_checks.report.formulas import labels, latex, points_in_words, symbol
from paper_checks.report.site.content import FORMS, ORPHAN, Content, Line, formulas_of, inert, link_to, linker, numbers
from paper_checks.report.site.evidence import code, priced, shown
from paper_checks.report.site.maths import compared
from paper_checks.report.text import capital, parts_of, printable, sentence

ROOT = "../../"
# Characters of a title in the list of results of a search.
TITLE = 90
# Numbers of which a sentence becomes a list.
MANY = 3


@dataclass(frozen=True)
class Page:
    """What the page of a claim is made of."""

    site: Content
    claim: Claim
    before: str
    after: str

    @property
    def verdict(self) -> Verdict | None:
        return self.site.verdicts.get(self.claim.id)

    @property
    def line(self) -> Line:
        return self.site.lines[self.claim.id]

    def link(self, text: str) -> str:
        """Text in which claims are links."""
        return linker(self.site.lines, ROOT)(text)

    def text(self) -> str:
        """All of it."""
        paper = self.site.registry.papers[self.claim.paper]
        parts = [
            self._head(paper), self._statement(), self._formulas(), self._effect(), self._evidence(), self._price(),
            self._again(), self._related(), self._cite(paper),
        ]  # fmt: skip
        return "\n".join(line for part in parts for line in part)

    def _head(self, paper: Paper) -> Iterator[str]:
        claim, line = self.claim, self.line
        yield from ORPHAN
        yield from (f"# {inert(claim.at[:TITLE])} · {inert(claim.id)}", "")
        yield from (self._neighbours(), "")
        about = map(inert, filter(None, [line.severity or line.section, line.kind]))
        yield from (" · ".join([f"[{line.status}]{{.badge .{line.colour}}}", *about]), "")
        about = [inert(sentence(paper.authors)[:-1]), f"[*{inert(paper.title)}*]({ROOT}papers/{paper.name}.md)"]
        about += filter(None, [inert(paper.venue), str(paper.year or "")])
        where = f" · [read the paper](<{paper.url}>)" if paper.url else ""
        yield from (f"{', '.join(about)}, {inert(claim.at)}{where}", "")
        if paper.lost:
            yield from (":::{warning}", self.link(sentence(paper.lost)), ":::", "")

    def _neighbours(self) -> str:
        ends = (("←", self.before), ("→", self.after))
        return " · ".join(f"{arrow} {link_to(id, ROOT)}" for arrow, id in ends if id)

    def _statement(self) -> Iterator[str]:
        claim = self.claim
        yield from (self.link(self.line.says), "")
        if claim.quote:
            yield from (f"> “{self.link(claim.quote)}”", "")
        for name in ("assumptions", "note", "unchecked"):
            if getattr(claim, name):
                title = {"assumptions": "Assumptions", "note": "Note", "unchecked": "Not checked"}[name]
                yield from (f"**{title}.** {self.link(sentence(getattr(claim, name)))}", "")
        if claim.copy:
            yield from (":::{warning}", "The error may come from the conversion of our copy.", ":::", "")

    def _formulas(self) -> Iterator[str]:
        claim = self.claim
        forms = {name: form for name in FORMS if (form := getattr(claim, name)) is not None}
        marked = {}
        if "corrected" in forms:
            pair = latex(claim.printed, claim.relation.sign), latex(claim.corrected)
            marked = dict(zip(("printed", "corrected"), compared(*pair), strict=True))
        for name, form in forms.items():
            yield from (f"## {labels(claim, self.verdict)[name]}", "")
            if name in marked:
                yield from ("```{raw} html", "", f'<div class="math">{marked[name]}</div>', "```", "")
            else:
                sign = claim.relation.sign if name == "printed" else "="
                yield from ("$$", latex(form, sign), "$$", "")
        if used := _symbols(claim):
            yield from ("**Symbols.** " + ", ".join(f"${shown}$ is `{name}`" for name, shown in used.items()) + ".", "")
        if correct := [self.site.lines[c.id] for c in self.site.registry.correct(claim)]:
            yield from ("## Correct instead", "")
            yield from (f"- {link_to(line.id, ROOT)}: {self.link(line.says)}" for line in correct)
            yield ""
        if claim.expects.unknown:
            yield from (f"No correct version is known: {self.link(sentence(claim.expects.unknown))}", "")
        if claim.relation.of_a_property:
            yield from (f"**Property.** {inert(claim.relation.says)}.", "")

    def _effect(self) -> Iterator[str]:
        verdict = self.verdict
        if not (verdict and verdict.counterexample):
            return
        yield from ("## How much it matters", "", *self._told(verdict.counterexample))
        if text := code(self.claim, verdict):
            yield from ("To try it, with SymPy only:", "", "```python", text, "```", "")

    def _evidence(self) -> Iterator[str]:
        claim, verdict = self.claim, self.verdict
        if not verdict:
            return
        if verdict.error:
            yield from (":::{error}", self.link(sentence(verdict.error)), ":::", "")
        if verdict.odd:
            yield from (":::{warning}", self.link(sentence(verdict.odd)), ":::", "")
        if not verdict.findings:
            return
        yield from ("## Evidence", "")
        if claim.same_samples_as:
            yield from (f"This claim shares its samples with {self.link(claim.same_samples_as)}.", "")
        words = points_in_words(claim)
        for finding in verdict.findings:
            yield from self._finding(finding, *shown(claim, finding, words))

    def _told(self, text: str, title: str = "") -> Iterator[str]:
        """A sentence; many numbers are a list."""
        parts = parts_of(text)
        if len(parts) < MANY:
            yield from (f"{title} {self.link(sentence(text))}".strip(), "")
        else:
            yield from (title, "") if title else ()
            yield from (*(f"- {self.link(sentence(part))}" for part in parts), "")

    def _finding(self, finding: Finding, columns: tuple[str, ...], rows: tuple) -> Iterator[str]:
        kind = BY_NAME[finding.rung].title if finding.rung in BY_NAME else finding.rung
        title = f"**{inert(capital(kind))}: {inert(capital(outcome(self.claim, finding)))}.**"
        # What stands above, as the effect, is not said again.
        again = not finding.says or (self.verdict and finding.says == self.verdict.counterexample)
        yield from (title, "") if again else self._told(finding.says, title)
        if rows:
            yield from numbers(columns, rows)
        if finding.total or finding.within:
            within = f"; {finding.within} are equivalent within the tolerance" if finding.within else ""
            left = f" Not rejected: {self.link('; '.join(finding.survivors))}." if finding.survivors else ""
            yield from (f"Altered formulas: {finding.killed} of {finding.total} rejected{within}.{left}", "")

    def _price(self) -> Iterator[str]:
        if not (self.verdict and self.claim.price):
            return
        yield from ("## Effect of dropping an assumption", "", self.link(sentence(self.claim.price.says)), "")
        yield from numbers(("at", "formula", "measured", "difference"), priced(self.verdict))

    def _again(self) -> Iterator[str]:
        claim, verdict = self.claim, self.verdict
        yield from ("## Reproduce", "", "```sh", f"paper-checks verify {claim.id} --tier full", "```", "")
        if verdict:
            samples = f"{verdict.n:,} samples" if verdict.n else "no samples"
            known = resolution(claim, verdict)
            tolerance = "" if known == NONE else f", tolerance {inert(known)}"
            yield f"{_duration(verdict.seconds)} on one core; precision {verdict.tier}, seed {verdict.seed}, "
            yield f"{samples}{tolerance}."
        yield ""
        if claim.runs:
            yield from ("Training runs: " + ", ".join(f"`{sweep.name}`" for sweep in claim.runs) + ".", "")
        if source := _source(claim.place):
            yield from (f"The declaration of this check, {source[0]}:", "")
            yield from ("```python", *source[1], "```", "")

    def _related(self) -> Iterator[str]:
        claim, site = self.claim, self.site
        items = []
        for name in formulas_of(claim):
            others = [link_to(i, ROOT) for i in site.users[name] if i != claim.id]
            also = f", also in {', '.join(others)}" if others else ""
            items.append(f"- Formula [`theory.{name}`]({ROOT}formulas.md#{anchor_of(name)}){also}")
        for title, ids in (("Mentions", site.mentions[claim.id]), ("Mentioned by", site.mentioned.get(claim.id, []))):
            if ids:
                items.append(f"- {title} {', '.join(link_to(i, ROOT) for i in ids)}")
        for name in site.showing[claim.id]:
            items.append(f"- Figure [{inert(name)}]({ROOT}pictures/{name}.md)")
        if items:
            yield from ("## Related", "", *items, "")

    def _cite(self, paper: Paper) -> Iterator[str]:
        key = self.claim.id.replace("/", "-")
        title = f"{paper.title}, {self.claim.at}".replace("{", "").replace("}", "")
        yield from (
            "## Cite", "", "```bibtex", f"@misc{{paper-checks-{key},",
            f"  title = {{A check of {printable(title)}}},", "  author = {{Paper Checks developers}},",
            f"  note = {{Claim {self.claim.id}, Paper Checks {self.site.version}}},",
            "  year = {2026},", "}", "```", "",
        )  # fmt: skip


def anchor_of(name: str) -> str:
    """The target of a formula by its public name."""
    return "formula-" + name.replace(".", "-").replace("_", "-").lower()


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "Less than a second"
    return f"About {seconds:.0f} s" if seconds < 90 else f"About {seconds / 60:.0f} min"


def _symbols(claim: Claim) -> dict[str, str]:
    """What names of code stand for in the formulas, where that is not plain."""
    names = {s.name for name in FORMS if (form := getattr(claim, name)) is not None for s in form.expr.free_symbols}
    names |= {name for point in claim.points for name in point} if names else set()
    return {name: symbol(name) for name in sorted(names) if symbol(name) != sympy.latex(sympy.Symbol(name))}


def _source(place: tuple[str, int] | None) -> tuple[str, Sequence[str]] | None:
    """Where a claim is declared, and the statement; None where that is no module that can be read."""
    if place is None:
        return None
    module, line = place
    statements = _statements(module)
    for begin, end, lines in statements:
        if begin <= line <= end:
            return f"module `{module}`, line {begin}", lines
    return None


@cache
def _statements(module: str) -> list[tuple[int, int, list[str]]]:
    try:
        spec = importlib.util.find_spec(module)
        text = Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else ""
    except (ImportError, ValueError, OSError):
        return []
    lines = text.splitlines()
    return [(s.lineno, s.end_lineno, lines[s.lineno - 1 : s.end_lineno]) for s in ast.parse(text).body]
