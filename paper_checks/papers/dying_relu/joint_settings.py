"""Figures 3 to 5 and the conclusion: for which settings all that the paper says of them holds together.

Each sentence is a question to the fates of one setting: field, rule, step size and convention, the scales of the
target from the largest to the smallest, and the scale at which momentum is added. "Most" and "majority" are more than
half, "small regions" at most a tenth, "large" ones more than half; "the same" is the same off the boundary.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

import numpy as np

from montecarlo.descent.fates import CONE
from paper_checks.papers.dying_relu.fates import CONVENTIONS, FINE, SCALES, WIDER, Fates, Setting, grid_of

HALF, SMALL = 0.5, 0.1

_grid = cache(grid_of)


def off_boundary(alive: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Cells of another fate that none of the eight neighbours has in ``alive``: not those that touch its boundary."""
    wide = np.pad(alive, 1, mode="edge")
    rows, columns = alive.shape
    shifts = [wide[i : i + rows, j : j + columns] for i in range(3) for j in range(3)]
    return (alive != other) & ~np.any([s != alive for s in shifts], axis=0)


@dataclass(frozen=True)
class Shown:
    """What the paper's figures would show in one setting.

    With the target's ``scales`` in Figures 3 and 4, the largest first; with its ``scale`` in Figure 5, and the
    ``convention`` of momentum there.
    """

    fates: Fates
    setting: Setting
    scales: tuple[float, ...]
    scale: float
    convention: str

    def alive(self, momentum: float = 0.0) -> np.ndarray:
        return self.fates.converges(self.scale, momentum, self.convention, setting=self.setting)

    def right_side(self) -> bool:
        return self.fates.halves(self.scales[-1], self.setting)[1] > HALF

    def linear_cone(self) -> bool:
        w, b = _grid(self.setting.cells)
        inside = b > CONE * np.abs(w)
        return all(self.fates.converges(g, setting=self.setting)[inside].mean() > HALF for g in self.scales)

    def lower_left(self) -> bool:
        w, b = _grid(self.setting.cells)
        return any(self.fates.converges(g, setting=self.setting)[(w < 0) & (b < 0)].mean() > HALF for g in self.scales)

    def switches(self) -> bool:
        first, last = (self.fates.halves(g, self.setting) for g in (self.scales[0], self.scales[-1]))
        return first[0] > first[1] and last[1] > last[0]

    def majority(self) -> bool:
        return all(self.fates.share(g, setting=self.setting) > HALF for g in self.scales)

    def same_below(self) -> bool:
        return not off_boundary(self.alive(), self.alive(self.setting.below(self.convention))).any()

    def worse_above(self) -> bool:
        shares = [self.alive(m).mean() for m in (0.0, *self.setting.above(self.convention))]
        return max(shares[1:]) < shares[0]

    def small_regions(self) -> bool:
        return bool(self.alive(self.setting.above(self.convention)[-1]).mean() <= SMALL)

    def large_regions_die(self) -> bool:
        at = (self.scales[-1], self.setting.above(self.convention)[-1], self.convention)
        last = self.fates.dead(*at, setting=self.setting).mean()
        return bool(last > max(HALF, self.fates.dead(self.scales[0], setting=self.setting).mean()))


SENTENCES: dict[str, Callable[[Shown], bool]] = {
    "most on the right die for a small gamma": Shown.right_side,
    "starts in the linear cone reach the optimum": Shown.linear_cone,
    "the lower left quadrant reaches it": Shown.lower_left,
    "the dead region switches sign": Shown.switches,
    "the majority converges at every gamma of the setting": Shown.majority,
    "momentum below the threshold changes nothing off the boundary": Shown.same_below,
    "momentum above it makes it worse": Shown.worse_above,
    "in the end only small regions converge": Shown.small_regions,
    "large regions die with a small gamma and momentum": Shown.large_regions_die,
}


def settings(fates: Fates, target: str) -> Iterator[Shown]:
    """All settings of one field: two or more scales of the target in a row, each convention, each of the scales."""
    rows = [SCALES[first : last + 1] for first, last in combinations(range(len(SCALES)), 2)]
    for setting, scales, convention in product([s for s in (*FINE, *WIDER) if s.target == target], rows, CONVENTIONS):
        yield from (Shown(fates, setting, scales, scale, convention) for scale in scales)
