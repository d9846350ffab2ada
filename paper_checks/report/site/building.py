"""Pages written as Markdown, and built by Sphinx."""

import io
import re
import shutil
import sys
import warnings
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from paper_checks.claims.registry import Registry
from paper_checks.experiments.files import write
from paper_checks.record import Record
from paper_checks.report.overview import Picture
from paper_checks.report.site.pages import Site

# Codes that colour a terminal, which Sphinx writes in any case.
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
ASSETS = files("paper_checks.report.site").joinpath("assets")
MARK, SOURCES, DOCTREES = ".paper-checks-site", ".sources", ".doctrees"
# Pixels of a thumbnail, at most.
THUMBNAIL = (480, 360)
# The settings of Sphinx that our documentation and a site of somebody's own claims share.
SETTINGS: dict[str, Any] = {
    "extensions": ["myst_parser", "sphinx_copybutton", "paper_checks.report.site.extension"],
    "myst_enable_extensions": ["attrs_inline", "colon_fence", "deflist", "dollarmath"],
    # A claim's text may look like these, and never means them.
    "myst_disable_syntax": [
        "html_block",
        "html_inline",
        "myst_role",
        "footnote_ref",
        "footnote_def",
        "reference",
        "myst_line_comment",
        "myst_block_break",
    ],
    "myst_heading_anchors": 3,
    "html_theme": "furo",
    "html_math_renderer": "mathml",
    "html_static_path": [str(ASSETS)],
    "html_css_files": ["style.css"],
    "html_js_files": [("filter.js", {"defer": "defer"}), ("search.js", {"defer": "defer"})],
    "html_copy_source": False,
    "html_show_sphinx": False,
    "templates_path": [str(ASSETS)],
    "copyright": "2026, Paper Checks developers",
    "smartquotes": False,
}


def write_pages(folder: Path, registry: Registry, record: Record, pictures: Mapping[str, Picture], drawn: Path) -> int:
    """Write the Markdown of all pages and their pictures, and return how many pages there are.

    Pages of claims that are no more go; pages that are the same stay, so that Sphinx need not build them again.

    Parameters
    ----------
    folder : Path
    registry, record, pictures
        As of :func:`paper_checks.report.markdown.report`.
    drawn : Path
        The folder with the pictures, ``NAME.png`` each.
    """
    known = {name: found[0] for name in pictures if (found := sorted(drawn.rglob(f"{name}.png")))}
    pages = dict(Site(registry, record, pictures, known).pages())
    for old in folder.rglob("*.md"):
        if old.relative_to(folder).as_posix() not in pages:
            old.unlink()
    for place, text in pages.items():
        _put(folder / place, text.encode())
    for name, path in known.items():
        if _put(folder / "drawn" / f"{name}.png", path.read_bytes()):
            _shrink(path, folder / "drawn" / f"{name}.thumb.png")
    return len(pages)


def write_site(
    folder: Path, registry: Registry, record: Record, pictures: Mapping[str, Picture], drawn: Path, *, workers: int = 1
) -> int:
    """Write a site of claims, and return how many pages it has; as of :func:`write_pages`.

    Raises
    ------
    ValueError
        When the folder holds something else.
    """
    opened(folder)
    count = write_pages(folder / SOURCES, registry, record, pictures, drawn)
    build(folder / SOURCES, folder, folder / DOCTREES, workers)
    return count


def build(sources: Path, folder: Path, doctrees: Path, workers: int) -> None:
    """Build pages without configuration of their own.

    Raises
    ------
    ValueError
        When Sphinx cannot build them, or has something to object to.
    """
    from sphinx.application import Sphinx

    log = io.StringIO()
    if "jax" in sys.modules:
        workers = 1  # Sphinx forks, and a process in which JAX has been imported may not.
    settings = {
        **SETTINGS,
        # Of an application that this process has had before.
        "suppress_warnings": ["app.add_node", "app.add_directive", "app.add_role"],
        "project": "Claims", "html_title": "Claims", "root_doc": "index",
    }  # fmt: skip
    with warnings.catch_warnings():
        # What extensions and themes use of Sphinx is theirs to change.
        for kind in (DeprecationWarning, PendingDeprecationWarning):
            warnings.simplefilter("ignore", kind)
        app = Sphinx(
            sources, None, folder, doctrees, "html", confoverrides=settings, status=None, warning=log, parallel=workers
        )
        app.build()
    if app.statuscode or log.getvalue():
        raise ValueError(f"report: the pages could not be built: {COLOUR.sub('', log.getvalue()).strip()}")


def _put(path: Path, content: bytes) -> bool:
    """Write a file unless it is the same already; returns whether it was written."""
    if path.is_file() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.write_bytes(content)
    except OSError as error:  # A full disk does not say which file.
        raise type(error)(error.errno, error.strerror, str(path)) from error
    return True


def _shrink(source: Path, path: Path) -> None:
    """A thumbnail; what is no picture stays as it is."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(source) as picture:
            picture.thumbnail(THUMBNAIL)
            picture.convert("RGB").quantize(64).save(path, optimize=True)
    except UnidentifiedImageError:
        shutil.copyfile(source, path)


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
