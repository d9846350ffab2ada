"""The report in short: what survives of each paper, what is wrong and how badly, what is approximate, what is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Kind
from paper_checks.claims.registry import Paper, Registry
from paper_checks.experiments.tables import Table
from paper_checks.judging.verdict import Verdict
from paper_checks.record import Record
from paper_checks.report.errata import errata, table
from paper_checks.report.evidence import found
from paper_checks.report.sections import by_section
from paper_checks.report.severity import SEVERITIES, by_severity
from paper_checks.report.text import anchor, escape, sentence, whole
from paper_checks.rules.means import RESOLUTION
from paper_checks.rules.rates import FAMILY_ERROR

__all__ = ["Picture", "overview"]

# The most characters of what is said, of what is right instead and of what is to be known of the rest: longer texts are
# left to the linked files. The same for every claim, so that a new one changes no other's text.
SAYS, RIGHT, BESIDE = 400, 250, 200
# So many claims of which the same is to be known are told by the first and the last in a row, without what each says.
MANY = 3
Pair = tuple[Claim, Verdict]
SURVIVING = {
    "proved": "proved", "computed": "equal to their integrals", "at points": "checked at points",
    "measured": "measured", "definition": "definitions that are played",
}  # fmt: skip


@dataclass(frozen=True)
class Picture:
    """A figure: the paper that it belongs to, its caption, and where it is if not among ours."""

    paper: str
    caption: str
    path: str = ""


def overview(
    registry: Registry,
    record: Record,
    pictures: Mapping[str, Picture],
    tables: Mapping[str, Sequence[Table]],
) -> str:
    """The report as Markdown; ``tables`` are those of each paper."""

    verdicts = {v.id: v for v in record.verdicts}
    lines = [*_introduction(record), *_contents(registry, verdicts)]
    missing = [c.id for c in registry if c.id not in verdicts]
    if missing:
        lines += [f"Not run: {_named(missing)}.", ""]
    for paper in registry.papers.values():
        lines += _paper(paper, _pairs(registry, verdicts, paper), tables[paper.name])
        lines += _figures({name: p for name, p in pictures.items() if p.paper == paper.name})
    others = {name: p for name, p in pictures.items() if p.paper not in registry.papers}
    lines += ["## Further figures", "", *_figures(others)] if others else []
    return "\n".join(lines).rstrip() + "\n"


def _pairs(registry: Registry, verdicts: Mapping[str, Verdict], paper: Paper) -> list[Pair]:
    return [(c, verdicts[c.id]) for c in registry if c.paper == paper.name and c.id in verdicts]


def _named(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - 12} more" if len(ids) > 12 else ""
    return ", ".join(f"`{i}`" for i in ids[:12]) + more


def _introduction(record: Record) -> list[str]:
    return [
        "# Paper checks", "",
        "What papers state, result by result, with the evidence for or against it. The file is written by",
        f"`{record.command}` and `paper-checks report`; do not edit it.",
        "The files that are linked have every claim of a paper, its figures with captions, and the sentences that are",
        "too long for this file; `paper-checks show ID` prints a claim with its evidence, `make site` makes a page of",
        "each.", "",
        f"A claim is CONFIRMED when its interval lies within ±{RESOLUTION[record.tier]:g} of the stated scale around",
        "the formula, and REFUTED when it excludes the formula; the probability of a false refutation, over all that",
        f"is left to chance, is at most {FAMILY_ERROR:.0e}. Proofs and quadratures leave nothing to chance. Each check",
        "has to reject wrong variants of its formula (mutants).",
        f"Tier `{record.tier}`, seed {record.seed}.", "",
    ]  # fmt: skip


def _contents(registry: Registry, verdicts: Mapping[str, Verdict]) -> list[str]:
    lines = [
        "| paper | claims | survive | wrong in print | contradicted by runs | other readings | approximate | open "
        "| mutants rejected |", "|---|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for paper in registry.papers.values():
        pairs = _pairs(registry, verdicts, paper)
        n = {name: len(some) for name, some in by_section(pairs).items()}
        counts = (
            len(pairs), sum(n[s] for s in SURVIVING), n["print"], n["runs"], n["reading"], n["approximate"],
            n["undecided"] + n["unchecked"],
        )  # fmt: skip
        killed, total = (sum(getattr(v, name) for _, v in pairs) for name in ("killed", "mutants"))
        cells = " | ".join(map(str, counts))
        lines.append(f"| [{escape(paper.title)}](#{anchor(paper.title)}) | {cells} | {killed} of {total} |")
    return [*lines, ""]


def _paper(paper: Paper, pairs: Sequence[Pair], tables: Sequence[Table]) -> list[str]:
    sections, link = by_section(pairs), f"reports/{paper.name}.md"
    lines = [f"## {escape(paper.title)}", "", f"{escape(sentence(paper.authors))} Every claim: [{link}]({link}).", ""]
    lines += [f"*{escape(paper.lost)}*", ""] if paper.lost else []
    lines += [_survives(sections), ""]
    wrong = by_severity(pairs)
    readings = wrong.pop("reading", [])
    if wrong:
        lines += ["**What is wrong**, the gravest first:", ""]
        lines += table({SEVERITIES[name]: errata(some, SAYS, RIGHT) for name, some in wrong.items()}, link)
    lines += _listed("Approximate", sections["approximate"], how_far)
    lines += _listed("Undecided", sections["undecided"], would_decide)
    if readings:
        title = SEVERITIES["reading"]
        lines += [f"**{title}**: {len(readings)}, ours and not the paper's; [there]({link}#{anchor(title)}).", ""]
    if sections["unchecked"]:
        lines += [f"**Unchecked**: {len(sections['unchecked'])} sentences; why is [there]({link}#unchecked).", ""]
    if paper.trials():
        lines += [f"**What to take** of units and regularisers, by trained networks: [there]({link}#what-to-take).", ""]
    for own in tables:
        lines += [f"**{own.title}**: [there]({link}#{anchor(own.title)}).", ""]
    return lines


def _survives(sections: Mapping[str, Sequence[Pair]]) -> str:
    counts = [f"{len(sections[n])} {words}" for n, words in SURVIVING.items() if sections[n]]
    surviving = [claim for n in SURVIVING for claim, _ in sections[n]]
    own = sum(claim.kind is Kind.ADDITIONAL for claim in surviving)
    beyond = f"; {own} of them are ours, beyond the paper" if own else ""
    return f"**What survives**: {len(surviving)} claims ({', '.join(counts) or 'none'}{beyond})."


def _listed(title: str, pairs: Sequence[Pair], more: Callable[[Claim, Verdict], str]) -> list[str]:
    """A line for each: what is said, and what is to be known of it; a sentence that does not fit is left out.

    Claims of which the same is to be known share a line, many of them without what each says.
    """
    if not pairs:
        return []
    lines = [f"**{title}** ({len(pairs)}).", ""]
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
    runs = [[row[i] for _, i in run] for _, run in groupby(places, lambda place: place[1] - place[0])]
    names = [f"`{ids[0]}` to `{ids[-1]}`" if len(ids) >= MANY else ", ".join(f"`{i}`" for i in ids) for ids in runs]
    return ", ".join(names) + (f", {len(claims)} claims" if any(len(ids) >= MANY for ids in runs) else "")


def how_far(_claim: Claim, verdict: Verdict) -> str:
    """How far off an approximation is, and where."""
    points = [p for f in verdict.findings if f.rung == "order" for p in f.points if p.truth]
    if not points:
        return ""
    errors = {p.point: abs(p.printed / p.truth - 1) for p in points}
    worst = max(errors, key=errors.get)
    return f"Off by {min(errors.values()):.1%} to {errors[worst]:.1%}, the most at {worst}"


def would_decide(claim: Claim, verdict: Verdict) -> str:
    """Why a claim is open, and what would decide it."""
    return verdict.error or claim.note or claim.unchecked or claim.assumptions or " ".join(found(verdict))


def _figures(pictures: Mapping[str, Picture]) -> list[str]:
    shown = [f"![{name}]({picture.path or f'figures/rendered/{name}.png'})" for name, picture in pictures.items()]
    return [*shown, ""] if shown else []
