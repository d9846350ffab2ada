"""Fates of starts for Figures 3 to 5: that stored ones are found again, and what a map can tell."""

import numpy as np
import pytest

from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.dying_relu.fates import FATES, FINE, SCALES, WIDER, Fates, Setting
from paper_checks.papers.dying_relu.joint_settings import SENTENCES, Shown, off_boundary, settings


@pytest.fixture(scope="module")
def rows():
    return stored_rows(FATES)


def test_a_map_tells_a_change_off_the_boundary_only():
    alive = np.zeros((6, 6), dtype=bool)
    alive[:, 3:] = True
    moved = alive.copy()
    moved[:, 2] = True
    assert not off_boundary(alive, moved).any()
    moved[4, 0] = True
    assert np.argwhere(off_boundary(alive, moved)).tolist() == [[4, 0]]


def test_momenta_lie_on_their_sides_of_the_threshold():
    for setting in (*FINE, *WIDER):
        for convention in ("ema", "heavy-ball"):
            below, above = setting.below(convention), setting.above(convention)
            assert 0 < below < min(above) < max(above) < 1


def test_each_sentence_holds_somewhere_and_fails_somewhere(rows):
    fates = Fates(rows)
    answers = {name: set() for name in SENTENCES}
    for target in ("linear", "without-sign"):
        for shown in settings(fates, target):
            if shown.scale == shown.scales[-1]:
                for name, question in SENTENCES.items():
                    answers[name].add(question(shown))
    assert all(found == {True, False} for found in answers.values())


def test_the_exact_gradient_never_saves_most_of_the_lower_left(rows):
    fates = Fates(rows)
    assert not any(
        Shown(fates, s, SCALES, SCALES[0], "ema").lower_left() for s in (*FINE, *WIDER) if s.target == "linear"
    )
    assert Shown(fates, Setting("without-sign"), SCALES, SCALES[0], "ema").lower_left()
