"""A kernel's names outside of it mean what they meant when it was defined, or nothing is sampled."""

import json
from pathlib import Path

import numpy as np
import pytest

from montecarlo import Job, Store, generator, kernel, mean, measure, simulator, uniform2
from paper_checks.claims.catalogue import load_file
from paper_checks.commands.entries import digest_of_sources
from paper_checks.commands.main import main

RATE, TABLE, COUNTED = 0.5, np.array([0.5, 2.0]), []


def halved(x):
    return RATE * x


@kernel
def scaled(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0] = RATE * uniform2(stream, first + i, 0)[0]


@kernel
def from_a_table(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0] = TABLE[0] * uniform2(stream, first + i, 0)[0]


@simulator(block=256)
def by_a_function(stream, first, out):
    COUNTED.append(first)
    for i in range(out.shape[0]):
        out[i, 0] = halved(generator(stream, first + i).random())


KERNELS = [scaled, from_a_table, by_a_function]


def mean_of(played, store=None):
    (found,) = measure([Job(mean(played), {}, "c", looks=(1024,))], store=store)
    return found.mean


@pytest.mark.parametrize("played", KERNELS, ids=lambda k: k.name)
def test_a_value_that_has_changed_is_refused(played, monkeypatch, tmp_path):
    """Samples of the old value would be taken, or found in a store, for those of the new one."""
    with Store(tmp_path / "store.sqlite") as store:
        before = mean_of(played, store)
        assert before == pytest.approx(0.25, abs=0.03)
        with monkeypatch.context() as patched:
            patched.setitem(globals(), "RATE", 1.0)
            patched.setitem(globals(), "TABLE", np.array([1.0, 2.0]))
            with pytest.raises(ValueError, match=r"when the (kernel|simulator) was defined, got") as error:
                mean_of(played, store)
            assert "instead of" in str(error.value)
            assert "define the" in str(error.value)
        assert mean_of(played, store) == before


def test_an_array_that_was_written_to_is_refused():
    TABLE[1] = 3.0
    try:
        with pytest.raises(ValueError, match="TABLE must have the value"):
            mean_of(from_a_table)
    finally:
        TABLE[1] = 2.0


def test_a_list_that_a_simulator_writes_to_is_its_own():
    before = len(COUNTED)
    assert mean_of(by_a_function) == pytest.approx(0.25, abs=0.03)
    assert len(COUNTED) > before


def test_a_function_that_was_exchanged_is_refused(monkeypatch):
    monkeypatch.setitem(globals(), "halved", lambda x: x)
    with pytest.raises(ValueError, match="halved must have the value"):
        mean_of(by_a_function)


OWN = """
import json
from pathlib import Path
from sympy import Rational
from montecarlo import kernel, mean, uniform2
from paper_checks import claim, paper
from theory import Formula

paper("own", "Own", "x")
RATE = json.loads((Path(__file__).parent / "rate.json").read_text())["rate"]
kernels = []
for factor in {factors}:
    @kernel
    def scaled(stream, first, out):
        for i in range(out.shape[0]):
            out[i, 0] = RATE * factor * uniform2(stream, first + i, 0)[0]
    kernels.append(scaled)
claim("own/mean", at="p. 1", says="the mean is 1/4", printed=Formula("m", Rational(1, 4), ()), points=[{}],
      measured=mean(kernels[0]))
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(rate, factors="(1.0,)"):
        (tmp_path / "rate.json").write_text(json.dumps({"rate": rate}))
        (tmp_path / "own_of_rates.py").write_text(OWN.replace("{factors}", factors))
        return str(tmp_path / "own_of_rates.py")

    return write


def test_kernels_of_a_loop_are_refused(own, capsys):
    assert main(["verify", "--json", "--claims", own(0.5, "(1.0, 2.0)")]) == 1
    (verdict,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert verdict["verdict"] == "INCONCLUSIVE"
    says = json.dumps(verdict)
    assert "factor must have the value that it had when the kernel was defined, got 2.0 instead of 1.0" in says
    assert "make it a parameter" in says


def test_a_constant_from_a_file_counts_by_its_value(own):
    """Verdicts of an interrupted run are found again by this digest."""
    digests = []
    for rate in (0.5, 0.5, 1.0):
        file = own(rate)
        load_file(file)
        digests.append(digest_of_sources([], [Path(file)]))
    assert digests[0] == digests[1] != digests[2]
