r"""Commands that read other files: ``\input`` and its kin, and style files that lie beside the paper."""

import re
from collections.abc import Callable
from pathlib import Path

from paper_checks.latex.files import LatexError, found, read
from paper_checks.latex.reader import Reader
from paper_checks.latex.tokens import Token, text_of, tokens

_BODY = re.compile(r"(?<!\\)\\begin\s*\{document\}(.*?)(\\end\s*\{document\}|\Z)", re.DOTALL)


def read_main(reader: Reader) -> None:
    """Read the main file of a paper, and with it the others.

    Raises
    ------
    LatexError
        When a file cannot be read, or the LaTeX is broken.
    """
    text = read(reader.main)
    if not text.strip():
        raise LatexError(f"{reader.main}: is empty; give the main .tex file of a paper")
    reader.expand(_entered(reader, reader.main, text), in_body=not _BODY.search(text))


def _entered(reader: Reader, path: Path, text: str, first: int = 1) -> list[Token]:
    reader.files.append(path.resolve())
    return [*tokens(text, path, first), Token("end", "", path, first + text.count("\n"))]


def _input(reader: Reader, at: Token, *given: list[Token]) -> None:
    command, name = at.text.strip(), Path(*(text_of(part).strip() for part in given)).as_posix()
    path = found(name, [reader.main.parent, at.file.parent])
    if path is None and not reader.in_body:
        reader.source.notes.append(f"{at.where}: {command} names {name!r}, which is not in the folder")
        return
    if path is None:
        folder = reader.main.parent.resolve().name or "the folder"
        raise LatexError(
            f"{at.where}: {command} names {name!r}, which is not in {folder}; add the file, or remove the line"
        )
    if path.resolve() in reader.files:
        raise LatexError(f"{at.where}: {path} is read within itself; remove this {command}")
    text = read(path)
    body = _BODY.search(text)
    first = text.count("\n", 0, body.start(1)) + 1 if body else 1
    reader.stream.push(_entered(reader, path, body[1] if body else text, first))


def _end_input(reader: Reader, _at: Token) -> None:
    while reader.stream and reader.stream.peek().kind != "end":
        reader.stream.pop()


def _package(reader: Reader, _at: Token, _options: list[Token] | None, names: list[Token]) -> None:
    r"""Take the author's own macros from a style file that lies beside the paper."""
    for name in text_of(names).split(",") if not reader.foreign else ():
        path = found(f"{name.strip()}.sty", [reader.main.parent])
        if path is None:
            continue
        opened, reader.foreign = list(reader.files), True
        try:
            reader.expand(_entered(reader, path, read(path)), in_body=False)
        except LatexError as error:
            reader.source.notes.append(f"{path}: its macros are read only in part: {error}")
        reader.files, reader.foreign = opened, False


COMMANDS: dict[str, tuple[str, Callable[..., None]]] = {
    **dict.fromkeys(("input", "include", "subfile", "subfileinclude"), ("w", _input)),
    **dict.fromkeys(("import", "subimport"), ("ww", _input)),
    "endinput": ("", _end_input),
    **dict.fromkeys(("usepackage", "RequirePackage"), ("om", _package)),
}
