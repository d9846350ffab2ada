"""Every claim of every paper comes out as it declares, in the quick tier."""

from functools import cache

import pytest

from paper_checks import papers
from paper_checks.relations import Defines
from paper_checks.verify import verify

CLAIMS = papers.built_in().select()


def grouped(claims):
    """Claims as test parameters; those of one paper stay together when tests are spread over processes."""
    return [pytest.param(c, id=c.id, marks=pytest.mark.xdist_group(c.paper)) for c in claims]


@cache
def verdicts_of(paper):
    """One run over all claims of a paper: their points share the workers."""
    return {v.id: v for v in verify([c for c in CLAIMS if c.paper == paper], tier="quick")}


@pytest.mark.parametrize("claim", grouped(CLAIMS))
def test_claim_comes_out_as_declared(claim):
    verdict = verdicts_of(claim.paper)[claim.id]
    assert not [s for f in verdict.findings for s in f.defects]
    assert verdict.status is claim.expected_status, verdict
    assert verdict.as_expected, verdict


@pytest.mark.parametrize("claim", grouped(c for c in CLAIMS if c.measured and not isinstance(c.relation, Defines)))
def test_sampled_claim_rejects_mutants(claim):
    verdict = verdicts_of(claim.paper)[claim.id]
    (finding,) = [f for f in verdict.findings if f.rung == "monte carlo"]
    assert finding.killed == finding.total > 0


def test_claims_stay_within_the_shared_error_rate():
    from montecarlo.engine import looks_up_to
    from paper_checks.verdict import FAMILY
    from paper_checks.verify import BUDGET

    points = sum(len(c.points) + (len(c.price.points) if c.price else 0) for c in CLAIMS if c.measured)
    assert points * len(looks_up_to(BUDGET["full"])) <= FAMILY
