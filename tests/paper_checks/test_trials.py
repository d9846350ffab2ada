"""What to take: computed from stored runs, said to be missing where there are none, in the report and by init."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from montecarlo.training.arithmetic.runs import network
from paper_checks import Registry, Reproduces, declaring
from paper_checks.catalogue import load
from paper_checks.commands import init_task
from paper_checks.papers.neural_arithmetic_units import measured, sweeps
from paper_checks.report.trials import taken, to_take
from paper_checks.sweeps import collected
from paper_checks.trials import Trial, preferred
from theory import initialisation

NAU = load(["nau"])
FOUR = "(x_1 + x_2) times (x_1 + x_2 + x_3 + x_4), on U[1, 2]"


def trial(choice, successes=0, runs=0, median=None, sweep="mine/runs", task="a task", question="unit"):
    return Trial(question, "addition", 4, task, choice, [("nau", "published")], "c = 1", sweep, successes, runs, median)


def test_every_declared_sweep_of_single_settings_is_among_the_trials():
    known = {s.name for s in collected(NAU) if s.stored} - {sweeps.STARTS.name}
    told = {t.sweep for t in measured.trials()}
    left_out = {s.name for figure in (sweeps.FIGURE_4, sweeps.FIGURE_5, sweeps.FIGURE_6) for s in figure.values()}
    assert known - left_out <= told
    assert not told & left_out


def test_counts_are_those_of_the_stored_runs():
    found = {t.choice: t for t in measured.trials() if t.task == FOUR}
    runs = measured.found(sweeps.TABLE_3, sweeps.TABLE_3.points[2])
    nmu = found["NMU"]
    assert (nmu.successes, nmu.runs, nmu.median) == (runs.successes, 400, np.median(runs.solved_at))
    assert [t.choice for t in preferred(list(found.values()))] == ["NMU"]


def test_each_setting_is_told_by_its_own_runs(monkeypatch):
    """Those of Table 6 differ by what they leave out."""

    def rows(sweep):
        solved = np.arange(10)
        return [np.array([np.where(solved < i, 0.0, 9e9)] * len(sweep.columns)).T for i in range(len(sweep.points))]

    monkeypatch.setattr(measured, "stored_rows", rows)
    found = {t.choice: t.successes for t in measured.trials() if t.question == "variant" and t.sweep == "nau/table6"}
    assert list(found.values()) == [0, 1, 2, 3, 4, 5]


def test_runs_of_other_code_are_not_told(monkeypatch):
    monkeypatch.setattr(sweeps.TABLE_3.__class__, "digest", lambda *_: "0")
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


def test_the_report_says_what_to_take_what_judges_it_and_what_is_missing():
    with declaring(Registry()) as registry:
        registry.paper("mine", "M", "Me")
        registry.claim("mine/one", at="", says="", relation=Reproduces(), runs=sweeps.TABLE_3, experiment=print)
        waits_for = (sweeps.TABLE_3, replace(sweeps.TABLE_3, name="mine/third"))
        registry.claim("mine/two", at="", says="", relation=Reproduces(), runs=waits_for, unchecked="needs runs")
    table_3 = sweeps.TABLE_3.name
    some = [trial("NAU", 90, 100, 2e3, table_3), trial("NMU", 9, 100, 5.0, table_3), trial("NALU", sweep="mine/other")]
    alone = [trial("NAC", sweep="mine/more", task="another"), trial("ReLU", 9, 10, 2e3, table_3, task="another")]
    text = "\n".join(to_take([*some, *alone], registry))
    assert "| a task | NAU 90/100 [0.83, 0.94], solved at 2,000 | nau published | c = 1 |" in text
    assert "NMU 9/100 [0.05, 0.16], solved at 5; not trained: NALU |" in text
    assert f"- `{table_3}`: `mine/one`" in text
    assert "`paper-checks train mine/other mine/more mine/third`" in text
    assert "| another" not in text
    assert to_take([], registry) == []


def test_equally_good_choices_are_both_taken_and_that_solved_first_is_first():
    best = preferred([trial("slow", 10, 10, 9e5), trial("bad", 1, 10, 1.0), trial("fast", 10, 10, 2e3)])
    assert [t.choice for t in best] == ["fast", "slow"]
    assert preferred([trial("a", 0, 10), trial("b")]) == []


def test_one_choice_alone_is_not_recommended(in_process, monkeypatch):
    alone = [trial("ReLU", 10, 10, 2e3), trial("NAC")]
    assert taken(alone)[0] == []
    monkeypatch.setattr(init_task, "nearest", lambda *_: alone)
    assert in_process("init", "task", "--fan-in", 4, "--operation", "addition")[1] == (
        "addition: no two choices were trained\n"
    )


def test_init_names_the_unit_and_its_start(in_process):
    status, out, err = in_process("init", "task", "--operation", "multiplication", "--fan-in", 5)
    assert (status, err) == (0, "")
    assert f"take {next(t for t in measured.trials() if (t.task, t.choice) == (FOUR, 'NMU'))}" in out
    assert "nau 5 -> 2, published: U[-0.5, 0.5]" in out
    assert "nmu 2 -> 1, published: U[0.25, 0.75]" in out
    assert "not  NALU" in out
    found = json.loads(in_process("init", "task", "--fan-in", 90, "--json")[1])
    assert found["fan_in"] == 90
    assert {t["inputs"] for t in found["trials"] if t["operation"] == "addition"} == {100}
    early = [t for t in found["trials"] if t["sweep"] == sweeps.EARLY.name and t["operation"] == "addition"]
    assert [t["choice"] for t in early if t["take"]] == ["NAU"]
    assert in_process("init", "task", "--fan-in", 0)[0] == 2
