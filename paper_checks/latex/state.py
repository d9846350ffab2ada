"""What is known while a paper's source is read: its macros, its kinds of theorems, and what is still to be read."""

from dataclasses import dataclass
from pathlib import Path

from paper_checks.latex.stream import Macro, Stream
from paper_checks.latex.tokens import Token, tokens

# What an author may define anew without changing what it means here.
STRUCTURE = {
    "begin", "end", "item", "section", "subsection", "subsubsection", "paragraph", "chapter", "part", "appendix",
    "title", "author", "icmltitle", "icmlauthor", "caption", "captionof", "label", "tag", "notag", "nonumber", "ref",
    "eqref", "cref", "Cref", "cite", "citep", "citet", "footnote", "input", "include", "maketitle", "frac", "sqrt",
    "left", "right", "text", "multicolumn", "multirow", "numberwithin", "counterwithin", "setcounter",
    "addtocounter", "and", "And", "AND", "pm", "toprule", "midrule", "bottomrule", "hline", "document", "thanks",
    "date", "address", "email", "newcommand", "def", "sum", "int",
}  # fmt: skip


@dataclass(frozen=True)
class Theorem:
    """A kind of theorem that is declared.

    Attributes
    ----------
    title : str
        ``Lemma``.
    counter : str
        Whose numbers it shares; its own name where none.
    within : str
        The counter that sets it to zero.
    numbered : bool
    """

    title: str
    counter: str
    within: str = ""
    numbered: bool = True


class State:
    """The state of reading.

    Attributes
    ----------
    stream : Stream
        What is still to be read.
    out : list of Token
        What is left after macros are replaced.
    macros, same, environments, theorems, flags : dict by name
        Macros; commands that are others under a new name; environments; kinds of theorems; conditions of the author's.
    missing : list of str
        What could not be read.
    in_body, foreign : bool
        Whether the preamble is over; whether this is a style file.
    """

    def __init__(self, main: Path):
        self.main = main
        self.stream, self.out = Stream(), list[Token]()
        self.macros: dict[str, Macro] = {}
        self.same: dict[str, Token] = {}
        self.environments: dict[str, tuple[Macro, tuple[Token, ...]]] = {}
        self.theorems: dict[str, Theorem] = {}
        self.flags: dict[str, bool] = {}
        self.missing: list[str] = []
        self.in_body = self.foreign = False

    def internal(self, body: list[Token]) -> bool:
        """Whether a body of a style file is about layout."""
        return self.foreign and any("@" in t.text for t in body)

    def define(self, name: str, macro: Macro) -> None:
        if name and name not in STRUCTURE and not self.internal(list(macro.body)):
            self.macros[name] = macro
            self.same.pop(name, None)

    def keep(self, text: str, at: Token) -> None:
        """Leave a text for who numbers, from the preamble too."""
        self.out += tokens(text, at.file, at.line)
