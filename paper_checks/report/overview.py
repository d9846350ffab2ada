"""The short report: what is correct in each paper, what is wrong and how badly, what is approximate, what is open."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from paper_checks import __version__
from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Kind
from paper_checks.claims.registry import Paper, Registry
from paper_checks.experiments.tables import Table
from paper_checks.judging.verdict import Verdict
from paper_checks.record import Record
from paper_checks.report.coverage import OURS, PUBLISHED, column, counts, covered, outcome, summary
from paper_checks.report.errata import errata, row, table
from paper_checks.report.evidence import found
from paper_checks.report.sections import SEVERITIES, by_section, by_severity
from paper_checks.report.text import SENTENCES, anchor, escape, sentence, tabular, whole
from paper_checks.rules.means import OF_A_KNOWN_MEAN, RESOLUTION
from paper_checks.rules.rates import FAMILY_ERROR
from paper_checks.rules.replication import FAMILY_WISE

# The most characters of a statement and of the note on it; the linked files have longer texts. The limits are the same
# for every claim, so that a new claim changes no other's text.
SAYS, BESIDE = 300, 200
# So many pictures of a paper are shown here; the linked file has all.
SHOWN = 3
# From so many claims with the same note on, the first and the last in a row stand for all.
MANY = 3
Pair = tuple[Claim, Verdict]
# Errors that do not touch what a paper concludes: named here, shown in the linked files.
MISPRINTS = ("misprint", "copy")
CORRECT = {
    "proved": "proved", "computed": "equal to their integrals", "at points": "checked at points",
    "reproduced": "reproduced by training",
    "measured": "measured", "definition": "definitions that are simulated",
}  # fmt: skip


@dataclass(frozen=True)
class Picture:
    """A figure: its paper, texts, where it is beside the report, and the code that draws it.

    The texts are a caption, what is seen for those who do not see it, and details of each panel.
    """

    paper: str
    caption: str
    alt: str = ""
    path: str = ""
    source: str = ""
    details: str = ""

    @property
    def paragraphs(self) -> list[str]:
        """The details, each paragraph in one line."""
        return [" ".join(text.split()) for text in self.details.split("\n\n") if text.strip()]

    def embedded(self, name: str, path: str) -> str:
        """The picture in Markdown, with words for those who cannot see it.

        Examples
        --------
        >>> Picture("nau", "Figure 8.", "Four maps.").embedded("figure8", "figure8.png")
        '![Four maps.](figure8.png)'
        """
        return f"![{escape(' '.join(self.alt.split()) or name)}]({path})"


def overview(
    registry: Registry,
    record: Record,
    pictures: Mapping[str, Picture],
    tables: Mapping[str, Sequence[Table]],
    command: str = "",
) -> str:
    """The report as Markdown; ``tables`` are those of each paper, and ``command`` writes the report on a user's."""

    verdicts = {v.id: v for v in record.verdicts}
    lines = [*_introduction(registry, record, command), *_results(registry, verdicts), *_first(registry, verdicts)]
    lines += _method(record, command)
    missing = [c.id for c in registry if c.id not in verdicts]
    if missing:
        lines += [f"Not run: {_named(missing)}.", ""]
    for paper in registry.papers.values():
        lines += _paper(registry, paper, _pairs(registry, verdicts, paper), tables[paper.name])
        lines += _figures({name: p for name, p in pictures.items() if p.paper == paper.name})
    others = {name: p for name, p in pictures.items() if p.paper not in registry.papers}
    lines += ["## Further figures", "", *_figures(others)] if others else []
    return "\n".join(lines).rstrip() + "\n"


def _pairs(registry: Registry, verdicts: Mapping[str, Verdict], paper: Paper) -> list[Pair]:
    return [(c, verdicts[c.id]) for c in registry if c.paper == paper.name and c.id in verdicts]


def _named(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - 12} more" if len(ids) > 12 else ""
    return ", ".join(f"`{i}`" for i in ids[:12]) + more


def _introduction(registry: Registry, record: Record, command: str) -> list[str]:
    papers = f"{len(registry.papers)} {'papers' if command else 'sources on neural networks'} are correct"
    wrong = "they are not"
    if len(registry.papers) == 1:
        papers, wrong = "one paper is correct", "it is not"
    return [
        "# Paper checks", "",
        f"Version {__version__}. `{record.command}` and `{command or 'paper-checks report'}` write this file; do not "
        "edit it.", "",
        f"This report says, statement by statement, whether {papers}, and what is correct where {wrong}.", "",
    ]  # fmt: skip


def _results(registry: Registry, verdicts: Mapping[str, Verdict]) -> list[str]:
    """Counts of each paper."""
    rows = []
    for paper in registry.papers.values():
        pairs = _pairs(registry, verdicts, paper)
        killed, total = (sum(getattr(v, name) for _, v in pairs) for name in ("killed", "mutants"))
        title = f"[{escape(paper.title)}](#{anchor(paper.title)})"
        rows.append((title, *map(str, counts(pairs)), f"{killed} of {total}"))
    return [
        *tabular(("paper", *PUBLISHED, *OURS, "altered formulas rejected"), rows),
        f"The first {len(PUBLISHED)} columns count claims about statements of the paper; 'open' includes those that "
        f"are unchecked. The next {len(OURS)} count ours: additional results, which are not in the paper, and "
        "alternative interpretations, which are stronger than what it states, or on smaller networks.", "",
    ]  # fmt: skip


def _first(registry: Registry, verdicts: Mapping[str, Verdict]) -> list[str]:
    """What a reader should know first, of all papers together."""
    papers = registry.papers.values()
    findings = [f"- {escape(paper.title)}: {escape(sentence(paper.finding))}" for paper in papers if paper.finding]
    lines = ["## Findings to know", ""] if findings or any(paper.headlines for paper in papers) else []
    lines += [*findings, ""] if findings else []
    rows = []
    for paper in papers:
        claims = registry.select(paper.headlines) if paper.headlines else []
        pairs = [(c, verdicts[c.id]) for c in claims if c.id in verdicts]
        rows += [(paper, erratum) for erratum in errata(registry, pairs, SAYS, BESIDE)]
    if rows:
        lines += ["Errors that change what a reader would do or conclude, at most three of a paper:", ""]
        lines += ["| paper | place | published | correct | effect |", "|---|---|---|---|---|"]
        lines += [f"| `{paper.name}` | {row(erratum, file_of(paper))}" for paper, erratum in rows]
    return [*lines, ""]


def _method(record: Record, command: str) -> list[str]:
    """What the verdicts mean."""
    return [
        "## Verdicts", "",
        f"- CONFIRMED: proved, equal to its integral, or the confidence interval lies within "
        f"±{RESOLUTION[record.tier]:g} of the formula, relative to the value or to the stated reference magnitude. "
        f"It is ±{OF_A_KNOWN_MEAN[record.tier]:g} for a formula that is also derived or equal to its integral. "
        "A sentence on trained networks is confirmed or refuted by an exact test of runs.",
        "- REFUTED: disproved, or the confidence interval excludes the formula. The probability of wrongly "
        f"refuting any correct claim is at most {FAMILY_ERROR:.0e}, over all claims together, if the tails of a "
        f"distribution appear in its sample. Where runs are few, an exact test of a sentence has a part of "
        f"{FAMILY_WISE:.0%} that such sentences of one paper share, or the customary 5 %. Its claim then says so.",
        "- INCONCLUSIVE: neither; the claim is listed as open, with what is needed to settle it.",
        "- REPRODUCED, NOT REPRODUCED, TOO FEW: a published number compared with our runs, with an error rate "
        "of 1 % per paper. TOO FEW means that no published value, or no difference as large as a published mean, "
        "could have been distinguished; a mean is NOT COMPARED if the runs are too few, or too skewed for the test.",
        "", "A claim counts as checked only if its test could have rejected it. Each test must therefore reject "
        f"altered formulas: a dropped term, an exchanged symbol, a changed constant. Precision `{record.tier}`, seed "
        f"{record.seed}.", "",
        "In the tables, text in quotation marks is the paper's own. Other text is in our words.",
        "", "`paper-checks show ID` prints one claim with its evidence. The linked files list every claim of a paper. "
        f"`{f'{command} --site DIR' if command else 'make docs'}` builds a page for each.", "",
    ]  # fmt: skip


def file_of(paper: Paper) -> str:
    """The file with every claim of a paper."""
    return f"reports/{paper.name}.md"


def _paper(registry: Registry, paper: Paper, pairs: Sequence[Pair], tables: Sequence[Table]) -> list[str]:
    sections, link = by_section(pairs), file_of(paper)
    lines = [f"## {escape(paper.title)}", "", f"{escape(sentence(paper.authors))} Every claim: [{link}]({link}).", ""]
    lines += [f"*{escape(paper.lost)}*", ""] if paper.lost else []
    lines += [*_correct(pairs, sections), ""]
    if paper.statements:
        where = f"reports/{paper.name}_statements.md"
        counted = summary(covered(paper, registry, {v.id: v for _, v in pairs}))
        lines += [f"The paper makes {counted} All of them, in its order: [{where}]({where}).", ""]
    wrong = by_severity(pairs)
    readings = wrong.pop("reading", [])
    slight = {name: wrong.pop(name) for name in MISPRINTS if name in wrong}
    if wrong:
        lines += ["**Wrong**, the most serious first:", ""]
        lines += table({SEVERITIES[name]: errata(registry, some, SAYS, BESIDE) for name, some in wrong.items()}, link)
    for name, some in slight.items():
        places = [
            f"[{e.where}]({link}#{e.ids[0].split('/', 1)[1]})"
            + (f" and {len(e.ids) - 1} more" if len(e.ids) > 1 else "")
            for e in errata(registry, some, SAYS, BESIDE)
        ]
        number = f"{len(some)}" if len(places) == len(some) else f"{len(places)} in {len(some)} places"
        lines += [f"**{SEVERITIES[name]}** ({number}), each with its correction: {'; '.join(places)}.", ""]
    lines += _listed("Approximate", sections["approximate"], how_far)
    lines += _listed("Open", sections["undecided"], needed)
    if readings:
        title = SEVERITIES["reading"]
        where = f"not in the paper's own words or settings: [list]({link}#{anchor(title)})"
        lines += [f"**{title}**: {len(readings)}, {where}.", ""]
    if some := sections["unchecked"]:
        what = "sentence" if len(some) == 1 else "sentences"
        lines += [f"**Unchecked**: {len(some)} {what}: [list with reasons]({link}#unchecked).", ""]
    if paper.trials():
        table_of = f"[table]({link}#recommendations)"
        lines += [f"**Recommendations** of units and regularisers, from trained networks: {table_of}.", ""]
    for own in tables:
        lines += [f"**{own.title}**: [table]({link}#{anchor(own.title)}).", ""]
    return lines


def _correct(pairs: Sequence[Pair], sections: Mapping[str, Sequence[Pair]]) -> list[str]:
    """How many claims are correct, of the paper's statements and of ours, and by what evidence."""
    published = [column(*pair) for pair in pairs if pair[0].kind is Kind.PUBLISHED]
    ours = [outcome(*pair) for pair in pairs if pair[0].kind is not Kind.PUBLISHED]
    kinds = [f"{len(sections[n])} {words}" for n, words in CORRECT.items() if sections[n]]
    lines = [f"**Correct**: {published.count('correct')} of {len(published)} claims on statements of the paper."]
    lines += [f"Ours: {ours.count('correct')} of {len(ours)}."] if ours else []
    return [" ".join(lines), f"Evidence of both: {', '.join(kinds)}." if kinds else ""]


def _listed(title: str, pairs: Sequence[Pair], more: Callable[[Claim, Verdict], str]) -> list[str]:
    """A line for each: what is said, and what is to be known of it; a sentence that does not fit is left out.

    Claims of which the same is to be known share a line, many of them without what each says.
    """
    if not pairs:
        return []
    ours = sum(claim.kind is not Kind.PUBLISHED for claim, _ in pairs)
    of_ours = f", {ours} of them ours" if 0 < ours < len(pairs) else ", ours" if ours else ""
    lines = [f"**{title}** ({len(pairs)}{of_ours}).", ""]
    alike: dict[str, list[Claim]] = {}
    for pair in pairs:
        alike.setdefault(more(*pair) or pair[0].id, []).append(pair[0])
    for known, claims in alike.items():
        said = list(dict.fromkeys(whole(claim.says, SAYS) for claim in claims))
        texts = [*(said if len(said) < MANY else []), whole(known, BESIDE) if known != claims[0].id else ""]
        told = escape(" ".join(map(sentence, filter(None, texts))))
        lines.append(f"- {_together(claims, pairs)}: {told}".removesuffix(": "))
    return [*lines, ""]


def _together(claims: Sequence[Claim], pairs: Sequence[Pair]) -> str:
    """Names of claims; of many in a row the first and the last."""
    row = [claim.id for claim, _ in pairs]
    places = enumerate(row.index(claim.id) for claim in claims)
    runs = [[row[i] for _, i in run] for _, run in itertools.groupby(places, lambda place: place[1] - place[0])]
    names = [f"`{ids[0]}` to `{ids[-1]}`" if len(ids) >= MANY else ", ".join(f"`{i}`" for i in ids) for ids in runs]
    return ", ".join(names) + (f", {len(claims)} claims" if any(len(ids) >= MANY for ids in runs) else "")


def how_far(claim: Claim, verdict: Verdict) -> str:
    """How far off an approximation is, and where, and what is to be known of it."""
    points = [p for f in verdict.findings if f.rung == "order" for p in f.points if p.truth]
    if not points:
        return ""
    errors = {p.point: abs(p.printed / p.truth - 1) for p in points}
    worst = max(errors, key=errors.get)
    least = min(errors.values())
    far = f"At the listed points the relative error is {least:.1%} to {errors[worst]:.1%}, largest at {worst}."
    return f"{far} {sentence(claim.note)}"


def needed(claim: Claim, verdict: Verdict) -> str:
    """Why a claim is open, and what is needed to settle it."""
    return verdict.error or claim.note or claim.unchecked or claim.assumptions or " ".join(found(verdict))


def _figures(pictures: Mapping[str, Picture]) -> list[str]:
    """The first pictures, each with the first sentence of its caption."""
    lines = []
    for name, picture in itertools.islice(pictures.items(), SHOWN):
        caption = sentence(SENTENCES.split(" ".join(picture.caption.split()))[0])
        lines += [picture.embedded(name, picture.path), "", f"*{escape(name)}: {escape(caption)}*", ""]
    return lines
