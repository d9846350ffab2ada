"""Files that are replaced as a whole: an interruption leaves the old one, and no name of a user's is taken."""

from __future__ import annotations

import secrets
from pathlib import Path

__all__ = ["check_writable", "write"]


def write(path: Path, content: str | bytes) -> None:
    """Replace a file by new content, which is complete before the old one goes.

    Raises
    ------
    OSError
        When the folder does not exist or cannot be written.
    """
    new = _beside(path)
    try:
        with new.open("xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        new.replace(path)
    except OSError as error:
        # The name that the user gave, not that of the temporary file.
        raise type(error)(error.errno, error.strerror, str(path)) from error
    finally:
        new.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """Find out, before a long work, that its result can be written to a file; leaves no trace."""
    if path.is_dir():
        raise IsADirectoryError(21, "is a folder; name a file", str(path))
    new = _beside(path)
    try:
        new.open("xb").close()
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error
    finally:
        new.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(8)}")
