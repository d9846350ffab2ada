"""SymPy's own reading of a formula, where it has one only."""

from __future__ import annotations

import importlib.util
import time
import warnings

from paper_checks.latex.parts import right_side
from paper_checks.values.patience import within

LONGEST = 160
SECONDS = 2.0
TOGETHER = 20.0


def available() -> bool:
    """Whether the parser that SymPy needs is installed."""
    return importlib.util.find_spec("lark") is not None


def readings(formulas: list[str]) -> list[str]:
    """For each formula SymPy's reading of its right-hand side; empty where there is none, or more than one.

    Parameters
    ----------
    formulas : list of str
        In LaTeX. What takes too long is left out.

    Examples
    --------
    >>> readings([r"y = \\frac{1}{k+1}", "y = f(x) + a b", r"\\mathbb{E}[X] = 1"])
    ['1/(k + 1)', '', '1']
    """
    if not available():
        return [""] * len(formulas)
    _parsed("1")  # The first reading builds the grammar, which counts for none.
    until = time.monotonic() + TOGETHER
    return [_reading(right_side(formula), until) for formula in formulas]


def _reading(latex: str, until: float) -> str:
    left = min(SECONDS, until - time.monotonic())
    if not latex or len(latex) > LONGEST or left <= 0:
        return ""
    try:
        return within(left, lambda: _parsed(latex))
    except (TimeoutError, RecursionError):
        return ""


def _parsed(latex: str) -> str:
    from lark import LarkError, Tree
    from sympy import Basic, preorder_traversal
    from sympy.parsing.latex import parse_latex

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read = parse_latex(latex, backend="lark")
    except (LarkError, ValueError, TypeError, AttributeError, NotImplementedError, ArithmeticError, LookupError):
        return ""
    if isinstance(read, Tree) or not isinstance(read, Basic):
        return ""
    if any(isinstance(part, Tree) for part in preorder_traversal(read)):
        return ""
    return str(read).replace("\n", " ")
