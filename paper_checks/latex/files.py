r"""Files of LaTeX: reading one, and finding what ``\input`` names."""

from pathlib import Path

LARGEST = 20_000_000
SIGNATURES = {
    b"%PDF": "a PDF; give the LaTeX source, which arXiv offers under 'Other formats'",
    b"\x1f\x8b": "a gzip archive; unpack it, and give the main .tex file",
    b"PK\x03\x04": "a zip archive; unpack it, and give the main .tex file",
    b"%!PS": "PostScript; give the LaTeX source",
}


class LatexError(Exception):
    """A source cannot be read; the message says where, what is wrong and what to do."""


def read(path: Path) -> str:
    """The text of a LaTeX file.

    Parameters
    ----------
    path : Path

    Raises
    ------
    LatexError
        When it is missing, a folder, too large, no text, or not encoded in UTF-8.

    Examples
    --------
    >>> read(Path("nowhere.tex"))
    Traceback (most recent call last):
    paper_checks.latex.files.LatexError: nowhere.tex: there is no such file; check the name and the folder
    """
    if path.is_dir():
        raise LatexError(f"{path}: is a folder; give the main .tex file in it")
    if path.exists() and not path.is_file():
        raise LatexError(f"{path}: is no ordinary file; give the main .tex file of a paper")
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise LatexError(f"{path}: there is no such file; check the name and the folder") from None
    except (OSError, ValueError) as error:
        raise LatexError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    for signature, what in SIGNATURES.items():
        if data.startswith(signature):
            raise LatexError(f"{path}: is {what}")
    if len(data) > LARGEST:
        raise LatexError(f"{path}: is larger than {LARGEST // 10**6} MB; give the main .tex file of one paper")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise LatexError(f"{path}: is encoded in UTF-16; save it as UTF-8")
    if b"\0" in data:
        raise LatexError(f"{path}: is no text (byte 0 at position {data.index(0)}); give the main .tex file")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"byte {data[error.start]:#x} is not UTF-8"
        hint = f"convert it, as in: iconv -f latin1 -t utf-8 {path.name} > new.tex"
        raise LatexError(f"{path}, line {line}: {what}; {hint}") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def found(name: str, folders: list[Path]) -> Path | None:
    r"""The file that ``\input{name}`` means: with ``.tex`` added or as it is, in the first folder that has it."""
    for folder in folders:
        for candidate in (folder / f"{name}.tex", folder / name):
            try:
                if candidate.is_file():
                    return candidate
            except (OSError, ValueError):
                continue
    return None
