"""All statements of a paper in its order: what came out of each, and the claims that check it.

The outcome of a claim is also the column of every count in which it is counted.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Kind
from paper_checks.claims.registry import Paper, Registry
from paper_checks.claims.statements import Statement, statements
from paper_checks.judging.verdict import Verdict
from paper_checks.report.sections import section
from paper_checks.report.text import escape, sentence, tabular

# Of the paper's statements, then ours.
PUBLISHED = ("correct", "wrong", "not reproduced", "approximate", "open")
OURS = ("additional", "alternative")
# Of statements that only claims of ours judge, and of those that no claim judges.
AS_TESTED = {"correct": "correct in our form", "wrong": "false in our form"}
NOT_CHECKABLE = "not checkable"
LEGEND = (
    "Claims on the paper's own statement decide, the worst of them first. If there are none, additional results of "
    "ours decide, and if there are none of these either, alternative interpretations. A statement is then correct or "
    "false *in our form*, such as a more precise form, or networks smaller than the paper's. The statement itself is "
    "not judged."
)
_OF_SECTION = {
    "print": "wrong", "runs": "not reproduced", "approximate": "approximate", "undecided": "open", "unchecked": "open",
}  # fmt: skip
# Where several claims check one statement, the first that applies is said of it.
_WORST = ("wrong", "not reproduced", "open", "approximate", "correct")


def outcome(claim: Claim, verdict: Verdict | None) -> str:
    """What came out of a claim, whoever states it."""
    if verdict is None:
        return "open"
    found = section(claim, verdict)
    return "wrong" if found == "reading" else _OF_SECTION.get(found, "correct")


def column(claim: Claim, verdict: Verdict | None) -> str:
    """The column in which a claim is counted: one of :data:`PUBLISHED` or :data:`OURS`."""
    return outcome(claim, verdict) if claim.kind is Kind.PUBLISHED else str(claim.kind)


def counts(pairs: Iterable[tuple[Claim, Verdict | None]]) -> list[int]:
    """Claims by column, in the order of :data:`PUBLISHED` and :data:`OURS`."""
    found = Counter(column(*pair) for pair in pairs)
    return [found[name] for name in (*PUBLISHED, *OURS)]


def outcome_of(outcomes: Mapping[str, str]) -> str:
    """What came out of a paper's statement: the worst outcome of the claims that check it, or that there are none.

    Examples
    --------
    >>> outcome_of({"mine/eq1": "correct", "mine/eq1.index": "wrong"}), outcome_of({})
    ('wrong', 'not checkable')
    """
    found = set(outcomes.values())
    return next((name for name in _WORST if name in found), NOT_CHECKABLE)


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
    for heading, some in groupby(found, lambda pair: pair[0].section):
        lines += [f"## {escape(heading)}", ""] if heading else []
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
    for heading, some in groupby(found, lambda pair: pair[0].section):
        lines += ["", heading] if heading else []
        for statement, name in some:
            checks = ", ".join(statement.claims) or statement.why
            line = f"  {name:<19} {statement.place:<{width}}  {statement.words}  ({checks})"
            lines.append(line if columns is None or len(line) <= columns else line[: columns - 2].rstrip() + " …")
    return lines
