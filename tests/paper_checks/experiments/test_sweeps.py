"""A claim judges runs: played once for all claims on them, or read from the file that belongs to present code.

Results that are stored with the project are as declared, and what the present code gives.
"""

import json
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
from kernels_for_tests import Counting, training
from threadpoolctl import threadpool_limits

from montecarlo import Store, Sweep, generator
from montecarlo.streams.philox import stream
from paper_checks.claims.catalogue import load
from paper_checks.claims.claim import Claim
from paper_checks.claims.relations import Reproduces
from paper_checks.commands.entries import digest_of_sources
from paper_checks.evidence.experiment import decided
from paper_checks.experiments.replay import chosen, replay
from paper_checks.experiments.stored import DamagedRows, StaleRows, collected, rows_of, stored_rows, write
from paper_checks.judging.judge import verify
from paper_checks.rules.means import Status

POINTS = [{"step_size": s} for s in (0.01, 0.3)]
SETTINGS = {"steps": 20, "law": "normal", "why": "chosen here"}


def sweep(folder=None, **changes):
    file = {} if folder is None else {"file": str(folder / "claims.py")}
    fields = {"runs": 60, "settings": SETTINGS, **file, **changes}
    return Sweep("tests/slow-or-fast", "training runs", training, POINTS, **fields)


@pytest.fixture
def stored(tmp_path):
    """A stored sweep."""
    made = sweep(tmp_path, stored=True, seed=3)
    write(made, rows_of(sweep(seed=3), seed=0))
    return made


def claim(name, runs, sign=1):
    def experiment(context):
        slow, fast = context.rows(runs)
        return decided({"loss of the small step less that of the large": sign * (slow[:, 0] - fast[:, 0])})

    return Claim(f"tests/{name}", at="", says="", relation=Reproduces(), runs=runs, experiment=experiment)


def test_claims_on_one_sweep_judge_the_same_runs_played_once():
    runs = sweep()
    with Counting() as counting:
        right, wrong = verify([claim("right", runs), claim("wrong", runs, -1)], executor=counting)
    assert (right.status, wrong.status) == (Status.CONFIRMED, Status.REFUTED)
    assert right.killed == right.mutants > 0
    assert len([t for t in counting.tasks if str(t[0]).startswith("rows")]) == 2 * 60


def test_a_sweep_is_found_in_the_store(tmp_path):
    runs = sweep()
    with Store(tmp_path / "s.sqlite") as store:
        first = rows_of(runs, seed=1, store=store)
        with Counting() as counting:
            again = rows_of(runs, seed=1, executor=counting, store=store)
    assert counting.tasks == []
    assert [a.tolist() for a in again] == [a.tolist() for a in first]


def test_a_claim_gets_its_own_sweeps_only():
    stranger = Sweep("tests/other", "", training, POINTS, 3, settings=SETTINGS)
    made = claim("mine", sweep())
    object.__setattr__(made, "runs", (stranger,))
    assert "sweep must be among runs=" in verify([made])[0].error


def test_two_sweeps_of_one_name_are_refused():
    with pytest.raises(ValueError, match="name must be new"):
        collected([claim("a", sweep()), claim("b", sweep(runs=61))])


def test_stored_rows_come_back_bit_for_bit(tmp_path):
    stored = sweep(tmp_path, stored=True, seed=3, runs=3)
    rows = [np.array([[0.1, -0.0], [np.nan, np.inf], [1e-320, 2.0**60]])] * 2
    path = write(stored, rows)
    assert path == tmp_path / "results" / "tests.slow-or-fast.json"
    assert replace(stored, name="tests/all.slow").path == tmp_path / "results" / "all" / "tests.all.slow.json"
    for found, given in zip(stored_rows(stored), rows, strict=True):
        assert found.tobytes() == given.tobytes() or np.array_equal(found, given, equal_nan=True)
    data = json.loads(path.read_text())
    assert data["settings"]["why"] == "chosen here"
    assert data["points"][1]["point"] == POINTS[1]
    assert data["points"][1]["rows"]["steps_down"][1] == "inf"
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [path]


def test_a_verdict_rests_on_the_stored_file_and_plays_nothing(stored):
    with Counting() as counting:
        (verdict,) = verify([claim("stored", stored)], executor=counting, seed=77)
    assert verdict.status is Status.CONFIRMED
    assert counting.tasks == []


def test_rows_of_another_version_or_other_settings_are_not_taken(stored, tmp_path):
    for name, changed in (("version", 2), ("seed", 4), ("runs", 61), ("settings", {**SETTINGS, "steps": 21})):
        with pytest.raises(StaleRows, match=f"must have the declared {name}, got different ones"):
            stored_rows(sweep(tmp_path, stored=True, **{"seed": 3, name: changed}))
    stored.path.unlink()
    with pytest.raises(StaleRows, match=r"no such file; run 'paper-checks train tests/slow-or-fast'"):
        stored_rows(stored)
    with pytest.raises(ValueError, match="seed must be given with stored=True"):
        sweep(stored=True)


def test_words_for_the_reader_and_the_last_digit_of_a_computed_setting_may_be_others(stored):
    def taken(factor=1.0, why="of the paper"):
        points = [{"step_size": s * factor} for s in (0.01, 0.3)]
        return len(stored_rows(replace(stored, points=points, settings={**SETTINGS, "why": why})))

    assert taken() == taken(factor=1 + 4e-16) == 2
    with pytest.raises(StaleRows, match="must have the declared points"):
        taken(factor=1 + 1e-9)


def test_a_sweep_knows_the_file_that_declares_it():
    assert Sweep("tests/here", "", training, POINTS, 3, settings=SETTINGS).file == __file__


def test_stored_runs_are_replayed(stored):
    runs = chosen(stored, seed=5)
    assert [index for index, _ in runs] == [0, 1]
    assert runs != chosen(stored, seed=6)
    found = replay(stored, runs)
    assert (found.holds, found.differing, found.same_machine) == (True, (), True)


def test_a_replay_that_gives_other_rows_is_told(stored):
    rows = stored_rows(stored)
    rows[1][1, 0] *= 1.001
    write(stored, rows)
    found = replay(stored, [(0, 1), (1, 1), (1, 2)])
    assert (found.holds, found.differing) == (False, ((1, 1),))
    assert "2 of 3 runs the same to 9 digits, but not run 1 of setting 1" in str(found)


def test_on_another_processor_a_chaotic_run_must_look_like_the_stored_ones(stored, monkeypatch):
    """Rounding takes it elsewhere: another run of the same law is taken, one of another law is not."""
    rows = stored_rows(stored)
    monkeypatch.setattr("paper_checks.experiments.replay.made_with", lambda: {"processor": "another"})
    everything = [(index, run) for index in range(2) for run in range(60)]
    shifted = {"exchanged": [np.roll(r, 1, axis=0) for r in rows], "moved": [r + r.std(axis=0) for r in rows]}
    for name, others in shifted.items():
        write(stored, others)
        found = replay(stored, everything)
        assert len(found.differing) > 100
        assert not found.same_machine
        assert found.holds is (name == "exchanged"), str(found)


@pytest.mark.parametrize(
    "damage",
    [
        lambda points: points[1]["rows"]["loss"].__setitem__(50, points[1]["rows"]["loss"][50] * (1 + 1e-9)),
        lambda points: points[1]["rows"]["loss"].__setitem__(50, "nan"),
        lambda points: [column.pop() for column in points[1]["rows"].values()],
        lambda points: points[1]["rows"].popitem(),
        lambda points: points[1]["point"].update(step_size=0.4),
        lambda points: points.pop(),
    ],
    ids=["number", "nan", "row", "column", "point", "points"],
)
def test_a_file_that_was_changed_is_neither_taken_nor_replayed(stored, damage):
    """Damage in any row, not only in those that are simulated again."""
    data = json.loads(stored.path.read_text())
    damage(data["points"])
    stored.path.write_text(json.dumps(data))
    for use in (stored_rows, lambda of: replay(of, chosen(of, 1))):
        with pytest.raises(DamagedRows, match="fail their check sum"):
            use(stored)


def test_experiments_are_listed_by_pattern_and_folder(in_process, tmp_path):
    (tmp_path / "nau.figure12.json").write_text("{}")
    status, out, _ = in_process("train", "--list", "nau/figure1[12]", "--results", tmp_path)
    assert (status, [line.split()[0::3] for line in out.splitlines()]) == (
        0, [["nau/figure11", "not"], ["nau/figure12", "damaged"]],
    )  # fmt: skip
    assert in_process("train", "--list", "nau/figure99")[0] == 2


@pytest.mark.slow
def test_seeds_are_those_of_every_setting_and_stand_in_the_file(in_process, tmp_path):
    """Also where settings have numbers of runs of their own."""
    name = "nau/table3-look-before"
    store = ("--store", tmp_path / "s.sqlite")
    assert in_process("train", name, "--seeds", 1, "--seed", 7, "--results", tmp_path, *store)[0] == 0
    data = json.loads((tmp_path / "nau.table3-look-before.json").read_text())
    assert data["command"] == f"paper-checks train {name} --seeds 1 --seed 7"
    assert [len(point["rows"]["sparsity_before"]) for point in data["points"]] == [1, 1, 1]
    assert "got 'nau/figure-12'; see nau/figure12, " in in_process("train", "nau/figure-12")[2]


# Those of claims that nothing judges yet are declared, to be trained by who has the time.
SWEEPS = {sweep.name: sweep for sweep in collected(c for c in load() if not c.unchecked) if sweep.stored}


def test_the_experiments_of_the_papers_are_there():
    assert len(SWEEPS) >= 13
    assert {name.split("/")[0] for name in SWEEPS} == {"constants", "galu", "nau", "nerva", "relu", "smooth"}


@pytest.mark.parametrize("name", SWEEPS)
def test_stored_rows_are_as_declared_and_complete(name):
    sweep = SWEEPS[name]
    rows = stored_rows(sweep)
    assert [r.shape for r in rows] == [(sweep.runs_at(i), sweep.play.columns) for i in range(len(sweep.points))]
    # What a setting does not have (a disc has no hole) is nan in all of its runs.
    assert all((np.isfinite(r).all(axis=0) | np.isnan(r).all(axis=0)).all() for r in rows)


# Experiments of which a run takes seconds at every setting, and seconds for each of them; 'make replay' plays all.
SHORT = {
    "galu/figure-1", "galu/figure-2-random", "nau/table3", "nau/table3-starts", "nau/figures-10-11-early",
    "nau/figure-11-early", "nerva/digits", "relu/figure-1", "relu/fates", "relu/figure-6-start",
    "smooth/table1-networks", "smooth/width-pairs", "smooth/figure13", "smooth/more-networks",
    "smooth/sine-processes", "smooth/ridges", "smooth/fitted-length", "smooth/mnist",
}  # fmt: skip
BUDGET = 2.0


def test_what_needs_a_library_that_is_missing_is_not_replayed_and_not_a_failure(monkeypatch, said):
    monkeypatch.setitem(sys.modules, "sklearn.gaussian_process", None)
    out = said(0, "train", "smooth/fitted-length", "--replay", "1", "--workers", "1")
    assert "smooth/fitted-length is not simulated again: fitted_length: scikit-learn must be installed" in out


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SHORT))
def test_stored_runs_are_those_of_the_present_code(name):
    """Runs of settings in another order after each change of the sources: what it changes is found sooner or later."""
    sweep, seed = SWEEPS[name], int(digest_of_sources([], [])[:12], 16)
    settings = [int(i) for i in generator(stream(seed, name, 0), 0).permutation(len(sweep.points))]
    begun = time.monotonic()
    while settings and time.monotonic() < begun + BUDGET:
        try:
            # As in a process that does nothing else: the number of threads decides about the last bits of a product.
            with threadpool_limits(limits=1):
                found = replay(sweep, chosen(sweep, seed, [settings.pop()]))
        except ModuleNotFoundError as error:
            pytest.skip(str(error))
        assert found.holds, str(found)
