"""Section 5 with minibatches: what becomes of starts where gradients come from inputs, not from the closed form."""

from itertools import islice, pairwise

import numpy as np
import scipy

from montecarlo import Sweep
from montecarlo.descent.fates import CONE
from montecarlo.descent.fields import gradient
from montecarlo.descent.minibatches import from_grid
from montecarlo.training.optimisers import descent
from paper_checks import Finding, Kind, Reproduces, common, concluded
from paper_checks.papers.dying_relu.fates import CELLS, STEP_SIZE, grid_of
from paper_checks.rules.means import told
from paper_checks.rules.proportions import proportion
from paper_checks.rules.rates import RATE
from theory.relu_unit.basins import separatrix

BATCHES, STARTS = (1, 4, 32), CELLS * CELLS
SMALL, STEPS = 0.1, 600
# The smallest batch twice: runs that differ by chance alone.
MINIBATCHES = Sweep(
    "relu/minibatches",
    "ends of a single ReLU on minibatches of fresh inputs, from the cells of a grid",
    from_grid,
    [{"batch": n} for n in (*BATCHES, BATCHES[0])],
    # 2.5 and 0.8 of a hundred end otherwise for the larger batches: 24 runs from each start tell it but for 6e-5.
    {"quick": 24 * STARTS, "full": 40 * STARTS},
    settings={"gamma": SMALL, "step_size": STEP_SIZE, "steps": STEPS, "cells": CELLS},
)


def optimal(rows: np.ndarray, gamma: float) -> np.ndarray:
    """Which of the ends (w, b) are at the optimum, and not in the dead cone."""
    return np.hypot(rows[:, 0] - gamma, rows[:, 1]) < gamma / 2


def minibatches(context) -> Finding:
    """Which starts end otherwise than on the expected gradient, by batch size, each start with its own inputs."""
    start = [x.ravel() for x in grid_of(CELLS)]
    end, _ = next(islice(descent(lambda at: gradient(*at, SMALL)[[0, 2]], start, STEP_SIZE), STEPS - 1, None))
    found = context.rows(MINIBATCHES)
    seeds = len(found[0]) // STARTS
    exact = np.tile(optimal(end.T, SMALL), seeds)
    *played, again = (optimal(rows, SMALL) != exact for rows in found)

    def fewer(small, large):
        """Whether fewer differ with the larger batch: a sign test over the starts that differ with one of the two."""
        only = int(np.sum(small & ~large)), int(np.sum(large & ~small))
        return scipy.stats.binomtest(only[1], sum(only), alternative="less").pvalue < RATE if sum(only) else False

    holds = all(fewer(small, large) for small, large in pairwise(played))
    last = proportion(int(played[-1].sum()), exact.size)
    says = (
        f"{STEPS} steps of size {STEP_SIZE} at gamma = {SMALL}, {seeds} runs from each of 24 x 24 initial values on "
        f"[-1, 1]^2; with batches of {BATCHES[-1]} the interval for the fraction that ends otherwise is "
        f"{last.low:.2%} to {last.high:.2%}"
    )
    table = [
        {"inputs per minibatch": n, "runs that end otherwise": f"{p.mean():.2%}"}
        for n, p in zip(BATCHES, played, strict=True)
    ]
    wrong = {"the same batch": not fewer(played[0], again), "opposite": not fewer(played[-1], played[0])}
    opposite = any(fewer(large, small) for small, large in pairwise(played))
    return concluded(told(holds, opposite), says, wrong, table=table)


beyond = common(kind=Kind.ADDITIONAL, relation=Reproduces())

beyond(
    "relu/beyond.minibatches",
    at="additional to section 5",
    says="the larger a minibatch of fresh inputs, the fewer runs end otherwise than on the expected gradient",
    runs=MINIBATCHES,
    experiment=minibatches,
)

ON_INPUTS = Sweep(
    "relu/fates-on-inputs",
    "ends of a single ReLU on large minibatches of fresh inputs, from the cells of a grid",
    from_grid,
    [{"batch": 512, "steps": 500, "gamma": 0.3, "step_size": STEP_SIZE, "cells": CELLS}],
    # 403 cells count: two runs from each confirm a probability below OTHERWISE with up to five that end otherwise.
    2 * STARTS,
)
OTHERWISE = 0.05


def played_on_inputs(context) -> Finding:
    """The fates that the text tells of regions, with gradients from inputs alone: no closed form enters."""
    w, b = (np.tile(x.ravel(), 2) for x in grid_of(CELLS))
    (rows,), gamma = context.rows(ON_INPUTS), 0.3
    alive, dead = optimal(rows, gamma), rows[:, 1] < -CONE * np.abs(rows[:, 0])
    # Cells off the boundary by a cell at least; near it the noise of the inputs decides.
    low, cone, line = (w < 0) & (b < 0), b > CONE * np.abs(w), b + w * separatrix(np.maximum(-w, 0.01) / gamma)
    below, above = (w < 0) & (line < -0.1), (w < 0) & (line > 0.1)
    right = (w > 0) & (b > 0)
    as_told = np.where(cone | above | right, alive, ~alive)[cone | above | right | low | below]
    otherwise = proportion(int(np.sum(~as_told)), as_told.size)
    says = (
        f"{np.sum(~as_told)} of {as_told.size} runs end otherwise, a probability of at most {otherwise.high:.4f}; 500 "
        f"steps of size {STEP_SIZE} on 512 fresh inputs each, gamma = {gamma}"
    )
    regions = {
        "lower left quadrant": low, "linear cone": cone, "upper right quadrant": right,
        "left, above the separatrix": above, "left, below the separatrix": below,
    }  # fmt: skip
    table = [
        {"region": name, "runs": some.sum(), "at the optimum": alive[some].sum(), "in the dead cone": dead[some].sum()}
        for name, some in regions.items()
    ]
    slips = {
        "the lower left reaches the optimum": not alive[low].all(),
        "all above b = 0 on the left": not alive[(w < 0) & (b > 0)].all(),
    }
    return concluded(otherwise.below(OTHERWISE), says, slips, table=table)


beyond(
    "relu/beyond.fates-on-inputs",
    at="additional to section 5, Figure 3",
    says="with gradients from inputs instead of the closed form, fewer than one run in twenty has another "
    "fate. Units from the linear cone and from the left above the separatrix reach the optimum; "
    "those from the lower left quadrant do not",
    runs=ON_INPUTS,
    experiment=played_on_inputs,
    assumptions="initial values at least 0.1 away from the separatrix; large minibatches of fresh inputs",
)
