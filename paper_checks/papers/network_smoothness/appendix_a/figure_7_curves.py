"""Appendix A.2.2, Figure 7: curves of the test loss on the lines between networks, by run and place.

Curves have a value for each of ``ALPHAS``. Where the exact solution is among 256 units is not stated: in four of them,
with all parameters of the others 0, unless a claim says otherwise.
"""

from typing import Any

import numpy as np

from montecarlo.training.smooth.interpolation import ALPHAS
from paper_checks import Finding
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import asked, columns
from paper_checks.papers.network_smoothness.relu_sweeps import INTERPOLATION
from paper_checks.rules.proportions import listed

# Declared after a trial of 5,001 steps and before the runs that are judged here.
# "Nearly constant", "much lower" and "sharp" are an order of magnitude.
ORDER = np.log(10)
# "At the very end": places beyond are the last twentieth.
NEAR = 0.95
PLACES = np.array(ALPHAS)
SIGNS = (
    "exact sign tests of 120 networks of 256 units, trained after the rules were fixed. The test points are 2048 other "
    "points of the disc"
)
AS_BEFORE = "networks, tests and test points as in smooth/fig7.lower"
FOUR = "The exact solution uses four units; all parameters of the others are 0"


def curves(context: Any, way: str, line: str, rest: str = "zero") -> np.ndarray:
    """Logarithms of test losses (runs, places) on a line.

    Parameters
    ----------
    way : {"loss", "best"}
        Of the networks themselves, or with the second layer by least squares.
    line : str
        One of ``LINES``.
    rest : {"zero", "copies"}
        Where the exact solution is.
    """
    found = columns(context, INTERPOLATION, rest=rest)
    return np.log(np.column_stack([found[f"{way} {line} {alpha:g}"] for alpha in ALPHAS]))


def medians(curve: np.ndarray) -> str:
    """At the start, in the middle, near the end and at the end."""
    at = [0, len(PLACES) // 2 - 2, int(np.flatnonzero(PLACES == NEAR)[0]), -1]
    return listed(((PLACES[k], np.exp(np.median(curve[:, k]))) for k in at), lambda a, v: f"{v:.2g} at {a:g}")


@asked
def constant(context: Any, line: str, rest: str = "zero", until: float = 1.0) -> Finding:
    """An order of magnitude less the range of a curve with the best second layers, as far as a place."""
    curve = curves(context, "best", line, rest)
    spread = np.ptp(curve[:, until >= PLACES], axis=1)
    says = f"median losses: {medians(curve)}; largest over smallest loss: {np.exp(np.median(spread)):.2g}"
    return decided({"a factor of ten less the spread": ORDER - spread}, says)
