"""Numbers in the captions of the figures on dying ReLU are those of the formulas."""

import re

import numpy as np
import pytest

from figures.dying_relu import momentum_eigenvalues, relu_momentum_regions, relu_overshoot
from theory.momentum import eigenvalues, oscillation_threshold
from theory.relu_unit import dead_cone_edge, largest_eigenvalue, smallest_eigenvalue

CONE = f"{-dead_cone_edge(0.001):.2f}"
AVERAGE = f"{oscillation_threshold(0.1):.3f}"
HEAVY_BALL = f"{oscillation_threshold(0.1, convention='heavy-ball'):.3f}"
CURVATURES = f"{smallest_eigenvalue(0):.3f}, 0.5 and {largest_eigenvalue(0):.3f}"


@pytest.mark.parametrize(
    ("module", "texts"),
    [
        (momentum_eigenvalues, [f"a double root at beta = {AVERAGE}", f"(w + b/{CONE})"]),
        (relu_momentum_regions, [f"oscillates above beta = {AVERAGE}", f"which oscillates above {HEAVY_BALL}"]),
        (relu_overshoot, [f"(w_L + b/{CONE})", f"the curvatures are {CURVATURES}"]),
    ],
)
def test_numbers_of_captions_are_computed_ones(module, texts):
    caption = re.sub(r"\s+", " ", module.DETAILS)
    assert [text for text in texts if text not in caption] == []


def test_eigenvalues_without_momentum_are_those_of_the_caption():
    assert np.allclose(np.sort(eigenvalues(0.1, 0.0).real), [0, 0.9])
    assert "they go from 0 and 0.9 to" in re.sub(r"\s+", " ", momentum_eigenvalues.DETAILS)
