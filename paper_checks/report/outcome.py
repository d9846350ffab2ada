"""What came out for a paper in short: what survives, what is wrong, what is approximate, what is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from paper_checks.claims.claim import Claim, Kind
from paper_checks.findings import Verdict
from paper_checks.report.sections import RED, SECTIONS
from paper_checks.report.text import escape, stopped

__all__ = ["outcome"]

Pair = tuple[Claim, Verdict]
SURVIVING = {
    "proved": "proved", "computed": "equal to their integrals", "at points": "checked at points",
    "measured": "measured", "definition": "definitions that are played",
}  # fmt: skip
# One line of a list; the whole is in the claim's own block.
LONG = 220


def outcome(by_section: Mapping[str, Sequence[Pair]]) -> list[str]:
    """Four short lists."""
    lines = ["### In short", "", _survives(by_section), ""]
    for name in RED:
        lines += _listed(SECTIONS[name].title, by_section.get(name, ()), _what_is_right)
    lines += _listed("Approximate", by_section.get("approximate", ()), _how_far)
    lines += _listed("Open", by_section.get("undecided", ()), _would_decide)
    return lines


def _survives(by_section: Mapping[str, Sequence[Pair]]) -> str:
    counts = [f"{len(by_section[n])} {words}" for n, words in SURVIVING.items() if by_section.get(n)]
    surviving = [claim for n in SURVIVING for claim, _ in by_section.get(n, ())]
    own = sum(claim.kind is Kind.BEYOND for claim in surviving)
    beyond = f"; {own} of them are ours, beyond the paper" if own else ""
    return f"**What survives**: {len(surviving)} claims ({', '.join(counts) or 'none'}{beyond})."


def _listed(title: str, pairs: Sequence[Pair], more: Callable[[Claim, Verdict], str]) -> list[str]:
    if not pairs:
        return []
    texts = [(claim, f"{_short(claim.says)} {_short(more(claim, verdict))}".strip()) for claim, verdict in pairs]
    lines = [f"- {escape(claim.at)} (`{claim.id}`): {escape(text)}" for claim, text in texts]
    return [f"**{title}** ({len(pairs)}):", "", *lines, ""]


def _short(text: str) -> str:
    text = " ".join(text.split())
    if len(text) <= LONG:
        return stopped(text) if text else ""
    return text[: text.rfind(" ", 0, LONG)] + " …"


def _what_is_right(_claim: Claim, verdict: Verdict) -> str:
    return verdict.counterexample


def _how_far(_claim: Claim, verdict: Verdict) -> str:
    points = [p for f in verdict.findings if f.rung == "order" for p in f.points if p.truth]
    if not points:
        return ""
    errors = {p.point: abs(p.printed / p.truth - 1) for p in points}
    worst = max(errors, key=errors.get)
    return f"Off by {min(errors.values()):.1%} to {errors[worst]:.1%}, the most at {worst}."


def _would_decide(claim: Claim, verdict: Verdict) -> str:
    return verdict.error or claim.note or claim.unchecked
