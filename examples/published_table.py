"""Means ± standard deviations over 20 seeds, compared with our runs: all faces of a die, and of a coin."""

import math

import numpy as np

from paper_checks import WRONG, Cell, Cells, Published, Replicates, claim, paper

paper("table", "Throws until every face has been seen", "nobody")

SEEDS = 20
COMPARISONS = 5  # published numbers that are compared, in all claims


def throws(faces: int, runs: int = 200, seed: int = 1) -> np.ndarray:
    """How many throws each run takes: one number for each."""
    rng = np.random.default_rng([seed, faces])
    return sum(rng.geometric((faces - seen) / faces, runs) for seen in range(faces))


def row(name: str, faces: int, mean: str, sd: float, median: str, below_20: int) -> list[Cell]:
    """A row of the table: mean ± standard deviation, median, and how many runs took fewer than 20 throws."""
    ours = throws(faces)
    return [
        Cell(f"{name}, mean", Published(mean, n=SEEDS, error=sd / math.sqrt(SEEDS)), ours),
        Cell(f"{name}, median", Published(median, n=SEEDS, what="median"), ours),
        Cell(f"{name}, below 20", Published(below_20, n=SEEDS, what="count"), ((ours < 20).sum(), len(ours))),
    ]


claim(
    "table/die", at="Table 1, first row", relation=Replicates(of=COMPARISONS),
    says="a die takes 14.2 ± 5.8 throws, 13 in the median, and fewer than 20 in 17 of 20 runs",
    evidence=[Cells(row("die", 6, "14.2", 5.8, "13", 17))],
)  # fmt: skip
claim(
    "table/coin", at="Table 1, second row", relation=Replicates(of=COMPARISONS),
    says="a coin takes 4.6 ± 1.2 throws, and 4 in the median", expects=WRONG, note="the mean is 1 + 2 = 3 throws",
    evidence=[Cells(row("coin", 2, "4.6", 1.2, "4", 20)[:2])],
)  # fmt: skip
