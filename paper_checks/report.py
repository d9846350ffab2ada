"""The report: what is proved, measured, approximate, wrong and unchecked, per paper, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paper_checks.claim import Claim, Paper, Registry
from paper_checks.findings import PointFinding, Verdict
from paper_checks.recorded import Record
from paper_checks.relations import Always, Approximates, Bounds, Defines, Reproduces
from paper_checks.verdict import FAMILY, FAMILY_ERROR, RESOLUTION, Status, Z

__all__ = ["describe", "report"]

RUNGS = {
    "symbolic": "S",
    "quadrature": "Q",
    "monte carlo": "M",
    "experiment": "E",
    "definition": "D",
    "property": "P",
    "order": "O",
}
SECTIONS = (
    "wrong", "contradicted", "undecided", "approximate", "proved", "measured", "definition", "reading", "unchecked",
)  # fmt: skip
TITLES = {
    "wrong": "Wrong in print",
    "contradicted": "Contradicted by runs",
    "undecided": "Undecided",
    "approximate": "Approximate",
    "proved": "Proved",
    "measured": "Measured",
    "definition": "Definitions",
    "reading": "Other readings, refuted",
    "unchecked": "Unchecked",
}
PREFACES = {
    "contradicted": "Statements on runs and pictures, not on formulas. Our settings are named with each; where the "
    "paper's differ or are lost, it may be right in its own.",
}


def report(registry: Registry, record: Record, captions: Mapping[str, str] | None = None) -> str:
    """The whole report as Markdown; ``captions`` by name of the figures that it shows at its end."""
    verdicts = {v.id: v for v in record.verdicts}
    missing = [c.id for c in registry if c.id not in verdicts]
    lines = ["# Paper checks", "", *_introduction(record), *_summary(registry, verdicts)]
    if missing:
        lines += [f"Not run: {', '.join(f'`{i}`' for i in missing)}.", ""]
    for paper in registry.papers.values():
        claims = [c for c in registry if c.paper == paper.name and c.id in verdicts]
        lines += _paper(paper, [(c, verdicts[c.id]) for c in claims])
    lines += _figures(captions or {})
    return "\n".join(lines).rstrip() + "\n"


def section(claim: Claim, verdict: Verdict) -> str:
    """The section in which a claim is reported."""
    if claim.unchecked:
        return "unchecked"
    if verdict.status is Status.INCONCLUSIVE:
        return "undecided"
    if verdict.status is Status.REFUTED:
        if claim.beyond:
            return "reading"
        return "contradicted" if isinstance(claim.relation, Reproduces) else "wrong"
    if isinstance(claim.relation, Approximates):
        return "approximate"
    if isinstance(claim.relation, Defines):
        return "definition"
    return "proved" if {"symbolic", "quadrature"} & set(verdict.rungs) else "measured"


def _introduction(record: Record) -> list[str]:
    return [
        "Each claim of each paper with the evidence for or against it. The file is written by",
        f"`{record.command}` and `paper-checks report`; do not edit it.",
        "",
        "**How to read it.** A claim is judged by every kind of evidence that applies:",
        "S symbolic proof · Q quadrature of the defining integral to 30 digits · M Monte Carlo of the model itself ·",
        "D the model follows the definition draw by draw · P a property of the printed value ·",
        "O order of an approximation's error · E experiment.",
        "Over all statistical comparisons together the probability of a false refutation is at most",
        f"{FAMILY_ERROR:.0e}: it is shared among {FAMILY:,} comparisons (claims × points × looks at growing sample",
        f"sizes), which makes an interval of ±{Z:.2f} standard errors. A claim is CONFIRMED when this interval lies",
        f"within ±{RESOLUTION['full']:g} of the stated scale around the formula, REFUTED when it excludes the formula.",
        "*Mutants* are wrong variants of the formula; a check that does not reject them is no check.",
        "",
        f"Tier `{record.tier}`, seed {record.seed}.",
        "",
    ]


def _summary(registry: Registry, verdicts: dict[str, Verdict]) -> list[str]:
    lines = [
        "| paper | claims | " + " | ".join(TITLES[s].lower() for s in SECTIONS) + " | mutants rejected |",
        "|---|" + "---|" * (len(SECTIONS) + 2),
    ]
    for paper in registry.papers.values():
        pairs = [(c, verdicts[c.id]) for c in registry if c.paper == paper.name and c.id in verdicts]
        counts = [sum(section(c, v) == name for c, v in pairs) for name in SECTIONS]
        killed, total = sum(v.killed for _, v in pairs), sum(v.mutants for _, v in pairs)
        lines.append(f"| {paper.title} | {len(pairs)} | {' | '.join(map(str, counts))} | {killed} of {total} |")
    return [*lines, ""]


def _paper(paper: Paper, pairs: list[tuple[Claim, Verdict]]) -> list[str]:
    lines = [f"## {paper.title}", "", f"{paper.authors}. Claim ids begin with `{paper.name}/`.", ""]
    if paper.lost:
        lines += ["> [!NOTE]", f"> {paper.lost}", ""]
    for name in SECTIONS:
        chosen = [(c, v) for c, v in pairs if section(c, v) == name]
        if chosen:
            lines += [f"### {TITLES[name]}", ""]
            if name in PREFACES:
                lines += [PREFACES[name], ""]
            if name in ("wrong", "contradicted", "reading"):
                lines += _wrong(paper, chosen)
            elif name == "approximate":
                lines += _approximate(paper, chosen)
            else:
                lines += _unchecked(chosen) if name == "unchecked" else _table(chosen)
    lines += _prices(pairs)
    lines += _kills(pairs)
    return lines


def _label(paper: Paper, claim: Claim) -> str:
    """What a form is: the paper's, or ours of what it says."""
    if isinstance(claim.relation, Always):
        return "Form judged:"
    return "Reconstructed form:" if paper.lost else "As printed:"


def _found(verdict: Verdict) -> list[str]:
    """What experiments found, in words."""
    return [_stopped(f.says) for f in verdict.findings if f.rung == "experiment" and f.says]


def _wrong(paper: Paper, pairs: Iterable[tuple[Claim, Verdict]]) -> list[str]:
    lines = []
    for claim, verdict in pairs:
        lines += [f"#### ✗ {claim.at} · `{claim.id}`", "", f"{_sentence(claim.says)}", ""]
        if claim.printed is not None and not isinstance(claim.relation, Bounds):
            lines += [_label(paper, claim), "", *_display(claim.printed.latex())]
        if claim.corrected is not None:
            lines += ["Right:", "", *_display(claim.corrected.latex())]
        if verdict.counterexample:
            lines += ["> [!WARNING]", f"> {_stopped(_escape(verdict.counterexample))}", ""]
        lines += [x for text in _found(verdict) if text != _stopped(verdict.counterexample) for x in (text, "")]
        lines += _details(claim)
    return lines


def _approximate(paper: Paper, pairs: Iterable[tuple[Claim, Verdict]]) -> list[str]:
    lines = []
    for claim, verdict in pairs:
        lines += [f"#### ≈ {claim.at} · `{claim.id}`", "", f"{_sentence(claim.says)}", ""]
        lines += [_label(paper, claim), "", *_display(claim.printed.latex())]
        lines += ["Exact:", "", *_display(claim.exact.latex())] if len(claim.exact.latex()) < 900 else []
        order = next((f for f in verdict.findings if f.rung == "order"), None)
        if order:
            lines += [f"Derivation: {order.says}.", ""]
            lines += ["| at | printed | exact | error |", "|---|---|---|---|"]
            for p in order.points:
                error = p.printed / p.truth - 1 if p.truth else float("nan")
                lines.append(f"| {_escape(p.point)} | {p.printed:.6g} | {p.truth:.6g} | {error:+.2%} |")
            lines.append("")
        measured = [f for f in verdict.findings if f.rung == "monte carlo"]
        if measured:
            worst = max((abs(p.z) for p in measured[0].points), default=0.0)
            lines += [
                f"The exact value is measured at {len(measured[0].points)} points: largest deviation "
                f"{worst:.1f} standard errors, resolution {_resolution(verdict)}.", "",
            ]  # fmt: skip
        lines += _details(claim)
    return lines


def _table(pairs: Iterable[tuple[Claim, Verdict]]) -> list[str]:
    lines = ["| claim | what it says | evidence | resolution | mutants |", "|---|---|---|---|---|"]
    for claim, verdict in pairs:
        evidence = " ".join(RUNGS[r] for r in verdict.rungs)
        mutants = f"{verdict.killed}/{verdict.mutants}" if verdict.mutants else "–"
        says = f"**{claim.at}** {_escape(claim.says)}"
        if claim.note:
            says += f" *{_escape(claim.note)}*"
        says += "".join(f" **Found:** {_escape(text)}" for text in _found(verdict))
        lines.append(f"| `{claim.id}` | {says} | {evidence} | {_resolution(verdict)} | {mutants} |")
    return [*lines, ""]


def _unchecked(pairs: Iterable[tuple[Claim, Verdict]]) -> list[str]:
    lines = [f"- `{c.id}`, {c.at}: {_sentence(c.says)} Not checked: {_sentence(c.unchecked)}" for c, _ in pairs]
    return [*lines, ""]


def _prices(pairs: Iterable[tuple[Claim, Verdict]]) -> list[str]:
    rows = []
    for claim, verdict in pairs:
        for point in verdict.price:
            change = (point.measured - point.printed) / abs(point.printed) if point.printed else float("nan")
            error = point.se / abs(point.printed) if point.printed else float("nan")
            trust = f" (not to be trusted: {_escape(point.reason)})" if point.reason else ""
            rows.append(
                f"| `{claim.id}` | {_escape(claim.price.says)} | {_escape(point.point)} "
                f"| {point.printed:.5g} | {point.measured:.5g} | {change:+.2%} ± {error:.2%}{trust} |"
            )
    if not rows:
        return []
    head = [
        "### The price of assumptions", "",
        "The model played without an assumption of the paper, against the paper's value.", "",
        "| claim | played instead | at | paper | measured | difference |", "|---|---|---|---|---|---|",
    ]  # fmt: skip
    return [*head, *rows, ""]


def _kills(pairs: Iterable[tuple[Claim, Verdict]]) -> list[str]:
    rows = []
    for claim, verdict in pairs:
        for finding in verdict.findings:
            if not finding.total:
                continue
            kept = "; ".join(finding.survivors) if finding.survivors else "–"
            rows.append(f"| `{claim.id}` | {finding.rung} | {finding.killed}/{finding.total} | {_escape(kept)} |")
    if not rows:
        return []
    head = [
        "<details><summary>Mutants: how many wrong variants each check rejects</summary>", "",
        "For Monte Carlo, those that differ by more than the resolution at some point. An order check cannot see "
        "changes that keep the order of the error.", "",
        "| claim | check | rejected | not rejected |", "|---|---|---|---|",
    ]  # fmt: skip
    return [*head, *rows, "", "</details>", ""]


def _details(claim: Claim) -> list[str]:
    lines = []
    if claim.assumptions:
        lines += [f"Assumes: {_sentence(claim.assumptions)}", ""]
    if claim.note:
        lines += [_sentence(claim.note), ""]
    return lines


def _resolution(verdict: Verdict) -> str:
    if verdict.status is Status.INCONCLUSIVE:
        return "–"
    worst = verdict.worst("resolution")
    exact = {"symbolic", "quadrature", "property", "order"} & set(verdict.rungs)
    return f"{worst:.1e}" if worst else "exact" if exact else "–"


def _figures(captions: Mapping[str, str]) -> list[str]:
    if not captions:
        return []
    lines = ["## Figures", "", "Drawn by `paper-checks figures`; the arrays and the recipe of each lie beside it.", ""]
    for name, caption in captions.items():
        lines += [f"### {name}", "", f"![{name}](figures/rendered/{name}.png)", "", " ".join(caption.split()), ""]
    return lines


def _display(latex: str) -> list[str]:
    return ["$$", latex, "$$", ""]


def _sentence(text: str) -> str:
    text = text.strip()
    return _stopped(text[:1].upper() + text[1:])


def _stopped(text: str) -> str:
    """With a full stop; what begins with a symbol keeps its case."""
    return text if text.endswith((".", "!", "?")) else text + "."


def _escape(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;")


def describe(claim: Claim, verdict: Verdict | None) -> str:
    """One claim as text for a terminal."""
    lines = [f"{claim.id}   {claim.at}", f"  {_sentence(claim.says)}"]
    for name in ("printed", "corrected", "exact"):
        form = getattr(claim, name)
        if form is not None:
            lines += [f"  {name + ':':<11}{form.expr}"]
    if isinstance(claim.relation, Always):
        lines.append(f"  property:  {claim.relation.says}")
    lines.append(f"  relation:  {claim.relation.kind}")
    for name in ("assumptions", "note", "unchecked"):
        if getattr(claim, name):
            lines.append(f"  {name + ':':<11}{getattr(claim, name)}")
    if verdict is None:
        lines.append(f"  not verified yet: paper-checks verify {claim.id}")
        return "\n".join(lines)
    lines.append(f"  verdict:   {verdict.status} (expected {verdict.expected}, tier {verdict.tier})")
    if verdict.counterexample:
        lines.append(f"  counterexample: {verdict.counterexample}")
    for finding in verdict.findings:
        mutants = f"; {finding.killed}/{finding.total} mutants rejected" if finding.total else ""
        lines.append(f"  {finding.rung}: {finding.truth} — {finding.says}{mutants}")
        lines += [f"    {_point_line(p)}" for p in finding.points]
    lines += [f"  without the assumption: {_point_line(p)}" for p in verdict.price]
    return "\n".join(lines)


def _point_line(p: PointFinding) -> str:
    parts = [p.point, str(p.status)]
    if p.printed is not None:
        parts.append(f"printed {p.printed:.10g}")
    if p.truth is not None and p.truth != p.printed:
        parts.append(f"right {p.truth:.10g}")
    if p.measured is not None:
        parts.append(f"measured {p.measured:.10g} ± {p.se:.1g} (z {p.z:+.1f}, n {p.n:.1e})")
    if p.reason:
        parts.append(p.reason)
    return ", ".join(parts)
