"""Reports as Markdown: one in short on all papers, and one of each paper with every claim."""

from collections.abc import Iterable, Mapping

from paper_checks.claims.claim import Claim
from paper_checks.claims.registry import Paper, Registry
from paper_checks.experiments.tables import Table
from paper_checks.judging.verdict import Verdict
from paper_checks.record import Record
from paper_checks.report.blocks import approximate, red
from paper_checks.report.coverage import coverage
from paper_checks.report.evidence import key
from paper_checks.report.overview import Picture, overview
from paper_checks.report.replications import replications
from paper_checks.report.sections import SECTIONS, by_section
from paper_checks.report.tables import kills, prices, table, unchecked
from paper_checks.report.text import escape, printable, sentence, tabular
from paper_checks.report.trials import to_take

OVERVIEW = "paper_checks.md"
Pairs = Iterable[tuple[Claim, Verdict]]


def report(
    registry: Registry,
    record: Record,
    pictures: Mapping[str, Picture] | None = None,
    name: str = OVERVIEW,
    command: str = "",
) -> dict[str, str]:
    """All files of the report by their paths: the one in short under its name, and ``reports/PAPER.md`` of each paper.

    Parameters
    ----------
    registry : Registry
    record : Record
        The verdicts; claims without one are listed as not run.
    pictures : mapping of str to Picture, optional
        By name of the figures that are shown.
    name : str
        Of the file in short.
    command : str
        The command that writes the report on a user's claims; default: on the built-in ones.
    """
    verdicts = {v.id: v for v in record.verdicts}
    pictures = pictures or {}
    tables = {paper.name: paper.tables() for paper in registry.papers.values()}  # Of some it takes a second.
    files = {name: overview(registry, record, pictures, tables, command)}
    for paper in registry.papers.values():
        pairs = [(c, verdicts[c.id]) for c in registry if c.paper == paper.name and c.id in verdicts]
        own = {name: p for name, p in pictures.items() if p.paper == paper.name}
        if paper.statements:
            files[f"reports/{paper.name}_statements.md"] = coverage(paper, registry, verdicts)
        files[f"reports/{paper.name}.md"] = paper_report(registry, paper, pairs, tables[paper.name], own)
    return {path: printable(text) for path, text in files.items()}


def paper_report(
    registry: Registry, paper: Paper, pairs: Pairs, tables: Iterable[Table], pictures: Mapping[str, Picture]
) -> str:
    """Every claim of a paper, by what came out, in the order of the paper; its tables, and figures with captions."""
    pairs = list(pairs)
    lines = [
        f"# {escape(paper.title)}", "", f"{escape(sentence(paper.authors))} Claim ids begin with `{paper.name}/`; "
        "`paper-checks show ID` prints a claim with all of its formulas and points.", "",
        f"Evidence: {key()}. A tolerance is relative to the value, or to the reference magnitude that it names. "
        "Altered "
        "formulas that differ by less than the tolerance are counted as equivalent.", "",
    ]  # fmt: skip
    lines += ["> [!NOTE]", f"> {escape(paper.lost)}", ""] if paper.lost else []
    for name, chosen in by_section(pairs).items():
        if chosen:
            lines += [f"## {SECTIONS[name].title}", ""]
            lines += [SECTIONS[name].preface, ""] if SECTIONS[name].preface else []
            lines += _section(registry, name, chosen)
    lines += replications(pairs)
    lines += to_take(paper.trials(), [claim for claim, _ in pairs])
    for own in tables:
        head, *rows = ([*map(escape, row)] for row in (own.head, *own.rows))
        lines += [f"## {escape(own.title)}", "", own.says, "", *tabular(head, rows)]
    lines += [*prices(pairs), *kills(pairs), *_figures(pictures)]
    return "\n".join(lines).rstrip() + "\n"


def _figures(pictures: Mapping[str, Picture]) -> list[str]:
    """Pictures with their captions and details; the file is in a folder beside that in short."""
    lines = ["## Figures", ""] if pictures else []
    for name, picture in pictures.items():
        caption = escape(sentence(" ".join(picture.caption.split())))
        lines += [picture.embedded(name, f"../{picture.path}"), "", f"**{escape(name)}.** {caption}", ""]
        lines += [*(f"- {escape(text)}" for text in picture.paragraphs), *[""][: len(picture.paragraphs)]]
    return lines


def _section(registry: Registry, name: str, pairs: Pairs) -> list[str]:
    if name == "unchecked":
        return unchecked(pairs)
    if SECTIONS[name].red or name == "approximate":
        block = red if SECTIONS[name].red else approximate
        said: dict[str, str] = {}
        return [line for c, v in pairs for line in block(registry, c, v, said)]
    return table(pairs)
