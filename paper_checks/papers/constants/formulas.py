"""Formulas of the documentation, by the page that they belong to."""

from collections.abc import Callable
from typing import Any

from sympy import Rational, Symbol

from theory import Formula, Source


def on(page: str) -> Callable[..., Formula]:
    """Function that makes the formulas of a page. A value may be a decimal number in a string.

    Examples
    --------
    >>> formula = on("torch.nn.SELU")
    >>> formula("slope of the variance map at 1", r"\\chi", "0.783").expr
    783/1000
    """

    def formula(says: str, lhs: str, value: Any, *arguments: Symbol, **more: Any) -> Formula:
        value = Rational(value) if isinstance(value, str) else value
        return Formula(says, value, arguments, source=Source("constants", page), lhs=lhs, **more)

    return formula
