"""Theorems: the kinds that a paper declares, and what each says."""

from collections.abc import Callable
from dataclasses import replace

from paper_checks.latex.parts import INNER, LABEL
from paper_checks.latex.plain import plain
from paper_checks.latex.reader import Close, Reader
from paper_checks.latex.statements import Numbered, in_line
from paper_checks.latex.tokens import Token, text_of

# What a class or a style may declare that the source does not show.
_CUSTOMARY = (
    "theorem", "lemma", "proposition", "corollary", "definition", "remark", "example", "assumption", "conjecture",
    "claim", "fact", "hypothesis", "condition", "property", "observation",
)  # fmt: skip
Given = list[Token]


def _kind(title: str, counter: str) -> Callable[[Reader, Token, str], Close | None]:
    """What begins a theorem that is called so; it has no number where it has no counter."""

    def begin(reader: Reader, at: Token, name: str) -> Close | None:
        (note,) = reader.stream.arguments("o", at)
        if not counter or name.endswith("*"):
            return None
        said = plain(reader.text(note))
        number, place = reader.counters.step(counter), len(reader.source.displays)
        begun = Numbered("theorem", title, number, "", "", reader.section, str(at.file), at.line, note=said)
        reader.add(begun)

        def close(inside: Given) -> None:
            text = text_of(inside)
            label = LABEL.search(INNER.sub("", text))
            whole = replace(begun, latex=in_line(text), label=label[1] if label else "")
            reader.source.displays[place] = whole
            reader.label(whole)

        return close

    return begin


def _customary(reader: Reader, at: Token, name: str) -> Close | None:
    where_from = "is declared by the document class or a style that is not here"
    reader.source.notes.append(f"environment {name} {where_from}; compare its numbers with the print")
    reader.environments[name] = _kind(name.rstrip("*").capitalize(), name)
    return reader.environments[name](reader, at, name)


def _restatable(reader: Reader, at: Token, _name: str) -> Close | None:
    note, called, _command = reader.stream.arguments("omm", at)
    name = text_of(called).strip()
    if note is not None:
        reader.stream.push([replace(at, kind="square", text="["), *note, replace(at, kind="square", text="]")])
    return reader.environments.get(name, _customary)(reader, at, name)


def _declare(reader: Reader, name: str, title: str, shared: str, within: str, *, numbered: bool) -> None:
    if within and not shared:
        reader.counters.put_within(name, within)
    reader.environments[name] = _kind(plain(title) or name.capitalize(), (shared or name) if numbered else "")


def _new_theorem(reader: Reader, _at: Token, star: Given, *given: Given | None) -> None:
    name, shared, title, within = (text_of(part or ()).strip() for part in given[:4])
    _declare(reader, name, title, shared, within, numbered=not star)


def _declare_theorem(reader: Reader, _at: Token, before: Given | None, names: Given, after: Given | None) -> None:
    options = f"{text_of(before or ())},{text_of(after or ())}"
    given = {k.strip(): v.strip().strip("{}") for k, _, v in (part.partition("=") for part in options.split(","))}
    within = next((given[k] for k in ("numberwithin", "parent", "within") if k in given), "")
    shared = next((given[k] for k in ("sibling", "numberlike", "sharenumber", "sharecounter") if k in given), "")
    numbered = given.get("numbered", "yes") not in ("no", "false", "unless unique")
    for name in map(str.strip, text_of(names).split(",")):
        title = given.get("name") or given.get("title") or name.capitalize()
        _declare(reader, name, title, shared, within, numbered=numbered)


COMMANDS = {
    "newtheorem": ("smomo", _new_theorem),
    "spnewtheorem": ("smomomm", _new_theorem),
    "declaretheorem": ("omo", _declare_theorem),
}
ENVIRONMENTS = {**dict.fromkeys(_CUSTOMARY, _customary), "restatable": _restatable}
