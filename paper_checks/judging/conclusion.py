"""The verdict on a claim from all findings."""

import math
from collections.abc import Sequence

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Form
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.setting import Setting
from paper_checks.judging.verdict import Verdict
from paper_checks.rules.means import Status, combine
from paper_checks.rules.rates import Z

# Name of the value of the stated formula: only numbers that the paper prints are called published.
STATED = {
    Form.PUBLISHED: "published formula", Form.RECONSTRUCTED: "reconstructed formula", Form.OURS: "stated value",
}  # fmt: skip


def concluded(
    claim: Claim, findings: Sequence[Finding], price: tuple[PointFinding, ...], setting: Setting, error: str = ""
) -> Verdict:
    """The verdict on a claim; INCONCLUSIVE where there is an error."""
    status = combine([f.printed for f in findings if f.printed is not None])
    truth = combine([_truth(claim, f) for f in findings])
    if error or (claim.unchecked and not findings):
        truth = status = Status.INCONCLUSIVE
    return Verdict(
        claim.id, status, truth, claim.expected_status, tuple(findings), setting.tier, setting.seed,
        _counterexample(claim, findings, status, truth), price, error, odd_one_out(findings),
    )  # fmt: skip


def _truth(claim: Claim, finding: Finding) -> Status:
    """Status of the correct formula by a finding; where none is known, an expected refutation confirms it."""
    if claim.expected_status is not Status.REFUTED or claim.truth is not claim.printed:
        return finding.truth
    if finding.printed is Status.CONFIRMED:
        return Status.INCONCLUSIVE  # Kinds of evidence contradict each other, or the expectation.
    return Status.CONFIRMED if finding.printed is Status.REFUTED else finding.truth


def odd_one_out(findings: Sequence[Finding]) -> str:
    """Which of formula, integral and samples disagrees with the other two; empty where none does."""
    by_rung = {f.rung: f for f in findings}
    quadrature, played = by_rung.get("quadrature"), by_rung.get("monte carlo")
    if not quadrature or not played or {quadrature.truth, played.truth} != {Status.CONFIRMED, Status.REFUTED}:
        return ""
    references = {p.point: p.reference for p in quadrature.points}
    for p in played.points:
        reference = references.get(p.point)
        if reference is None or p.measured is None or not math.isfinite(reference):
            continue
        numbers = (
            f"At {p.point}: formula {p.truth:.8g}, integral {reference:.8g}, samples {p.measured:.8g} ± {p.se:.1g}"
        )
        if quadrature.truth is Status.CONFIRMED:
            return f"the samples disagree with formula and integral, which agree; check the kernel. {numbers}"
        if abs(p.measured - reference) > Z * p.se:
            return f"the integral disagrees with formula and samples, which agree; check integral=. {numbers}"
    return "the integral and the samples disagree, at points where they cannot be compared"


def _counterexample(claim: Claim, findings: Sequence[Finding], status: Status, truth: Status) -> str:
    """One line of numbers where the stated formula is farthest from the correct one."""
    if status is not Status.REFUTED:
        return ""
    points = [p for f in findings for p in f.points if p.printed is not None]
    with_truth = [p for p in points if p.truth is not None and p.truth != p.printed]
    if with_truth:
        worst = max(with_truth, key=lambda p: abs(p.printed - p.truth) / max(abs(p.truth), 1e-300))
        measured = next((p for p in points if p.point == worst.point and p.measured is not None), None)
        corrected = f"correct {worst.truth:.8g}"
        if truth is Status.REFUTED and claim.corrected is not None:
            corrected = f"corrected formula {worst.truth:.8g} (refuted as well)"
        text = f"{_at(worst)}{STATED[claim.form]} {worst.printed:.8g}, {corrected}"
        return f"{text}, {_instead(measured)}" if measured else text
    failing = [p for p in points if p.status is Status.REFUTED]
    if failing and failing[0].p is not None:
        worst = min(failing, key=lambda p: p.p)
        ours = worst.counted or ("later than known" if worst.measured is None else f"{worst.measured:.4g}")
        return f"{worst.point}: published {worst.printed:.8g}, ours {ours}, p = {worst.p:.2g}"
    if failing:
        worst = max(failing, key=lambda p: abs(p.printed))
        # Of a quantity of ours a paper states a property, and no value.
        property_of_ours = claim.form is Form.OURS and (worst.measured is None or worst.z_printed is None)
        name = "value" if property_of_ours else STATED[claim.form]
        return f"{_at(worst)}{name} {worst.printed:.8g}; {_instead(worst)}"
    return next((f.says for f in findings if f.printed is Status.REFUTED), "")


def _at(point: PointFinding) -> str:
    """The point; nothing of a number that has none."""
    return f"at {point.point}: " if point.point else ""


def _instead(point: PointFinding) -> str:
    """The measured value, or the property that was expected."""
    if point.measured is None or point.z_printed is None:
        return f"expected: {point.reason}"
    off = f"{point.z_printed:+.3g} standard errors away"
    return f"measured {point.measured:.8g} ± {point.se:.1g} ({off})"
