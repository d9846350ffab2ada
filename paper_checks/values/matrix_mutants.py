"""Altered matrix expressions of the same shape."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

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
