"""Altered matrices of expressions: transposed, rows or columns exchanged, single entries changed."""

import itertools
from collections.abc import Iterator

import sympy
from sympy import ImmutableMatrix

from paper_checks.values.mutants import automatic

# Alterations of one entry, besides its sign and its absence.
OF_ONE_ENTRY = 4


def entry_mutants(matrix: ImmutableMatrix, resolution: float, most: int = 40) -> dict[str, ImmutableMatrix]:
    """Altered matrices by description: first the whole matrix, then single entries, evenly chosen if too many.

    Examples
    --------
    >>> a, b = sympy.symbols("a b")
    >>> for what in entry_mutants(ImmutableMatrix([[a, b]]), 1e-3): print(what)
    columns 1 and 2 exchanged
    entry (1, 1) with other sign
    entry (1, 1) -> 0
    entry (1, 1): all x (1 + 2 x tolerance)
    entry (1, 2) with other sign
    entry (1, 2) -> 0
    entry (1, 2): all x (1 + 2 x tolerance)
    """
    whole = {what: m for what, m in _whole(matrix) if m != matrix}
    single = {what: m for what, m in _single(matrix, resolution) if m != matrix}
    kept = list(single)
    room = max(most - len(whole), 1)
    if len(kept) > room:
        kept = [kept[k * len(kept) // room] for k in range(room)]
    return whole | {what: single[what] for what in kept}


def name_of(i: int, j: int) -> str:
    """Name of an entry, counted from 1."""
    return f"entry ({i + 1}, {j + 1})"


def _whole(m: ImmutableMatrix) -> Iterator[tuple[str, ImmutableMatrix]]:
    rows, columns = m.shape
    if rows == columns:
        yield "transposed", m.T
        yield "diagonal alone", ImmutableMatrix(sympy.diag(*(m[i, i] for i in range(rows))))
    for i, k in itertools.pairwise(range(rows)):
        yield f"rows {i + 1} and {k + 1} exchanged", m.permute([[i, k]], orientation="rows")
    for i, k in itertools.pairwise(range(columns)):
        yield f"columns {i + 1} and {k + 1} exchanged", m.permute([[i, k]], orientation="cols")


def _single(m: ImmutableMatrix, resolution: float) -> Iterator[tuple[str, ImmutableMatrix]]:
    for i, j in itertools.product(range(m.rows), range(m.cols)):
        entry, name = m[i, j], name_of(i, j)
        yield f"{name} with other sign", _with(m, i, j, -entry)
        yield f"{name} -> {1 if entry == 0 else 0}", _with(m, i, j, sympy.Integer(entry == 0))
        for what, mutant in automatic(entry, resolution, OF_ONE_ENTRY).items() if entry != 0 else ():
            yield f"{name}: {what}", _with(m, i, j, mutant)


def _with(m: ImmutableMatrix, i: int, j: int, entry: sympy.Expr) -> ImmutableMatrix:
    changed = m.as_mutable()
    changed[i, j] = entry
    return ImmutableMatrix(changed)
