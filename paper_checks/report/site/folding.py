"""Long forms broken: parts get names of one letter, so that each line fits on a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import sympy

from paper_checks.report.formulas import latex_of, symbol

__all__ = ["folded"]

LETTERS = "ABCFGHJKLMPQRSTUVXYZ"
# In units of the font's size: what a narrow screen still shows in letters that can be read.
LIMIT = 28.0
LEAST = 5.0


def folded(expr: sympy.Expr, names: str = LETTERS) -> Iterator[tuple[str, str]]:
    """Lines of LaTeX: the form itself with an empty name, then what each letter in it stands for.

    Examples
    --------
    >>> x, y = sympy.symbols("x y")
    >>> [name for name, _ in folded(sum(sympy.sin(x + k * y) / (k + y) for k in range(1, 13)))][:2]
    ['', 'A']
    """
    taken = {s.name for s in expr.free_symbols}
    free = [name for name in names if name not in taken]
    parts: dict[sympy.Symbol, sympy.Expr] = {}
    while _width(expr, widths := {}) > LIMIT and len(parts) < len(free):
        part = _part(expr, widths)
        if part is None:
            break
        letter = sympy.Symbol(free[len(parts)])
        parts[letter] = part
        expr = expr.xreplace({part: letter})
    yield "", latex_of(expr)
    for letter, part in parts.items():
        yield str(letter), latex_of(part)


def _part(expr: sympy.Expr, widths: dict[sympy.Basic, float]) -> sympy.Expr | None:
    """What is worth a name most: the widest that fits, the more so the more often it occurs."""
    bound = {s for node in expr.atoms(sympy.Sum, sympy.Integral, sympy.Product) for s in node.bound_symbols}
    seen = Counter(sympy.preorder_traversal(expr))
    able = {
        node: seen[node] * width
        for node, width in widths.items()
        if LEAST < width <= LIMIT and isinstance(node, sympy.Expr) and not (bound and node.free_symbols & bound)
    }
    most = max(able.values(), default=0.0)
    return max((node for node in able if able[node] == most), key=sympy.default_sort_key, default=None)


def _width(node: sympy.Basic, known: dict[sympy.Basic, float]) -> float:
    """About the width of an expression in print; ``known`` takes it for all of its parts."""
    if node not in known:
        known[node] = _measured(node, known)
    return known[node]


def _measured(node: sympy.Basic, known: dict[sympy.Basic, float]) -> float:
    if node.is_Symbol:
        return _letters(symbol(node.name))
    if not node.args:
        return 0.5 * len(str(node))
    parts = [_width(part, known) for part in node.args]
    if node.is_Rational:
        return 0.5 * max(len(str(node.p)), len(str(node.q)))
    if node.is_Pow:
        return parts[0] + 0.9 + (0.0 if node.exp == -1 else 1.5 if node.exp == sympy.Rational(1, 2) else 0.7 * parts[1])
    if node.is_Mul:
        return _fraction(node, known)
    if node.is_Add:
        return sum(parts) + 1.4 * (len(parts) - 1)
    return sum(parts) + 0.5 * (len(type(node).__name__) + len(parts)) + 0.9


def _fraction(node: sympy.Mul, known: dict[sympy.Basic, float]) -> float:
    above, below = [], []
    for part in node.args:
        if part.is_Rational:
            above += [sympy.Integer(part.p)] if part.p != 1 else []
            below += [sympy.Integer(part.q)] if part.q != 1 else []
        elif part.is_Pow and part.exp.is_negative:
            below.append(1 / part)
        else:
            above.append(part)
    sides = [sum(_factor(part, known) for part in side) for side in (above, below)]
    return 0.3 + max(sides) if below else sides[0]


def _factor(node: sympy.Expr, known: dict[sympy.Basic, float]) -> float:
    return _width(node, known) + (0.9 if node.is_Add else 0.15)


def _letters(latex: str) -> float:
    """A symbol with its indices; commands count as one letter."""
    shown = latex.replace(r"\mathrm", "").replace("\\ell", "l").replace("\\tilde", "").replace("\\hat", "")
    return 0.6 * max(1, len([c for c in shown if c not in "{}_^\\ "]) if "\\" not in shown else 1)
