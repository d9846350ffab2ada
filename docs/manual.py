"""What the manual adds to Sphinx: pages of all claims, the help of commands, the texts of formulas."""

import os
import re
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from paper_checks.claims import catalogue
from paper_checks.commands.main import _parser
from paper_checks.commands.options import RECORD
from paper_checks.commands.report import pictures_of_ours
from paper_checks.record import Record
from paper_checks.report.site.building import write_pages
from theory import Formula

RESULTS = "results"
# What reStructuredText would take for a substitution, for strong text or for a link.
MARKED = re.compile(r"\||\*\*|(?<=\w)_(?=\W|$)")


@cache
def help_of(command: str) -> str:
    """What a command prints with ``--help``, 90 columns wide."""
    os.environ["COLUMNS"] = "92"
    (commands,) = (action for action in _parser()._actions if action.dest == "==SUPPRESS==" and action.choices)
    return commands.choices[command].format_help()


class Command(SphinxDirective):
    """The help of a command, as a block of text."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        text = help_of(self.arguments[0])
        return [nodes.literal_block(text, text, language="text")]


def _write(app: Sphinx) -> None:
    """Pages of claims, papers and figures, from the saved verdicts."""
    rendered = Path(app.srcdir).parent / "figures" / "rendered"
    write_pages(Path(app.srcdir) / RESULTS, catalogue.load(), Record.read(RECORD), pictures_of_ours(), rendered)


def _docstring(_app: Sphinx, _kind: str, _name: str, thing: Any, _options: Any, lines: list[str]) -> None:
    """Formulas have texts of their own; mathematics in a docstring is not marked up as code."""
    if isinstance(thing, Formula):
        lines[:] = (thing.__doc__ or "").splitlines()
    lines[:] = [line if line.lstrip().startswith((">>>", "...")) else MARKED.sub(r"\\\g<0>", line) for line in lines]


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("command", Command)
    app.connect("builder-inited", _write)
    app.connect("autodoc-process-docstring", _docstring, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
