"""``paper-checks new``: a file of claims to begin with."""

from __future__ import annotations

import argparse
import re

from paper_checks.commands.options import AS_EXPECTED, UsageError, path

__all__ = ["TEXT", "add_arguments", "run"]

TEXT = "Write a file of claims of your own to begin with."

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
    printed=Formula("E[U^k]", 1 / k),  # as it is printed: it will be refuted
    corrected=Formula("E[U^k]", 1 / (k + 1)),  # what is right; leave it out where the print is
    points=grid(k=[1, 2, "7/2"]),
    measured=mean(Simulated(Uniform("u", 0, 1) ** k)),  # the model, without the formula
)
'''


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("file", metavar="FILE", type=path, help="such as my_paper.py; it must not exist")


def run(options: argparse.Namespace) -> int:
    """Write the template, and say what to do with it."""
    place = options.file
    if place.suffix != ".py":
        raise UsageError(f"new: FILE must end in .py, got {place}; choose a name such as my_paper.py")
    name = re.sub(r"[^a-z0-9]", "", place.stem.lower()) or "mine"
    try:
        with place.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE.format(file=place, name=name))
    except FileExistsError:
        raise UsageError(f"new: {place} exists already; choose another name") from None
    print(f"{place} has a claim to begin with. Next:\n  paper-checks verify {place}\n  paper-checks report {place}")
    return AS_EXPECTED
