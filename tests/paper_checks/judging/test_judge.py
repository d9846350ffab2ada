"""From a claim to its verdict: right forms pass, wrong ones fail, and nothing in between is hidden."""

import json
import re
import sys
from dataclasses import replace

import mpmath
import numpy as np
import pytest
import sympy
from kernels_for_tests import Counting, area, spiked, triple
from sympy import Rational, cos, sin

from montecarlo import covariance, mean, moment
from montecarlo.engine.job import looks_up_to
from paper_checks import OPEN, WRONG, Always, Approximates, Bounds, Defines, Reproduces, Status, grid, verify
from paper_checks.claims.claim import Claim, Price
from paper_checks.commands.telling import line
from paper_checks.evidence import monte_carlo, setting
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.setting import Setting
from paper_checks.judging.judge import judge
from paper_checks.record import Record, RecordError
from paper_checks.report.describe import describe
from paper_checks.rules.means import OF_A_KNOWN_MEAN, RESOLUTION
from paper_checks.values.mutants import automatic
from theory import Formula
from theory.symbols import positive, real

side, scale, t = positive("side"), positive("scale"), real("t")

right = Formula("mean area", side**2 / 4)
wrong = Formula("mean area, misprinted", side**2 / 3)
nearly = Formula("mean area, a little off", side**2 * Rational(1005, 4000))
SIDES = grid(side=[1, "5/2"])


def mean_area(side):
    """The defining double integral."""
    return mpmath.quad(lambda x, y: x * y, [0, side], [0, side]) / side**2


def claim(**fields):
    """A claim about the mean area of a rectangle with uniform sides."""
    defaults = {
        "id": "test/area", "at": "eq. (1)", "says": "mean area", "printed": right, "points": SIDES,
        "measured": mean(area),
    }  # fmt: skip
    return Claim(**{**defaults, **fields})


def judged(made, **options):
    (verdict,) = verify(iter([made]), **options)
    return verdict


def finding(verdict, rung):
    return next(f for f in verdict.findings if f.rung == rung)


@pytest.mark.parametrize("tier", ["quick", "full"])
def test_a_true_claim_is_confirmed_at_the_resolution_of_the_tier(tier):
    verdict = judged(claim(), tier=tier)
    assert verdict.status is verdict.truth is verdict.expected is Status.CONFIRMED
    assert verdict.as_expected
    assert verdict.counterexample == ""
    assert verdict.worst("resolution") <= RESOLUTION[tier]
    assert verdict.killed == verdict.mutants > 0
    assert verdict.n == sum(p.n for p in verdict.findings[0].points) > 0


def test_a_misprint_is_refuted_by_the_estimate_that_confirms_its_correction():
    verdict = judged(claim(printed=wrong, corrected=right, integral=mean_area))
    assert verdict.expected is verdict.status is Status.REFUTED
    assert verdict.truth is Status.CONFIRMED
    assert verdict.as_expected
    for rung in ("quadrature", "monte carlo"):
        found = finding(verdict, rung)
        assert (found.printed, found.truth) == (Status.REFUTED, Status.CONFIRMED)
    for p in finding(verdict, "monte carlo").points:
        assert abs(p.z_printed) > 100
        assert abs(p.z) < 6
        assert p.printed == pytest.approx(p.truth * 4 / 3)
    assert "formula 2.08" in verdict.counterexample or "formula 0.33" in verdict.counterexample
    assert "standard errors" in verdict.counterexample


@pytest.mark.parametrize(("printed", "fields", "status", "words"), [
    (wrong, {"corrected": Formula("", side**2 / 5)}, Status.REFUTED, "REFUTED as expected, but the corrected"),
    (right, {"corrected": Formula("", (side / 2) ** 2)}, Status.CONFIRMED, "published statement is confirmed, so"),
    (right, {"expects": WRONG}, Status.CONFIRMED, "published statement is confirmed, so leave"),
    (right, {"expects": OPEN}, Status.CONFIRMED, "published statement is confirmed, so leave"),
])  # fmt: skip
def test_a_correction_that_is_wrong_as_well_or_corrects_nothing_is_unexpected(printed, fields, status, words):
    made = claim(printed=printed, **fields)
    verdict = judged(made)
    assert verdict.status is status
    assert verdict.truth is (status if fields.get("expects") is not WRONG else Status.INCONCLUSIVE)
    assert not verdict.as_expected
    told = line(made, verdict)
    assert words in told
    assert "a different value" not in told
    if status is Status.REFUTED:
        assert ", corrected formula 1.25 (refuted as well)" in verdict.counterexample
        assert "corrected 1.25 (z" in describe(made, verdict)
        assert ", correct 1.25" not in told + describe(made, verdict)


def test_a_refuted_claim_whose_correct_formula_needs_more_samples_says_so():
    made = claim(printed=Formula("", 9 * side), corrected=right)
    verdict = judged(made, budget=10)
    assert (verdict.status, verdict.truth) == (Status.REFUTED, Status.INCONCLUSIVE)
    assert "REFUTED as expected, but what is correct is INCONCLUSIVE; " in line(made, verdict)


def test_every_mutant_beyond_the_resolution_is_rejected_by_the_same_estimate():
    slips = {
        "a third": side**2 / 3, "cube": side**3 / 4, "a formula": Formula("", sin(side)),
        "the same in other words": (side / 2) ** 2,
    }  # fmt: skip
    found = finding(judged(claim(slips=slips), tier="full"), "monte carlo")
    assert found.survivors == ()
    assert found.killed == found.total >= 6
    without = finding(judged(claim(), tier="full"), "monte carlo")
    assert found.total == without.total + 3, "a slip within the resolution does not count as rejected"


KNOWN = {"integral": (mean_area, lambda side: mean_area(side) * mpmath.mpf("1.005")),
         "derivation": (lambda: side**2 / 4, lambda: side**2 * Rational(1005, 4000))}  # fmt: skip


@pytest.mark.parametrize("evidence", sorted(KNOWN))
def test_samples_of_a_mean_that_is_known_exactly_test_the_model(evidence):
    """They need a ninth of the samples, and still refute a formula and an integral of another model."""
    known, of_another = KNOWN[evidence]
    both = (judged(claim(**more), tier="full") for more in ({evidence: known}, {}))
    played, alone = (finding(verdict, "monte carlo") for verdict in both)
    assert max(p.resolution for p in played.points) <= OF_A_KNOWN_MEAN["full"]
    assert sum(p.n for p in played.points) < sum(p.n for p in alone.points) / 4
    assert played.killed == played.total == alone.total
    verdict = judged(claim(**{"printed": nearly, evidence: of_another}), tier="full")
    assert verdict.findings[0].truth is Status.CONFIRMED
    assert verdict.status is finding(verdict, "monte carlo").truth is Status.REFUTED


def test_points_that_cannot_tell_a_mutant_are_reported_and_a_named_slip_there_is_a_defect():
    """At side = 1 alone the exponent does not matter."""
    blind = claim(points=grid(side=1), measured=None, integral=mean_area)
    found = finding(judged(blind), "quadrature")
    assert any("exponent" in what for what in found.survivors)
    assert found.killed == found.total - len(found.survivors)
    assert not judged(replace(blind, slips={"cube": side**3 / 4})).as_expected
    assert judged(replace(blind, slips={"cube": side**3 / 4}, points=SIDES)).as_expected


approximation = Formula("cos to second order", 1 - t**2 / 2)
cosine = Formula("cos", cos(t))


def approximates(**fields):
    defaults = {
        "id": "test/cos", "at": "eq. (2)", "says": "cos t is about 1 - t^2/2", "printed": approximation,
        "exact": cosine, "relation": Approximates(2, lambda t: {"t": t}), "points": grid(t=["1/10", 1]),
        "integral": lambda t: 1 - mpmath.quad(mpmath.sin, [0, t]),
    }  # fmt: skip
    return Claim(**{**defaults, **fields})


def test_an_approximation_is_judged_by_the_order_of_its_error():
    verdict = judged(approximates())
    assert verdict.as_expected
    order = finding(verdict, "order")
    assert order.printed is Status.CONFIRMED
    assert "t^4.00" in order.says
    assert order.killed > 0
    assert any("dropped" in w for w in {*automatic(approximation.expr, RESOLUTION["full"])} - {*order.survivors})
    assert [p.truth for p in order.points] == pytest.approx([np.cos(0.1), np.cos(1)])


@pytest.mark.parametrize("form", [1 + t**2 / 2, 1 - t**2 / 3, 1 - t**3 / 2, sympy.Integer(1), 2 - t**2 / 2], ids=str)
def test_a_wrong_approximation_is_refuted_even_where_it_is_close(form):
    assert judged(approximates(printed=Formula("", form, (t,)))).status is Status.REFUTED


def test_an_approximation_never_counts_as_equal():
    verdict = judged(approximates(printed=cosine, exact=Formula("", 1 - t**2 / 2)))
    assert not verdict.as_expected, "the exact form is not the integral"


@pytest.mark.parametrize(("bound", "kind", "status"), [
    (side**2 / 5, "below", Status.CONFIRMED), (side**2 / 3, "above", Status.CONFIRMED),
    (side**2 / 3, "below", Status.REFUTED), (side**2 / 5, "above", Status.REFUTED),
    (side**2 / 4, "below", Status.INCONCLUSIVE), (side**2 / 4, "above", Status.INCONCLUSIVE),
])  # fmt: skip
def test_a_bound_is_confirmed_refuted_or_open(bound, kind, status, monkeypatch):
    monkeypatch.setattr(setting, "LOOKS", {"quick": looks_up_to(2**18)})
    wrong = {"beyond": side**2 if kind == "below" else side**2 / 100}
    verdict = judged(claim(printed=Formula("", bound), relation=Bounds(kind), slips=wrong))
    assert verdict.status is status
    assert verdict.as_expected is (status is Status.CONFIRMED)


def test_a_slip_of_a_bound_must_fail_as_a_bound():
    bound = claim(printed=Formula("", side**2 / 5), relation=Bounds("below"))
    assert judged(replace(bound, slips={"too high": side**2 / 3})).as_expected
    assert not judged(replace(bound, slips={"true as well": side**2 / 6})).as_expected


@pytest.mark.parametrize("kind", [1, 2, 3], ids=["nan", "inf", "-inf"])
@pytest.mark.parametrize("relation", [Bounds("below"), Bounds("above"), None], ids=str)
def test_a_kernel_that_yields_no_number_never_passes(kind, relation):
    half = Formula("one half", Rational(1, 2))
    fields = {"relation": relation} if relation else {}
    made = Claim("test/spiked", at="", says="", printed=half, points=grid(kind=kind), measured=mean(spiked), **fields)
    with Counting() as counting:
        verdict = judged(made, executor=counting)
    assert verdict.status is Status.INCONCLUSIVE
    assert "not finite" in verdict.findings[0].points[0].reason
    assert len(counting.tasks) == 1, "more samples do not mend it"
    json.dumps(verdict.worst("z"), allow_nan=False)


def test_a_property_that_always_holds_is_confirmed_and_one_that_does_not_is_refuted():
    positive_area = Always("an area is positive", lambda value: value > 0)
    large_area = Always("an area is above one", lambda value: value > 1)
    assert judged(claim(measured=None, relation=positive_area)).as_expected
    assert judged(claim(measured=None, relation=large_area)).status is Status.REFUTED
    expected = judged(claim(measured=None, relation=large_area, expects=WRONG))
    assert expected.as_expected
    assert "side = 1" in expected.counterexample
    assert "an area is above one" in expected.counterexample


def reading(draws, side):
    """A rectangle, from the two uniforms of draw 0."""
    u, v = draws(0)
    return side * u * side * v


def definition(**fields):
    slips = {"a square": lambda draws, side: (side * draws(0)[0]) ** 2}
    return claim(**{"printed": None, "relation": Defines(reading), "slips": slips, **fields})


def test_a_definition_is_followed_draw_by_draw():
    verdict = judged(definition())
    assert verdict.as_expected
    assert (verdict.killed, verdict.mutants) == (1, 1)
    assert verdict.rungs == ["definition"]
    assert not judged(definition(slips={"the same": reading})).as_expected, "a slip that is none"


@pytest.mark.parametrize("factor", [1 + 1e-9, np.nan])
def test_a_kernel_that_plays_something_else_or_no_number_is_refuted(factor):
    made = definition(relation=Defines(lambda draws, side: reading(draws, side) * factor))
    assert judged(made).status is Status.REFUTED


def test_an_experiment_gets_tier_and_seed():
    seen = []

    def experiment(context):
        seen.append((context.tier, context.seed))
        return Finding("experiment", Status.CONFIRMED, Status.CONFIRMED, "seen", killed=1, total=1)

    made = Claim("test/fig", at="", says="", relation=Reproduces(), experiment=experiment)
    assert judged(made, tier="full", seed=5).as_expected
    assert seen == [("full", 5)]
    refuting = replace(made, experiment=lambda context: Finding("experiment", Status.REFUTED, Status.REFUTED))
    assert not judged(refuting).as_expected


def test_the_price_of_an_assumption_is_measured_and_does_not_judge():
    price = Price("squares instead of rectangles", moment(triple, 2), grid(side=1, slope=1, shift=0))
    verdict = judged(claim(points=grid(side=[1, 2]), price=price))
    assert verdict.as_expected
    (point,) = verdict.price
    assert point.printed == 0.25
    assert abs(point.measured - 1 / 3) < 6 * point.se
    assert point.z_printed > 10


def test_a_vanishing_value_needs_a_scale():
    nothing = Formula("zero", t * 0, (t,))
    centred = Claim("test/zero", at="", says="", printed=nothing, points=grid(slope=0, shift=0, t=0),
                    measured=covariance(triple, 0, 1))  # fmt: skip
    error = judged(centred).error
    assert re.search(r"test/zero: the scale must be positive and finite, got 0 at .*name a scale=", error)
    scaled = judged(replace(centred, scale=lambda: Rational(1, 12)))
    assert scaled.status is Status.CONFIRMED
    assert scaled.findings[0].points[0].scale == pytest.approx(1 / 12)
    endless = [sympy.oo, mpmath.inf, mpmath.nan]
    for scale in (-1, *endless):
        verdict = judged(replace(centred, scale=lambda scale=scale: scale))
        assert verdict.status is Status.INCONCLUSIVE
        assert "scale must be positive and finite" in verdict.error
    by_integral = claim(measured=None, integral=lambda side: 3 * side)
    found = [judged(replace(by_integral, scale=lambda scale=scale: scale)) for scale in endless]
    assert [(v.status, v.as_expected) for v in found] == [(Status.INCONCLUSIVE, False)] * 3


def test_claims_that_share_samples_are_judged_as_alone_and_played_once():
    finer = claim(id="test/finer", same_samples_as="test/area", scale=lambda side: side**2 / 20)

    def points(verdict):
        return [(p.n, p.measured, p.se, p.status) for p in finding(verdict, "monte carlo").points]

    with Counting() as counting:
        first, second, other = verify([claim(), finer, claim(id="test/other")], executor=counting)
    assert points(first) == points(judged(claim()))
    assert points(second) == points(judged(finer))
    assert second.n > first.n
    assert sum(samples for *_, samples, _test in counting.tasks) == second.n + other.n
    assert points(other) != points(first)


def test_an_error_of_one_claim_is_none_of_those_that_share_its_samples(monkeypatch):
    def fails(asked, *rest, needed=monte_carlo.needed):
        return 1 / 0 if asked.id == "test/failing" else needed(asked, *rest)

    monkeypatch.setattr(monte_carlo, "needed", fails)
    failing, sound = verify([claim(id="test/failing", same_samples_as="test/area"), claim()])
    assert "ZeroDivisionError" in failing.error
    assert sound.as_expected


def test_verdicts_are_read_as_they_were_written_and_a_changed_digit_is_noticed(tmp_path):
    made = [claim(printed=wrong, corrected=right, integral=mean_area), approximates(), definition()]
    verdicts = tuple(replace(v, seconds=0.0) for v in verify(made))
    record, path = Record("quick", 1, "paper-checks verify", verdicts), tmp_path / "record.json"
    record.write(path)
    assert Record.read(path) == record
    path.write_text(path.read_text().replace("0.25,", "0.26,", 1))
    with pytest.raises(RecordError, match="changed after they were written"):
        Record.read(path)
    data = json.loads(path.read_text())
    del data["digest"]  # As in files of older versions.
    data["verdicts"][0]["findings"][0]["points"][0]["n"] = "many"
    path.write_text(json.dumps(data))
    with pytest.raises(RecordError, match="n must be int, got 'many'"):
        Record.read(path)


def test_the_shared_error_rate_has_a_limit(monkeypatch):
    monkeypatch.setattr("paper_checks.judging.judge.FAMILY", 41)
    with pytest.raises(ValueError, match="at most 41 comparisons share the family-wise error rate, got 106"):
        verify([claim()])  # 2 points, 53 looks each


def test_what_no_seed_changes_is_worked_out_once(monkeypatch):
    made, known, asked = claim(printed=wrong, corrected=right, integral=mean_area), {}, []
    judge(made, Setting("quick", 1), known)
    assert set(known) == {"quadrature"}
    anew = judge(made, Setting("quick", 2))
    monkeypatch.setattr("paper_checks.evidence.quadrature.reference_of", lambda *a, **k: asked.append(a))
    assert judge(made, Setting("quick", 2), known).to_dict() == anew.to_dict()
    assert not asked


def test_a_claim_that_leaves_the_program_is_its_verdict_and_an_interruption_is_none():
    left = judged(claim(measured=None, proof=lambda: sys.exit(0)))
    assert "SystemExit: 0" in left.error
    assert not left.as_expected

    def press():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judged(claim(measured=None, proof=press))


@pytest.mark.parametrize(("fields", "words"), [
    ({"id": "no place"}, "id must look like 'paper/place'"),
    ({"id": "test/.."}, "id must look like 'paper/place'"),
    ({"id": "test/.hidden"}, "no dot at the beginning"),
    ({"id": "test/" + "x" * 96}, "id must have at most 100 characters, got 101"),
    ({"relation": Approximates(1, lambda t: {})}, "needs exact="),
    ({"printed": None, "corrected": right}, "corrected= needs printed="),
    ({"printed": None}, "compares printed="),
    ({"printed": None, "measured": None, "derivation": lambda: side}, "compares printed="),
    ({"printed": None, "measured": None, "relation": Always("", bool)}, "always needs printed="),
    ({"measured": None, "printed": None, "relation": Defines(reading)}, "needs measured="),
    ({"measured": None}, "needs a check"),
    ({"points": ()}, "needs points"),
    ({"same_samples_as": "eq. (1)"}, "same_samples_as= must be the id of a claim that measures the same"),
], ids=lambda v: v if isinstance(v, str) else "")  # fmt: skip
def test_a_claim_that_could_not_be_judged_is_refused_when_declared(fields, words):
    with pytest.raises(ValueError, match=words):
        claim(**fields)


def test_an_error_of_who_is_told_is_not_swallowed():
    def fails(_verdict):
        raise RuntimeError("who is told fails")

    with pytest.raises(RuntimeError, match="who is told fails"):
        verify([Claim("test/quick", at="", says="", proof=lambda: True)], reached=fails)
