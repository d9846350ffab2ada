"""Careless hands: nothing false is confirmed, nothing true refuted, and what cannot be judged says why."""

from concurrent.futures import ThreadPoolExecutor

import mpmath
import numpy as np
import pytest
import sympy
from kernels_for_tests import area

from montecarlo import kernel, mean, uniform2
from paper_checks import OPEN, Always, AtPoints, Bounds, Claim, Reproduces, Status, concluded, grid, verify, wrong
from paper_checks.claims.expectation import Expects
from paper_checks.evidence import ladder
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.rung import Rung
from theory import Formula
from theory.symbols import positive, real

k, side = positive("k"), positive("side")
PRINTED = Formula("17 k", 17 * k)
RIGHT = Formula("mean area", side**2 / 4)
WRONG = Formula("mean area, misprinted", side**2 / 3)
SAMPLED = {"measured": mean(area), "points": grid(side=[1, 2])}
# What a proof computes, in place of a constant, which is no proof.
HOLDS = {True: [1], False: []}


@pytest.mark.parametrize("integral", [
    lambda k: mpmath.inf, lambda k: -mpmath.inf, lambda k: mpmath.nan, lambda k: mpmath.log(k - k) if k else 0,
    lambda k: float("inf"),
])  # fmt: skip
def test_nothing_agrees_with_an_integral_that_is_not_finite(judged, integral):
    verdict = judged(printed=PRINTED, integral=integral, points=grid(k=[1, 2]))
    assert verdict.status is Status.INCONCLUSIVE
    assert verdict.error or "is not a finite number" in verdict.findings[0].points[0].reason


@pytest.mark.parametrize("outcome", [(False, "no"), (True, "yes"), "yes", 1, None, np.True_, sympy.true, []])
def test_only_true_proves_and_anything_but_a_bool_is_an_error(judged, outcome):
    for fields in (
        {"proof": lambda: outcome}, {"evidence": [AtPoints("81 points", lambda: outcome)]},
        {"printed": PRINTED, "points": grid(k=1), "relation": Always("it is so", lambda value: outcome)},
    ):  # fmt: skip
        verdict = judged(**fields)
        assert verdict.status is Status.INCONCLUSIVE
        assert "must return True or False" in verdict.error


def test_a_proof_and_a_check_at_points_are_called_what_they_are(judged):
    proved = judged(proof=lambda: bool(HOLDS[True]))
    tried = judged(evidence=[AtPoints("81 points of the square", lambda: bool(HOLDS[True]))])
    assert proved.as_expected is tried.as_expected is True
    assert [ladder.BY_NAME[v.rungs[0]].section for v in (proved, tried)] == ["proved", "at points"]
    assert "81 points" in tried.findings[0].says


def test_a_check_whose_mutants_all_survive_is_never_as_expected(judged):
    verdict = judged(
        relation=Reproduces(), experiment=lambda _: concluded(Status.CONFIRMED, "", {"a": False, "b": False})
    )
    assert verdict.status is Status.CONFIRMED
    assert not verdict.as_expected
    blind = judged(printed=PRINTED, integral=lambda k: 17 * k, points=grid(k=1), scale=lambda: 10**30)
    assert blind.killed == 0
    assert not blind.as_expected


def test_mutants_inside_the_resolution_are_counted_and_a_check_that_has_no_others_is_none(judged):
    tight, loose, blind = (
        judged(printed=RIGHT, measured=mean(area), points=grid(side=1), scale=lambda scale=scale: scale)
        for scale in (0.25, 20, 10**6)
    )
    assert tight.within < loose.within
    assert tight.within + tight.mutants == loose.within + loose.mutants == blind.within
    assert (blind.status, blind.mutants, blind.as_expected) == (Status.CONFIRMED, 0, False)
    assert "equivalent within the tolerance" in blind.findings[0].defects[0]


def test_an_integral_in_float64_is_taken_at_its_precision_and_says_so(judged):
    rounded = judged(printed=Formula("k/3", k / 3), integral=lambda k: float(k) / 3, points=grid(k=[1, 7]))
    assert rounded.as_expected
    assert "float64" in rounded.findings[0].says
    off = judged(printed=Formula("k/3", k / 3), integral=lambda k: float(k) * (1 + 1e-5) / 3, points=grid(k=1))
    assert off.status is Status.REFUTED


@pytest.mark.parametrize(("form", "integral", "measured", "words"), [
    (RIGHT, lambda side: side**2 / mpmath.mpf(3), area, "the integral disagrees with formula and samples"),
    (WRONG, lambda side: side**2 / mpmath.mpf(3), area, "the samples disagree with formula and integral"),
    (RIGHT, lambda side: side**2 / mpmath.mpf(4), area, ""),
    (WRONG, lambda side: side**2 / mpmath.mpf(4), area, ""),
])  # fmt: skip
def test_where_rungs_disagree_the_odd_one_out_is_named(judged, form, integral, measured, words):
    verdict = judged(printed=form, integral=integral, measured=mean(measured), points=grid(side=[1, 2]))
    assert words in verdict.odd
    assert bool(verdict.odd) == bool(words)
    assert verdict.as_expected is (form is RIGHT and not words)
    assert verdict.status is (Status.CONFIRMED if verdict.as_expected else Status.REFUTED)


REFUTED = {
    "samples": {"printed": WRONG, **SAMPLED},
    "integral": {"printed": WRONG, "integral": lambda side: side**2 / mpmath.mpf(4), "points": grid(side=[1, 2])},
    "derivation": {"printed": WRONG, "derivation": lambda: side**2 / 4},
    "proof": {"proof": lambda: bool(HOLDS[False])},
    "points": {"evidence": [AtPoints("two", lambda: bool(HOLDS[False]))]},
    "experiment": {"relation": Reproduces(), "experiment": lambda _: concluded(Status.REFUTED, "no")},
    "bound": {"printed": WRONG, "relation": Bounds("below"), **SAMPLED},
}


@pytest.mark.parametrize("path", REFUTED)
@pytest.mark.parametrize(
    "declared", [wrong(), wrong("misprint"), Expects(Status.REFUTED)], ids=["wrong", "a misprint", "a status"]
)
def test_what_is_believed_wrong_is_declared_without_a_correction_on_every_path(judged, path, declared):
    verdict = judged(**REFUTED[path], expects=declared)
    assert verdict.status is verdict.expected is Status.REFUTED
    assert verdict.as_expected
    assert not judged(**REFUTED[path]).as_expected, "unless it is declared"


def test_a_right_form_that_is_declared_wrong_is_unexpected(judged):
    for fields in (
        SAMPLED, {"derivation": lambda: side**2 / 4}, {**SAMPLED, "integral": lambda side: side**2 / mpmath.mpf(3)}
    ):  # fmt: skip
        assert not judged(printed=RIGHT, expects=wrong(), **fields).as_expected


@kernel
def failing(stream, first, side, out):
    for i in range(out.shape[0]):
        if first + i > 2**13:
            raise ValueError("no more")
        out[i, 0] = uniform2(stream, first + i, 0)[0] * side


@pytest.mark.parametrize("trouble", [
    {"integral": lambda side: 1 / 0}, {"integral": lambda side: {}["r"]}, {"scale": lambda: 0},
    {"experiment": lambda _: 1 / 0}, {"experiment": lambda _: "fine"}, {"points": grid(side=0)},
    {"slips": {"foreign": real("z")}}, {"measured": mean(failing)},
], ids=" ".join)  # fmt: skip
def test_an_exception_in_one_claim_is_its_verdict_and_ends_nothing(trouble):
    fields = {"printed": RIGHT, **SAMPLED}
    claims = [
        Claim("test/before", at="", says="", **fields),
        Claim("test/trouble", at="", says="", **{**fields, **trouble}),
        Claim("test/after", at="", says="", **fields),
    ]
    before, broken, after = verify(claims)
    assert before.as_expected is after.as_expected is True
    assert broken.status is Status.INCONCLUSIVE
    assert ("no more" if "measured" in trouble else "test/trouble") in broken.error


def test_an_error_is_unexpected_even_where_nothing_was_expected(judged):
    verdict = judged(relation=Reproduces(), experiment=lambda _: 1 / 0, expects=OPEN)
    assert not verdict.as_expected


def test_a_new_rung_is_one_record_and_no_edit_elsewhere(judged, monkeypatch):
    """Evidence of a kind that nothing else knows."""

    class Oracle(str):
        __slots__ = ()

    rung = Rung(
        name="oracle", letter="X", title="an oracle", section="measured", rank=99, record=Oracle,
        applies=lambda claim: any(isinstance(e, Oracle) for e in claim.evidence),
        find=lambda claim, work: Finding(
            "oracle", Status(claim.evidence[0]), Status(claim.evidence[0]), "says so", killed=1, total=1
        ),
    )  # fmt: skip
    unknown = judged(evidence=[Oracle("CONFIRMED")])
    assert "no kind of evidence applies" in unknown.error
    monkeypatch.setattr(ladder, "RUNGS", [*ladder.RUNGS, rung])
    assert judged(evidence=[Oracle("CONFIRMED")]).as_expected
    assert judged(evidence=[Oracle("REFUTED")], expects=wrong()).as_expected


def test_a_symbol_is_known_by_its_name_whatever_is_assumed_of_it(judged):
    """A slip or a derivation in a symbol that somebody else has declared."""
    other = sympy.Symbol("side")
    slipped = judged(printed=RIGHT, **SAMPLED, slips={"a third": other**2 / 3})
    assert slipped.as_expected
    assert judged(printed=RIGHT, derivation=lambda: other**2 / 4).as_expected
    assert not judged(printed=RIGHT, derivation=lambda: other**2 / 3).as_expected


def test_two_threads_that_judge_at_once_find_what_one_finds():
    """The precision of mpmath is global: an integral to 30 digits beside float work of another thread."""
    growth = Formula("e^k", sympy.exp(k))
    claims = [
        Claim(f"test/a{i}", at="", says="", printed=growth, points=grid(k=[i, i + 1]),
              integral=lambda k: 1 + mpmath.quad(mpmath.exp, [0, k]))
        for i in range(1, 6)
    ]  # fmt: skip
    with ThreadPoolExecutor(3) as threads:
        found = [[v.to_dict() for v in verdicts] for verdicts in threads.map(verify, [claims] * 3)]
    assert found == [[v.to_dict() for v in verify(claims)]] * 3
    assert all(v["status"] == Status.CONFIRMED for v in found[0])
    assert mpmath.mp.dps == 15


def test_figures_of_claims_without_values_say_so(said, folder):
    lines = ["from paper_checks import claim, paper", "paper('mine', 'My paper', 'Me')"]
    lines += ["claim('mine/even', at='', says='2 n is even', proof=lambda: all(2 * n % 2 == 0 for n in range(9)))"]
    (folder / "mine.py").write_text("\n".join(lines))
    said(0, "verify", "mine.py", "--workers", "1")
    assert "no claim has verified values at points, which a figure could show" in said(2, "figures", "mine.py")
