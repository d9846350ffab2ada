"""Files that are replaced as a whole, so that an interruption leaves the old one."""

import contextlib
import errno
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def write(path: Path, content: str | bytes) -> None:
    """Replace a file by new content, which is complete on the disk before the old file is removed.

    Where the path is a link, what it leads to is replaced. Text that UTF-8 does not have is written as escapes.

    Raises
    ------
    OSError
        When the folder does not exist or cannot be written, or the path is a folder or a device.
    """
    data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    with _beside(path) as (target, new):
        with new.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, new)
        new.replace(target)


def text(path: Path) -> str:
    """The text of a regular file; other files, such as devices, are refused.

    Raises
    ------
    OSError
        When it is none, or cannot be read.
    ValueError
        When it is not text in UTF-8.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "is not a regular file; name another", str(path))
    return path.read_text(encoding="utf-8")


def check_writable(path: Path) -> None:
    """Raise an error before long work if its result cannot be written to a file."""
    with _beside(path) as (_, new):
        new.open("xb").close()


def cache_folder() -> Path:
    """Folder of this project's caches for a user, which is safe to delete."""
    home = os.environ.get("PAPER_CHECKS_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "paper-checks"


def kept(path: Path) -> dict[str, Any]:
    """The JSON object in a file of a cache; empty where the file is missing or damaged."""
    try:
        found = json.loads(text(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def keep(path: Path, content: dict[str, Any], indent: int | None = None) -> None:
    """Save a JSON object in a file of a cache; what cannot be written leaves the cache as it is."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, json.dumps(content, indent=indent))


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[tuple[Path, Path]]:
    """The regular file that is to be replaced or made, and beside it the name of a new one, which does not stay."""
    target = path.resolve()
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder; name a file", str(path))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "is not a regular file; name another", str(path))
    new = target.with_name(f".{target.name[:200]}.{secrets.token_hex(8)}")
    try:
        yield target, new
    except OSError as error:
        # The name that the user gave, not that of the temporary file.
        raise type(error)(error.errno, error.strerror, str(path)) from error
    finally:
        new.unlink(missing_ok=True)
