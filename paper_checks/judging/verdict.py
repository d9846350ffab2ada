"""The verdict on a claim, as a record that reports show and files store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.rules.means import Status


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.5g}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = "".join(f"<tr>{''.join(f'<td>{escape(c)}</td>' for c in row)}</tr>" for row in [head, *rows])
    return f"<table>{cells}</table>"


class Verdicts(list["Verdict"]):
    """A list of verdicts that a notebook shows as a table: id, verdict, published and found values."""

    def _repr_html_(self) -> str:
        return _table(["id", "verdict", "at", "published", "found", "note"], [v._row() for v in self])


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim, with its evidence.

    Attributes
    ----------
    status, truth, expected : Status
        Status of the published statement, of the correct one, and the status that the claim declares.
    counterexample : str
        One line of numbers, where the published statement is refuted.
    price : tuple of PointFinding
        Values measured without an assumption of the paper.
    error : str
        The exception because of which the claim could not be judged.
    odd : str
        Where two kinds of evidence disagree: the one that disagrees with the formula.
    stated : str
        What was judged, :attr:`Claim.stated`; saved with verdicts on a user's claims, whose file may change.
    """

    id: str
    status: Status
    truth: Status
    expected: Status
    findings: tuple[Finding, ...]
    tier: str
    seed: int
    counterexample: str = ""
    price: tuple[PointFinding, ...] = ()
    error: str = ""
    odd: str = ""
    seconds: float = 0.0
    stated: str = ""

    @property
    def as_expected(self) -> bool:
        """Whether the status is as declared, found by checks that can fail, without an error."""
        defects = any(f.defects for f in self.findings)
        truth_holds = self.truth is not Status.REFUTED and (
            self.truth is Status.CONFIRMED or self.expected is Status.INCONCLUSIVE
        )
        return self.status is self.expected and truth_holds and not defects and not self.error and not self.odd

    @property
    def rungs(self) -> list[str]:
        return [f.rung for f in self.findings]

    @property
    def killed(self) -> int:
        return sum(f.killed for f in self.findings)

    @property
    def mutants(self) -> int:
        return sum(f.total for f in self.findings)

    @property
    def within(self) -> int:
        """Number of altered formulas that are equivalent within the tolerance."""
        return sum(f.within for f in self.findings)

    @property
    def unseen(self) -> int:
        """Number of changes to the formula that no point distinguishes."""
        return sum(len(f.unseen) for f in self.findings)

    def worst(self, name: str) -> float | None:
        """The value of a field with the largest magnitude over all points that have it."""
        values = [getattr(p, name) for f in self.findings for p in f.points if getattr(p, name) is not None]
        return max(values, key=abs, default=None)

    @property
    def n(self) -> int:
        """Number of observations at all points."""
        return sum(p.n for f in self.findings for p in f.points)

    def _repr_html_(self) -> str:
        """HTML for notebooks: the verdict, and a row for each point."""
        names = ("printed", "truth", "measured", "se", "resolution")
        rows = [
            [f.rung, p.point, str(p.status), *(_shown(getattr(p, n)) for n in names)]
            for f in self.findings
            for p in f.points
        ]
        head = ["evidence", "at", "", "published", "correct", "measured", "±", "tolerance"]
        notes = "; ".join(filter(None, [self.error, self.odd, self.counterexample]))
        killed = f" ({self.killed} of {self.mutants} altered formulas rejected)" if self.mutants else ""
        return f"<b>{escape(self.id)}: {self.status}</b>{killed} {escape(notes)}{_table(head, rows)}"

    def _row(self) -> list[str]:
        """Its id, status, and the published and found values at the point that settles it."""
        points = [p for f in self.findings for p in f.points if p.printed is not None]
        settling = next((p for p in points if p.status is self.status), points[0] if points else None)
        notes = "; ".join(filter(None, [self.error, self.odd, self.counterexample]))
        if settling is None:
            return [self.id, str(self.status), "", "", "", notes]
        found = next((v for v in (settling.measured, settling.reference, settling.truth) if v is not None), None)
        error = f" ± {settling.se:.2g}" if settling.se and settling.measured is not None else ""
        values = [_shown(settling.printed), settling.counted or _shown(found) + error]
        return [self.id, str(self.status), settling.point, *values, notes or settling.reason]

    def to_dict(self) -> dict[str, Any]:
        """Plain data without the time, so that the same command gives the same bytes."""
        data = asdict(self)
        del data["seconds"]
        if not data["stated"]:
            del data["stated"]
        for point in (*(p for f in data["findings"] for p in f["points"]), *data["price"]):
            if point["p"] is None:
                del point["p"]
        for finding in data["findings"]:
            for name in ("columns", "rows", "unseen"):
                if not finding[name]:
                    del finding[name]
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Verdict:
        """The inverse of :meth:`to_dict`."""

        def status(value):
            return None if value is None else Status(value)

        def point(p):
            return PointFinding(**{**p, "status": Status(p["status"])})

        findings = tuple(
            Finding(**{
                **f, "truth": Status(f["truth"]), "printed": status(f["printed"]),
                "survivors": tuple(f["survivors"]), "defects": tuple(f.get("defects", ())),
                "unseen": tuple(f.get("unseen", ())),
                "points": tuple(map(point, f["points"])),
                "columns": tuple(f.get("columns", ())), "rows": tuple(map(tuple, f.get("rows", ()))),
            })
            for f in data["findings"]
        )  # fmt: skip
        fields = {k: v for k, v in data.items() if k not in ("findings", "price")}
        for name in ("status", "truth", "expected"):
            fields[name] = Status(fields[name])
        return cls(**fields, findings=findings, price=tuple(map(point, data["price"])))
