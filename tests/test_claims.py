"""Every claim of every paper comes out as it declares, in the quick tier."""

from functools import cache

from montecarlo.engine import looks_up_to
from paper_checks import papers
from paper_checks.relations import Defines
from paper_checks.verdict import FAMILY
from paper_checks.verify import BUDGET, verify

CLAIMS = papers.built_in().select()


@cache
def verdicts_of(paper):
    """One run over all claims of a paper: their points share the workers."""
    return {v.id: v for v in verify([c for c in CLAIMS if c.paper == paper], tier="quick")}


def pytest_generate_tests(metafunc):
    claims = [c for c in CLAIMS if metafunc.cls and c.paper == metafunc.cls.paper]
    if "sampled" in metafunc.fixturenames:
        claims = [c for c in claims if c.measured and not isinstance(c.relation, Defines)]
        metafunc.parametrize("sampled", claims, ids=lambda c: c.id)
    elif "claim" in metafunc.fixturenames:
        metafunc.parametrize("claim", claims, ids=lambda c: c.id)


class OfPaper:
    """A class for each paper, so that the claims of one stay together when tests are spread over processes."""

    def test_claim_comes_out_as_declared(self, claim):
        verdict = verdicts_of(claim.paper)[claim.id]
        assert not [s for f in verdict.findings for s in f.defects]
        assert verdict.status is claim.expected_status, verdict
        assert verdict.as_expected, verdict

    def test_sampled_claim_rejects_mutants(self, sampled):
        verdict = verdicts_of(sampled.paper)[sampled.id]
        (finding,) = [f for f in verdict.findings if f.rung == "monte carlo"]
        assert finding.killed == finding.total > 0


class TestNeuralArithmeticUnits(OfPaper):
    paper = "nau"


class TestDyingReLU(OfPaper):
    paper = "relu"


class TestGaLU(OfPaper):
    paper = "galu"


def test_each_paper_has_its_class():
    assert {c.paper for c in CLAIMS} == {subclass.paper for subclass in OfPaper.__subclasses__()}


def test_claims_stay_within_the_shared_error_rate():
    points = sum(len(c.points) + (len(c.price.points) if c.price else 0) for c in CLAIMS if c.measured)
    assert points * len(looks_up_to(BUDGET["full"])) <= FAMILY
