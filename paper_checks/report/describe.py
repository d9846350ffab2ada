"""One claim as text for a terminal."""

from collections.abc import Mapping, Sequence

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Kind
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.judging.verdict import Verdict
from paper_checks.report.evidence import mutants, resolution
from paper_checks.report.formulas import in_words, judged, labels, points_in_words
from paper_checks.report.text import printable, sentence
from paper_checks.rules.means import Status

# The signs of relations for a terminal.
SIGNS = {r"\approx": "≈", r"\ge": ">=", r"\le": "<="}
# Beyond it a number of standard errors is said in words.
FAR = 100


def describe(claim: Claim, verdict: Verdict | None, missing: str = "not verified yet") -> str:
    """The claim, its forms, and the evidence; ``missing`` says why there is no verdict."""
    lines = [f"{claim.id}   {claim.at}", f"  {sentence(claim.says)}"]
    if claim.quote:
        lines.append(f"  quote:     “{claim.quote}”")
    for name, label in labels(claim, verdict).items():
        form = getattr(claim, name)
        if form is not None:
            sign = SIGNS.get(claim.relation.sign, claim.relation.sign) if name == "printed" else "="
            lines += [f"  {label.partition(' (')[0].lower() + ': ':<11}{in_words(form)} {sign} {form.expr}"]
    if claim.correct:
        lines.append(f"  correct:   {', '.join(claim.correct)}")
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
        lines.append(f"  {missing}")
    else:
        lines += _verdict(claim, verdict)
    return printable("\n".join(lines))


def _verdict(claim: Claim, verdict: Verdict) -> list[str]:
    word = claim.relation.word
    lines = [f"  verdict:   {word(verdict.status)} (expected {word(verdict.expected)}, precision {verdict.tier})"]
    if verdict.error:
        lines.append(f"  error:     {verdict.error}")
    if verdict.odd:
        lines.append(f"  disagree:  {verdict.odd}")
    if verdict.counterexample:
        lines.append(f"  counterexample: {verdict.counterexample}")
    if verdict.worst("resolution"):
        counted = f"; altered formulas rejected: {count}" if (count := mutants(verdict)) else ""
        lines.append(f"  tolerance: {resolution(claim, verdict)}{counted}")
    words = points_in_words(claim)
    for finding in verdict.findings:
        lines.append(f"  {finding.rung}: {outcome(claim, finding)} — {finding.says}{_power(finding)}")
        lines += [f"    {_point(claim, p, words)}" for p in finding.points]
        lines += [f"    {row}" for row in _aligned([finding.columns, *finding.rows])]
    return [*lines, *(f"  without the assumption: {_point(claim, p, words)}" for p in verdict.price)]


def outcome(claim: Claim, finding: Finding) -> str:
    """The verdict on the statement and, if there is one, on the corrected formula."""
    if finding.printed in (None, finding.truth):
        return f"{finding.truth}"
    stated = "published" if claim.kind is Kind.PUBLISHED else "stated"
    return f"{stated} {finding.printed}, correct formula {finding.truth}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of a table, columns aligned to the right except the first."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_padded(row, widths)).rstrip() for row in rows if row]


def _padded(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))]


def _power(finding: Finding) -> str:
    text = f"; {finding.killed}/{finding.total} altered formulas rejected" if finding.total else ""
    return f"{text}, {finding.within} equivalent within the tolerance" if finding.within else text


def _point(claim: Claim, p: PointFinding, words: Mapping[str, str]) -> str:
    parts = []
    two = p.printed is not None and p.truth is not None and p.truth != p.printed
    if p.printed is not None:
        parts.append(f"{judged(claim)} {p.printed:.10g}{_off(p.z_printed) if two else ''}")
    if two:
        name = "corrected" if p.status is Status.REFUTED and claim.corrected is not None else "correct"
        parts.append(f"{name} {p.truth:.10g}{_off(p.z)} {p.status}")
    if p.reference is not None:
        parts.append(f"integral {p.reference:.10g}")
    if p.measured is not None and p.se is not None:
        parts.append(f"measured {p.measured:.10g} ± {p.se:.1g} (n {p.n:.1e})")
    elif p.measured is not None and not p.counted:  # the same quantity of our runs
        parts.append(f"ours {p.measured:.6g} (n {p.n})")
    if p.p is not None:
        parts.append(f"p {p.p:.2g}")
    if not two:
        z = p.z_printed if p.z is None else p.z
        parts.append(f"{claim.relation.word(p.status)}{'' if z is None else f' (z {z:+.1f})'}")
    if p.scale is not None and p.scale != abs(p.truth or 0):
        parts.append(f"relative to {p.scale:.4g}")
    return f"{words.get(p.point, p.point)}: {', '.join([*parts, *([p.reason] if p.reason else [])])}"


def _off(z: float | None) -> str:
    """How far a form is from what was measured."""
    if z is None:
        return ""
    return f" ({abs(z):,.0f} standard errors off)" if abs(z) >= FAR else f" (z {z:+.1f})"
