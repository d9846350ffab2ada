"""Commands as text that a shell takes."""

import shlex
from pathlib import Path
from typing import Any


def word(place: Path | str) -> str:
    """The path as a word of a shell's command, which no command takes for an option.

    >>> word(Path("my paper.py")), word(Path("-x.py"))
    ("'my paper.py'", './-x.py')
    """
    name = str(place)
    return shlex.quote(f"./{name}" if name.startswith("-") else name)


def command(name: str, *words: Any) -> str:
    """The text of a command: paths are quoted, text stands as it is.

    >>> command("verify", Path("my paper.py"), "--tier full")
    "paper-checks verify 'my paper.py' --tier full"
    """
    return " ".join(["paper-checks", name, *(word(w) if isinstance(w, Path) else str(w) for w in words)])


def quoted(text: str) -> str:
    """A command within a sentence.

    >>> print(quoted("paper-checks list"), quoted("paper-checks verify 'my paper.py'"))
    'paper-checks list' "paper-checks verify 'my paper.py'"
    """
    return f'"{text}"' if "'" in text else f"'{text}'"


def changed_since(again: str) -> str:
    """What is said of a claim that is not as it was verified.

    >>> changed_since("paper-checks verify mine.py")
    "changed since it was verified; run 'paper-checks verify mine.py'"
    """
    return f"changed since it was verified; run {quoted(again)}"
