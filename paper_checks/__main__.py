"""``paper-checks`` and ``python -m paper_checks``: the command line.

Nothing is imported here before it is settled what Ctrl-C does: while the command is being loaded, and after its end,
it ends the process as the system does, without a word from Python. The command itself says what is kept.
"""

import gc
import signal
import sys


def main() -> int:
    """Run the command line; returns the exit status."""
    # SymPy makes many small objects and few circles of them: garbage is looked for less often than after every 700.
    gc.set_threshold(100_000, 20, 20)
    # A shell's background job ignores interruptions, and goes on doing so.
    heeded = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
    if heeded:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from paper_checks.claims.catalogue import find_ours

    find_ours()
    from paper_checks.commands.main import main as command

    if heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return command()
    finally:
        gc.freeze()  # What is left ends with the process: to look for garbage in it takes half a second.
        if heeded:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    sys.exit(main())
