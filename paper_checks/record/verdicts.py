"""Saved verdicts: those of the last run, from which report and pages are written, and those of an unfinished run."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, BinaryIO

from paper_checks.claims import shell
from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.experiments import files
from paper_checks.judging.verdict import Verdict
from paper_checks.values.alike import alike

HEAD = b'{\n "command": "paper-checks verify'
DEFAULT = Path(__file__).with_name("recorded.json")
# How the name of a file ends that is beside a user's claims.
BESIDE = ".verdicts.json"


class RecordError(Exception):
    """Saved verdicts are missing or unreadable; the message says what to do."""


@dataclass(frozen=True)
class Record:
    """Saved verdicts of one precision and seed."""

    tier: str
    seed: int
    command: str
    verdicts: tuple[Verdict, ...] = ()

    def with_verdicts(self, claims: Iterable[Claim], verdicts: Iterable[Verdict]) -> Record:
        """A record of these claims in their order, with new verdicts, or saved ones where there are none.

        A saved verdict is kept if the new one differs only in rounding, so that another processor does not change the
        file.
        """
        old = {v.id: v for v in self.verdicts}
        new = {v.id: old[v.id] if v.id in old and _same(v, old[v.id]) else v for v in verdicts}
        kept = [new.get(c.id) or old[c.id] for c in claims if c.id in new or c.id in old]
        return Record(self.tier, self.seed, self.command, tuple(kept))

    def changed(self, claims: Iterable[Claim]) -> list[str]:
        """Ids of claims whose statement or formulas differ from those that were judged, where the file says these."""
        judged = {v.id: v.stated for v in self.verdicts}
        return [c.id for c in claims if judged.get(c.id) and judged[c.id] != c.stated]

    def of(self, claims: Iterable[Claim]) -> Record:
        """The record without verdicts on claims that have changed since: these are not verified yet."""
        changed = self.changed(claims)
        return replace(self, verdicts=tuple(v for v in self.verdicts if v.id not in changed))

    def write(self, path: Path) -> None:
        """Write as JSON; the same run gives the same bytes."""
        found = [v.to_dict() for v in self.verdicts]
        head = {"command": self.command, "tier": self.tier, "seed": self.seed, "digest": _digest(found)}
        head = json.dumps(head, indent=1)
        entries = (json.dumps(entry, ensure_ascii=False, indent=1) for entry in found)
        files.write(path, head[:-2] + ',\n "verdicts": [\n' + ",\n".join(entries) + "\n]}\n")

    @classmethod
    def read(cls, path: Path) -> Record:
        """Read what :meth:`write` wrote.

        Raises
        ------
        RecordError
            If there is no such file, or it holds something else.
        """
        try:
            data = json.loads(files.text(path))
            if data.get("digest", known := _digest(data["verdicts"])) != known:
                raise ValueError("its verdicts were changed after they were written")
            verdicts = tuple(sound(Verdict.from_dict(entry)) for entry in data["verdicts"])
            return sound(cls(data["tier"], data["seed"], data["command"], verdicts))
        except FileNotFoundError:
            raise RecordError(f"{path} does not exist; run {_command(path)}") from None
        except (ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError) as error:
            what = f"{type(error).__name__}: {error}"[:120]
            raise RecordError(f"{path} is not a file of verdicts ({what}); run {_command(path)}") from error

    @classmethod
    def read_or_new(cls, path: Path, tier: str, seed: int, command: str) -> Record:
        """The record in a file if it has this precision and seed, else an empty one."""
        try:
            found = cls.read(path)
        except RecordError:
            return cls(tier, seed, command)
        return found if (found.tier, found.seed) == (tier, seed) else cls(tier, seed, command)


def _same(one: Verdict, other: Verdict) -> bool:
    """Whether two verdicts on the same statement differ only in rounding."""
    return one.stated == other.stated and alike(one.to_dict(), other.to_dict())


def _command(path: Path) -> str:
    """The command, in quotes, that writes a file again: verdicts on a user's claims are beside their file."""
    if path.name.endswith(BESIDE):
        return shell.quoted(shell.command("verify", Path(f"{str(path).removesuffix(BESIDE)}.py")))
    place = [] if path.resolve() == DEFAULT.resolve() else [path]
    return shell.quoted(shell.command("verify", "--tier full --record", *place))


def _digest(verdicts: Any) -> str:
    """Check sum that detects changed digits. Files of older versions have none."""
    return hashlib.blake2b(json.dumps(verdicts, sort_keys=True).encode(), digest_size=8).hexdigest()


def is_foreign(path: Path) -> bool:
    """Whether a file is not a file of verdicts, whole or damaged, and must not be replaced."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(len(HEAD))
    return bool(head) and head != HEAD


# Types of fields in a file; all others are records, or tuples of them.
KINDS = {
    "str": str, "int": int, "float": int | float, "float | None": int | float | None, "Status": str,
    "Status | None": str | None,
}  # fmt: skip


def sound(record: Any) -> Any:
    """The record, after a check that its fields have the declared types.

    Raises
    ------
    TypeError
        If a field has another type, with its name.
    """
    for declared in fields(record):
        value = getattr(record, declared.name)
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, PointFinding | Finding):
                sound(inner)
        if declared.type in KINDS and (not isinstance(value, KINDS[declared.type]) or isinstance(value, bool)):
            raise TypeError(f"{declared.name} must be {declared.type}, got {str(value)[:40]!r}")
    return record


FOLDER = Path(".paper_checks")


class Journal:
    """A file with a verdict in each line; it is deleted when the run is finished.

    Its name depends on the run: claims, precision, seed, and the bytes of all source files. After an edit a run starts
    again, and files of interrupted runs are deleted.

    Parameters
    ----------
    ids : sequence of str
        Ids of the claims.
    tier, seed : str, int
    sources : str
        A digest of the files that verdicts can depend on.
    folder : Path
        Folder, which is made when needed.

    Attributes
    ----------
    keeps : bool
        Whether all verdicts could be written so far.

    Examples
    --------
    >>> import tempfile
    >>> journal = Journal(["nau/eq26"], "quick", 1, "5af0", Path(tempfile.mkdtemp()))
    >>> journal.read(), journal.finish()
    ({}, None)
    """

    def __init__(self, ids: Sequence[str], tier: str, seed: int, sources: str, folder: Path = FOLDER):
        run = hashlib.blake2b(json.dumps([sorted(ids), tier, seed]).encode(), digest_size=8).hexdigest()
        self.path = folder / f"run-{run}-{sources[:16]}.jsonl"
        self._ids = set(ids)
        self._others = [p for p in folder.glob(f"run-{run}-*.jsonl") if p != self.path]
        self.keeps = True

    def read(self) -> dict[str, Verdict]:
        """Verdicts of an interrupted run of the same claims, by id; damaged lines are left out."""
        _delete(self._others)
        try:
            lines = self.path.read_bytes().splitlines() if self.path.is_file() else []
        except OSError:
            return {}
        found = (_verdict(line) for line in lines)
        return {verdict.id: verdict for verdict in found if verdict is not None and verdict.id in self._ids}

    def add(self, verdict: Verdict) -> None:
        """Save a verdict at once; if the disk is full, the run continues without saving."""
        if not self.keeps:
            return
        line = json.dumps({**verdict.to_dict(), "seconds": verdict.seconds}).encode()
        sums = hashlib.blake2b(line, digest_size=8).hexdigest().encode()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b") as file:
                file.write(_end_of_last(file) + sums + b" " + line + b"\n")
        except OSError:
            self.keeps = False

    def finish(self) -> None:
        """Delete the file, so that the next run makes all verdicts again."""
        _delete([self.path])


def _end_of_last(file: BinaryIO) -> bytes:
    """The missing end of the last line after an interruption."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 1))
    return b"" if file.read() in (b"", b"\n") else b"\n"


def _delete(paths: Iterable[Path]) -> None:
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def _verdict(line: bytes) -> Verdict | None:
    sums, _, data = line.partition(b" ")
    if hashlib.blake2b(data, digest_size=8).hexdigest().encode() != sums:
        return None
    try:
        return sound(Verdict.from_dict(json.loads(data)))
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
