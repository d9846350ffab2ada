r"""A sentence of a paper as a quotation: formulas between ``$$``, references as numbers."""

import re
from collections.abc import Mapping
from dataclasses import replace

from paper_checks.latex.parts import clean, joined, rows
from paper_checks.latex.statements import Numbered

_NAMES = "equation|align|gather|multline|eqnarray|flalign|alignat|displaymath"
_DISPLAY = re.compile(rf"\\begin\{{((?:{_NAMES})\*?)\}}(.*?)\\end\{{\1\}}", re.DOTALL)
_BRACKETS = re.compile(r"\\\[(.*?)\\\]", re.DOTALL)
_REFERENCE = re.compile(r"\\(ref|eqref|[cC]ref|autoref)\*?\s*\{([^{}]*)\}")
_LABEL = re.compile(r"\\label\s*\{[^{}]*\}")
_EMPHASIS = re.compile(r"\\(?:emph|textit|textbf|textsl|text)\s*\{([^{}$]*)\}")


def in_line(latex: str) -> str:
    r"""A sentence without labels, in one line; displays stand between ``$$``.

    Examples
    --------
    >>> in_line(r"If \emph{so} then \begin{equation} a = b. \label{eq:a} \end{equation}")
    'If so then $$a = b$$'
    """
    latex = _DISPLAY.sub(lambda m: f" $${joined(rows(m[2]))}$$ ", latex)
    latex = _BRACKETS.sub(lambda m: f" $${clean(m[1])}$$ ", latex)
    latex = _EMPHASIS.sub(r"\1", _LABEL.sub("", latex))
    return re.sub(r"\s+", " ", latex).strip()


def with_numbers(display: Numbered, labelled: Mapping[str, Numbered]) -> Numbered:
    """The same with the numbers of what it refers to."""

    def named(match: re.Match) -> str:
        known = [labelled[label.strip()] for label in match[2].split(",") if label.strip() in labelled]
        if not known:
            return match[0]
        if match[1] in ("ref", "eqref"):
            return f"({known[0].number})" if match[1] == "eqref" else known[0].number
        return ", ".join(one.place for one in known)

    if display.kind == "equation" or not _REFERENCE.search(display.latex):
        return display
    return replace(display, latex=_REFERENCE.sub(named, display.latex))
