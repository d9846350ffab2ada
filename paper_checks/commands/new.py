"""``paper-checks new``: a first file of claims, from a template or from a paper's LaTeX source."""

import argparse
import re
import sys
from pathlib import Path

from paper_checks.claims import catalogue, shell
from paper_checks.commands.options import UsageError, path

TEXT = "Write a first file of your own claims: a template, or a stub for each statement of a LaTeX source."

TEMPLATE = '''"""Claims of a paper, made checkable: paper-checks verify {file}"""

from sympy import Symbol
from sympy.stats import Uniform

from montecarlo import mean
from paper_checks import Simulated, claim, grid, paper
from theory import Formula

paper("{name}", "The title of the paper", "Its authors")

k = Symbol("k", positive=True)

claim(
    "{name}/eq1",
    at="eq. (1)",
    says="the mean of a power of a uniform variable",
    printed=Formula("E[U^k]", 1 / k),  # as published; the check will refute it
    corrected=Formula("E[U^k]", 1 / (k + 1)),  # the correct formula; leave it out if the published one is correct
    points=grid(k=[1, 2, "7/2"]),
    measured=mean(Simulated(Uniform("u", 0, 1) ** k)),  # the model, without the formula
)
'''


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    what = (
        "such as my_paper.py, for a template; or my_paper.tex, the main LaTeX file of a paper: its numbered equations, "
        "theorems and tables become stubs in my_paper.py beside it. The new file must not exist yet"
    )
    parser.add_argument("file", metavar="FILE", type=path, help=what)
    parser.add_argument(
        "--to", metavar="FILE", type=path, help="where to write the stubs of a LaTeX source (default: beside it)"
    )


def run(options: argparse.Namespace) -> None:
    """Write the file, and say what to do with it."""
    given = options.file
    if given.suffix == ".py" and options.to is not None:
        raise UsageError(f"new: --to is for a LaTeX source only, got {given}; leave it out")
    if given.suffix == ".py":
        _refuse(given, "choose another name")
        file, name = shell.word(given), _new_name(given)
        _write(given, TEMPLATE.format(file=file.replace("\\", "/").replace('"""', "'''"), name=name))
        print(f"{given} has a first claim. Next:\n  paper-checks verify {file}\n  paper-checks report {file}")
        return
    if given.suffix not in (".tex", ".ltx", ".latex"):
        what = f"FILE must end in .py for a template, or in .tex, got {given}"
        raise UsageError(f"new: {what}; choose a name such as my_paper.py")
    _from_latex(given, options.to or given.with_suffix(".py"))


def short_name(place: Path) -> str:
    """Short name with which the ids of a file's claims begin.

    >>> short_name(Path("My Paper-2.tex"))
    'mypaper2'
    """
    return re.sub(r"[^a-z0-9]", "", place.stem.lower()) or "mine"


def _new_name(place: Path) -> str:
    name, taken = short_name(place), catalogue.papers()
    if name in taken:
        what = f"the short name of a paper must be new, got {name!r}; {', '.join(taken)} are installed"
        raise UsageError(f"new: {what}; rename {place}, for example to my{name}{place.suffix}")
    return name


def _refuse(place: Path, instead: str) -> None:
    """Refuse a file that exists already or has no folder, before any work is done."""
    if place.exists() or place.is_symlink():
        raise UsageError(f"new: {place} exists already; {instead}")
    if not place.parent.is_dir():
        what = f"{place.parent} must be a folder that exists, as {place} is to be written"
        raise UsageError(f"new: {what}; make the folder, or {instead}")


def _from_latex(source: Path, place: Path) -> None:
    from paper_checks.latex.document import source as read
    from paper_checks.latex.files import LatexError
    from paper_checks.latex.statements import counted
    from paper_checks.latex.stubs import stubs

    if place.suffix != ".py":
        raise UsageError(f"new: --to must end in .py, got {place}; choose a name such as my_paper.py")
    _refuse(place, "choose another name with --to")
    name = _new_name(source)
    try:
        found = read(source)
    except LatexError as error:
        raise UsageError(f"new: {error}") from error
    file, against = shell.word(place), shell.word(source)
    _write(place, stubs(found, name, against, file))
    for note in found.notes:
        print(f"paper-checks: {note}", file=sys.stderr)
    what = counted([(found.count(kind), kind) for kind in ("equation", "theorem", "table")])
    print(
        f"{place} has a stub for each numbered statement of {source}: {what}. Next:\n"
        f"  paper-checks list {file}\n  paper-checks coverage {file} --against {against}\n  paper-checks verify {file}"
    )


def _write(place: Path, text: str) -> None:
    try:
        with place.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"new: {place} exists already; choose another name") from None
