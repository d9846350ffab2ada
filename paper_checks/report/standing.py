"""What became of a paper's statements, and of results of ours: the columns of every count."""

from collections import Counter
from collections.abc import Iterable, Mapping

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Kind
from paper_checks.judging.verdict import Verdict
from paper_checks.report.sections import section

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
