"""``paper-checks coverage --against``: the numbered statements of a LaTeX source beside the claims of a file."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paper_checks.commands.options import UsageError

if TYPE_CHECKING:
    from paper_checks.claims.registry import Registry
    from paper_checks.latex.matching import Comparison

STATES = ("checked", "to be written", "no claim")


def compare(options: argparse.Namespace, registry: Registry) -> bool:
    """Print statements without a claim, and claims without a statement."""
    from paper_checks.claims.expectation import Kind
    from paper_checks.evidence.printed_table import TO_BE_WRITTEN
    from paper_checks.latex.document import source
    from paper_checks.latex.files import LatexError
    from paper_checks.latex.matching import Named, compared

    papers = [p for p in registry.papers.values() if any(c.paper == p.name for c in registry)]
    if len(papers) != 1:
        names = ", ".join(p.name for p in papers) or "none"
        raise UsageError(f"coverage: --against needs the claims of one paper, got {names}; name one file or paper")
    (paper,) = papers
    try:
        found = source(Path(options.against))
    except LatexError as error:
        raise UsageError(f"coverage: {error}") from error
    own = [c for c in registry if c.paper == paper.name and c.kind is Kind.PUBLISHED]
    result = compared(found, paper.name, [Named(c.id, c.at, c.unchecked != TO_BE_WRITTEN) for c in own])
    for note in found.notes:
        print(f"paper-checks: {note}", file=sys.stderr)
    if options.json:
        print("\n".join(json.dumps(line, ensure_ascii=False) for line in objects(result)))
    else:
        print("\n".join(lines(paper.title, result)))
    return result.complete


def lines(title: str, result: Comparison) -> list[str]:
    """The comparison in the paper's order, then what is wrong with claims."""
    from paper_checks.report.text import sentence

    counted = Counter(m.state for m in result.matched)
    states = ", ".join(f"{counted[state]} {state}" for state in STATES if counted[state])
    made = [f"{sentence(title)} {len(result.matched)} numbered statements: {states}."]
    width = max(len(m.statement.place) for m in result.matched)
    for section, some in groupby(result.matched, lambda m: m.statement.section):
        made += ["", section] if section else [""]
        for m in some:
            claims = ", ".join(c.id for c in m.claims) or f"{m.statement.file}, line {m.statement.line}"
            made.append(f"  {m.state:<13}  {m.statement.place:<{width}}  {claims}")
    if result.moved:
        made += ["", "Claims whose place has changed:"]
        made += [f"  {c.id} says {c.at!r}; its statement is {place} now; correct at=" for c, place in result.moved]
    if result.nowhere:
        made += ["", "Claims without a statement:"]
        made += [f"  {c.id} says {c.at!r}, which the source does not have; correct at=" for c in result.nowhere]
    if result.elsewhere:
        made += ["", f"{len(result.elsewhere)} more claims are about parts without a number."]
    return made


def objects(result: Comparison) -> list[dict[str, Any]]:
    """One JSON object per statement, then one per claim without a statement or with another place."""
    made: list[dict[str, Any]] = []
    for m in result.matched:
        s, claims = m.statement, [c.id for c in m.claims]
        made.append({
            "statement": s.place, "state": m.state, "claims": claims, "id": m.id, "label": s.label,
            "section": s.section, "file": s.file, "line": s.line, "latex": s.latex,
        })  # fmt: skip
    made += [{"claim": c.id, "locator": c.at, "state": "moved", "statement": place} for c, place in result.moved]
    made += [{"claim": c.id, "locator": c.at, "state": "no statement"} for c in result.nowhere]
    made += [{"claim": c.id, "locator": c.at, "state": "unnumbered"} for c in result.elsewhere]
    return made
