"""What is judged: the claims of each paper, the verdict rule, the report and the command line.

The public interface to declare claims of your own::

    from paper_checks import Equals, claim, grid, paper

and to judge a single formula::

    from paper_checks import check
"""

from paper_checks.claim import Claim, Price, Registry, grid, registry
from paper_checks.findings import Finding, PointFinding, Verdict
from paper_checks.relations import Always, Approximates, Bounds, Defines, Distributed, Equals, Reproduces
from paper_checks.verdict import Status, compare
from paper_checks.verify import Context, check, verify

claim = registry.claim
paper = registry.paper

__all__ = [
    "Always",
    "Approximates",
    "Bounds",
    "Claim",
    "Context",
    "Defines",
    "Distributed",
    "Equals",
    "Finding",
    "PointFinding",
    "Price",
    "Registry",
    "Reproduces",
    "Status",
    "Verdict",
    "check",
    "claim",
    "compare",
    "grid",
    "paper",
    "registry",
    "verify",
]
