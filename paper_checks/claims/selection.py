"""Selection of claims by patterns, without imports that take time."""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase


class NoSuchClaim(LookupError):
    """No claim has such an id."""


def selected(ids: Iterable[str], patterns: Iterable[str] = ()) -> list[str]:
    """Ids that match patterns, in their own order; all without patterns.

    Raises
    ------
    NoSuchClaim
        If a pattern matches none.

    Examples
    --------
    >>> ids = ["nau/eq9", "nau/eq9.input", "nau/eq10"]
    >>> selected(ids, ["nau/eq9"]), selected(ids, ["nau/eq9*"])
    (['nau/eq9'], ['nau/eq9', 'nau/eq9.input'])
    """
    ids, patterns = list(ids), list(patterns)
    for pattern in patterns:
        if not any(matches(i, pattern) for i in ids):
            parts = [i for i in ids if i.startswith(f"{pattern}.")]
            if parts:
                raise NoSuchClaim(
                    f"no claim has the id {pattern!r}, but {parts[0]} has; '{pattern}*' matches all parts"
                )
            near = ", ".join(ids[:3])
            raise NoSuchClaim(f"no claim matches {pattern!r}; ids look like {near}: see 'paper-checks list'")
    return [i for i in ids if not patterns or any(matches(i, p) for p in patterns)]


def matches(identifier: str, pattern: str) -> bool:
    """Whether an id matches a pattern: a paper's name, an id, or a shell pattern."""
    return fnmatchcase(identifier, pattern) or identifier.split("/")[0] == pattern


def found(text: str, phrase: str) -> bool:
    """Whether a text contains the words of a phrase, ignoring case: beginnings of words, whole numbers.

    Examples
    --------
    >>> found("eq. (54), by Taylor", "54"), found("eq. (541)", "54"), found("by Taylor", "tay")
    (True, False, True)
    """
    words = (rf"(?<![^\W_]){re.escape(word)}" + (r"(?!\d)" if word[-1].isdigit() else "") for word in phrase.split())
    return all(re.search(word, text, re.IGNORECASE) for word in words)
