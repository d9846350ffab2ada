"""Texts of the site that are written by hand: the guide and the method."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files

from markupsafe import Markup

__all__ = ["TEXTS", "as_html", "source"]

TEXTS = {"guide": "Guide", "method": "Method", "errors": "Error rates"}


def source(name: str) -> str:
    """A text in Markdown.

    Examples
    --------
    >>> source("guide").startswith("# ")
    True
    """
    return files(__package__).joinpath(f"text/{name}.md").read_text(encoding="utf-8")


def as_html(name: str, link: Callable[[str], Markup]) -> Markup:
    """A text as HTML, in which ids of claims are links."""
    from markdown_it import MarkdownIt

    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(source(name))
    ids = re.compile(r"<code>([a-z0-9]+/[A-Za-z0-9.\-_]+)</code>")
    return Markup(ids.sub(lambda found: f"<code>{link(found[1])}</code>", html))
