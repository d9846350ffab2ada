"""Comparison of results except for rounding: numbers to nine digits, those in texts to their last digit."""

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

RELATIVE = 1e-9
# What is left of a difference of numbers of this project, which are seldom far from 1.
ABSOLUTE = 1e-12
NUMBER = re.compile(r"[-+]?\d[\d,]*\.?\d*(?:e[-+]?\d+)?")


def alike(one: Any, other: Any) -> bool:
    """Whether two values of plain data agree: floats to nine digits, numbers in texts to a unit of the last digit.

    Examples
    --------
    >>> alike({"z": 1.0, "says": "12 of 13, p = 0.0312"}, {"z": 1.0 + 1e-13, "says": "12 of 13, p = 0.0313"})
    True
    >>> alike("12 of 13", "11 of 13"), alike(1.0, 1.0001), alike("CONFIRMED", "REFUTED")
    (False, False, False)
    """
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE) or (math.isnan(one) and math.isnan(other))
    if isinstance(one, str) and isinstance(other, str):
        pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=False)
        return NUMBER.sub("", one) == NUMBER.sub("", other) and all(_numbers_alike(*pair) for pair in pairs)
    return one == other


def _numbers_alike(one: str, other: str) -> bool:
    """Whether numbers in texts agree: integers exactly, decimals to one unit of the last digit."""
    if one == other:
        return True
    unit = max(_unit(one), _unit(other))
    return unit < 1 and abs(float(one.replace(",", "")) - float(other.replace(",", ""))) <= 1.5 * unit


def _unit(text: str) -> float:
    """Unit of the last digit of a number; 1 for integers."""
    mantissa, _, exponent = text.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - decimals) if decimals or exponent else 1.0


def arrays_alike(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> bool:
    """Whether two sets of arrays agree by name, shape and value: numbers to nine digits of the largest in their array.

    Examples
    --------
    >>> arrays_alike({"x": np.array([1.0, 0.0])}, {"x": np.array([1.0, 1e-13])})
    True
    >>> arrays_alike({"x": np.array([1.0])}, {"x": np.array([1.1])}), arrays_alike({"x": np.ones(2)}, {"y": np.ones(2)})
    (False, False)
    """
    return one.keys() == other.keys() and all(_array_alike(one[name], other[name]) for name in one)


def _array_alike(one: np.ndarray, other: np.ndarray) -> bool:
    if one.shape != other.shape or one.dtype.kind != other.dtype.kind:
        return False
    if one.dtype.kind not in "fc":
        return np.array_equal(one, other)
    finite = np.abs(one[np.isfinite(one)])
    scale = finite.max() if finite.size else 0.0
    return np.allclose(one, other, rtol=RELATIVE, atol=RELATIVE * scale, equal_nan=True)
