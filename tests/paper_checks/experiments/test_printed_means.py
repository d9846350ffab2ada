"""Printed means of few log-normal runs: how often the test errs, and what it must refuse."""

import numpy as np
import pytest

from paper_checks.papers.network_smoothness import printed_means
from paper_checks.papers.network_smoothness.printed_means import FACTOR, p_value, reproduced


@pytest.mark.parametrize("spread", [0.3, 1.5])
def test_means_of_the_law_itself_are_refused_no_more_often_than_declared(spread, monkeypatch):
    monkeypatch.setattr(printed_means, "DRAWS", 500)
    rng = np.random.default_rng(3)
    found = [p_value(np.exp(spread * rng.standard_normal(10)).mean(), 0.0, spread, 10) for _ in range(400)]
    # A limit at the rate 1/10 is missed by more than 70 of 400 once in 1e6.
    assert np.sum(np.array(found) <= 0.1) <= 70


def test_the_upper_tail_is_what_sampling_finds():
    rng = np.random.default_rng(4)
    means = np.exp(1.2 * rng.standard_normal((200_000, 10))).mean(axis=1)
    for printed in (4.0, 6.0):
        share = (means >= printed).mean()
        assert p_value(printed, 0.0, 1.2, 10) == pytest.approx(2 * share, rel=0.15)


def test_a_mean_of_another_law_is_refused_and_its_own_is_found_again():
    rng = np.random.default_rng(5)
    values = 3e-6 * np.exp(0.35 * rng.standard_normal(60))
    assert reproduced(values, 3.2e-6)[0] == "CONFIRMED"
    for wrong in (FACTOR, 1 / FACTOR):
        assert reproduced(values, wrong * values.mean())[0] == "REFUTED"


def test_what_spreads_too_much_or_is_not_normal_tells_nothing():
    rng = np.random.default_rng(6)
    assert reproduced(np.exp(2.5 * rng.standard_normal(60)), 20.0)[0] == "INCONCLUSIVE"
    two_kinds = np.where(rng.random(60) < 0.8, 1e-15, 1e-9) * np.exp(0.1 * rng.standard_normal(60))
    assert reproduced(two_kinds, 1e3)[0] == "INCONCLUSIVE"
