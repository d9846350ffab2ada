"""Abstract and section 3.1, Figure 1, bottom: what a Gaussian process that adds has in common with a network."""

from functools import cache
from itertools import pairwise

import numpy as np

from montecarlo import Sweep
from montecarlo.training.addition_processes import disc_points, fitted, square_grid, squared_exponential
from montecarlo.training.smooth.regions import changes_per_line
from paper_checks import Finding, Kind, Reproduces, claim
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.sweeps import ANNULUS_PROCESSES, PROCESSES
from paper_checks.papers.network_smoothness.within_paper import LEVEL, RULE

# Seeds that no other claim has; a sign test of so many at the level of this paper is decided where all but two agree.
FIRST_SEED, RUNS, GRID = 21042, 24, 64
LENGTHS = (5.0, 1.0, 0.2)
DISC, ANNULUS = ("data", "domain", "outside"), ("domain", "hole", "outside")


@cache
def of_process(scale: float, data: Sweep = PROCESSES) -> dict[str, np.ndarray]:
    """Mean squared errors by region, and changes of the error's sign per line of a grid inside the disc, by data."""
    places, within = square_grid(GRID, PROCESSES.settings["half_width"])
    low = data.settings.get("low", 0.0)
    hole = (places**2).sum(axis=1) < low
    square, rows = within.reshape(GRID, GRID), []
    for seed in range(FIRST_SEED, FIRST_SEED + RUNS):
        points = disc_points(seed, data.settings["number"], low)
        amplitude, coefficients = fitted(points, points.sum(axis=1), scale, PROCESSES.settings["alpha"])
        train, error = (
            amplitude * squared_exponential(where, points, scale) @ coefficients - where.sum(axis=1)
            for where in (points, places)
        )
        parts = {"data": train, "domain": error[within & ~hole], "hole": error[hole], "outside": error[~within]}
        means = {name: (part**2).mean() for name, part in parts.items() if part.size}
        rows.append({**means, "changes": changes_per_line(error.reshape(GRID, GRID), square)})
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def emulates(_context) -> Finding:
    """More changes of sign at each shorter length scale; at all of them, errors that grow from the data outwards."""
    found = {scale: of_process(scale) for scale in LENGTHS}
    differences = {
        f"changes of sign, at {other:g} less at {one:g}": found[other]["changes"] - found[one]["changes"]
        for one, other in pairwise(LENGTHS)
    }
    annuli = {scale: of_process(scale, ANNULUS_PROCESSES) for scale in LENGTHS}
    # Declared before the processes on the annulus were fitted: the order of the abstract at all three length scales.
    for name, scales, order in (("disc", found, DISC), ("annulus", annuli, ANNULUS)):
        for scale, v in scales.items():
            for one, other in pairwise(order):
                differences[f"{name}, length scale {scale:g}, {other} less {one}"] = v[other] - v[one]
    changes = ", ".join(f"{np.median(v['changes']):.2g} at {scale:g}" for scale, v in found.items())
    return decided(differences, f"median changes of sign per line, by length scale: {changes}", LEVEL)


claim(
    "smooth/text.emulated",
    at="abstract; 3.1, paragraph 3",
    says="Gaussian processes of decreasing length scale have more ridges: along lines, their error changes its sign "
    "more often at 1 than at 5, and more often at 0.2 than at 1. At all three, errors grow from the training points to "
    "the disc and to the outside, and from the annulus to its hole and to the outside",
    quote="This behaviour can be emulated with Gaussian process regressors that use radial basis function kernels of "
    "decreasing length scale.",
    relation=Reproduces(),
    experiment=emulates,
    kind=Kind.ALTERNATIVE,
    assumptions=f"{RUNS} sets of 128 points of the disc, and of 256 of the annulus. Lines are rows and columns of a "
    f"grid of {GRID} x {GRID} points, inside the disc. The amplitude is fitted by maximum likelihood, which the paper "
    f"does not state. The tests are {RULE}",
    note="these are properties of ours, seen at other data before. Those of networks are smooth/text.error-regions "
    "and smooth/fig2.severity",
)
