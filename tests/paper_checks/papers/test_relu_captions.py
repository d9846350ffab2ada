"""Numbers in the captions of the figures on dying ReLU are those of the formulas."""

import re

import numpy as np
import pytest

from figures.dying_relu import momentum_eigenvalues, relu_momentum_regions, relu_overshoot
from montecarlo.descent.fates import OPTIMUM
from montecarlo.descent.parts import AT_ONCE
from montecarlo.descent.relu_unit import Method, descend
from theory.momentum import eigenvalues, oscillation_threshold
from theory.relu_unit import dead_cone_edge, largest_eigenvalue, smallest_eigenvalue
from theory.relu_unit.basins import separatrix

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


@pytest.mark.parametrize(("convention", "momenta"), relu_momentum_regions.MOMENTA.items())
def test_below_the_threshold_the_border_leaves_the_separatrix_for_the_largest_scale(convention, momenta):
    w, b = np.meshgrid(np.linspace(-1, -0.2, 33), np.linspace(-0.1, 1, 441))
    for gamma, low, high in ((1.0, 0.0975, 0.1425), (0.1, -0.06, 0.06), (0.01, -0.06, 0.06)):
        alive = (
            descend(w, b, gamma, Method(0.1, momenta[0], convention), steps=20_000, executor=AT_ONCE).outcome == OPTIMUM
        )
        inside = alive.any(axis=0)
        lower = (-w[0] * separatrix(-w[0] / gamma) - b[np.argmax(alive, axis=0), 0])[inside]
        assert inside.sum() > 15
        assert low < lower.min() < lower.max() < high
