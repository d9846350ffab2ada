"""Verdicts kept in a file: the outcome of the last run, from which report and pages are written."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.experiments import files
from paper_checks.judging.verdict import Verdict
from paper_checks.values.alike import alike

__all__ = ["DEFAULT", "Record", "RecordError", "is_foreign", "sound"]

HEAD = b'{\n "command": "paper-checks verify'
DEFAULT = Path(__file__).with_name("recorded.json")


class RecordError(Exception):
    """Recorded verdicts are missing or unreadable; the message says what to do."""


@dataclass(frozen=True)
class Record:
    """Verdicts of one tier and seed."""

    tier: str
    seed: int
    command: str
    verdicts: tuple[Verdict, ...] = ()

    def with_verdicts(self, claims: Iterable[Claim], verdicts: Iterable[Verdict]) -> Record:
        """The record of these claims, in their order: new verdicts, and the recorded ones where there are none.

        A recorded verdict stays as it is where the new one differs in nothing but rounding, so that another processor
        leaves the file as it was.
        """
        old = {v.id: v for v in self.verdicts}
        new = {v.id: old[v.id] if v.id in old and alike(v.to_dict(), old[v.id].to_dict()) else v for v in verdicts}
        kept = [new.get(c.id) or old[c.id] for c in claims if c.id in new or c.id in old]
        return Record(self.tier, self.seed, self.command, tuple(kept))

    def write(self, path: Path) -> None:
        """Write as JSON; the same run gives the same bytes."""
        head = json.dumps({"command": self.command, "tier": self.tier, "seed": self.seed}, indent=1)
        entries = (json.dumps(v.to_dict(), ensure_ascii=False, indent=1) for v in self.verdicts)
        files.write(path, head[:-2] + ',\n "verdicts": [\n' + ",\n".join(entries) + "\n]}\n")

    @classmethod
    def read(cls, path: Path) -> Record:
        """Read what :meth:`write` wrote.

        Raises
        ------
        RecordError
            When there is no such file, or it holds something else.
        """
        try:
            data = json.loads(files.text(path))
            verdicts = tuple(sound(Verdict.from_dict(entry)) for entry in data["verdicts"])
            return sound(cls(data["tier"], data["seed"], data["command"], verdicts))
        except FileNotFoundError:
            raise RecordError(f"{path} does not exist; run 'paper-checks verify --tier full --record'") from None
        except (ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError) as error:
            what = f"{type(error).__name__}: {error}"[:120]
            raise RecordError(f"{path} is not a record of verdicts ({what}); write it anew with --record") from error

    @classmethod
    def read_or_new(cls, path: Path, tier: str, seed: int, command: str) -> Record:
        """The record in a file, where it is of this tier and seed; else an empty one."""
        try:
            found = cls.read(path)
        except RecordError:
            return cls(tier, seed, command)
        return found if (found.tier, found.seed) == (tier, seed) else cls(tier, seed, command)


def is_foreign(path: Path) -> bool:
    """Whether a file is something else than a record, whole or damaged, and not ours to replace."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(len(HEAD))
    return bool(head) and head != HEAD


# What a file may say of a field; all others are records, or tuples of them.
KINDS = {
    "str": str, "int": int, "float": int | float, "float | None": int | float | None, "Status": str,
    "Status | None": str | None,
}  # fmt: skip


def sound(record: Any) -> Any:
    """A record that was read, with fields of the kinds that they are declared with.

    Raises
    ------
    TypeError
        For another kind, with the name of the field.
    """
    for declared in fields(record):
        value = getattr(record, declared.name)
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, PointFinding | Finding):
                sound(inner)
        if declared.type in KINDS and (not isinstance(value, KINDS[declared.type]) or isinstance(value, bool)):
            raise TypeError(f"{declared.name} must be {declared.type}, got {str(value)[:40]!r}")
    return record
