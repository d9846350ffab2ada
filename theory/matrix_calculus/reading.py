"""Matrix expressions that are written as text, in Python's notation."""

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from theory.matrix_calculus import functions, operations
from theory.matrix_calculus.expression import Matrix, as_factor, as_rational, matrix, orthogonal, size, symmetric

# Functions of matrices alone; of sizes; of a matrix and something else.
OF_MATRICES: dict[str, Callable[..., Matrix]] = {
    "diag": operations.diag, "Diag": operations.Diag, "hadamard": operations.hadamard, "inverse": operations.inverse,
    "det": operations.det, "trace": operations.trace, "total": operations.total, "rows_max": operations.rows_max,
    "columns_max": operations.columns_max, "maximum": functions.maximum, "minimum": functions.minimum,
    "reciprocal": functions.reciprocal, "inv_sqrt": functions.inv_sqrt,
}  # fmt: skip
OF_SIZES: dict[str, Callable[..., Matrix]] = {
    "ones": operations.ones, "zeros": operations.zeros, "identity": operations.identity, "size": size,
}  # fmt: skip
WITH_NUMBERS: dict[str, Callable[..., Matrix]] = {"power": functions.power, "clip": functions.clip}
SIGNS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.MatMult: operator.matmul,
}  # fmt: skip

RATIONAL: dict[type, Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip


def declared(texts: Iterable[str]) -> dict[str, Matrix]:
    """Matrices by name, from texts such as "X:N,D", "w:D", "c" and "S:n,n:symmetric".

    Raises
    ------
    ValueError
        For another text.

    Examples
    --------
    >>> [(name, m.shape) for name, m in declared(["X:N,D", "w:D", "c:1:positive", "V:3,D"]).items()]
    [('X', ('N', 'D')), ('w', ('D', 1)), ('c', (1, 1)), ('V', (3, 'D'))]
    """
    return {m.args[0]: m for m in map(_declared, texts)}


def _declared(text: str) -> Matrix:
    name, *rest = text.split(":")
    sizes = [_size(n) for n in rest[0].split(",")] if rest and rest[0] else []
    kind = rest[1] if len(rest) > 1 else ""
    if len(rest) > 2 or len(sizes) > 2 or kind not in ("", "positive", "symmetric", "orthogonal"):
        raise ValueError(f"a matrix must be declared as X:N,D or S:n,n:symmetric, got {text!r}; see --help")
    rows, columns = (*sizes, 1, 1)[:2]
    if kind in ("symmetric", "orthogonal"):
        if rows != columns:
            raise ValueError(f"a matrix must be square to be {kind}, got {text!r}; write S:n,n:{kind}")
        return (symmetric if kind == "symmetric" else orthogonal)(name, rows)
    return matrix(name, rows, columns, positive=kind == "positive")


def _size(text: str) -> Any:
    return int(text) if text.strip().isdecimal() else text.strip()


def read(text: str, matrices: Mapping[str, Matrix]) -> Matrix:
    """An expression; ``A * B`` is the product entry by entry, ``A ** 2`` the square of each entry.

    Functions are those of this package; any other is an arbitrary one. Names in ``ones(N, K)`` are sizes.

    Raises
    ------
    ValueError
        For what is no such expression, and for shapes that do not fit.

    Examples
    --------
    >>> named = declared(["X:N,D", "w:D", "y:N"])
    >>> print(read("total((X @ w - y) ** 2) / size(N)", named))
    N^(-1) 1_N^T (X w - y)^(2)
    """
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise ValueError(
            f"an expression must be Python's, got {text!r}; write 'total((X @ w - y) ** 2)', say"
        ) from error
    value = _value(tree, matrices)
    if not isinstance(value, Matrix):
        raise ValueError(f"an expression must be a matrix, got the number {text!r}; name a matrix")
    return value


def _value(node: ast.expr, matrices: Mapping[str, Matrix]) -> Any:
    """A matrix, or a number as it is written."""
    match node:
        case ast.Name(id=name) if name in matrices:
            return matrices[name]
        case ast.Name(id=name):
            raise ValueError(f"a matrix must be declared, got {name!r}; add {name}:N,D, or write size({name})")
        case ast.Constant(value=value) if isinstance(value, int | float) and not isinstance(value, bool):
            return as_rational("a number", value)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, matrices)
        case ast.Attribute(value=inner, attr="T"):
            return as_factor(_value(inner, matrices)).T
        case ast.BinOp(left=left, op=sign, right=right):
            return _combined(sign, _value(left, matrices), _value(right, matrices), ast.unparse(node))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if arguments:
            return _called(name, arguments, matrices)
    raise ValueError(f"an expression must be made of matrices, numbers and functions, got {ast.unparse(node)!r}")


def _combined(sign: ast.operator, left: Any, right: Any, text: str) -> Any:
    numbers = [not isinstance(side, Matrix) for side in (left, right)]
    if isinstance(sign, ast.Pow) and not numbers[0]:
        return functions.power(left, right)
    if all(numbers):
        if type(sign) not in RATIONAL or (isinstance(sign, ast.Div) and not right):
            raise ValueError(f"a number must be made with + - * /, got {text!r}; write it out")
        return RATIONAL[type(sign)](left, right)
    if isinstance(sign, ast.Mult):
        entrywise = not any(numbers) and left.shape == right.shape != (1, 1)
        return operations.hadamard(left, right) if entrywise else left * right
    if isinstance(sign, ast.Div):
        over = not any(numbers) and left.shape == right.shape != (1, 1)
        return operations.hadamard(left, functions.reciprocal(right)) if over else left / right
    if type(sign) not in SIGNS:
        raise ValueError(f"an expression must be made with + - * / @ **, got {text!r}")
    return SIGNS[type(sign)](as_factor(left), as_factor(right))


def _called(name: str, arguments: list[ast.expr], matrices: Mapping[str, Matrix]) -> Matrix:
    try:
        if name in OF_SIZES:
            return OF_SIZES[name](*(_size(ast.unparse(a)) for a in arguments))
        if name in OF_MATRICES:
            return OF_MATRICES[name](*(as_factor(_value(a, matrices)) for a in arguments))
        if name in ("column", "row") and len(arguments) == 2:
            cut = operations.column if name == "column" else operations.row
            return cut(as_factor(_value(arguments[0], matrices)), ast.unparse(arguments[1]))
        first, *others = (_value(a, matrices) for a in arguments)
        if name in WITH_NUMBERS:
            return WITH_NUMBERS[name](as_factor(first), *others)
    except TypeError as error:
        raise ValueError(f"{name}: got another number of arguments, {len(arguments)}; see its documentation") from error
    if others:
        raise ValueError(
            f"{name}: a function of each entry must have one argument, got {len(arguments)}; apply it to one"
        )
    return functions.apply(name, as_factor(first))
