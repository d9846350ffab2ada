"""One SQLite file with the summaries of every block, so that any interruption loses a second at most."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import time
from pathlib import Path
from typing import Any

from montecarlo.engine.moments import Moments

APPLICATION_ID = 0x50436B73  # "PCks"
VERSION = 1
COMMIT_INTERVAL = 1.0
# Seconds to wait for another process.
PATIENCE = 20


class StoreError(Exception):
    """The store cannot be used; the message says why and what to do. It is never overwritten."""


class Store:
    """Moments of blocks by job and range of samples, in a file or in memory.

    Parameters
    ----------
    path : path or None
        The file, made with its folder when absent. ``None`` keeps everything in memory.

    Raises
    ------
    StoreError
        When the file is not a store of this project, is damaged, or cannot be written.

    Examples
    --------
    >>> from montecarlo import Moments
    >>> with Store(None) as store:
    ...     store.put(b"job", 0, 2, Moments(2, 1.0, 0.5, 0.0, 0.125, 0.5, 1.5).to_bytes())
    ...     store.load(b"job")[0, 2].mean
    1.0
    """

    def __init__(self, path: str | Path | None):
        self.path = None if path is None else Path(path)
        self._last_commit = time.monotonic()
        self._new: list[tuple] = []
        with self._errors():
            if self.path is not None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._refuse_foreign_file()
            self._db = sqlite3.connect(self.path or ":memory:", timeout=PATIENCE, isolation_level=None)
            try:
                self._use_log()
                self._db.execute("PRAGMA synchronous=NORMAL")
                self._open_tables()
            except BaseException:
                self._db.close()
                raise

    def _use_log(self) -> None:
        """Write ahead. SQLite does not wait by itself while another process does this to a new file."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self._db.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > end:
                    raise
                time.sleep(0.01)

    def _refuse_foreign_file(self) -> None:
        if self.path.is_dir():
            raise StoreError(f"{self.path} is a folder; name a writable file with --store")
        if not self.path.exists() or self.path.stat().st_size == 0:
            return
        uri = f"{self.path.resolve().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)) as db:
            db.execute("BEGIN")  # Of another process that is making the tables all is seen, or nothing.
            found = db.execute("PRAGMA application_id").fetchone()[0]
            version = db.execute("PRAGMA user_version").fetchone()[0]
            objects = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if found == version == objects == 0:
                return  # Killed between making the file and its table: nobody's data.
            if found != APPLICATION_ID:
                raise StoreError(f"{self.path} is a SQLite file of another program; name another file with --store")
            if version != VERSION:
                raise StoreError(
                    f"{self.path} has layout {version}, this version reads {VERSION}; name another file with --store"
                )

    def _open_tables(self) -> None:
        if self._db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
            return  # An existing store is not written to before there is something to add.
        self._db.execute("BEGIN IMMEDIATE")  # All of it or nothing, whenever the process is killed.
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS blocks (job BLOB, first INTEGER, count INTEGER, moments BLOB, check_sum BLOB, "
            "PRIMARY KEY (job, first, count)) WITHOUT ROWID"
        )
        self._db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        self._db.execute(f"PRAGMA user_version={VERSION}")
        self._db.execute("COMMIT")

    def load(self, job: bytes, record: type = Moments) -> dict[tuple[int, int], Any]:
        """All stored blocks of a job, by first sample and number of samples, as what its statistic keeps of them."""
        self.commit()
        query = "SELECT first, count, moments, check_sum FROM blocks WHERE job = ?"
        with self._errors():
            rows = self._db.execute(query, (job,)).fetchall()
        for first, count, moments, check_sum in rows:
            whole = isinstance(first, int) and isinstance(count, int) and isinstance(moments, bytes)
            if not whole or _check_sum(job, first, count, moments) != check_sum:
                raise StoreError(f"{self.path} is damaged: a block fails its check sum; move it away and run again")
        return {(first, count): record.from_bytes(moments) for first, count, moments, _ in rows}

    def put(self, job: bytes, first: int, count: int, data: bytes) -> None:
        """Add the summary of ``count`` samples from ``first``. It is safe on disk a second later at most."""
        self._new.append((job, first, count, data, _check_sum(job, first, count, data)))
        if time.monotonic() - self._last_commit > COMMIT_INTERVAL:
            self.commit()

    def commit(self) -> None:
        """Write everything added so far to disk, in one short transaction: another process may write as well."""
        if self._new:
            with self._errors():
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    self._db.executemany("INSERT OR IGNORE INTO blocks VALUES (?, ?, ?, ?, ?)", self._new)
                    self._db.execute("COMMIT")
                except BaseException:
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                    raise
            self._new = []  # not before: what a lock or a full disk keeps out is tried again when the store is closed
        self._last_commit = time.monotonic()

    def close(self) -> None:
        """Commit and close."""
        try:
            self.commit()
        finally:
            self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exc) -> None:
        self.close()

    @contextlib.contextmanager
    def _errors(self):
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {_explain(error)}") from error
        except UnicodeDecodeError as error:  # in a message of SQLite about a damaged schema
            raise StoreError(f"{self.path}: {_explain(sqlite3.DatabaseError('malformed'))}") from error
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror or error}; name a writable file with --store") from error


def _explain(error: sqlite3.Error) -> str:
    text = str(error)
    if "not a database" in text:
        return "is not a store (not a SQLite file); name another file with --store"
    if "malformed" in text or "disk image" in text:
        return "is damaged; move it away and run again"
    if "readonly" in text or "unable to open" in text:
        return f"cannot be written ({text}); name a writable file with --store"
    if "locked" in text:
        return f"another process keeps it locked for more than {PATIENCE} s; wait for it, or name another with --store"
    if "full" in text:
        return "the disk is full; free some space and run the same command again, nothing stored so far is lost"
    return f"{text}, as where the disk is full; what was stored before is kept: free some space and run it again"


def _check_sum(job: bytes, first: int, count: int, data: bytes) -> bytes:
    place = first.to_bytes(8, "little", signed=True) + count.to_bytes(8, "little", signed=True)
    return hashlib.blake2b(job + place + data, digest_size=8).digest()
