"""Counters as LaTeX keeps them: what sets which to zero, and how each is printed."""

import collections
import re
from itertools import pairwise

SECTIONS = ("chapter", "section", "subsection", "subsubsection")
BOOKS = ("book", "report", "scrbook", "scrreprt", "memoir", "amsbook", "svmono", "thesis", "ucthesis")
_USED = re.compile(r"\\(?:the([A-Za-z]+)|(arabic|alph|Alph|roman|Roman|fnsymbol)\s*\{([A-Za-z]+)\}|value\s*\{[^}]*\})")
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip


def _letters(number: int) -> str:
    made = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        made = chr(ord("a") + rest) + made
    return made or "0"


def _roman(number: int) -> str:
    made = ""
    for value, digits in _ROMAN:
        count, number = divmod(number, value)
        made += digits * count
    return made or "0"


STYLES = {
    "arabic": str,
    "alph": _letters,
    "Alph": lambda n: _letters(n).upper(),
    "roman": _roman,
    "Roman": lambda n: _roman(n).upper(),
    "fnsymbol": lambda n: "*" * n,
}


class Counters:
    """The counters of a document.

    Attributes
    ----------
    values, within, formats : dict by name
        The number; the counter that sets it to zero; what LaTeX prints for it.

    Examples
    --------
    >>> counters = Counters()
    >>> counters.put_within("equation", "section")
    >>> counters.step("section"), counters.step("equation"), counters.step("equation")
    ('1', '1.1', '1.2')
    >>> counters.appendix()
    >>> counters.step("section"), counters.step("equation")
    ('A', 'A.1')
    """

    def __init__(self) -> None:
        self.values = collections.Counter[str]()
        self.within: dict[str, str] = {}
        self.formats: dict[str, str] = {}
        self.for_class("article")

    def for_class(self, name: str) -> None:
        """Number as a document class does."""
        self.top = "chapter" if name in BOOKS else "section"
        for outer, inner in pairwise(SECTIONS):
            self.put_within(inner, outer)
        if self.top == "section":
            self.formats["section"] = r"\arabic{section}"
        else:
            for name in ("equation", "table", "figure"):
                self.put_within(name, "chapter")

    def put_within(self, name: str, outer: str) -> None:
        """Set a counter to zero at each step of another, whose number is printed before it."""
        self.within[name] = outer
        self.formats[name] = rf"\the{outer}.\arabic{{{name}}}"

    def step(self, name: str) -> str:
        """The next number, as it is printed."""
        self._set(name, self.values[name] + 1)
        return self.printed(name)

    def _set(self, name: str, value: int) -> None:
        """Set a counter, and all within it to zero."""
        self.values[name] = value
        done = [name]
        for outer in done:
            for inner in (i for i, o in self.within.items() if o == outer and i not in done):
                self.values[inner] = 0
                done.append(inner)

    def printed(self, name: str) -> str:
        r"""What ``\the...`` of a counter prints."""

        def put(match: re.Match) -> str:
            if match[1]:
                return self.printed(match[1])
            return STYLES[match[2]](self.values[match[3]]) if match[2] else ""

        text = self.formats.get(name, rf"\arabic{{{name}}}")
        return re.sub(r"[{}$\s]|\\[A-Za-z]+", "", _USED.sub(put, text))

    def appendix(self) -> None:
        """Go on with letters."""
        self._set(self.top, 0)
        self.formats[self.top] = rf"\Alph{{{self.top}}}"
