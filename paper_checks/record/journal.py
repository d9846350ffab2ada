"""Verdicts of an unfinished run, saved one by one, so that an interrupted run can continue."""

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import BinaryIO

from paper_checks.judging.verdict import Verdict
from paper_checks.record.verdicts import sound

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
        try:
            path.unlink(missing_ok=True)
        except OSError:
            continue


def _verdict(line: bytes) -> Verdict | None:
    sums, _, data = line.partition(b" ")
    if hashlib.blake2b(data, digest_size=8).hexdigest().encode() != sums:
        return None
    try:
        return sound(Verdict.from_dict(json.loads(data)))
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
