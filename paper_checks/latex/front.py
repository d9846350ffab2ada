r"""Commands that say who wrote a paper, and that number: ``\author``, ``\section``, ``\appendix``."""

import re

from paper_checks.latex.counters import SECTIONS
from paper_checks.latex.plain import plain
from paper_checks.latex.reader import Reader
from paper_checks.latex.tokens import Token

Given = list[Token]
# What stands behind a name.
_MARKS = re.compile(r"\\IEEEauthorblockN|\$[^$]*\$|\\(?:altaffilmark|affilmark|IEEEauthorrefmark)\s*\{[^{}]*\}")


def _title(reader: Reader, _at: Token, *given: Given) -> None:
    reader.source.title = reader.source.title or plain(reader.text(given[-1]))


def _authors(reader: Reader, _at: Token, _short: Given | None, names: Given) -> None:
    for name in re.split(r"\\(?:and|And|AND)(?![A-Za-z])", reader.text(names)):
        first = re.split(r"\\\\|\\(?:affil|email|IEEEauthorblockA|institute|textsuperscript)(?![A-Za-z])", name)[0]
        bare = plain(_MARKS.sub("", first)).strip(" ,*")
        reader.source.authors += [bare] if bare else []


def _author(reader: Reader, _at: Token, name: Given, _places: Given) -> None:
    reader.source.authors.append(plain(reader.text(name)))


def _section(reader: Reader, at: Token, star: Given, _short: Given | None, title: Given) -> None:
    number = "" if star else reader.counters.step(at.name)
    reader.section = f"{number} {plain(reader.text(title))}".strip()


def _within(reader: Reader, _at: Token, *given: Given) -> None:
    reader.counters.put_within(*map(reader.text, given[-2:]))


def _not_within(reader: Reader, _at: Token, *given: Given) -> None:
    name = reader.text(given[-2])
    reader.counters.within.pop(name, None)
    reader.counters.formats[name] = rf"\arabic{{{name}}}"


def _set_counter(reader: Reader, at: Token, *given: Given) -> None:
    name, value = map(reader.text, given)
    if re.fullmatch(r"-?\d{1,6}", value):
        before = reader.counters.values[name] if at.name == "addtocounter" else 0
        reader.counters.values[name] = before + int(value)


COMMANDS = {
    "title": ("om", _title),
    "icmltitle": ("m", _title),
    "author": ("om", _authors),
    "icmlauthor": ("mm", _author),
    "documentclass": ("om", lambda reader, _at, _options, name: reader.counters.for_class(reader.text(name))),
    "numberwithin": ("omm", _within),
    "counterwithin": ("somm", _within),
    "counterwithout": ("somm", _not_within),
    **dict.fromkeys(("setcounter", "addtocounter"), ("mm", _set_counter)),
}
IN_TEXT = {
    **dict.fromkeys(SECTIONS, ("som", _section)),
    **dict.fromkeys(("appendix", "appendices"), ("", lambda reader, _at: reader.counters.appendix())),
}
ENVIRONMENTS = {"appendices": lambda reader, _at, _name: reader.counters.appendix()}
