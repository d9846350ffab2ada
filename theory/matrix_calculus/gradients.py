"""Gradients of matrix expressions, in matrix notation: what a gradient is, for those who have nothing to state yet.

The cotangent goes from the output to the matrix, rule by rule. The proofs of this package differentiate indexed sums
and know none of these rules: :class:`Gradient` checks what is found here.
"""

from collections.abc import Callable
from fractions import Fraction
from graphlib import TopologicalSorter

from theory.matrix_calculus.expression import Matrix, as_matrix, kind_of, matrix, names_in, number
from theory.matrix_calculus.functions import power, slope
from theory.matrix_calculus.operations import Diag, column, diag, hadamard, identity, inverse, ones, total, zeros
from theory.matrix_calculus.statements import DEFAULT

ONE = number(1)


def gradient_of(output: Matrix, by: Matrix, cotangent: str = DEFAULT) -> Matrix:
    """The gradient of a scalar by a matrix, as an expression.

    Parameters
    ----------
    output : Matrix
        The scalar, 1 x 1; or what an arbitrary scalar depends on.
    by : Matrix
        A named matrix of free or positive entries.
    cotangent : str
        Name of the gradient of the scalar by the output; not used where the output is the scalar.

    Raises
    ------
    ValueError
        For a matrix that has no free entries, a cotangent that the output has, and what has no gradient, such as the
        largest entry of a row.

    Examples
    --------
    >>> from theory.matrix_calculus import Gradient, power, tanh
    >>> X, W, T = matrix("X", "N", "D"), matrix("W", "K", "D"), matrix("T", "N", "K")
    >>> print(gradient_of(X @ W.T, by=W))
    DY^T X
    >>> loss = total(power(X @ W.T - T, 2))
    >>> print(gradient_of(loss, by=W))
    2 (X W^T - T)^T X
    >>> Gradient(loss, by=W, stated=gradient_of(loss, by=W)).proved()
    True
    """
    as_matrix("gradient_of", output), as_matrix("gradient_of: by", by)
    if by.op != "matrix" or kind_of(by) not in ("free", "positive"):
        raise ValueError(f"gradient_of: by must be a matrix of free entries, got {by}; name one by matrix")
    along = ONE if output.shape == (1, 1) else matrix(cotangent, *output.shape)
    if along is not ONE and cotangent in names_in([output]).matrices:
        raise ValueError(
            f"gradient_of: cotangent must be a name that the output does not have, got {cotangent!r}; give another one"
        )
    return _collected(output, by, along)


def _collected(output: Matrix, by: Matrix, along: Matrix) -> Matrix:
    """Sums of cotangents, from the output to its parts."""
    found: dict[Matrix, dict[Matrix, Fraction]] = {output: {along: Fraction(1)}}
    for m in _outer_first(output):
        if m == by or m not in found:
            continue
        cotangent = _sum(found.pop(m))
        for part, passed in _passed(m, cotangent):
            c, core = _split(passed)
            terms = found.setdefault(part, {})
            terms[core] = terms.get(core, Fraction(0)) + c
    return _sum(found[by]) if by in found else zeros(*by.shape)


def _outer_first(output: Matrix) -> list[Matrix]:
    parts: dict[Matrix, list[Matrix]] = {}
    waiting = [output]
    while waiting:
        m = waiting.pop()
        if m not in parts:
            parts[m] = [a for a in m.args if isinstance(a, Matrix)]
            waiting += parts[m]
    return [*TopologicalSorter(parts).static_order()][::-1]


def _sum(terms: dict[Matrix, Fraction]) -> Matrix:
    value: Matrix | None = None
    for core, c in terms.items():
        term = _scaled(number(c), core)
        value = term if value is None else value + term
    assert value is not None
    return value


def _passed(m: Matrix, g: Matrix) -> list[tuple[Matrix, Matrix]]:
    """The cotangents of the parts of an expression."""
    if m.op in _RULES:
        return _RULES[m.op](m, g, *m.args)
    if m.op == "rows_max":
        raise ValueError(f"gradient_of: {m} has none where two entries are equal; leave max out")
    return []


def _det_rule(m: Matrix, g: Matrix, a: Matrix) -> list[tuple[Matrix, Matrix]]:
    c, scalar = _split(g)
    factor = ONE if scalar == power(m, -1) else _scaled(scalar, m)
    return [(a, _scaled(number(c), _scaled(factor, _turned(inverse(a)))))]


_RULES: dict[str, Callable[..., list[tuple[Matrix, Matrix]]]] = {
    "transpose": lambda _, g, a: [(a, _turned(g))],
    "add": lambda _, g, a, b: [(a, g), (b, g)],
    "scale": lambda _, g, c, a: [(a, _scaled(c, g)), (c, total(_times(g, a)))],
    "hadamard": lambda _, g, a, b: [(a, _times(g, b)), (b, _times(g, a))],
    "matmul": lambda _, g, a, b: [(a, _product(g, _turned(b))), (b, _product(_turned(a), g))],
    "diag": lambda _, g, a: [(a, identity(a.shape[0]) if g.op == "ones" else Diag(g))],
    "Diag": lambda _, g, a: [(a, diag(g))],
    "column": lambda _, g, a, i: [(a, _product(g, column(identity(a.shape[1]), i).T))],
    "apply": lambda m, g, _name, _order, a: [(a, _times(g, slope(m)))],
    "power": lambda _, g, q, a: [(a, _scaled(number(q), _times(g, power(a, q - 1) if q != 2 else a)))],
    "inverse": lambda m, g, a: [(a, _scaled(number(-1), _product(_product(_turned(m), g), _turned(m))))],
    "det": _det_rule,
}


# --- shorter forms ------------------------------------------------------------------------------------------------


def _split(m: Matrix) -> tuple[Fraction, Matrix]:
    """A number and what it multiplies."""
    c = Fraction(1)
    while m.op == "scale" and m.args[0].op == "number":
        c, m = c * m.args[0].args[0], m.args[1]
    return c, m


def _scaled(c: Matrix, m: Matrix) -> Matrix:
    """The product of a 1 x 1 matrix and a matrix."""
    one, left = _split(c)
    two, right = _split(m)
    factor = one * two
    if left.op == "number":
        factor, left = factor * left.args[0], ONE
    value = right if left in (ONE, ones(1)) else left * right if right != ONE else left
    return value if factor == 1 else number(factor) * value


def _product(a: Matrix, b: Matrix) -> Matrix:
    one, left = _split(a)
    two, right = _split(b)
    if left.shape == (1, 1) or right.shape == (1, 1):
        scalar, other = (left, right) if left.shape == (1, 1) else (right, left)
        value = _scaled(scalar, other)
    elif left.op == "identity" or right.op == "identity":
        value = right if left.op == "identity" else left
    elif left.shape[1] == 1 and left.op == "ones" and right in (ones(right.shape[1]).T, ones(*right.shape)):
        value = ones(left.shape[0], right.shape[1])
    else:
        value = left @ right
    return _scaled(number(one * two), value)


def _times(a: Matrix, b: Matrix) -> Matrix:
    """The product entry by entry."""
    one, left = _split(a)
    two, right = _split(b)
    if left.shape == (1, 1):
        value = _scaled(left, right)
    elif {"ones"} & {left.op, right.op}:
        value = right if left.op == "ones" else left
    else:
        value = hadamard(left, right)
    return _scaled(number(one * two), value)


def _turned(m: Matrix) -> Matrix:
    """The transpose."""
    if m.shape == (1, 1) or m.op in ("identity", "Diag") or (m.op == "matrix" and kind_of(m) == "symmetric"):
        return m
    if m.op in ("ones", "zeros"):
        return m.T if m.shape[1] == 1 else Matrix(m.op, (), m.shape[::-1])
    if m.op == "matmul":
        return _product(_turned(m.args[1]), _turned(m.args[0]))
    if m.op == "scale":
        return _scaled(m.args[0], _turned(m.args[1]))
    if m.op == "inverse":
        return inverse(_turned(m.args[0])) if _is_symmetric(m.args[0]) else m.T
    return m if m.op == "add" and _is_symmetric(m) else m.T


def _is_symmetric(m: Matrix) -> bool:
    return all(map(_is_symmetric, m.args)) if m.op == "add" else _turned(m) == m
