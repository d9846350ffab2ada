"""Every claim of every paper comes out as it declares, in the quick tier."""

import pytest

from paper_checks.claims import catalogue
from paper_checks.claims.relations import Defines
from paper_checks.evidence import ladder
from paper_checks.judging.judge import LOOKS, verify
from paper_checks.judging.price import to_price
from paper_checks.rules.rates import FAMILY

CLAIMS = catalogue.load().select()
JUDGED = {}


@pytest.fixture
def verdict(request, claim):
    """By one run over the claims of a paper that are asked for, with '-k' perhaps: their points share the workers."""
    if claim.paper not in JUDGED:
        items = [
            item for item in request.session.items if getattr(item, "originalname", "") == request.function.__name__
        ]
        chosen = [item.callspec.params["claim"] for item in items if item.callspec.params["claim"].paper == claim.paper]
        JUDGED[claim.paper] = {v.id: v for v in verify(chosen, tier="quick")}
    return JUDGED[claim.paper][claim.id]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.id)
def test_claim_comes_out_as_declared(claim, verdict):
    """Those of one paper stay together when tests are spread over processes."""
    assert not [s for f in verdict.findings for s in f.defects]
    assert verdict.status is claim.expected_status, verdict
    assert verdict.as_expected, verdict
    if claim.measured and not isinstance(claim.relation, Defines):
        (finding,) = [f for f in verdict.findings if f.rung == "monte carlo"]
        assert finding.killed == finding.total > 0, "a sampled claim rejects altered formulas"


def test_claims_stay_within_the_shared_error_rate():
    points = sum(len(c.points) + (len(c.price.points) if c.price else 0) for c in CLAIMS if c.measured)
    assert points * max(map(len, LOOKS.values())) <= FAMILY


def test_claims_that_share_samples_measure_the_same_at_the_same_places():
    sharing = [claim for claim in CLAIMS if claim.same_samples_as]
    assert not [claim.id for claim in sharing if claim.same_samples_as in {other.id for other in sharing}]
    owners = [claim for claim in CLAIMS if claim.id in {other.same_samples_as for other in sharing}]
    played = {claim.id: measurements(claim) for claim in owners + sharing}
    known = {}
    for claim in owners + sharing:
        for m in played[claim.id]:
            job = m.job(1, (1,))
            assert known.setdefault((m.stream, m.index), job.key()) == job.key(), (claim.id, m.says)
    for claim in sharing:
        shared = {m.job(1, (1,)).key() for m in played[claim.id]} & {
            m.job(1, (1,)).key() for m in played[claim.same_samples_as]
        }
        assert shared, claim.id


def measurements(claim):
    """All that is sampled for a claim."""
    kinds = [kind for kind in ladder.RUNGS if kind.samples and kind.applies(claim)]
    return [*(m for kind in kinds for m in kind.points(claim, "quick")), *to_price(claim)]
