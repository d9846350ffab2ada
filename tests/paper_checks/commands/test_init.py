"""``init``: what it recommends, the claims that it names, what it refuses."""

from __future__ import annotations

import json

import pytest

from paper_checks.claims import catalogue
from paper_checks.commands.init import UNITS
from paper_checks.commands.init.claims import BEHIND
from paper_checks.rules.means import Status

LAYER = ("--fan-in", 10, "--fan-out", 5)


RECOMMENDED = {
    "nmu": "compromise", "nau": "glorot", "nac-mul": "logarithm", "kaiming": "he", "xavier": "glorot", "nac": "glorot",
}  # fmt: skip


@pytest.mark.parametrize(("unit", "criterion"), RECOMMENDED.items())
def test_the_criterion_with_gains_nearest_to_1_is_recommended(in_process, unit, criterion):
    status, out, _ = in_process("init", unit, *LAYER, "--json")
    assert (status, json.loads(out)["criterion"]) == (0, criterion)


def test_a_criterion_that_is_asked_for_is_taken(in_process):
    assert "published: U[0.25, 0.75]" in in_process("init", "nmu", *LAYER, "--criterion", "published")[1]


def test_claims_behind_the_numbers_exist_and_are_expected_to_hold(in_process):
    assert {name.replace("-", "_") for name in UNITS} == set(BEHIND)
    ids = {i for groups in BEHIND.values() for some in groups.values() for i in some}
    known = {claim.id: claim for claim in catalogue.load()}
    assert all(known[i].expected_status is Status.CONFIRMED for i in ids)
    out = in_process("init", "nmu", *LAYER)[1]
    assert all(i in out for some in BEHIND["nmu"].values() for i in some)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nmu", *LAYER, "--gamma", 1], "without --gamma"),
        (["nmu", *LAYER, "--operation", "addition"], "without --operation"),
        (["relu-unit", "--fan-in", 3, "--input-variance", 0], "without --input-variance"),
        (["relu-unit", "--fan-in", 3, "--gamma", 0], "--gamma must be positive, got 0"),
        (["relu-unit", "--fan-in", 3, "--sd-weight", 0], "--sd-weight positive"),
        (["nmu", "--fan-in", 3], "--fan-out must be given"),
        (["nmu", "--fan-in", "9" * 400, "--fan-out", 2], "positive whole number of at most 1e+15"),
        (["nmu", *LAYER, "--plot", "noext"], "end it in .png, .svg or .pdf"),
        (["nmu", *LAYER, "--plot", ""], "must not be empty"),
    ],
)
def test_what_a_unit_does_not_have_is_refused(in_process, arguments, words):
    status, out, err = in_process("init", *arguments)
    assert (status, out) == (2, "")
    assert words in err


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_plot_is_written_under_its_name(in_process, tmp_path, suffix):
    file = tmp_path / f"gains.{suffix}"
    assert in_process("init", "nau", *LAYER, "--plot", file)[0] == 0
    assert list(tmp_path.iterdir()) == [file]
