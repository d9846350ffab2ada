"""The report: what survives, what is wrong, what is approximate and what is open, per paper, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paper_checks.claims.claim import Claim
from paper_checks.claims.registry import Paper, Registry
from paper_checks.findings import Verdict
from paper_checks.record import Record
from paper_checks.report.blocks import approximate, red
from paper_checks.report.describe import describe
from paper_checks.report.evidence import key
from paper_checks.report.outcome import outcome
from paper_checks.report.sections import SECTIONS, section
from paper_checks.report.tables import kills, prices, table, unchecked
from paper_checks.report.trials import to_take
from paper_checks.rules.means import RESOLUTION
from paper_checks.rules.rates import FAMILY, FAMILY_ERROR, RATE, TESTS, Z

__all__ = ["describe", "report"]

Pair = tuple[Claim, Verdict]


def report(
    registry: Registry,
    record: Record,
    captions: Mapping[str, str] | None = None,
    stale: Mapping[str, str] | None = None,
) -> str:
    """The whole report as Markdown.

    Parameters
    ----------
    registry : Registry
    record : Record
        The verdicts; claims without one are listed as not run.
    captions : mapping of str to str, optional
        By name of the figures that it shows at its end.
    stale : mapping of str to str, optional
        By id why a verdict is not of the present code: it is shown, and marked.
    """
    verdicts = {v.id: v for v in record.verdicts}
    stale = {i: why for i, why in (stale or {}).items() if i in verdicts}
    by_paper = {
        p.name: [(c, verdicts[c.id]) for c in registry if c.paper == p.name and c.id in verdicts]
        for p in registry.papers.values()
    }
    lines = ["# Paper checks", "", *_introduction(record), *_summary(registry, by_paper)]
    missing = [c.id for c in registry if c.id not in verdicts]
    if missing:
        lines += [f"Not run: {', '.join(f'`{i}`' for i in missing)}.", ""]
    if stale:
        lines += [f"Made by other code than the present, and marked below: {', '.join(f'`{i}`' for i in stale)}.", ""]
    for paper in registry.papers.values():
        lines += _paper(paper, by_paper[paper.name], stale)
    lines += _figures(captions or {})
    return "\n".join(lines).rstrip() + "\n"


def _introduction(record: Record) -> list[str]:
    return [
        "Each claim of each paper with the evidence for or against it. The file is written by",
        f"`{record.command}` and `paper-checks report`; do not edit it.",
        "",
        "**How to read it.** A claim is judged by every kind of evidence that applies:",
        f"{key()}.",
        f"Over everything that is left to chance the probability of a false refutation is at most {FAMILY_ERROR:.0e}:",
        f"it is shared among {FAMILY:,} comparisons of estimates (claims × points × looks at growing sample sizes),",
        f"which makes an interval of ±{Z:.2f} standard errors, and {TESTS:,} tests of experiments at {RATE:.0e} each.",
        "A claim is",
        f"CONFIRMED when its interval lies within ±{RESOLUTION[record.tier]:g} of the stated scale around the formula,",
        "REFUTED when it excludes the formula. A resolution is relative to the value, or to the scale that it names.",
        "*Mutants* are wrong variants of the formula; a check that does not reject them is no check. Those inside the",
        "resolution are counted apart.",
        "",
        f"Tier `{record.tier}`, seed {record.seed}.",
        "",
    ]


def _by_section(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    return {name: [(c, v) for c, v in pairs if section(c, v) == name] for name in SECTIONS}


def _summary(registry: Registry, by_paper: Mapping[str, Sequence[Pair]]) -> list[str]:
    papers = list(registry.papers.values())
    columns = [_by_section(by_paper[p.name]) for p in papers]
    lines = ["| | " + " | ".join(p.title for p in papers) + " |", "|---|" + "---|" * len(papers)]
    lines.append("| claims | " + " | ".join(str(len(by_paper[p.name])) for p in papers) + " |")
    for name, s in SECTIONS.items():
        lines.append(f"| {s.title.lower()} | " + " | ".join(str(len(c[name])) for c in columns) + " |")
    rejected = []
    for p in papers:
        verdicts = [v for _, v in by_paper[p.name]]
        killed, total, within = (sum(getattr(v, n) for v in verdicts) for n in ("killed", "mutants", "within"))
        rejected.append(f"{killed} of {total}; {within} inside")
    return [*lines, "| mutants rejected | " + " | ".join(rejected) + " |", ""]


def _paper(paper: Paper, pairs: Sequence[Pair], stale: Mapping[str, str]) -> list[str]:
    lines = [f"## {paper.title}", "", f"{paper.authors}. Claim ids begin with `{paper.name}/`.", ""]
    if paper.lost:
        lines += ["> [!NOTE]", f"> {paper.lost}", ""]
    by_section = _by_section(pairs)
    lines += [*outcome(by_section), *to_take(paper.trials(), [claim for claim, _ in pairs])]
    for name, chosen in by_section.items():
        if chosen:
            lines += [f"### {SECTIONS[name].title}", ""]
            lines += [SECTIONS[name].preface, ""] if SECTIONS[name].preface else []
            lines += _section(paper, name, chosen, stale)
    return [*lines, *prices(pairs), *kills(pairs)]


def _section(paper: Paper, name: str, pairs: Sequence[Pair], stale: Mapping[str, str]) -> list[str]:
    if name == "unchecked":
        return unchecked(pairs)
    if SECTIONS[name].red or name == "approximate":
        block = red if SECTIONS[name].red else approximate
        return [line for c, v in pairs for line in block(paper, c, v, stale.get(c.id, ""))]
    return table(pairs, stale)


def _figures(captions: Mapping[str, str]) -> list[str]:
    if not captions:
        return []
    lines = ["## Figures", "", "Drawn by `paper-checks figures`; the arrays and the recipe of each lie beside it.", ""]
    for name, caption in captions.items():
        lines += [f"### {name}", "", f"![{name}](figures/rendered/{name}.png)", "", " ".join(caption.split()), ""]
    return lines
