"""``paper-checks seeds``: claims at new random seeds that were not used before."""

from __future__ import annotations

import argparse
import secrets
from typing import TYPE_CHECKING

from paper_checks.commands.choosing import add_claims, add_patterns, take_files
from paper_checks.commands.options import SEED, add_tier, add_workers, positive, registry_of

if TYPE_CHECKING:
    from paper_checks.judging.verdict import Verdict

TEXT = "Check claims at several new seeds: a verdict should not depend on the seed."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_patterns(parser)
    parser.add_argument("--count", type=positive, default=20, metavar="N", help="number of seeds (default %(default)s)")
    add_tier(parser)
    add_workers(parser, seed="a new random one")
    parser.add_argument("--json", action="store_true", help="one JSON object per claim and seed")
    add_claims(parser)


def run(options: argparse.Namespace) -> bool:
    """Print the verdicts that are not as expected at some seed; whether there are none."""
    from paper_checks.commands.objects import as_json
    from paper_checks.commands.telling import counted, why
    from paper_checks.commands.verify import how_many_at_once, judged_at

    take_files(options)
    claims = registry_of(options, options.patterns).select(options.patterns)
    first = options.seed if options.seed is not None else secrets.randbelow(2**40) + SEED + 1
    seeds = tuple(range(first, first + options.count))
    verdicts: dict[int, list[Verdict]] = {seed: [] for seed in seeds}
    options.budget = None
    at_once = how_many_at_once(claims, options, len(seeds))
    judged_at(seeds, claims, options, lambda verdict: verdicts[verdict.seed].append(verdict), at_once)
    if options.json:
        by_id = {claim.id: claim for claim in claims}
        everything = [verdict for some in verdicts.values() for verdict in some]
        for verdict in everything:
            print(as_json(by_id[verdict.id], verdict))
        return all(verdict.as_expected for verdict in everything)
    wrong = 0
    for seed, some in verdicts.items():
        lines = sorted(f"{v.id}: {v.status}, expected {v.expected}; {why(v)}" for v in some if not v.as_expected)
        wrong += len(lines)
        print(f"seed {seed}: {counted(len(some))}, {len(lines)} not as expected", *lines, sep="\n  ")
    print(f"{options.count} seeds from {first}: {wrong} verdicts not as expected")
    return not wrong
