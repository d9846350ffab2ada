"""Table 3, a part of it trained once more by every verification: what is stored is what the code plays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paper_checks import Kind, Reproduces, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.neural_arithmetic_units.sweeps import AGAIN, TABLE_3
from paper_checks.rules.means import Status
from paper_checks.rules.proportions import listed

# Of numbers to 9 digits; on a machine of another kind the last digit of one may differ.
SAME = 5e-9


def same(new: Sequence[np.ndarray], kept: Sequence[np.ndarray]) -> bool:
    """Whether all runs end alike, in every number that is reported of them."""
    return all(np.allclose(a, b, rtol=SAME, atol=0, equal_nan=True) for a, b in zip(new, kept, strict=True))


def played_again(context) -> Finding:
    """Runs of this verification against the first of those that are stored."""
    stored, new = context.rows(TABLE_3), context.rows(AGAIN)
    kept = [rows[: len(again)] for rows, again in zip(stored, new, strict=True)]
    after = [rows[1 : len(again) + 1] for rows, again in zip(stored, new, strict=True)]
    bits = {p["model"]: (int((a == k).all(axis=1).sum()), len(a))
            for p, a, k in zip(AGAIN.points, new, kept, strict=True)}  # fmt: skip
    says = "the same in every bit: " + listed(bits.items(), lambda _, counts: "{} of {}".format(*counts))
    slips = {"the next runs": not same(new, after), "another model": not same(new, kept[1:] + kept[:1])}
    return concluded(Status.CONFIRMED if same(new, kept) else Status.REFUTED, says, slips)


claim(
    "nau/table3.again",
    at="beyond 3.1.3",
    says="the stored runs that Table 3 is judged by are those that the present code trains: the first of each model, "
    "trained anew by the verification, end as they are stored",
    relation=Reproduces(),
    runs=(TABLE_3, AGAIN),
    experiment=played_again,
    assumptions="16 runs of each model at 200,000 iterations in the full tier, one in the quick tier; every number "
    "that is kept of a run, to 9 digits",
    note="nothing is left to chance, as runs are known by their seed and number",
    kind=Kind.ADDITIONAL,
)
