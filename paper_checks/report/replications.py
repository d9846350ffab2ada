"""Published numbers beside ours, table by table."""

from collections import Counter
from collections.abc import Iterable, Sequence

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Kind
from paper_checks.evidence.finding import PointFinding
from paper_checks.judging.verdict import Verdict
from paper_checks.report.formulas import judged
from paper_checks.report.text import escape, number, sentence, tabular
from paper_checks.rules.means import Status
from paper_checks.rules.prediction import RESAMPLED
from paper_checks.rules.replication import FAMILY_WISE, POWER

RUNG = "replication"
Pairs = Iterable[tuple[Claim, Verdict]]


def replications(pairs: Pairs) -> list[str]:
    """A table for each claim that compares published numbers with runs; nothing where none does."""
    some = [(c, p) for c, v in pairs for f in v.findings if f.rung == RUNG for p in [f.points]]
    if not some:
        return []
    cells = [(c, p) for c, points in some for p in points]
    of = max(claim.relation.of for claim, _ in some)
    lines = [
        "## Published numbers beside ours", "",
        f"{summary(cells)} Counts and medians are compared by exact tests, means by Student's t, half widths by "
        f"resampling if we have at least {RESAMPLED} runs. The probability of a false 'not reproduced' in any of the "
        f"{of} comparisons is at most {FAMILY_WISE:.0%}. 'Predicted' is the interval in which a published number is "
        "reproduced; if it contains every possible value, the agreement is not informative. A mean is NOT COMPARED if "
        "the runs are too few, or too skewed for Student's t at their number. 'Detectable' is "
        f"the true value of the paper that would not be reproduced with a probability of {POWER:.0%}.", "",
    ]  # fmt: skip
    for claim, points in some:
        lines += [f"### {escape(claim.at)} · `{claim.id}`", "", escape(sentence(claim.says)), ""]
        lines += _table(claim, points)
    return lines


def summary(cells: Sequence[tuple[Claim, PointFinding]]) -> str:
    """A sentence for the numbers of the paper, and one for those of additional results."""
    own = [p for c, p in cells if c.kind is Kind.PUBLISHED]
    others = [p for c, p in cells if c.kind is not Kind.PUBLISHED]
    more = "numbers in additional results, compared in another way or not from the paper,"
    return " ".join(_counted(found, name) for found, name in ((own, "published numbers"), (others, more)) if found)


def _counted(points: Sequence[PointFinding], name: str) -> str:
    """How many are reproduced, not reproduced, not compared, or have too few runs.

    Examples
    --------
    >>> found = [PointFinding("A", Status.CONFIRMED, p=0.5), PointFinding("B", Status.INCONCLUSIVE)]
    >>> print(_counted(found, "means"))
    1 of 2 means are reproduced; 1 is not compared.
    """
    found = Counter("not compared" if p.p is None else p.status for p in points)
    rest = [
        f"{found[status]} {one if found[status] == 1 else more}"
        for status, one, more in (
            (Status.REFUTED, "is not", "are not"),
            (Status.INCONCLUSIVE, "has too few runs to settle it", "have too few runs to settle it"),
            ("not compared", "is not compared", "are not compared"),
        )
        if found[status]
    ]
    return f"{'; '.join([f'{found[Status.CONFIRMED]} of {len(points)} {name} are reproduced', *rest])}."


def _table(claim: Claim, points: Sequence[PointFinding]) -> list[str]:
    columns = ("number", judged(claim), "runs", "ours", "our runs", "p", "verdict", "predicted", "detectable")
    rows = []
    for p in points:
        theirs, predicted, noticed = p.reason.split("; ")
        word = claim.relation.word(p.status) if p.p is not None else "NOT COMPARED"
        ours = p.counted.partition(" of ")[0] or plain(p.measured)
        rows.append((
            escape(p.point), plain(p.printed), _after(theirs, "of ").partition(" runs")[0], ours, str(p.n),
            "–" if p.p is None else f"{p.p:.2g}", word, _after(predicted, "predicted "), _after(noticed, ": "),
        ))  # fmt: skip
    return tabular(columns, rows)


def _after(text: str, begin: str) -> str:
    return text.partition(begin)[2]


def plain(value: float | None) -> str:
    """A number to four digits, in the form that tables print: iterations are whole.

    Examples
    --------
    >>> plain(45821.3), plain(41000.0), plain(0.00236), plain(None)
    ('45,820', '41,000', '0.00236', 'not reached')
    """
    if value is None:
        return "not reached"
    if not 1e3 <= abs(value) < 1e7:
        return number(value, 4)
    return f"{float(f'{value:.4g}'):,.0f}"
