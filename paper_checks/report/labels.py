"""What the formulas of a claim are called: whose they are, and which of them is correct."""

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Form, Kind

_PRINTED = {
    (Kind.PUBLISHED, Form.PUBLISHED): "Published",
    (Kind.PUBLISHED, Form.RECONSTRUCTED): "Reconstructed (our copy of the paper has lost the formula)",
    (Kind.PUBLISHED, Form.OURS): "The statement as a formula (ours)",
    (Kind.ADDITIONAL, Form.OURS): "Our result",
    (Kind.ALTERNATIVE, Form.OURS): "Our interpretation",
}


def labels(claim: Claim) -> dict[str, str]:
    """Headings of a claim's formulas by their fields.

    Examples
    --------
    >>> labels(Claim("mine/eq1", "eq. (1)", "it is so", kind=Kind.ALTERNATIVE, proof=bool))["corrected"]
    'Published'
    """
    printed = _PRINTED.get((claim.kind, claim.form), "Published")
    if claim.copy and printed == "Published":
        printed = "Published, as our copy has it"
    if claim.relation.of_a_property:
        printed = "Quantity tested"
    corrected = "Published" if claim.kind is Kind.ALTERNATIVE else "Correct"
    return {"printed": printed, "corrected": corrected, "exact": "Exact value"}
