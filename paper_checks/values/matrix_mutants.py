"""Altered matrices: expressions of the same shape for matrices of all sizes, and matrices with given entries."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

import sympy
from sympy import ImmutableMatrix

from paper_checks.values.mutants import automatic
from theory.matrix_calculus import Matrix, identity, number, ones, power, size


def matrix_mutants(m: Matrix, others: Sequence[Matrix] = ()) -> dict[str, Matrix]:
    """Altered expressions by description: a term, factor or inverse dropped, a sign, number or order changed, ...

    A part that occurs several times is changed at the last place.

    Parameters
    ----------
    m : Matrix
    others : sequence of Matrix
        Names that may stand by mistake where another of the same shape does.

    Examples
    --------
    >>> from theory.matrix_calculus import hadamard, matrix
    >>> X, Y = matrix("X", "N", "D"), matrix("Y", "N", "D")
    >>> list(matrix_mutants(hadamard(X, Y)))
    ['times 1000', 'the other sign', '0', '(X (.) Y) -> X', '(X (.) Y) -> Y']
    """
    whole = {"times 1000": 1000 * m, "the other sign": -m, "0": 0 * m}
    return whole | {f"{old} -> {new}": variant for old, new, variant in _within(m, others)}


def _within(m: Matrix, others: Sequence[Matrix]) -> Iterator[tuple[Matrix, Matrix, Matrix]]:
    """A replaced part, its replacement, and the whole altered expression."""
    for new in _replacements(m, others):
        if new.shape == m.shape and new != m:
            yield m, new, new
    for place, part in enumerate(m.args):
        if isinstance(part, Matrix):
            for old, new, inner in _within(part, others):
                yield old, new, replace(m, args=(*m.args[:place], inner, *m.args[place + 1 :]))


def _replacements(m: Matrix, others: Sequence[Matrix]) -> Iterator[Matrix]:
    if m.op == "add":
        yield from m.args
        yield m.args[0] - m.args[1]
    elif m.op in ("hadamard", "matmul"):
        yield from m.args
    elif m.op == "scale":
        yield m.args[1]
        yield 2 * m
    elif m.op in ("transpose", "Diag", "inverse"):
        yield m.args[0]
    elif m.op == "power":
        exponent, inner = m.args
        yield from (power(inner, q) for q in (-exponent, 2 * exponent, exponent - 1))
    elif m.op == "apply":
        yield from (replace(m, args=(m.args[0], order, m.args[2])) for order in {m.args[1] + 1, max(m.args[1] - 1, 0)})
    elif m.op == "size":
        yield from (size(n) for o in others for n in o.shape if n not in (1, m.args[0]))
        yield number(1)
    elif m.op == "identity":
        yield ones(*m.shape)
    elif m.op == "ones" and m.shape[0] == m.shape[1] != 1:
        yield identity(m.shape[0])
    elif m.op == "matrix":
        yield from others


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
