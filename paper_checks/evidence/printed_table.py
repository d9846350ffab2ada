"""A published table, to be compared with one's own runs as soon as there are any."""

import math
from collections.abc import Mapping
from typing import Any

from paper_checks.claims.expectation import unchecked
from paper_checks.claims.relations import Replicates
from paper_checks.evidence.replication import Cell, Cells
from paper_checks.rules.published import Published, standard_error

SPREADS = ("standard deviation", "standard error", "half width")
TO_BE_WRITTEN = "to be written"
"""Reason why a claim that ``paper-checks new`` wrote has no check yet."""


def printed_table(
    printed: Mapping[str, str], ours: Mapping[str, Any], *, of: int, n: int | None = None, spread: str | None = None
) -> dict[str, Any]:
    """Fields of a claim about a published table of means, compared with your runs.

    Parameters
    ----------
    printed : mapping of str to str
        Published number of each cell, ``0.93`` or ``0.93 ± 0.02``.
    ours : mapping of str to array of numbers
        For each cell a number for each of your runs. Cells without runs are not compared; without any runs the claim is
        unchecked.
    of : int
        Total of published numbers of the paper that are compared; see :class:`~paper_checks.Replicates`.
    n : int, optional
        Number of runs behind each published mean; required as soon as there are runs.
    spread : {"standard deviation", "standard error", "half width"}, optional
        Meaning of the number after ±; required as soon as there are runs. A half width is that of a 95 % interval.

    Raises
    ------
    ValueError
        If runs are given for a cell that is not published, or n or spread is missing.

    Examples
    --------
    >>> table = {"row SGD, column error": "4.2 ± 0.1"}
    >>> printed_table(table, {}, of=1)["expects"].why
    'to be written'
    >>> runs = {"row SGD, column error": [4.1, 4.3, 4.2]}
    >>> fields = printed_table(table, runs, of=1, n=10, spread="standard deviation")
    >>> fields["evidence"][0].cells[0].published
    Published(value='4.2', n=10, what='mean', digits=None, error=0.03162277660168379, possible=None)
    """
    unknown = [name for name in ours if name not in printed]
    if unknown:
        near = ", ".join(repr(name) for name in list(printed)[:3])
        raise ValueError(f"printed_table: ours must name cells of the table, got {unknown[0]!r}; such as {near}")
    if not ours:
        return {"expects": unchecked(TO_BE_WRITTEN)}
    if n is None:
        raise ValueError("printed_table: n must be the number of runs behind each published mean, got None; give n=")
    return {
        "relation": Replicates(of=of),
        "evidence": [Cells([Cell(name, _published(name, printed[name], n, spread), ours[name]) for name in ours])],
    }


def _published(name: str, text: str, n: int, spread: str | None) -> Published:
    value, _, behind = (part.strip() for part in text.partition("±"))
    if not behind:
        return Published(value, n=n)
    if spread not in SPREADS:
        known = ", ".join(repr(s) for s in SPREADS)
        raise ValueError(f"printed_table: spread must say what ± is in {name!r}, got {spread!r}; one of {known}")
    try:
        number = float(behind)
    except ValueError:
        raise ValueError(f"printed_table: {name!r} has no number after ±, got {behind!r}; correct it") from None
    errors = {"standard deviation": number / math.sqrt(n), "standard error": number}
    return Published(value, n=n, error=errors[spread] if spread in errors else standard_error(number, n))
