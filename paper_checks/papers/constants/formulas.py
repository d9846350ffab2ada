"""Formulas of the documentation, by the page that they belong to."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sympy import Rational, Symbol

from theory import Formula, Source

# Left-hand sides: the variance of a weight, what a layer does to values and to gradients, and layers to gradients.
VARIANCE = r"\operatorname{Var}[w]"
FORWARDS, BACKWARDS = r"\frac{E[y^2]}{E[x^2]}", r"\frac{E[(\partial L/\partial x)^2]}{E[(\partial L/\partial y)^2]}"
OF_GRADIENT = r"\frac{E[(\partial L/\partial h_0)^2]}{E[(\partial L/\partial h_{\mathrm{depth}})^2]}"


def constant(**values: Any) -> dict[str, Callable[[], Any]]:
    """Derived values of a claim that are the same at each point."""
    return {name: partial(lambda value: value, value) for name, value in values.items()}


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


def in_bfloat16(x: np.ndarray) -> np.ndarray:
    """Numbers (n,) rounded to 8 binary digits, ties to even. NumPy 1.26 has other types for a single number."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).view(np.float32).astype(float)
