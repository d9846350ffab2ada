"""``paper-checks seeds``: every claim in the quick tier at seeds that nobody has looked at."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from paper_checks.commands.choosing import add_claims, add_patterns, registry_of, take_files
from paper_checks.commands.cost import OURS, foretell
from paper_checks.commands.options import AS_EXPECTED, SEED, TIERS, UNEXPECTED, add_sampling, positive
from paper_checks.commands.verify_cost import samples_of, seconds_of

if TYPE_CHECKING:
    from paper_checks.findings import Verdict

__all__ = ["TEXT", "add_arguments", "run", "unexpected"]

TEXT = "Check claims at several unused seeds: a verdict holds for every seed."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_patterns(parser)
    parser.add_argument("--count", type=positive, default=20, metavar="N", help="seeds (default %(default)s)")
    parser.add_argument(
        "--tier", choices=TIERS, default="quick", help="resolution 1e-3 (full), or 1e-2 (quick, the default)"
    )
    add_sampling(parser, seed="one that nobody has looked at")
    add_claims(parser)


def run(options: argparse.Namespace) -> int:
    """Print what does not come out as declared at any of the seeds; 1 when there is something."""
    from paper_checks.commands.running import executor_of, progress_of, store_of
    from paper_checks.judge import verify

    take_files(options)
    claims = registry_of(options, options.patterns).select(options.patterns)
    first = options.seed if options.seed is not None else secrets.randbelow(2**40) + SEED + 1
    wrong, known = 0, {}
    if not options.claims:
        low, high = seconds_of(claims, samples_of(claims, options.tier), options.tier, options.workers)
        foretell(f"{len(claims):,} claims at {options.count} seeds", options.count * low, options.count * high, OURS)
    for seed in range(first, first + options.count):
        shown = progress_of(quiet=False, what=f"seed {seed}")
        with executor_of(options) as executor, store_of(options) as store, shown as progress:
            how = {"executor": executor, "store": store, "progress": progress, "known": known}
            verdicts = verify(claims, tier=options.tier, seed=seed, **how)
        lines = list(unexpected(verdicts))
        wrong += len(lines)
        print(f"seed {seed}: {len(verdicts)} claims, {len(lines)} not as declared", *lines, sep="\n  ", flush=True)
    print(f"{options.count} seeds from {first}: {wrong} verdicts not as declared")
    return UNEXPECTED if wrong else AS_EXPECTED


def unexpected(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """A line for each verdict that is not as declared, and for each mutant that no check of its rung rejects."""
    from paper_checks.commands.verify import why

    for verdict in verdicts:
        if not verdict.as_expected:
            yield f"{verdict.id}: {verdict.status}, expected {verdict.expected}; {why(verdict)}"
