"""Results that are stored with the project are those of its present sources and configurations."""

from __future__ import annotations

import json

import numpy as np
import pytest

from paper_checks import paired
from paper_checks.train import EXPERIMENTS, find, load
from paper_checks.verdict import Status


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_stored_results_are_of_the_present_experiment(name):
    experiment, stored = find(name), load(name)
    assert stored["configuration"] == json.loads(json.dumps(dict(experiment.configuration))), (
        f"run 'paper-checks train {name}'"
    )
    assert [c["cell"] for c in stored["cells"]] == json.loads(json.dumps(list(experiment.cells)))
    assert "simulator" in stored["configuration"]


@pytest.mark.parametrize(
    ("name", "cell", "key", "within"),
    [
        ("galu_random", {"k": 1, "repeat": 2}, "losses", 1e-9),
        # Sums in another order on another machine, after thousands of steps.
        ("galu_acs", {"m": 32, "repeat": 99}, "acs", 1e-3),
    ],
)
def test_a_stored_cell_is_found_again(name, cell, key, within):
    experiment = find(name)
    kept = next(c for c in load(name)["cells"] if c["cell"] == cell)
    again = experiment.compute(cell, experiment.configuration)
    assert again[key] == pytest.approx(kept[key], rel=within)


def test_one_refuted_comparison_refutes_and_an_undecided_one_leaves_undecided():
    up, mixed = np.ones(48), np.resize([1.0, -1.0], 48)
    assert paired.decided({"a": up, "b": up}).printed is Status.CONFIRMED
    assert paired.decided({"a": up, "b": mixed}).printed is Status.INCONCLUSIVE
    assert paired.decided({"a": up, "b": -up}).printed is Status.REFUTED
    assert paired.decided({"a": up}).killed == 2
