"""Names of matrices, sizes and indices in matrix expressions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from theory.matrix_calculus.expression import Matrix, kind_of


@dataclass(frozen=True)
class Names:
    """Matrices of free entries, names of sizes in order of appearance, and indices with the size they run over."""

    matrices: dict[str, Matrix] = field(default_factory=dict)
    sizes: dict[str, None] = field(default_factory=dict)
    indices: dict[str, Any] = field(default_factory=dict)


def parts_of(expressions: Iterable[Matrix]) -> Iterator[Matrix]:
    """Each expression and all its parts, each once."""
    seen: set[Matrix] = set()
    waiting = [*reversed(list(expressions))]
    while waiting:
        m = waiting.pop()
        if m not in seen:
            seen.add(m)
            yield m
            waiting += [a for a in reversed(m.args) if isinstance(a, Matrix)]


def names_in(expressions: Iterable[Matrix]) -> Names:
    """The names in expressions that belong together.

    Raises
    ------
    ValueError
        When one name has two shapes, runs over two sizes, or is that of a matrix and of an index.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> from theory.matrix_calculus.operations import column
    >>> names = names_in([matrix("W", "K", "D") @ column(matrix("X", "D", "N"), "i")])
    >>> list(names.matrices), list(names.sizes), names.indices
    (['W', 'X'], ['K', 'D', 'N'], {'i': 'N'})
    """
    found = Names()
    for m in parts_of(expressions):
        found.sizes.update(dict.fromkeys(n for n in m.shape if isinstance(n, str)))
        if m.op == "size":
            found.sizes[m.args[0]] = None
        if m.op == "matrix":
            first = found.matrices.setdefault(m.args[0], m)
            _only_one("matrix", m.args[0], first.shape, m.shape)
            if first != m:
                raise ValueError(
                    f"matrix {m.args[0]}: must be of one kind, got {kind_of(first)} and {kind_of(m)}; use two names"
                )
        if m.op == "column":
            n = m.args[0].shape[1]
            _only_one("index", m.args[1], found.indices.setdefault(m.args[1], n), n)
    for name in found.matrices.keys() & found.indices.keys():
        raise ValueError(f"index {name}: must not have the name of a matrix, got {name} for both; use two names")
    return found


def _only_one(what: str, name: str, first: Any, other: Any) -> None:
    if first != other:
        raise ValueError(f"{what} {name}: must have one size, got {_text(first)} and {_text(other)}; use two names")


def _text(size: Any) -> str:
    return " x ".join(map(str, size)) if isinstance(size, tuple) else str(size)
