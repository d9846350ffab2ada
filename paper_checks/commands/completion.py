"""``paper-checks completion``: a shell's completion of commands, options, claim ids and figures."""

import argparse

TEXT = "Write a script that makes a shell complete commands, claim ids and figures."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "shell", choices=("bash", "zsh", "fish"), help='in bash: eval "$(paper-checks completion bash)"'
    )


def run(options: argparse.Namespace) -> None:
    """Print the script for a shell."""
    import argcomplete

    print(argcomplete.shellcode(["paper-checks"], shell=options.shell))


def answer(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks for completions, and exit."""
    import argcomplete

    argcomplete.autocomplete(parser, default_completer=argcomplete.FilesCompleter())
