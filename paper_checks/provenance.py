"""What a verdict was made from: digests of the code behind a claim, module by module, and of the rows that it reads.

A verdict is stale when one of them has changed, and only then. The rules that judge count as one module, ``judging``;
what is only shown does not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from montecarlo.engine.digest import closure, digest_of_files, digest_of_modules, texts, token
from montecarlo.engine.sources import Place, statement_at
from paper_checks.claims.claim import Claim

__all__ = ["NOT_FOLLOWED", "difference", "judging", "made_from"]

JUDGING = (
    "paper_checks.claims", "paper_checks.values", "paper_checks.evidence", "paper_checks.rules", "paper_checks.judge",
    "paper_checks.case", "paper_checks.concluding", "paper_checks.conclusion", "paper_checks.sampling",
    "paper_checks.findings", "paper_checks.sweeps", "montecarlo.engine.moments", "montecarlo.engine.histogram",
    "montecarlo.engine.statistics", "montecarlo.engine.rows",
)  # fmt: skip
# Followed no further: they are judging, or decide when and where something is computed, and not what.
NOT_FOLLOWED = (*JUDGING, "montecarlo.engine", "paper_checks.provenance", "paper_checks.catalogue")
BYTES = 4


def made_from(claim: Claim) -> dict[str, str]:
    """Digests by module of everything that the verdict on a claim depends on; none where its source is unknown."""
    if claim.place is None:
        return {}
    modules: dict[str, list[Place]] = {}
    for found in closure([statement_at(*claim.place)], NOT_FOLLOWED):
        modules.setdefault(found.module, []).append(found)
    parts = {"judging": judging()}
    for name in sorted(modules):
        parts[name] = texts((token(p, NOT_FOLLOWED) for p in modules[name]), size=BYTES)
    for sweep in claim.runs:
        if sweep.stored:
            parts[f"results of {sweep.name}"] = _file_digest(sweep.path)
    return parts


def difference(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """What has changed, in words; empty where nothing has."""
    if not now:
        return "its source is not a file"
    changed = [name for name in now if name in before and now[name] != before[name]]
    words = [f"{', '.join(changed)} changed"] if changed else []
    words += [f"uses {name} now" for name in now if name not in before]
    words += [f"uses {name} no more" for name in before if name not in now]
    return "; ".join(words[:4])


@cache
def judging() -> str:
    """A digest of the rules that judge and of what samples leave behind."""
    return digest_of_modules(JUDGING, size=BYTES)


@cache
def _file_digest(path: Path) -> str:
    return digest_of_files([path], size=BYTES) if path.is_file() else "missing"
