"""Table 3, a part of it trained once more by every verification: what is stored is what the code plays."""

from collections.abc import Sequence

import numpy as np

from paper_checks import Finding, Kind, Reproduces, Status, claim, concluded
from paper_checks.papers.neural_arithmetic_units.sweeps import AGAIN, TABLE_3
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
    at="additional to 3.1.3",
    says="the present code reproduces the first stored runs of each model of Table 3 when the verification trains them "
    "again",
    relation=Reproduces(),
    runs=(TABLE_3, AGAIN),
    experiment=played_again,
    assumptions="16 runs of each model with 200,000 iterations at full precision, one at quick precision; every stored "
    "number of a run, to 9 digits",
    note="the seed and the number of a run determine its result",
    kind=Kind.ADDITIONAL,
)
