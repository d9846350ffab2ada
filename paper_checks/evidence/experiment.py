"""Evidence by experiments, and the function that makes a finding from the result of one."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.mutation import tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.rules.means import Status, combine
from paper_checks.rules.proportions import compare_signs, signs_text
from paper_checks.rules.rates import RATE


def concluded(
    status: Status | bool,
    says: str,
    slips: Mapping[str, bool] | None = None,
    *,
    points: Sequence[PointFinding] = (),
    table: Sequence[Mapping[str, Any]] = (),
) -> Finding:
    """The finding of an experiment about the statement that it tests.

    Parameters
    ----------
    status : Status or bool
        Status of the statement, or whether it is correct. INCONCLUSIVE leaves it open. A REFUTED statement is refuted
        by a valid check, so that slips count for it as well.
    says : str
        The result in numbers and words.
    slips : mapping of str to bool, optional
        By name of a plausible mistake: whether it **was rejected**; true is good.
    points : sequence of PointFinding
        The results at points, as records.
    table : sequence of mappings
        The results row by row: values by the names of the columns, the same in each row.

    Raises
    ------
    TypeError
        If the status, a slip or a point is something else.
    ValueError
        If rows of the table have different columns.

    Examples
    --------
    >>> found = concluded(Status.CONFIRMED, "48 of 48", {"labels swapped": True, "one run only": False})
    >>> found.killed, found.total, found.survivors
    (1, 2, ('one run only',))
    >>> concluded(Status.CONFIRMED, "both die", table=[{"gamma": 0.1, "dead": 3}, {"gamma": 1, "dead": 2}]).rows
    (('0.1', '3'), ('1', '2'))
    """
    if not isinstance(status, Status | bool | np.bool_):
        raise TypeError(f"concluded: status must be a Status, True or False, got {status!r}; say which")
    if not isinstance(status, Status):
        status = Status.CONFIRMED if status else Status.REFUTED
    for name, rejected in (slips or {}).items():
        if not isinstance(rejected, bool | np.bool_):
            raise TypeError(
                f"concluded: slips[{name!r}] must be True or False, got {rejected!r}; say whether it was rejected"
            )
    outcome = tried((slips or {}).items(), bool)
    truth = Status.INCONCLUSIVE if status is Status.INCONCLUSIVE else Status.CONFIRMED
    if wrong := [p for p in points if not isinstance(p, PointFinding)]:
        raise TypeError(f"concluded: points must be of PointFinding, got {wrong[0]!r}; give rows of a table as table=")
    columns = tuple(table[0]) if table else ()
    for row in table:
        if tuple(row) != columns:
            raise ValueError(f"concluded: rows of table must have the columns {list(columns)}, got {list(row)}")
    rows = tuple(tuple(map(_cell, row.values())) for row in table)
    return Finding(
        "experiment", truth, status, says, points=tuple(points), columns=columns, rows=rows, **outcome._asdict()
    )


def _cell(value: Any) -> str:
    """A value of a table as text: three digits of a number that is not whole."""
    return f"{value:.3g}" if isinstance(value, float | np.floating) else str(value)


def decided(
    differences: Mapping[str, np.ndarray], says: str = "", rate: float = RATE, table: Sequence[Mapping[str, Any]] = ()
) -> Finding:
    """A finding from sign tests: CONFIRMED if all are, REFUTED if one is.

    Without a table the text has their counts, and with another error rate than the default also the p-values.
    """
    signs, slips = compare_signs(differences, rate=rate)
    status = combine([s.status for s in signs.values()])
    counts = signs_text(signs) if rate == RATE else signs_text(signs, with_p=True)
    text = says if table else "; ".join(t for t in (says, counts) if t)
    return concluded(status, text, slips if status is Status.CONFIRMED else None, table=table)


def find(claim: Claim, work: Work) -> Finding:
    """Run the experiment of a claim."""
    found = claim.experiment(work)
    if not isinstance(found, Finding):
        raise TypeError(f"claim {claim.id}: experiment= must return a Finding, got {found!r}; return concluded(...)")
    try:
        json.dumps(asdict(found))
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"claim {claim.id}: experiment= must find numbers and text, got {error}; convert it") from error
    return found


RUNG = Rung(
    name="experiment", letter="E", title="experiment", section="measured", rank=90, exact=False,
    applies=lambda claim: claim.experiment is not None, find=find,
)  # fmt: skip
