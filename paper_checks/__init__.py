"""What is judged: the claims of each paper, the verdict rule, the report and the command line.

The public interface to declare claims of your own::

    from paper_checks import Equals, claim, grid, paper

and to judge a single formula::

    from paper_checks import check
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paper_checks.claims.claim import Claim, Price
    from paper_checks.claims.declaring import claim, declaring, paper
    from paper_checks.claims.expectation import OPEN, WRONG, Expects, Kind, unchecked, wrong
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
        Reproduces,
        Rounds,
    )
    from paper_checks.claims.simulated import Simulated
    from paper_checks.evidence.all_sizes import AllSizes
    from paper_checks.evidence.at_points import AtPoints
    from paper_checks.evidence.entries import Entries
    from paper_checks.evidence.experiment import concluded
    from paper_checks.evidence.finding import Finding, PointFinding
    from paper_checks.evidence.rung import Context
    from paper_checks.judging.judge import check, judge, verify
    from paper_checks.judging.verdict import Verdict
    from paper_checks.rules.means import Status, compare

# On demand: the command line lives in this package, and answers '--help' before SymPy would be imported.
_HOMES = {
    "claims.claim": ("Claim", "Price"),
    "claims.expectation": ("OPEN", "WRONG", "Expects", "Kind", "unchecked", "wrong"),
    "claims.declaring": ("claim", "declaring", "paper"),
    "claims.extremes": ("Maximum", "Minimum"),
    "claims.growth": ("Asymptotic", "Scales"),
    "claims.points": ("grid",),
    "claims.registry": ("Paper", "Registry"),
    "claims.relations": (
        "Always", "Approximates", "Bounds", "Defines", "Distributed", "Equals", "Everywhere", "Reproduces",
        "Rounds",
    ),
    "evidence.all_sizes": ("AllSizes",),
    "evidence.at_points": ("AtPoints",),
    "evidence.entries": ("Entries",),
    "evidence.experiment": ("concluded",),
    "evidence.finding": ("Finding", "PointFinding"),
    "judging.verdict": ("Verdict",),
    "evidence.rung": ("Context",),
    "judging.judge": ("check", "judge", "verify"),
    "rules.means": ("Status", "compare"),
    "claims.simulated": ("Simulated",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "OPEN",
    "WRONG",
    "AllSizes",
    "Always",
    "Approximates",
    "Asymptotic",
    "AtPoints",
    "Bounds",
    "Claim",
    "Context",
    "Defines",
    "Distributed",
    "Entries",
    "Equals",
    "Everywhere",
    "Expects",
    "Finding",
    "Kind",
    "Maximum",
    "Minimum",
    "Paper",
    "PointFinding",
    "Price",
    "Registry",
    "Reproduces",
    "Rounds",
    "Scales",
    "Simulated",
    "Status",
    "Verdict",
    "check",
    "claim",
    "compare",
    "concluded",
    "declaring",
    "grid",
    "judge",
    "paper",
    "unchecked",
    "verify",
    "wrong",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
