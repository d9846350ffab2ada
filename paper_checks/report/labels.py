"""What formulas and points of a claim are called: whose and how correct a formula is, the values of its symbols."""

from collections.abc import Mapping

import sympy

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Form, Kind
from paper_checks.claims.points import show_point

# Longer values are shown to as many digits as a reader needs.
EXACT = 12
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


def points_in_words(claim: Claim) -> dict[str, str]:
    """By the text of a point in a finding: the same, and what follows for symbols of the formula that it leaves out.

    Examples
    --------
    >>> from paper_checks.claims.catalogue import load
    >>> (claim,) = load(["nau"]).select(["nau/eq49.factors"])
    >>> next(iter(points_in_words(claim).values())).rpartition("; ")[2]
    'so var_out = 1/3, var_q = 1/12, var_w = 1/3'
    """
    needed = {s.name for form in (claim.printed, claim.truth) if form is not None for s in form.expr.free_symbols}
    return {show_point(point): _in_words(claim, point, needed) for point in claim.points}


def _in_words(claim: Claim, point: Mapping[str, object], needed: set[str]) -> str:
    missing = sorted(needed - point.keys()) if claim.derived else []
    if not missing:
        return show_point(point)
    values = claim.namespace(point)
    return (
        f"{show_point(point)}; so {', '.join(f'{name} = {_value(values[name])}' for name in missing if name in values)}"
    )


def _value(value: sympy.Expr) -> str:
    text = str(value)
    return text if len(text) <= EXACT or not value.is_number else f"{float(value):.6g}"
