"""``init``: what it recommends, the claims that it names, what it refuses."""

import argparse
import json

import pytest

from montecarlo.descent.relu_unit import Method
from paper_checks.claims import catalogue
from paper_checks.commands.init import UNITS, smooth
from paper_checks.commands.init.gains import criteria
from paper_checks.commands.init.relu_unit import shares
from paper_checks.commands.init.screen import BEHIND
from paper_checks.experiments import trained
from paper_checks.rules.means import Status
from paper_checks.rules.strata import p_value
from theory import initialisation
from theory.initialisation.wanted_length import MEASURES, NONLINEARITIES
from theory.signal_propagation import gain

pytestmark = pytest.mark.slow

LAYER = ("--fan-in", 10, "--fan-out", 5)
# By command: what most networks learnt with.
RECOMMENDED = {
    ("nmu", 10, 5): "published",
    ("nmu", 10, 5, "--input-mean", 1.5, "--input-variance", 0.0833): "published",
    ("nmu", 2, 1): "published",
    ("nmu", 2, 1, "--input-variance", 5): "published",
    ("nau", 10, 5): "published",
    ("nau", 10, 5, "--input-mean", 1.5, "--input-variance", 0.0833): "forward",
    ("nac", 10, 5): "forward",
    ("kaiming", 64, 64): "he",
    ("relu", 64, 64): "he",
    ("xavier", 10, 5): "glorot",
}


@pytest.fixture
def asked(in_process):
    """What is said without a warning."""

    def ask(unit, fan_in, fan_out, *more):
        status, out, err = in_process("init", unit, "--fan-in", fan_in, "--fan-out", fan_out, *more)
        assert (status, err) == (0, "")
        return out

    return ask


@pytest.mark.parametrize(("words", "criterion"), RECOMMENDED.items())
def test_the_criterion_with_which_most_networks_learnt_is_recommended(words, criterion, asked):
    assert json.loads(asked(*words, "--json"))["criterion"] == criterion


@pytest.mark.parametrize("unit", ["nmu", "nau", "nac_add", "nac_mul", "nalu"])
def test_no_recommendation_solves_significantly_fewer_networks_of_a_task_or_it_says_so(unit, asked):
    groups = {}
    for trial in trained.read():
        if trial.question == f"start of {unit}" and trial.runs:
            groups.setdefault((trial.fans, trial.moments, trial.task), []).append(trial)
    assert len(groups) >= 5
    for (fans, (mean, variance), task), trials in groups.items():
        if unit in ("nac_mul", "nalu") and mean < 1:  # whose gains are not finite there
            continue
        inputs = ("--input-mean", mean, "--input-variance", variance)
        out = asked(unit.replace("_", "-"), *fans, *inputs)
        counts = {t.choice: (t.successes, t.runs) for t in trials}
        taken = next((c for c in counts if f"Recommended: criterion {c!r}" in out), None)
        if taken is None:  # what has the distribution of another criterion was trained under that name
            assert unit.startswith("nac")
            continue
        best = max(counts, key=lambda c: counts[c][0] / counts[c][1])
        assert p_value(*counts[best], *counts[taken]) >= 0.01 or f"For {task}: {best!r}" in out


@pytest.mark.parametrize(("words", "found"), [
    (("nmu", 10, 5), "Evidence: 'published' solved 192 of 192 networks (600 iterations), 'backward' 192 of 192"),
    (("linear", 10, 5), "no trained networks are stored for this layer"),
    (("nmu", 1000, 5), "No networks were trained with such a layer"),
    (("nmu", 10, 5, "--criterion", "compromise"), "Asked for: criterion 'compromise', weights Beta"),
    (("nmu", 10, 5, "--criterion", "compromise"), "Recommended is 'published'"),
])  # fmt: skip
def test_the_evidence_stands_in_one_line_or_is_said_to_be_missing(words, found, asked):
    assert found in asked(*words)


@pytest.mark.parametrize("unit", ["nmu", "nalu", "relu", "dense"])
def test_a_layer_fills_one_screen_with_code_for_each_framework(unit, asked):
    lines = asked(unit, 10, 5).splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 170
    for framework in ("PyTorch:", "JAX:", "Keras:"):
        assert any(line.strip().startswith(framework) for line in lines)
    assert any(line.startswith("criterion") and line.endswith("weights") for line in lines)


@pytest.mark.parametrize("behind", ["gelu", "mish", "celu", "squared_relu", "swiglu", "geglu"])
def test_dense_layers_behind_a_named_activation(behind, asked):
    found = json.loads(asked("dense", 64, 32, "--behind", behind, "--json"))
    assert found["alternatives"]["forward"]["forward_gain"] == pytest.approx(1, rel=1e-12)
    assert found["variance"] == pytest.approx(gain(behind) ** 2 / 64, rel=1e-12)


def test_a_task_fills_one_screen(said):
    out = said(0, "init", "task", "--fan-in", 4)
    assert len(out.splitlines()) <= 25
    for operation in ("Addition", "Subtraction", "Multiplication"):
        assert f"\n{operation}, trained on" in out
    assert "NMU: 367 of 400 networks solved" in out


def test_the_file_of_trials_is_that_of_the_stored_runs():
    assert trained.text_of(trained.collected()) == trained.FILE.read_text(), (
        "python -m paper_checks.experiments.trained"
    )


@pytest.mark.parametrize("unit", UNITS)
def test_every_alternative_is_printed(said, unit):
    known = criteria(unit.replace("-", "_"))
    out = said(0, "init", unit, "--fan-in", 9, "--fan-out", 4, "--criterion", known[1])
    assert all(f"\n{criterion}" in out for criterion in known)


@pytest.fixture
def answered(said):
    """What a script reads."""
    return lambda *words: json.loads(said(0, "init", *words, "--json"))


def test_scripts_read_the_law_and_what_is_feasible(answered):
    found = answered("nmu", *LAYER)
    assert found["law"] == str(initialisation.nmu(10, 5, "published").law)
    assert found["alternatives"]["paper"]["forward_gain"] == pytest.approx(1 - 4.0**-10)
    assert "feasible" in found["alternatives"]["forward"]["infeasible"]
    assert answered("linear", *LAYER, "--distribution", "normal")["bounds"] == [None, None]


def test_weights_of_a_wanted_length_scale_are_told(answered, in_process):
    assert "sigma 1.20684" in in_process("init", "smooth", "--fan-in", 1, "--length-scale", 1)[1]
    of = ("--fan-in", 2, "--length-scale", 0.5, "--by", "zeros", "--nonlinearity", "erf")
    found = answered("smooth", *of)
    assert found["zeros_length"] == pytest.approx(0.5)
    assert found["nonlinearity"] == "erf"
    parser = argparse.ArgumentParser()
    smooth.add_arguments(parser)
    choices = {a.dest: a.choices for a in parser._actions if a.choices}
    assert choices == {"nonlinearity": NONLINEARITIES, "by": MEASURES}


UNIT = ("relu-unit", "--gamma", 0.1, "--target", "linear")


def test_the_best_scale_of_a_single_relu_is_told(answered, in_process):
    row = shares(4, 0.5, 0.1, 0.1, Method(0.1, 0.9), "linear")
    assert answered(*UNIT, "--fan-in", 4)["by_scale"]["0.1"] == row
    low, high = row.pop("interval")
    assert low < row["survives"] < high < low + 0.07
    assert sum(row.values()) == pytest.approx(1)
    out = in_process("init", *UNIT, "--fan-in", 4, "--starts", 20)[1]
    assert "gamma   survives          (95 %)" in out
    assert "fractions of 20 initialisations" in out
    out = in_process("init", *UNIT, "--fan-in", 1, "--start", "0.5,2")[1]
    assert "dies at step 28" in out
    assert "gamma < 0.152365" in out


def test_claims_behind_the_numbers_exist_and_are_expected_to_hold(in_process):
    assert {name.replace("-", "_") for name in UNITS} == set(BEHIND)
    ids = {i for some in BEHIND.values() for i in some}
    known = {claim.id: claim for claim in catalogue.load()}
    assert all(known[i].expected_status is Status.CONFIRMED for i in ids)
    out = in_process("init", "nmu", *LAYER)[1]
    assert all(i in out for i in BEHIND["nmu"])
    assert "constants/starts.nmu" in ids


@pytest.mark.parametrize(("arguments", "words"), [
    (["nmu", *LAYER, "--gamma", 1], "without --gamma"),
    (["nmu", *LAYER, "--operation", "addition"], "without --operation"),
    (["relu-unit", "--fan-in", 3, "--input-variance", 0], "without --input-variance"),
    (["relu-unit", "--fan-in", 3, "--gamma", 0], "--gamma must be positive, got 0"),
    (["relu-unit", "--fan-in", 3, "--sd-weight", 0], "--sd-weight must be positive"),
    (["relu-unit", "--fan-in", 2, "--start", "1,2"], "--start must have 2 weights and a bias, got '1,2'"),
    (["relu-unit", "--fan-in", 0], "--fan-in: must be a positive whole number, got 0"),
    (["relu-unit", "--fan-in", 2, "--fan-out", 2], "must be asked without --fan-out"),
    (["relu-unit", "--fan-in", 2, "--starts", 0], "--starts must be between 1 and 100000, got 0"),
    (["relu-unit", "--fan-in", 2, "--criterion", "forward"], "must be asked without --criterion"),
    (["smooth", "--fan-in", 1], "--length-scale must be given for smooth"),
    (["smooth", "--fan-in", 1, "--length-scale", 1, "--criterion", "he"], "smooth must be asked without --criter"),
    (["nau", *LAYER, "--distribution", "normal"], "--distribution must be left out for nau"),
    (["nmu", "--fan-in", 3], "--fan-out must be given for nmu"),
    (["nmu", "--fan-in", "9" * 400, "--fan-out", 2], "(at most 1e+15)"),
    (["nmu", *LAYER, "--plot", "noext"], "end it in .png, .svg or .pdf"),
    (["nmu", *LAYER, "--plot", "gains.nothing"], "--plot must name a picture file"),
    (["nmu", *LAYER, "--plot", ""], "must not be empty"),
    (["nmu", *LAYER, "--plot", "no/such/x.png"], "--plot must name a file in an existing folder, got no/such/x.png"),
    *(([unit, *LAYER, "--input-variance", v], f"--input-variance must be positive and finite, got {v}")
      for unit in ("dense", "nmu") for v in ("nan", "-1", "inf", "0")),
    (["dense", *LAYER, "--input-variance", "1e5"], "variance must be in [1e-12, 1000] for linear, got 100000"),
])  # fmt: skip
def test_what_a_unit_does_not_have_is_refused(said, arguments, words):
    assert words in said(2, "init", *arguments)


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_plot_is_written_under_its_name(said, tmp_path, suffix):
    file = tmp_path / f"gains.{suffix}"
    assert str(file) in said(0, "init", "nau", *LAYER, "--plot", file)
    assert list(tmp_path.iterdir()) == [file]
