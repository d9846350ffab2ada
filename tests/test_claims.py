"""Every claim of every paper comes out as it declares, in the quick tier."""

import pytest

from paper_checks import papers
from paper_checks.relations import Defines
from paper_checks.verify import verify

CLAIMS = papers.built_in().select()


@pytest.fixture(scope="session")
def verdicts():
    """One run over all claims: their points share the workers."""
    return {v.id: v for v in verify(CLAIMS, tier="quick")}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.id)
def test_claim_comes_out_as_declared(claim, verdicts):
    verdict = verdicts[claim.id]
    assert not [s for f in verdict.findings for s in f.defects]
    assert verdict.status is claim.expected_status, verdict
    assert verdict.as_expected, verdict


SAMPLED = [c for c in CLAIMS if c.measured and not isinstance(c.relation, Defines)]


@pytest.mark.parametrize("claim", SAMPLED, ids=lambda c: c.id)
def test_sampled_claim_rejects_mutants(claim, verdicts):
    verdict = verdicts[claim.id]
    (finding,) = [f for f in verdict.findings if f.rung == "monte carlo"]
    assert finding.killed == finding.total
    # At the quick tier's resolution a coarse scale can leave no mutant to sampling; then another rung rejects some.
    assert verdict.killed > 0


def test_claims_stay_within_the_shared_error_rate():
    from montecarlo.engine import looks_up_to
    from paper_checks.verdict import FAMILY
    from paper_checks.verify import BUDGET

    points = sum(len(c.points) + (len(c.price.points) if c.price else 0) for c in CLAIMS if c.measured)
    assert points * len(looks_up_to(BUDGET["full"])) <= FAMILY
