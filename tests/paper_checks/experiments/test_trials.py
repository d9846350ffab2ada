"""What to take: computed from stored runs, said to be missing where there are none, in the report and by init."""

import json
from dataclasses import replace

import numpy as np
import pytest

from montecarlo.training.arithmetic.runs import network
from paper_checks import Reproduces, unchecked
from paper_checks.claims.catalogue import load
from paper_checks.commands.init import task as init_task
from paper_checks.experiments import stored, trained as trained_file
from paper_checks.experiments.stored import collected
from paper_checks.experiments.trials import Trial, answer
from paper_checks.papers.neural_arithmetic_units import measured, sweeps
from paper_checks.report.trials import to_take
from theory import initialisation

NAU = load(["nau"])
FOUR = "(x_1 + x_2) times (x_1 + x_2 + x_3 + x_4), on U[1, 2]"


def trial(choice, successes=0, runs=0, median=None, sweep="mine/runs", task="a task", question="unit", sparsity=None):
    of = question, "addition", 4, 2, task, choice, [("nau", "published")], "c = 1", sweep
    return Trial(*of, successes, runs, median, sparsity)


def test_every_declared_sweep_of_single_settings_is_among_the_trials():
    more = (
        sweeps.TABLE_5_MULTIPLICATION,
        *sweeps.TABLE_5_NALU.values(),
        sweeps.TABLE_5_SPEED,
        *sweeps.FIGURE_6_MORE.values(),
    )
    apart = {s.name for s in (sweeps.STARTS, sweeps.LOOKED_AT, sweeps.LOOK_BEFORE, *more)}
    assert {s.name for s in collected(NAU) if s.stored} - apart <= {t.sweep for t in measured.trials()}


def test_no_choice_is_told_twice_of_a_task():
    """Tasks that differ have names that do."""
    told = [(t.question, t.task, t.choice) for t in measured.trials()]
    assert len(told) == len(set(told))


def test_what_succeeds_without_its_regulariser_is_a_choice_of_the_unit():
    narrow = [t for t in measured.trials() if t.question == "unit" and "U[0.1, 0.2]" in t.task]
    found = answer(narrow)
    assert found.take.choice == "NMU, c = 0"
    assert {t.choice for t in found.others} == {"NMU", "NALU", "NAC multiplication"}


def test_counts_are_those_of_the_stored_runs():
    found = {t.choice: t for t in measured.trials() if t.task == FOUR}
    runs = measured.found(sweeps.TABLE_3, sweeps.TABLE_3.points[2])
    nmu = found["NMU"]
    assert (nmu.successes, nmu.runs, nmu.median) == (runs.successes, 400, np.median(runs.solved_at))
    assert nmu.sparsity == np.median(runs.sparsity)
    told = answer(list(found.values()))
    assert (told.take, told.alike) == (nmu, [])


def test_each_setting_is_told_by_its_own_runs(monkeypatch):
    """Those of Table 6 differ by what they leave out."""

    def rows(sweep):
        solved = np.arange(10)
        return [np.array([np.where(solved < i, 0.0, 9e9)] * len(sweep.columns)).T for i in range(len(sweep.points))]

    monkeypatch.setattr(measured, "stored_rows", rows)
    found = {t.choice: t.successes for t in measured.trials() if t.question == "variant" and t.sweep == "nau/table6"}
    assert list(found.values()) == [0, 1, 2, 3, 4, 5]


def of_another_version(monkeypatch):
    """As if all sweeps had been changed since their runs were stored."""
    monkeypatch.setattr(stored, "read", lambda path, read=stored.read: read(path)._replace(version=0))


def test_runs_of_another_version_are_not_counted(monkeypatch):
    of_another_version(monkeypatch)
    assert all(t.runs == 0 and t.rate() == "not trained" for t in measured.trials())


@pytest.mark.parametrize("model", ["nac_add", "nac_mul", "nalu", "nau", "nmu", "linear", "relu"])
def test_networks_start_by_the_laws_that_are_named(model):
    built = network(model, 100, 2, **sweeps.nac_ranges(model, 100, 2))
    named = next(t.layers for t in measured.trials() if t.choice == measured.CHOICES[model] and t.inputs == 100)
    for layer, (unit, criterion) in zip((built.first, built.second), named, strict=True):
        made = getattr(initialisation, unit)(layer.fan_in, layer.fan_out, criterion)
        law = made.parameters.get("W_hat", made.law)
        drawn = law.sample(np.random.default_rng(0), 10_000)
        assert np.abs(drawn - layer.centre).max() == pytest.approx(layer.spread, rel=1e-2)


def test_a_setting_that_no_sweep_has_is_an_error():
    with pytest.raises(LookupError, match="one of nau/figure12 must have the point"):
        measured.among({"model": "nmu"}, sweeps.FIGURE_12)


def test_the_report_says_what_to_take_what_judges_it_and_what_is_missing(own_registry):
    registry, fields = own_registry, {"at": "", "says": "", "relation": Reproduces()}
    registry.paper("mine", "M", "Me")
    registry.claim("mine/one", **fields, runs=sweeps.TABLE_3, experiment=print)
    waits_for = (sweeps.TABLE_3, replace(sweeps.TABLE_3, name="mine/third"))
    registry.claim("mine/two", **fields, runs=waits_for, expects=unchecked("needs runs"))
    table_3 = sweeps.TABLE_3.name
    some = [trial("NAU", 90, 100, 2e3, table_3), trial("NMU", 9, 100, 5.0, table_3), trial("NALU", sweep="mine/other")]
    alone = [trial("NAC", sweep="mine/more", task="another"), trial("ReLU", 9, 10, 2e3, table_3, task="another")]
    text = "\n".join(to_take([*some, *alone], registry))
    assert "| a task | NAU 90/100 [0.83, 0.94], solved at 2,000 | nau published | c = 1 |  |" in text
    assert "NMU 9/100 [0.05, 0.16], solved at 5; not trained: NALU |" in text
    assert f"- `{table_3}`: `mine/one`" in text
    assert "`paper-checks train mine/other mine/more mine/third`" in text
    assert "| another" not in text
    assert to_take([], registry) == []


def test_of_equally_good_choices_that_with_discrete_weights_is_taken_then_that_solved_first():
    some = [
        trial("slow", 10, 10, 9e5, sparsity=0.1), trial("bad", 1, 10, 1.0), trial("fast", 10, 10, 2e3, sparsity=0.2),
        trial("blurred", 10, 10, 1e3, sparsity=0.4),
    ]  # fmt: skip
    found = answer(some)
    assert found.take.choice == "fast"
    assert [t.choice for t in found.alike] == ["slow", "blurred"]
    assert [t.choice for t in found.others] == ["bad"]


def test_what_fails_in_most_runs_or_is_alone_is_not_recommended():
    assert answer([trial("a", 4, 10, 2e3), trial("b", 0, 10)]).take is None
    assert answer([trial("a", 5, 10, 2e3), trial("b", 0, 10)]).take.choice == "a"
    assert answer([trial("a", 0, 10), trial("b")]).take is None
    assert answer([trial("a", 10, 10, 2e3), trial("b")]).take is None


def test_tasks_of_an_operation_are_summed_where_all_have_the_same_choices():
    some = [trial(name, k, 10, 2e3, task=f"task {n}") for n in range(5) for name, k in (("NAU", 9), ("NMU", n))]
    text = "\n".join(to_take(some, []))
    assert "All 5 tasks of addition together: NAU 45 of 50, NMU 10 of 50." in text
    assert "together" not in "\n".join(to_take(some[:8], []))


def test_init_says_why_it_recommends_nothing(said, monkeypatch):
    monkeypatch.setattr(init_task, "nearest", lambda *_: [trial("ReLU", 10, 10, 2e3), trial("NAC")])
    monkeypatch.setattr(init_task, "_nothing", lambda *_: "nothing")
    assert "nothing\n" in said(0, "init", "task", "--fan-in", 4, "--operation", "addition")


def test_runs_of_another_version_are_said_to_be_missing(in_process, monkeypatch):
    of_another_version(monkeypatch)
    monkeypatch.setattr(trained_file, "read", measured.trials)
    text = in_process("init", "task", "--fan-in", 4, "--operation", "addition", "--details")[1]
    assert text.startswith(
        "addition: no runs with the declared settings are stored; run paper-checks train nau/table5.nac_mul "
    )
    assert init_task._nothing([], "addition") == "addition: fewer than two choices were trained"


def test_init_names_the_unit_and_its_start(said):
    out = said(0, "init", "task", "--operation", "multiplication", "--fan-in", 5, "--details")
    assert f"take {next(t for t in measured.trials() if (t.task, t.choice) == (FOUR, 'NMU'))}" in out
    assert "nau 5 -> 2, published: U[-0.5, 0.5]" in out
    assert "the trained networks were 4 -> 2 -> 1, initialised by the same criteria" in out
    assert "nmu 2 -> 1, published: U[0.25, 0.75]" in out
    assert "not  NALU" in out
    found = json.loads(said(0, "init", "task", "--fan-in", 90, "--json"))
    assert found["fan_in"] == 90
    assert {t["inputs"] for t in found["trials"] if t["operation"] == "addition"} == {100}
    early = [t for t in found["trials"] if t["sweep"] == sweeps.EARLY.name and t["operation"] == "addition"]
    assert [t["choice"] for t in early if t["take"]] == ["NAU"]
    wide = json.loads(said(0, "init", "task", "--fan-in", 100, "--fan-out", 3, "--json"))["trials"]
    assert {t["hidden"] for t in wide if t["operation"] == "multiplication"} == {3}
    said(2, "init", "task", "--fan-in", 0)
