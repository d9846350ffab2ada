"""One claim as text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from paper_checks.claims.claim import Claim
from paper_checks.findings import Finding, PointFinding, Verdict
from paper_checks.report.at import points_in_words
from paper_checks.report.evidence import mutants, resolution
from paper_checks.report.text import printable, sentence

__all__ = ["describe", "judged", "outcome"]

# Beyond it a number of standard errors is said in words.
FAR = 100


def describe(claim: Claim, verdict: Verdict | None) -> str:
    """The claim, its forms, and the evidence."""
    lines = [f"{claim.id}   {claim.at}", f"  {sentence(claim.says)}"]
    if claim.quote:
        lines.append(f"  quote:     “{claim.quote}”")
    for name in ("printed", "corrected", "exact"):
        form = getattr(claim, name)
        if form is not None:
            lines += [f"  {name + ':':<11}{form.expr}"]
    for evidence in claim.evidence:
        lines += [f"  {name + ':':<11}{text}" for name, text in getattr(evidence, "forms", {}).items()]
    if claim.relation.of_a_property:
        lines.append(f"  property:  {claim.relation.says}")
    relation = ", ".join(filter(None, [claim.relation.kind, claim.relation.detail]))
    lines += [f"  kind:      {claim.kind}", f"  relation:  {relation}"]
    for name in ("assumptions", "note", "unchecked"):
        if getattr(claim, name):
            lines.append(f"  {name + ': ':<11}{getattr(claim, name)}")
    if claim.same_samples_as:
        lines.append(f"  samples:   those of {claim.same_samples_as}")
    if verdict is None:
        lines.append(f"  not verified yet: paper-checks verify {claim.id}")
    else:
        lines += _verdict(claim, verdict)
    return printable("\n".join(lines))


def _verdict(claim: Claim, verdict: Verdict) -> list[str]:
    lines = [f"  verdict:   {verdict.status} (expected {verdict.expected}, tier {verdict.tier})"]
    if verdict.error:
        lines.append(f"  error:     {verdict.error}")
    if verdict.odd:
        lines.append(f"  disagree:  {verdict.odd}")
    if verdict.counterexample:
        lines.append(f"  counterexample: {verdict.counterexample}")
    if verdict.worst("resolution"):
        counted = f"; mutants {count}" if (count := mutants(verdict)) else ""
        lines.append(f"  resolution: {resolution(claim, verdict)}{counted}")
    words = points_in_words(claim)
    for finding in verdict.findings:
        lines.append(f"  {finding.rung}: {outcome(finding)} — {finding.says}{_power(finding)}")
        lines += [f"    {_point(claim, p, words)}" for p in finding.points]
    return [*lines, *(f"  without the assumption: {_point(claim, p, words)}" for p in verdict.price)]


def outcome(finding: Finding) -> str:
    """What a finding says of the print and, where there is another form, of that."""
    if finding.printed in (None, finding.truth):
        return f"{finding.truth}"
    return f"as printed {finding.printed}, right form {finding.truth}"


def _power(finding: Finding) -> str:
    text = f"; {finding.killed}/{finding.total} mutants rejected" if finding.total else ""
    return f"{text}, {finding.within} inside the resolution" if finding.within else text


def _point(claim: Claim, p: PointFinding, words: Mapping[str, str]) -> str:
    parts = []
    two = p.printed is not None and p.truth is not None and p.truth != p.printed
    if p.printed is not None:
        parts.append(f"{judged(claim)} {p.printed:.10g}{_off(p.z_printed) if two else ''}")
    if two:
        parts.append(f"right {p.truth:.10g}{_off(p.z)} {p.status}")
    if p.reference is not None:
        parts.append(f"integral {p.reference:.10g}")
    if p.measured is not None:
        parts.append(f"measured {p.measured:.10g} ± {p.se:.1g} (n {p.n:.1e})")
    if not two:
        z = p.z_printed if p.z is None else p.z
        parts.append(f"{p.status}{'' if z is None else f' (z {z:+.1f})'}")
    if p.scale is not None and p.scale != abs(p.truth or 0):
        parts.append(f"scale {p.scale:.4g}")
    return f"{words.get(p.point, p.point)}: {', '.join([*parts, *([p.reason] if p.reason else [])])}"


def judged(claim: Claim) -> str:
    """What a value in print is: that of the formula, or of something that is computed from it."""
    return "printed" if claim.functional is None and not claim.relation.of_a_property else "value judged"


def _off(z: float | None) -> str:
    """How far a form is from what was measured."""
    if z is None:
        return ""
    return f" ({abs(z):,.0f} standard errors off)" if abs(z) >= FAR else f" (z {z:+.1f})"
