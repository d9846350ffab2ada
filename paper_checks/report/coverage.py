"""All statements of a paper in its order: what came out of each, and the claims that check it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby

from paper_checks.claims.expectation import Kind
from paper_checks.claims.registry import Paper, Registry
from paper_checks.claims.statements import Statement, statements
from paper_checks.judging.verdict import Verdict
from paper_checks.report.standing import AS_TESTED, LEGEND, NOT_CHECKABLE, PUBLISHED, outcome, outcome_of
from paper_checks.report.text import escape, sentence, tabular

Covered = tuple[Statement, str]


def covered(paper: Paper, registry: Registry, verdicts: Mapping[str, Verdict]) -> list[Covered]:
    """Each statement of a paper with what came out of it.

    Claims on the paper's own statement decide. Where there are none, additional results of ours do, and where there are
    none of these either, alternative interpretations.
    """
    own = {c.id: c for c in registry if c.paper == paper.name}
    outcomes = {id: outcome(c, verdicts.get(id)) for id, c in own.items()}

    def of(statement: Statement) -> str:
        for kind in (Kind.PUBLISHED, Kind.ADDITIONAL, Kind.ALTERNATIVE):
            if known := {id: outcomes[id] for id in statement.claims if id in own and own[id].kind is kind}:
                name = outcome_of(known)
                return name if kind is Kind.PUBLISHED else AS_TESTED.get(name, name)
        return NOT_CHECKABLE

    return [(statement, of(statement)) for statement in statements(paper.statements)]


def summary(found: Sequence[Covered]) -> str:
    """How many statements there are, and what came out of them."""
    counted = Counter(name for _, name in found)
    names = [f"{counted[name]} {name}" for name in (*PUBLISHED, *AS_TESTED.values(), NOT_CHECKABLE) if counted[name]]
    return f"{len(found)} statements: {', '.join(names)}."


def coverage(paper: Paper, registry: Registry, verdicts: Mapping[str, Verdict]) -> str:
    """The list as Markdown; claims are linked to the paper's report."""
    found = covered(paper, registry, verdicts)
    lines = [
        f"# {escape(paper.title)}: all statements", "", f"{escape(sentence(paper.authors))} {summary(found)}", "",
        f"{LEGEND} Statements without a claim say why.", "",
    ]  # fmt: skip
    for section, some in groupby(found, lambda pair: pair[0].section):
        lines += [f"## {escape(section)}", ""] if section else []
        lines += tabular(("place", "statement", "kind", "outcome", "claims"), (_cells(paper, *pair) for pair in some))
    return "\n".join(lines).rstrip() + "\n"


def _cells(paper: Paper, statement: Statement, name: str) -> list[str]:
    links = [f"[{escape(id)}]({paper.name}.md#{id.split('/', 1)[1]})" for id in statement.claims]
    mark = f"**{name}**" if name in ("wrong", "not reproduced") else name
    return [
        escape(statement.place), escape(statement.words), statement.kind, mark,
        ", ".join(links) or escape(sentence(statement.why)),
    ]  # fmt: skip


def plain(title: str, found: Sequence[Covered], columns: int | None) -> list[str]:
    """The list for a terminal: a line for each statement, no longer than it is wide."""
    width = max((len(statement.place) for statement, _ in found), default=0)
    lines = [f"{title}. {summary(found)}"]
    for section, some in groupby(found, lambda pair: pair[0].section):
        lines += ["", section] if section else []
        for statement, name in some:
            checks = ", ".join(statement.claims) or statement.why
            line = f"  {name:<19} {statement.place:<{width}}  {statement.words}  ({checks})"
            lines.append(line if columns is None or len(line) <= columns else line[: columns - 2].rstrip() + " …")
    return lines
