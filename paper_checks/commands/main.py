"""``paper-checks``: chooses the module of a command, runs it and reports errors."""

import argparse
import errno
import os
import signal
import sys
from collections.abc import Sequence
from functools import cache

from paper_checks import __version__
from paper_checks.claims.catalogue import CatalogueError
from paper_checks.claims.selection import NoSuchClaim
from paper_checks.commands import (
    completion,
    coverage,
    draw,
    gradient,
    init,
    list_claims,
    new,
    report,
    seeds,
    show,
    train,
    verify,
)
from paper_checks.commands.options import UsageError
from paper_checks.commands.terminal import leave, show_anything

AS_EXPECTED, UNEXPECTED, USAGE, INTERRUPTED = 0, 1, 2, 130
# In the order in which a user meets them. What a command's ``run`` returns, if anything, is whether all is as expected.
COMMANDS = {
    "list": list_claims,
    "show": show,
    "verify": verify,
    "report": report,
    "coverage": coverage,
    "figures": draw,
    "new": new,
    "init": init,
    "train": train,
    "gradient": gradient,
    "seeds": seeds,
    "completion": completion,
}

BEGIN = """begin with:
  paper-checks list nau                          the claims of a paper, with their verdicts
  paper-checks show nau/eq59                     one claim, with formulas and evidence
  paper-checks verify nau/eq59                   check it again, on this machine
  paper-checks init nmu --fan-in 10 --fan-out 5  how to initialise a layer
  paper-checks new my_paper.tex                  your own claims, from a paper in LaTeX (or .py: a template)
"""


STATUSES = "exit status: 0 {0}, 1 {1}, 2 usage error, 130 interrupted (run the same command again to continue)"
# Meaning of the exit statuses 0 and 1, for commands that judge something.
OUTCOMES = {
    "verify": ("all verdicts as expected", "some not as expected"),
    "seeds": ("all verdicts as expected", "some not as expected"),
    "report": ("written, or up to date", "out of date (--check)"),
    "coverage": ("shown, or no gaps", "gaps in a list (--check)"),
    "figures": ("all figures drawn", "some not drawn"),
    "gradient": ("proved", "not proved, or the test fails"),
    "train": ("trained, or as stored", "not as stored (--replay)"),
}
DONE = "exit status: 0 done, 2 usage error, 130 interrupted"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    0 all verdicts as expected, 1 an unexpected verdict, 2 usage error or no workers, 130 interrupted (resumable).
    """
    options = None
    try:
        show_anything()
        parser = _parser()
        if "_ARGCOMPLETE" in os.environ:
            completion.answer(parser)
        options = parser.parse_args(arguments)
        found = options.run(options)
        status = AS_EXPECTED if found is None or found else UNEXPECTED
        sys.stdout.flush()  # Here, an error has a sentence.
        return max(status, USAGE) if getattr(options, "mistakes", None) else status
    except KeyboardInterrupt:
        if arguments is None:  # A second Ctrl-C ends the process at once, without a traceback.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        print(f"interrupted{_kept(options)}", file=sys.stderr)
        if arguments is None:
            leave(INTERRUPTED)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # A reader may close a list early. Verdicts that were not reached are not as expected.
        return INTERRUPTED if options.run in (seeds.run, verify.run) else AS_EXPECTED
    except OSError as error:
        print(f"paper-checks: {_named(error)}", file=sys.stderr)
        return USAGE
    except Exception as error:
        status = _status(error)
        if status is None:
            raise
        print(f"paper-checks: {error.args[0] if error.args else error}", file=sys.stderr)
        return status


def _named(error: OSError) -> str:
    """The file and what is wrong with it; an open file that is full does not say its name."""
    if error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    if error.errno == errno.ENOSPC:
        return f"{error.strerror} for the output of the command or a file that it writes; make room, or write elsewhere"
    return str(error)


def _kept(options: argparse.Namespace | None) -> str:
    """Message about what an interrupted command has saved."""
    journal = getattr(options, "journal", None)
    if journal and journal.keeps:
        return "; finished verdicts are saved, the same command continues from here"
    return "; finished runs are stored, the same command continues from here" if hasattr(options, "store") else ""


def _status(error: Exception) -> int | None:
    """Exit status for an error of the user or of the machine; None for an error of this project."""
    if isinstance(error, UsageError | CatalogueError | NoSuchClaim | ValueError):
        return USAGE
    # Here: '--help' must not wait for these modules, which are loaded when such an error was raised.
    from montecarlo.engine.run import WorkerLost
    from montecarlo.engine.store import StoreError
    from paper_checks.experiments.stored import StaleRows
    from paper_checks.record import RecordError

    return USAGE if isinstance(error, RecordError | StaleRows | StoreError | WorkerLost) else None


@cache
def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="paper-checks", epilog=f"{BEGIN}\n{STATUSES.format(*OUTCOMES['verify'])}",
        description="Check, statement by statement, whether published results on small neural networks are correct.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"paper-checks {__version__}", help="print the version")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        status = STATUSES.format(*OUTCOMES[name]) if name in OUTCOMES else DONE
        sub = commands.add_parser(name, help=module.TEXT, description=module.TEXT)
        module.add_arguments(sub)
        sub.epilog = f"{sub.epilog}\n\n{status}" if sub.epilog else status
        sub.set_defaults(run=module.run)
    return parser
