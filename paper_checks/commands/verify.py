"""``paper-checks verify``: judge claims, and keep the verdicts on request."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from paper_checks.commands.choosing import add_claims, add_patterns, registry_of, take_files
from paper_checks.commands.cost import OURS, foretell
from paper_checks.commands.options import (
    AS_EXPECTED,
    RECORD,
    TIERS,
    UNEXPECTED,
    UsageError,
    add_sampling,
    budget,
    path,
    record_beside,
)
from paper_checks.commands.verify_cost import samples_of, seconds_of

if TYPE_CHECKING:
    from paper_checks.claims.claim import Claim
    from paper_checks.claims.registry import Registry
    from paper_checks.findings import PointFinding, Verdict

__all__ = ["TEXT", "add_arguments", "line", "run", "why"]

TEXT = "Check claims on this machine; 0 where all come out as declared."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_patterns(parser)
    parser.add_argument(
        "--tier", choices=TIERS, default="quick", help="resolution 1e-3 (full), or 1e-2 (quick, the default)"
    )
    add_sampling(parser)
    add_claims(parser)
    what = "at most so many samples of a point (1e8), or seconds of sampling in all (60s); what is open then says so"
    parser.add_argument("--budget", type=budget, metavar="N|SECONDS", help=what)
    parser.add_argument(
        "--record", nargs="?", const=True, type=path, metavar="FILE", help="keep the verdicts for 'report'"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per claim")
    what = "say each verdict as soon as it is reached, as on a terminal"
    parser.add_argument("--verbose", "-v", action="store_true", help=what)


def run(options: argparse.Namespace) -> int:
    """Judge the claims that are asked for; 1 when one does not come out as expected."""
    take_files(options)
    _check(options)
    registry = registry_of(options, options.patterns)
    claims = registry.select(options.patterns)
    if options.record:
        return _keep(registry, claims, options)
    verdicts = _judge(claims, options)
    if options.claims:
        _keep_beside(registry, verdicts, options)
    return _shown(claims, verdicts, options)


def _keep_beside(registry: Registry, verdicts: Sequence[Verdict], options: argparse.Namespace) -> None:
    """Keep the verdicts on somebody's own claims beside their file, where the other commands find them."""
    from paper_checks.record import Record

    path = record_beside(options)
    files = " ".join(map(str, options.claims))
    command = f"paper-checks verify {files} --tier {options.tier} --seed {options.seed}"
    try:
        Record.read_or_new(path, options.tier, options.seed, command).with_verdicts(registry, verdicts).write(path)
    except OSError as error:
        print(f"paper-checks: the verdicts are not kept: {path}: {error.strerror}", file=sys.stderr)


def _shown(claims: Sequence[Claim], verdicts: Sequence[Verdict], options: argparse.Namespace) -> int:
    from paper_checks.commands.objects import as_json

    for claim, verdict in zip(claims, verdicts, strict=True):
        print(as_json(claim, verdict) if options.json else line(claim, verdict))
    wrong = [v for v in verdicts if not v.as_expected]
    if not options.json:
        killed, total = (sum(getattr(v, name) for v in verdicts) for name in ("killed", "mutants"))
        mutants = f"; {killed} of {total} mutants rejected" if total else ""
        print(f"{len(verdicts)} claims: {len(verdicts) - len(wrong)} as expected, {len(wrong)} not{mutants}")
    return UNEXPECTED if wrong else AS_EXPECTED


def _check(options: argparse.Namespace) -> None:
    """What would be found out too late: after the work."""
    from paper_checks.files import check_writable
    from paper_checks.record import is_foreign

    if options.record is None:
        return
    options.record = RECORD if options.record is True else options.record
    if options.budget:
        raise UsageError("--record keeps verdicts that anybody can repeat: leave --budget out")
    if options.claims and options.record.resolve() == RECORD:
        raise UsageError("--record without a file keeps the verdicts on our claims: name a file for yours")
    if is_foreign(options.record):
        raise UsageError(f"--record: {options.record} is no record of verdicts, and stays as it is; name another file")
    check_writable(options.record)


def _judge(claims: Sequence[Claim], options: argparse.Namespace) -> list[Verdict]:
    from paper_checks.commands.running import executor_of, progress_of, store_of, teller
    from paper_checks.judge import verify

    told = options.verbose or (sys.stderr.isatty() and not options.json)
    # What it takes is known of our claims, by their recorded verdicts.
    samples = {} if options.claims or options.budget else samples_of(claims, options.tier)
    total = sum(samples.values())
    shown = {"quiet": options.json, "what": f"{len(claims)} claims", "planned": {"sample": total} if samples else {}}
    if samples and not options.json:
        seconds = seconds_of(claims, samples, options.tier, options.workers)
        basis = f"{OURS}; what is stored takes none of it"
        foretell(f"{len(claims):,} verdicts to make, {total:.2g} samples", *seconds, basis)
    with executor_of(options) as executor, store_of(options) as store, progress_of(**shown) as progress:
        how = {"executor": executor, "store": store, "progress": progress, "budget": options.budget}
        how |= {"apart": bool(options.claims), "reached": teller(len(claims)) if told else None}
        return verify(claims, tier=options.tier, seed=options.seed, **how)


def _keep(registry: Registry, claims: Sequence[Claim], options: argparse.Namespace) -> int:
    """Judge the claims that are asked for and keep their verdicts with those of the others.

    The exit status is 1 when one of the kept verdicts is not as expected.
    """
    from paper_checks.record import Record

    command = f"paper-checks verify --tier {options.tier} --seed {options.seed} --record"
    record = Record.read_or_new(options.record, options.tier, options.seed, command)
    if options.patterns and not record.verdicts and options.record.exists():
        raise UsageError(
            f"--record {options.record} has verdicts of another tier or seed than {options.tier} and {options.seed}, "
            "which a few new ones cannot join; give its --tier and --seed, or leave the patterns out"
        )
    verdicts = _judge(claims, options)
    record = record.with_verdicts(registry_of(options) if options.patterns else registry, verdicts)
    _shown(claims, verdicts, options)
    try:
        record.write(options.record)
    except OSError as error:
        raise UsageError(
            f"the verdicts are not kept: {options.record}: {error.strerror}; what was there is as it was, and the "
            "samples are stored: see to it, and run the same command again"
        ) from None
    wrong = [v for v in record.verdicts if not v.as_expected]
    if not options.json:
        print(f"{len(record.verdicts)} recorded: {len(verdicts)} made now, {len(wrong)} not as expected")
    return UNEXPECTED if wrong else AS_EXPECTED


def line(claim: Claim, verdict: Verdict) -> str:
    """A claim's verdict for a terminal, with the first reason where it is not as expected."""
    mark = " " if verdict.as_expected else "!"
    z = verdict.worst("z")
    detail = f"z {z:+5.1f}  n {verdict.n:.1e}" if z is not None and verdict.n else ",".join(verdict.rungs)
    mutants = f"{verdict.killed}/{verdict.mutants} mutants" if verdict.mutants else ""
    text = f"{mark} {claim.id:<34} {verdict.status:<12} {detail:<22} {mutants}".rstrip()
    if not verdict.as_expected:
        text += f"\n    expected {verdict.expected}; " + why(verdict)
    return text


def why(verdict: Verdict) -> str:
    """The first reason that a reader needs for an unexpected verdict."""
    if verdict.error or verdict.odd:
        return verdict.error or verdict.odd
    for finding in verdict.findings:
        for point in finding.points:
            if point.status is not verdict.expected and point.reason:
                return f"{finding.rung} at {point.point}: {point.reason}{_numbers(point)}"
        if finding.defects:
            return f"{finding.rung}: mutants not rejected: {'; '.join(finding.defects[:3])}"
        if finding.truth != "CONFIRMED" or finding.printed not in (None, verdict.expected):
            return f"{finding.rung}: {finding.says} (printed {finding.printed}, right form {finding.truth})"
    return verdict.counterexample or "see --json"


def _numbers(point: PointFinding) -> str:
    """What was printed and what was measured there."""
    if point.printed is None or point.measured is None:
        return ""
    return f" (printed {point.printed:.6g}, measured {point.measured:.6g} ± {point.se:.1g})"
