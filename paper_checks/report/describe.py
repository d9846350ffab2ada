"""One claim as text for a terminal."""

from __future__ import annotations

from paper_checks.claims.claim import Claim
from paper_checks.findings import Finding, PointFinding, Verdict
from paper_checks.report.evidence import mutants, resolution
from paper_checks.report.text import sentence

__all__ = ["describe"]


def describe(claim: Claim, verdict: Verdict | None, stale: str = "") -> str:
    """The claim, its forms, and the evidence; ``stale`` says why the verdict is not of the present code."""
    lines = [f"{claim.id}   {claim.at}", f"  {sentence(claim.says)}"]
    if claim.quote:
        lines.append(f"  quote:     “{claim.quote}”")
    for name in ("printed", "corrected", "exact"):
        form = getattr(claim, name)
        if form is not None:
            lines += [f"  {name + ':':<11}{form.expr}"]
    if claim.relation.of_a_property:
        lines.append(f"  property:  {claim.relation.says}")
    lines += [f"  kind:      {claim.kind}", f"  relation:  {claim.relation.kind}"]
    for name in ("assumptions", "note", "unchecked"):
        if getattr(claim, name):
            lines.append(f"  {name + ':':<11}{getattr(claim, name)}")
    if verdict is None:
        return "\n".join([*lines, f"  not verified yet: paper-checks verify {claim.id}"])
    return "\n".join([*lines, *_verdict(claim, verdict, stale)])


def _verdict(claim: Claim, verdict: Verdict, stale: str) -> list[str]:
    lines = [f"  verdict:   {verdict.status} (expected {verdict.expected}, tier {verdict.tier})"]
    if stale:
        lines.append(f"  stale:     {stale}; paper-checks verify {claim.id}")
    if verdict.error:
        lines.append(f"  error:     {verdict.error}")
    if verdict.odd:
        lines.append(f"  disagree:  {verdict.odd}")
    if verdict.counterexample:
        lines.append(f"  counterexample: {verdict.counterexample}")
    if verdict.worst("resolution"):
        lines.append(f"  resolution: {resolution(claim, verdict)}; mutants {mutants(verdict)}")
    for finding in verdict.findings:
        lines.append(f"  {finding.rung}: {finding.truth} — {finding.says}{_power(finding)}")
        lines += [f"    {_point(p)}" for p in finding.points]
    return [*lines, *(f"  without the assumption: {_point(p)}" for p in verdict.price)]


def _power(finding: Finding) -> str:
    text = f"; {finding.killed}/{finding.total} mutants rejected" if finding.total else ""
    return f"{text}, {finding.within} inside the resolution" if finding.within else text


def _point(p: PointFinding) -> str:
    parts = [p.point, str(p.status)]
    if p.printed is not None:
        parts.append(f"printed {p.printed:.10g}")
    if p.truth is not None and p.truth != p.printed:
        parts.append(f"right {p.truth:.10g}")
    if p.reference is not None:
        parts.append(f"integral {p.reference:.10g}")
    if p.measured is not None:
        z = p.z_printed if p.z is None else p.z
        parts.append(f"measured {p.measured:.10g} ± {p.se:.1g} (z {z:+.1f}, n {p.n:.1e})")
    if p.scale is not None and p.scale != abs(p.truth or 0):
        parts.append(f"scale {p.scale:.4g}")
    if p.reason:
        parts.append(p.reason)
    return ", ".join(parts)
