"""Cut normal laws: what is known of them otherwise, and how they are asked for."""

import numpy as np
import pytest

from theory import truncated_normal
from theory.initialisation.laws import truncated_variance


def test_symmetric_cuts_have_the_variance_of_their_law():
    cuts = np.array([0.25, 1.0, 2.0, 7.5])
    np.testing.assert_allclose(truncated_normal.variance(-cuts, cuts), truncated_variance(cuts), rtol=1e-13)


def test_a_narrow_cut_is_uniform():
    low, width = 1.5, 1e-7
    assert truncated_normal.variance(low, low + width) == pytest.approx(width**2 / 12, rel=1e-8)
    assert truncated_normal.density(low, low, low + width) == pytest.approx(1 / width, rel=1e-6)


def test_moments_follow_from_the_share():
    """The derivative of log share by alpha is minus the density there, and that of the mean is a covariance."""
    step = 1e-5
    up, down = (truncated_normal.share(-1 + s, 0.5) for s in (step, -step))
    slope = (np.log(up) - np.log(down)) / (2 * step)
    assert slope == pytest.approx(-truncated_normal.density(-1, -1, 0.5), rel=1e-8)


@pytest.mark.parametrize("deviation", [1e-9, 0.3, 0.8, 1.15])
def test_a_scale_gives_the_deviation_that_it_is_for(deviation):
    scale = truncated_normal.scale_for(deviation)
    cut = min(2 / scale, 8)
    assert scale * truncated_normal.variance(-cut, cut) ** 0.5 == pytest.approx(deviation, rel=1e-12)
