"""The table of results in the README, from the saved verdicts: ``python docs/readme.py`` writes it anew."""

from pathlib import Path

from paper_checks.claims import catalogue
from paper_checks.claims.registry import Registry
from paper_checks.commands.options import RECORD
from paper_checks.record import Record
from paper_checks.report.coverage import OURS, PUBLISHED, counts

README = Path(__file__).resolve().parents[1] / "README.md"
BEGIN, END = "<!-- results: python docs/readme.py -->\n", "<!-- end of results -->\n"


def results(registry: Registry, record: Record) -> str:
    """How many claims of each paper came out how."""
    verdicts = {v.id: v for v in record.verdicts}
    lines = [f"| paper | {' | '.join((*PUBLISHED, *OURS))} |", "|---" + "|---:" * len((*PUBLISHED, *OURS)) + "|"]
    for paper in registry.papers.values():
        found = counts((c, verdicts.get(c.id)) for c in registry if c.paper == paper.name)
        lines.append(f"| {paper.title} | {' | '.join(map(str, found))} |")
    return "\n".join(lines) + "\n"


def with_results(text: str, table: str) -> str:
    """The README with this table."""
    head, _, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not end:
        raise ValueError(f"{README} has no place for the results between {BEGIN!r} and {END!r}")
    return f"{head}{BEGIN}{table}{END}{tail}"


if __name__ == "__main__":
    text = README.read_text(encoding="utf-8")
    README.write_text(with_results(text, results(catalogue.load(), Record.read(RECORD))), encoding="utf-8")
