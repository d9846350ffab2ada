r"""A paper read from its source: what LaTeX would number, in the paper's order."""

from pathlib import Path

from paper_checks.latex import branches, definitions, equations, floats, front, inputs, theorems
from paper_checks.latex.files import LatexError
from paper_checks.latex.reader import Reader
from paper_checks.latex.statements import Source, with_numbers

COMMANDS = {
    **branches.COMMANDS, **definitions.COMMANDS, **front.COMMANDS, **inputs.COMMANDS, **theorems.COMMANDS,
    "begin": ("m", Reader.begin), "end": ("m", Reader.end),
}  # fmt: skip
IN_TEXT = {**floats.IN_TEXT, **front.IN_TEXT}
ENVIRONMENTS = {
    **equations.ENVIRONMENTS, **floats.ENVIRONMENTS, **front.ENVIRONMENTS, **theorems.ENVIRONMENTS,
}  # fmt: skip


def source(path: Path) -> Source:
    r"""Read a paper.

    Parameters
    ----------
    path : Path
        The main file; what it names by ``\input`` is read too.

    Raises
    ------
    LatexError
        When a file cannot be read, the LaTeX is broken, or nothing in it has a number.
    """
    reader = Reader(path, COMMANDS, IN_TEXT, branches.CONDITIONS, ENVIRONMENTS)
    try:
        inputs.read_main(reader)
    except RecursionError:
        what = f"{path}: groups or counters are nested too deeply"
        raise LatexError(f"{what}; give the main .tex file of a paper") from None
    found = reader.source
    found.displays = [with_numbers(display, reader.labelled) for display in found.displays]
    if not found.numbered:
        what = f"{path}: has no numbered equation, theorem or table"
        raise LatexError(f"{what}; give the main .tex file of a paper, or write the claims by hand")
    return found
