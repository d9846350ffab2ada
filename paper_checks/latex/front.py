r"""Commands that say who wrote a paper, and that number: ``\author``, ``\section``, ``\appendix``."""

import re
from collections.abc import Callable

from paper_checks.latex.counters import SECTIONS, Counters
from paper_checks.latex.parsed import plain
from paper_checks.latex.statements import Source

# What stands behind a name.
_MARKS = re.compile(r"\\IEEEauthorblockN|\$[^$]*\$|\\(?:altaffilmark|affilmark|IEEEauthorrefmark)\s*\{[^{}]*\}")


def _title(source: Source, given: list[str]) -> None:
    source.title = source.title or plain(given[-1])


def _authors(source: Source, given: list[str]) -> None:
    for name in re.split(r"\\(?:and|And|AND)(?![A-Za-z])", given[-1]):
        first = re.split(r"\\\\|\\(?:affil|email|IEEEauthorblockA|institute|textsuperscript)(?![A-Za-z])", name)[0]
        bare = plain(_MARKS.sub("", first)).strip(" ,*")
        source.authors += [bare] if bare else []


FRONT: dict[str, Callable[[Source, list[str]], None]] = {
    "title": _title,
    "icmltitle": _title,
    "author": _authors,
    "icmlauthor": lambda source, given: source.authors.append(plain(given[0])),
}


def section(counters: Counters, name: str, given: list[str]) -> str | None:
    """The heading that begins, with its number; None of what is no section."""
    star, _, title = given
    number = "" if star or name in ("part", "paragraph") else counters.step(name)
    return f"{number} {plain(title)}".strip() if name in SECTIONS[1:5] else None


def _not_within(counters: Counters, _name: str, given: list[str]) -> None:
    name = given[-2].strip()
    counters.within.pop(name, None)
    counters.formats[name] = rf"\arabic{{{name}}}"


def _set_counter(counters: Counters, command: str, given: list[str]) -> None:
    name, value = (text.strip() for text in given)
    if re.fullmatch(r"-?\d{1,6}", value):
        before = counters.values.get(name, 0) if command == "addtocounter" else 0
        counters.set(name, before + int(value))


def _renew(counters: Counters, _name: str, given: list[str]) -> None:
    name = given[1].strip().lstrip("\\")
    if name.startswith("the"):
        counters.formats[name.removeprefix("the")] = given[-1]


NUMBERING: dict[str, Callable[[Counters, str, list[str]], None]] = {
    "documentclass": lambda counters, _name, given: counters.for_class(given[-1].strip()),
    "numberwithin": lambda counters, _name, given: counters.put_within(given[-2].strip(), given[-1].strip()),
    "counterwithin": lambda counters, _name, given: counters.put_within(given[-2].strip(), given[-1].strip()),
    "counterwithout": _not_within,
    "setcounter": _set_counter,
    "addtocounter": _set_counter,
    "renewcommand": _renew,
    "appendix": lambda counters, _name, _given: counters.appendix(),
    "appendices": lambda counters, _name, _given: counters.appendix(),
}
