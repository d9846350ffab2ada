"""``paper-checks``: one module of this package per command; this one chooses it and says what went wrong."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from functools import cache

from paper_checks.claims.catalogue import CatalogueError
from paper_checks.claims.selection import NoSuchClaim
from paper_checks.commands import (
    completion,
    draw,
    init,
    list_claims,
    new,
    report,
    seeds,
    show,
    train,
    verify,
)
from paper_checks.commands.options import AS_EXPECTED, INTERRUPTED, USAGE, UsageError
from paper_checks.commands.terminal import leave, show_anything

__all__ = ["main"]

# In the order of a user's acquaintance with them.
COMMANDS = {
    "list": list_claims,
    "show": show,
    "verify": verify,
    "report": report,
    "figures": draw,
    "new": new,
    "init": init,
    "train": train,
    "seeds": seeds,
    "completion": completion,
}

BEGIN = """begin with:
  paper-checks list nau                          the claims of a paper, with what came out
  paper-checks show nau/eq59                     one claim, and all that is known of it
  paper-checks verify nau/eq59                   check it again, on this machine
  paper-checks init nmu --fan-in 10 --fan-out 5  how to initialise a layer
  paper-checks new my_paper.py                   claims of your own
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status.

    0 all verdicts as expected, 1 an unexpected verdict, 2 usage or no workers, 130 interrupted (resumable).
    """
    options = None
    try:
        show_anything()
        parser = _parser()
        if "_ARGCOMPLETE" in os.environ:
            completion.answer(parser)
        options = parser.parse_args(arguments)
        return options.run(options)
    except KeyboardInterrupt:
        if arguments is None:  # Whoever presses again does not want to wait, nor to read where.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        print(f"interrupted{_kept(options)}", file=sys.stderr)
        if arguments is None:
            leave(INTERRUPTED)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # Whoever reads no more of a list has what was wanted; verdicts that have not fallen are not as expected.
        return INTERRUPTED if options.run in (seeds.run, verify.run) else AS_EXPECTED
    except OSError as error:
        named = f"{error.filename}: {error.strerror}" if error.filename and error.strerror else error
        print(f"paper-checks: {named}", file=sys.stderr)
        return USAGE
    except Exception as error:
        status = _status(error)
        if status is None:
            raise
        print(f"paper-checks: {error.args[0] if error.args else error}", file=sys.stderr)
        return status


def _kept(options: argparse.Namespace | None) -> str:
    """What an interrupted command has kept."""
    journal = getattr(options, "journal", None)
    if journal and journal.keeps:
        return "; finished verdicts are kept, the same command goes on from here"
    return "; finished runs are stored, the same command goes on from here" if hasattr(options, "store") else ""


def _status(error: Exception) -> int | None:
    """The exit status for an error of the user's or of the machine's; None for one of ours."""
    if isinstance(error, UsageError | CatalogueError | NoSuchClaim | ValueError):
        return USAGE
    # Here: '--help' must not wait for these modules, which are loaded when such an error was raised.
    from montecarlo.engine.run import WorkerLost
    from montecarlo.engine.store import StoreError
    from paper_checks.experiments.stored import StaleRows
    from paper_checks.record import RecordError

    return USAGE if isinstance(error, RecordError | StaleRows | StoreError | WorkerLost) else None


class _Version(argparse.Action):
    """Prints the version; it is looked up only then."""

    def __init__(self, **options):
        super().__init__(nargs=0, help="print the version", **options)

    def __call__(self, *_: object) -> None:
        from importlib.metadata import version

        print(f"paper-checks {version('paper-checks')}")
        raise SystemExit(AS_EXPECTED)


@cache
def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="paper-checks", description="Decide, result by result, whether what papers state is true.", epilog=BEGIN,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action=_Version)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        sub = commands.add_parser(name, help=module.TEXT, description=module.TEXT)
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser
