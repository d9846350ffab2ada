"""Checks of published results: the claims of each paper, the verdict rule, the report and the command line.

The public interface to declare claims of your own::

    from paper_checks import Equals, claim, grid, paper

and to judge a single formula::

    from paper_checks import check
"""

import os
import sys

__version__ = "0.3.0"

_HOME = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

# While 'python -m paper_checks' looks for this package, the first argument is '-m' and the first folder to import from
# is the working folder: the command line imports nothing from there, not even under the names of Python's own modules.
if sys.argv[:1] == ["-m"] and not sys.flags.safe_path and sys.path[:1] == [os.getcwd()] != [_HOME]:
    del sys.path[0]

import importlib  # noqa: E402
from typing import TYPE_CHECKING, Any  # noqa: E402

from paper_checks.claims.clashes import refuse_clashes  # noqa: E402

if TYPE_CHECKING:
    from paper_checks.claims.claim import Claim, Price
    from paper_checks.claims.declaring import additional, alternative, claim, common, declaring, paper
    from paper_checks.claims.expectation import OPEN, WRONG, Expects, Form, Kind, unchecked, wrong
    from paper_checks.claims.extremes import Maximum, Minimum
    from paper_checks.claims.growth import Asymptotic, Scales
    from paper_checks.claims.points import grid
    from paper_checks.claims.registry import Paper, Registry
    from paper_checks.claims.relations import (
        Always,
        Approximates,
        Bounds,
        Defines,
        Distributed,
        Equals,
        Everywhere,
        Replicates,
        Reproduces,
        Rounds,
    )
    from paper_checks.claims.simulated import Simulated
    from paper_checks.evidence.all_sizes import AllSizes
    from paper_checks.evidence.at_points import AtPoints
    from paper_checks.evidence.entries import Entries
    from paper_checks.evidence.experiment import concluded
    from paper_checks.evidence.finding import Finding, PointFinding
    from paper_checks.evidence.printed_table import printed_table
    from paper_checks.evidence.replication import Cell, Cells
    from paper_checks.evidence.rung import Context
    from paper_checks.judging.judge import check, judge, verify
    from paper_checks.judging.verdict import Verdict
    from paper_checks.rules.means import Status, compare
    from paper_checks.rules.published import Published, standard_error

# On demand: the command line lives in this package, and answers '--help' before SymPy would be imported.
_HOMES = {
    "claims.claim": ("Claim", "Price"),
    "claims.expectation": ("OPEN", "WRONG", "Expects", "Form", "Kind", "unchecked", "wrong"),
    "claims.declaring": ("additional", "alternative", "claim", "common", "declaring", "paper"),
    "claims.extremes": ("Maximum", "Minimum"),
    "claims.growth": ("Asymptotic", "Scales"),
    "claims.points": ("grid",),
    "claims.registry": ("Paper", "Registry"),
    "claims.relations": (
        "Always", "Approximates", "Bounds", "Defines", "Distributed", "Equals", "Everywhere", "Replicates",
        "Reproduces", "Rounds",
    ),
    "evidence.all_sizes": ("AllSizes",),
    "evidence.at_points": ("AtPoints",),
    "evidence.entries": ("Entries",),
    "evidence.experiment": ("concluded",),
    "evidence.finding": ("Finding", "PointFinding"),
    "judging.verdict": ("Verdict",),
    "evidence.rung": ("Context",),
    "judging.judge": ("check", "judge", "verify"),
    "evidence.printed_table": ("printed_table",),
    "evidence.replication": ("Cell", "Cells"),
    "rules.means": ("Status", "compare"),
    "rules.published": ("Published", "standard_error"),
    "claims.simulated": ("Simulated",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "OPEN", "WRONG", "AllSizes", "Always", "Approximates", "Asymptotic", "AtPoints", "Bounds", "Cell", "Cells",
    "Claim", "Context", "Defines", "Distributed", "Entries", "Equals", "Everywhere", "Expects", "Finding", "Form",
    "Kind", "Maximum", "Minimum", "Paper", "PointFinding", "Price", "Published", "Registry", "Replicates",
    "Reproduces", "Rounds", "Scales", "Simulated", "Status", "Verdict", "additional", "alternative", "check", "claim",
    "common", "compare", "concluded", "declaring", "grid", "judge", "paper", "printed_table", "standard_error",
    "unchecked", "verify", "wrong",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    refuse_clashes("theory", "montecarlo")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
