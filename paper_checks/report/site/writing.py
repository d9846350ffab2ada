"""A site written to a folder: pages, their style, pictures."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from paper_checks.claims.registry import Registry
from paper_checks.experiments.files import write
from paper_checks.record import Record
from paper_checks.report.overview import Picture
from paper_checks.report.site.pages import Site

__all__ = ["opened", "write_site"]

ASSETS = ("style.css", "filter.js", "math.woff2", "math.txt")
MARK = ".paper-checks-site"


def write_site(
    folder: Path,
    registry: Registry,
    record: Record,
    pictures: Mapping[str, Picture],
    drawn: Path,
) -> int:
    """Write all pages, and return how many there are; those of claims that are no more go, the same ones stay.

    Parameters
    ----------
    folder : Path
        New, empty, or a site that was written before.
    registry, record, pictures
        As of :func:`paper_checks.report.markdown.report`.
    drawn : Path
        The folder with the pictures, ``NAME.png`` each.

    Raises
    ------
    ValueError
        When the folder holds something else.
    """
    opened(folder)
    known = {name: drawn / f"{name}.png" for name in pictures if (drawn / f"{name}.png").is_file()}
    pages = dict(Site(registry, record, pictures, known).pages())
    for old in [*folder.glob("claims/*/*.html"), *folder.glob("papers/*.html")]:
        if old.relative_to(folder).as_posix() not in pages:
            old.unlink()
    for place, text in pages.items():
        _put(folder / place, text.encode())
    for name in ASSETS:
        _put(folder / "assets" / name, files(__package__).joinpath(f"assets/{name}").read_bytes())
    for name, path in known.items():
        _put(folder / "pictures" / f"{name}.png", path.read_bytes())
    return len(pages)


def _put(path: Path, content: bytes) -> None:
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.write_bytes(content)
    except OSError as error:  # A full disk does not say which file.
        raise type(error)(error.errno, error.strerror, str(path)) from error


def opened(folder: Path) -> None:
    """Make a folder a site's, if it is not one already.

    Raises
    ------
    ValueError
        When the folder holds something else.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise ValueError(f"report: --site must be an empty folder or a site, got {folder}; name another")
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / MARK, "")
