"""Section 5, Figures 4 and 5: what holds of the starts that converge, whatever the settings that are lost."""

from __future__ import annotations

from paper_checks.claim import registry
from paper_checks.dying_relu import basins
from paper_checks.relations import Reproduces

claim = registry.claim

for _id, _at, _says, _run, _note in (
    ("fig4-majority-in-time", "Figure 4",
     "where most starts have not converged after 20 000 steps, gamma = 0.03 in the window [-1, 1]^2, most do with "
     "a hundred times as many", basins.majority_in_time,
     "no start with w_L > 0 is dead for good (relu/beyond.right-side), and of those with w_L < 0 the ones above the "
     "separatrix converge too: more than half for every gamma, if one can wait"),
    ("fig5-below", "Figure 5",
     "momentum below the threshold of oscillation lets more starts converge for gamma of 0.1 and more, and none fewer",
     basins.gains_below,
     "starts on the left, beside the boundary, that momentum carries across w_L = 0"),
    ("fig5-above", "Figure 5",
     "momentum above the threshold of oscillation lets more starts converge for gamma = 1, and fewer for 0.03 and 0.01 "
     "from 0.9 on", basins.by_size_of_target,
     "only window/gamma matters (relu/beyond.zoom): momentum helps where the target is as large as the window"),
):  # fmt: skip
    claim(
        f"relu/beyond.{_id}", at=f"beyond {_at}", says=_says, relation=Reproduces(), experiment=_run, note=_note,
        assumptions="starts on 24 x 24 cell centres of [-1, 1]^2, step size 0.1", beyond=True,
    )  # fmt: skip
