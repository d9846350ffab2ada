"""True claims are falsely refuted as rarely as is declared: the real rule and engine, at a rate that can be counted."""

import itertools
from statistics import NormalDist

import pytest
from kernels_for_tests import area, triple, uniform
from scipy.stats import binom

from montecarlo import covariance, law, mean, variance
from montecarlo.engine.job import looks_up_to
from montecarlo.engine.statistics import GROUP
from paper_checks import Claim, Distributed, Status, verify
from paper_checks.rules import laws, means
from theory import Formula
from theory.formula import Interval
from theory.symbols import positive

side, x = positive("side"), positive("x")
ALPHA = 0.01
"""Of one comparison, instead of 1e-11."""

LOOKS = looks_up_to(2**15, first=2**11)


def form(value, *arguments):
    return Formula("a true value", value, arguments)


MODELS = {
    "uniform": (form(1 / (2 + 0 * side), side), mean(uniform), {"side": 1}, "1/2"),
    "area": (form(side**2 / 4, side), mean(area), {"side": 1}, "1/2"),
    "variance": (form(side / 12, side), variance(triple, 0), {"side": 1, "slope": 1, "shift": 0}, "1/5"),
    "covariance": (form(side / 12, side), covariance(triple, 0, 1), {"side": 1, "slope": 1, "shift": 0}, "1/5"),
}


def true_claims(number):
    for i in range(number):
        printed, measured, point, scale = list(MODELS.values())[i % len(MODELS)]
        fields = {"printed": printed, "measured": measured, "points": [point], "scale": lambda scale=scale: scale}
        yield Claim(f"rate/{i}", at="", says="", **fields)


@pytest.fixture
def raised(monkeypatch):
    monkeypatch.setattr(means, "Z", -NormalDist().inv_cdf(ALPHA / 2 / 2))
    monkeypatch.setattr(laws, "COMPARISON", ALPHA)
    monkeypatch.setattr("paper_checks.evidence.setting.LOOKS", {"quick": LOOKS})


@pytest.mark.slow
def test_400_true_claims_are_refuted_within_a_raised_rate(raised):
    verdicts = [v for seed in range(4) for v in verify(list(true_claims(100)), seed=seed)]
    assert not any(v.error for v in verdicts)
    refuted = sum(v.status is Status.REFUTED for v in verdicts)
    # The rate is shared among all looks of a claim: their sum bounds what a claim errs with.
    assert 0 < refuted <= binom.isf(1e-6, len(verdicts), ALPHA * len(LOOKS))
    # What a variance or covariance counts are groups of samples.
    samples = [v.n * size for v, size in zip(verdicts, itertools.cycle((1, 1, GROUP, GROUP)), strict=False)]
    assert sum(n > LOOKS[0] for n in samples) > 300, "one look only: no sequence is tested"


@pytest.mark.slow
def test_true_laws_are_refuted_within_a_raised_rate(raised):
    printed = Formula("uniform", x, (x,), domain={x: Interval(0, 1)})
    claims = [
        Claim(f"law/{i}", at="", says="", printed=printed, relation=Distributed(), measured=law(uniform), points=[{}])
        for i in range(20)
    ]
    verdicts = verify(claims, seed=1)
    assert not any(v.error for v in verdicts)
    assert sum(v.status is Status.REFUTED for v in verdicts) <= binom.isf(1e-6, len(verdicts), ALPHA * len(LOOKS))
