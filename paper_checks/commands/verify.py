"""``paper-checks verify``: check claims, and save the verdicts on request."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paper_checks.claims import shell
from paper_checks.claims.selection import matches
from paper_checks.commands.choosing import add_claims, add_patterns, take_files
from paper_checks.commands.options import (
    RECORD,
    UsageError,
    add_tier,
    add_workers,
    budget,
    path,
    record_beside,
    registry_of,
)

if TYPE_CHECKING:
    from paper_checks.claims.claim import Claim
    from paper_checks.claims.registry import Registry
    from paper_checks.judging.verdict import Verdict
    from paper_checks.record import Record
    from paper_checks.record.verdicts import Journal

TEXT = "Check claims on this machine."
# Worker processes are started for at least so many seconds of work of built-in claims.
ALONE = 4.0
# Seconds assumed for a claim that was never timed.
UNKNOWN = 0.3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_patterns(parser)
    add_tier(parser)
    add_workers(parser)
    add_claims(parser)
    what = (
        "at most N samples at each point (1e8), or seconds in all (60s), but always a first look at each point; what "
        "needs more is INCONCLUSIVE: the claim, or the correct formula of one that is refuted already"
    )
    parser.add_argument("--budget", type=budget, metavar="N|SECONDS", help=what)
    what = "save the verdicts in FILE, or where 'report' reads them"
    parser.add_argument("--record", nargs="?", const=True, type=path, metavar="FILE", help=what)
    parser.add_argument("--json", action="store_true", help="one JSON object per claim")


def run(options: argparse.Namespace) -> bool:
    """Check the selected claims; whether all verdicts are as expected."""
    take_files(options)
    _start_early(options)
    _check(options)
    from paper_checks.commands.objects import as_json
    from paper_checks.commands.telling import summary

    registry = registry_of(options, options.patterns)
    claims = registry.select(options.patterns)
    record = _record(options) if options.record else None
    verdicts = judged(claims, options, tell=not options.json)
    try:
        if record:
            everything = registry_of(options) if options.patterns else registry
            try:
                record.with_verdicts(everything, _stated(claims, verdicts, options)).write(options.record)
            except OSError as error:
                what = f"the verdicts are not saved: {options.record}: {error.strerror}"
                raise UsageError(f"{what}; the old file is unchanged") from None
            _keep_seconds(verdicts, options)
        elif options.claims:
            keep_beside(registry, verdicts, options)
    finally:  # The results are printed even if they cannot be saved.
        objects = (as_json(claim, verdict) for claim, verdict in zip(claims, verdicts, strict=True))
        print("\n".join(objects if options.json else summary(claims, verdicts, options.record)))
    if options.journal:
        options.journal.finish()
    return all(v.as_expected for v in verdicts)


def _start_early(options: argparse.Namespace) -> None:
    """Start the process from which workers are forked, where they are worth it, so that it imports the papers now."""
    from paper_checks.claims import catalogue
    from paper_checks.judging.forking import start_early
    from paper_checks.judging.seconds import read

    if options.dask or options.workers == 1:
        return
    if options.claims:
        start_early(())
        return
    wanted = [s for name, s in read(options.tier).items() if any(matches(name, p) for p in options.patterns)]
    if not options.patterns or (len(wanted) > 1 and sum(wanted) >= ALONE):
        start_early(catalogue.asked_for(options.patterns))


def _check(options: argparse.Namespace) -> None:
    """Refuse before the work what could not be saved after it."""
    from paper_checks.commands.running import check_compiles
    from paper_checks.experiments.files import check_writable
    from paper_checks.record import is_foreign

    check_compiles()
    if options.record is None:
        return
    options.record = RECORD if options.record is True else options.record
    if options.budget:
        raise UsageError(
            "--record saves verdicts that others can reproduce, and --budget may change them; leave --budget out"
        )
    if options.claims and options.record.resolve() == RECORD:
        raise UsageError("--record without a file saves the verdicts on the built-in claims; name a file for yours")
    if is_foreign(options.record):
        raise UsageError(f"--record: {options.record} is not a file of verdicts and was not changed; name another file")
    check_writable(options.record)


def _command(options: argparse.Namespace, *more: Any) -> str:
    """This command as text."""
    files = map(Path, options.claims)
    return shell.command("verify", *files, f"--tier {options.tier} --seed {options.seed}", *more)


def _record(options: argparse.Namespace) -> Record:
    """The saved verdicts to which the new ones are added."""
    from paper_checks.record import Record

    places = [options.record] if options.claims else []
    found = Record.read_or_new(options.record, options.tier, options.seed, _command(options, "--record", *places))
    if options.patterns and not found.verdicts and options.record.exists():
        raise UsageError(
            f"--record {options.record} has verdicts with another precision or seed than --tier {options.tier} "
            f"--seed {options.seed}, and these cannot be mixed; give its --tier and --seed, or leave the patterns out"
        )
    return found


def judged(claims: Sequence[Claim], options: argparse.Namespace, *, tell: bool) -> list[Verdict]:
    """Verdicts in the order of the claims, each printed and saved at once; an interrupted run is continued."""
    from paper_checks.commands.pace import told
    from paper_checks.commands.telling import LATER, Telling

    # Kept until everything is saved; the message of an interrupted command mentions it.
    journal = options.journal = _journal(claims, options)
    found = journal.read() if journal else {}
    at_once = how_many_at_once(claims, options)
    telling = Telling(
        claims, _seconds_of(claims, options), None if options.dask else at_once, lines=tell, timed=not options.claims
    )
    with told(telling.progress, LATER):
        for verdict in found.values():
            telling.kept(verdict)

        def reached(verdict: Verdict) -> None:
            found[verdict.id] = verdict
            if journal:
                journal.add(verdict)
            telling.reached(verdict)

        left = [claim for claim in claims if claim.id not in found]
        judged_at((options.seed,), left, options, reached, at_once)
    return [found[claim.id] for claim in claims]


def judged_at(
    seeds: tuple[int, ...],
    claims: Sequence[Claim],
    options: argparse.Namespace,
    reached: Callable[[Verdict], None],
    at_once: int,
) -> None:
    """Judge claims at some seeds: on a cluster, in as many processes as are judged at once, or here."""
    from paper_checks.commands.running import client_of, executor_of
    from paper_checks.judging.foreign import broken_kernels
    from paper_checks.judging.judge import judge, refuse_too_many
    from paper_checks.judging.order import Order
    from paper_checks.judging.pool import judge_all, judge_on_cluster

    refuse_too_many(claims)
    papers = () if options.claims else tuple(dict.fromkeys(claim.paper for claim in claims))
    files = tuple(str(Path(file).resolve()) for file in options.claims)
    order = Order(papers, files, options.tier, seeds, options.budget)
    # A user's kernel may end the process, or never return.
    broken = broken_kernels(claims, next(order.settings()), files=True) if files else {}
    for claim in claims:
        for verdict in order.not_judged(claim, broken[claim.id]) if claim.id in broken else ():
            reached(verdict)
    claims = [claim for claim in claims if claim.id not in broken]
    seconds = _seconds_of(claims, options)
    if not claims:
        return
    if options.dask:
        with client_of(options.dask) as client:
            judge_on_cluster(claims, order, client, seconds=seconds, reached=reached)
    elif at_once == 1:
        with executor_of(options) as executor:
            settings = [setting.by(executor, order.left) for setting in order.settings()]
            for claim in claims:
                known = {}
                for setting in settings:
                    reached(judge(claim, setting, known))
    else:
        judge_all(claims, order, workers=options.workers, seconds=seconds, reached=reached)


def how_many_at_once(claims: Sequence[Claim], options: argparse.Namespace, seeds: int = 1) -> int:
    """Number of claims to judge at the same time; one, with threads, where processes are not worth it.

    How long a user's claims take is not known, and one that never ends must not hold the next.
    """
    short = not options.claims and seeds * sum(_seconds_of(claims, options).values()) < ALONE
    return 1 if short or len(claims) < 2 else min(options.workers, len(claims))


def _journal(claims: Sequence[Claim], options: argparse.Namespace) -> Journal | None:
    """The journal of verdicts; None with a time limit, which another run would not repeat."""
    from paper_checks.commands.entries import digest_of_sources
    from paper_checks.record.verdicts import Journal

    if isinstance(options.budget, float) or len(claims) < 2:
        return None
    papers = () if options.claims else {claim.paper for claim in claims}
    sources = digest_of_sources(papers, map(Path, options.claims))
    return Journal([c.id for c in claims], f"{options.tier} {options.budget or ''}", options.seed, sources)


def _seconds_of(claims: Sequence[Claim], options: argparse.Namespace) -> dict[str, float]:
    """Estimated seconds of each claim on one core."""
    from paper_checks.judging.seconds import read

    known = {} if options.claims else read(options.tier)
    return {claim.id: known.get(claim.id, UNKNOWN) for claim in claims}


def _keep_seconds(verdicts: Sequence[Verdict], options: argparse.Namespace) -> None:
    """Save how long the built-in claims took, in processes of one thread; the next run begins with the longest."""
    from paper_checks.judging.seconds import update

    if options.record == RECORD and not options.patterns and not options.dask and options.workers > 1:
        update(options.tier, {verdict.id: verdict.seconds for verdict in verdicts})


def _stated(claims: Iterable[Claim], verdicts: Sequence[Verdict], options: argparse.Namespace) -> Sequence[Verdict]:
    """Verdicts with the statements that were judged, for a user's claims."""
    texts = {claim.id: claim.stated for claim in claims} if options.claims else {}
    return [replace(verdict, stated=texts.get(verdict.id, "")) for verdict in verdicts]


def keep_beside(registry: Registry, verdicts: Sequence[Verdict], options: argparse.Namespace) -> None:
    """Save the verdicts on a user's claims beside their file, where the other commands find them."""
    from paper_checks.record import Record

    path = record_beside(options)
    saved = Record.read_or_new(path, options.tier, options.seed, _command(options))
    try:
        saved.with_verdicts(registry, _stated(registry, verdicts, options)).write(path)
    except OSError as error:
        print(f"paper-checks: the verdicts are not saved: {path}: {error.strerror}", file=sys.stderr)
