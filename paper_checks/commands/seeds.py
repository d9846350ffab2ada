"""``paper-checks seeds``: every claim in the quick tier at seeds that nobody has looked at."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from paper_checks.commands.choosing import add_claims, add_patterns, registry_of, take_files
from paper_checks.commands.options import AS_EXPECTED, SEED, TIERS, UNEXPECTED, add_workers, positive

if TYPE_CHECKING:
    from paper_checks.judging.verdict import Verdict

__all__ = ["TEXT", "add_arguments", "run", "unexpected"]

TEXT = "Check claims at several unused seeds: a verdict holds for every seed."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_patterns(parser)
    parser.add_argument("--count", type=positive, default=20, metavar="N", help="seeds (default %(default)s)")
    what = "resolution 1e-2 (quick, the default) or 1e-3 (full)"
    parser.add_argument("--tier", choices=TIERS, default="quick", help=what)
    add_workers(parser, seed="one that nobody has looked at")
    add_claims(parser)


def run(options: argparse.Namespace) -> int:
    """Print what does not come out as declared at any of the seeds; 1 when there is something."""
    from paper_checks.commands.verify import how_many_at_once, judged_at

    take_files(options)
    claims = registry_of(options, options.patterns).select(options.patterns)
    first = options.seed if options.seed is not None else secrets.randbelow(2**40) + SEED + 1
    seeds = tuple(range(first, first + options.count))
    verdicts: dict[int, list[Verdict]] = {seed: [] for seed in seeds}
    options.budget = None
    at_once = how_many_at_once(claims, options, len(seeds))
    judged_at(seeds, claims, options, lambda verdict: verdicts[verdict.seed].append(verdict), at_once)
    wrong = 0
    for seed, some in verdicts.items():
        lines = sorted(unexpected(some))
        wrong += len(lines)
        print(f"seed {seed}: {len(some)} claims, {len(lines)} not as declared", *lines, sep="\n  ")
    print(f"{options.count} seeds from {first}: {wrong} verdicts not as declared")
    return UNEXPECTED if wrong else AS_EXPECTED


def unexpected(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """A line for each verdict that is not as declared, and for each mutant that no check of its rung rejects."""
    from paper_checks.commands.telling import why

    for verdict in verdicts:
        if not verdict.as_expected:
            yield f"{verdict.id}: {verdict.status}, expected {verdict.expected}; {why(verdict)}"
