"""What code hosts show: a report that breaks one of their limits is not written."""

import re
from collections.abc import Iterator

BYTES = {"short": 100_000, "long": 400_000}
"""Of the report on all papers, and of that on one."""
FORMULAS = {"short": 40, "long": 60}
LONGEST = 900
DISPLAYED = re.compile(r"^\$\$\n(.+?)\n\$\$$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<![\\$])\$([^$\n]+)\$(?!\$)")


def refused(text: str, length: str = "short") -> Iterator[str]:
    r"""What a code host would refuse, in words.

    Examples
    --------
    >>> list(refused(r"so $\operatorname{Var}[z]$ is"))
    ['has a formula with \\operatorname']
    """
    size, formulas = len(text.encode()), [*DISPLAYED.findall(text), *INLINE.findall(text)]
    if size > BYTES[length]:
        yield f"has {size} bytes, more than {BYTES[length]}"
    if len(formulas) > FORMULAS[length]:
        yield f"has {len(formulas)} formulas, more than {FORMULAS[length]}"
    if any(len(formula) > LONGEST for formula in formulas):
        yield f"has a formula of more than {LONGEST} characters"
    if any("\\operatorname" in formula for formula in formulas):
        yield "has a formula with \\operatorname"
