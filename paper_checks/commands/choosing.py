"""Which claims a command is about, and what a shell may offer for them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from paper_checks.commands.options import complete_with

if TYPE_CHECKING:
    from paper_checks.claims.registry import Registry

__all__ = ["add_claims", "add_patterns", "claim_ids", "registry_of"]


def add_claims(parser: argparse.ArgumentParser) -> None:
    """Add ``--claims FILE``."""
    parser.add_argument("--claims", metavar="FILE", help="a Python file with claims of your own, instead of ours")


def add_patterns(parser: argparse.ArgumentParser) -> None:
    """Add ``PATTERN...``, which choose claims by their ids."""
    what = "a paper's short name, an id, or a shell pattern of ids; default: all claims"
    complete_with(parser.add_argument("patterns", nargs="*", metavar="PATTERN", help=what), claim_ids)


def claim_ids(prefix: str, **_: Any) -> list[str]:
    """What a shell may offer for an id: papers first, then the claims of one."""
    from paper_checks import catalogue

    if "/" not in prefix:
        return [f"{name}/" for name in catalogue.papers()]
    from paper_checks.commands.entries import entries

    return [entry.id for entry in entries(argparse.Namespace(claims=None), [prefix.split("/")[0]])]


def registry_of(options: argparse.Namespace, patterns: list[str] | tuple[str, ...] = ()) -> Registry:
    """The claims that a command is about: those of ``--claims FILE``, else of the papers that patterns ask for."""
    from paper_checks import catalogue

    return catalogue.load_file(options.claims) if options.claims else catalogue.load(patterns)
