"""What a form, a wrong variant of it, or a defining integral says at a point, to 30 digits.

The precision of mpmath is global: who evaluates holds :data:`EVALUATING`, so that two threads never do at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import mpmath
import numpy as np
import sympy
from sympy import Expr

from paper_checks.values.evaluation import Evaluator
from paper_checks.values.parameters import called
from theory import Formula
from theory.many_digits import certified, mpmath_function

__all__ = [
    "DIGITS",
    "EVALUATING",
    "NOT_A_NUMBER",
    "at_point",
    "number_of",
    "reference_of",
    "scale_of",
    "value_of",
]

DIGITS = 30
EVALUATING = threading.RLock()
# Values by expression and point: several claims of a paper state the same result.
KNOWN: dict[tuple, mpmath.mpf] = {}
REFERENCES: dict[tuple, tuple[mpmath.mpf, bool]] = {}
# What evaluating a mutant outside its own domain may raise.
NOT_A_NUMBER = (TypeError, ZeroDivisionError, ValueError, OverflowError, mpmath.libmp.NoConvergence)


def value_of(claim: Any, form: Formula | Expr, values: Mapping[str, Any], arguments=None) -> mpmath.mpf:
    """What a formula (or a mutant of it, with the same arguments) says at a point.

    A mutant may leave the reals or not exist there; that is nan, and no estimate agrees with nan.
    """
    expr = form.expr if isinstance(form, Formula) else form
    key = (expr, claim.functional, tuple(values.items()))
    with EVALUATING:
        if key not in KNOWN:
            KNOWN[key] = _value_of(claim.functional, form, values, arguments)
        return KNOWN[key]


def _value_of(functional: Callable | None, form: Formula | Expr, values: Mapping[str, Any], arguments) -> mpmath.mpf:
    is_formula = isinstance(form, Formula)
    arguments = form.arguments if is_formula else arguments
    point = tuple((name, values[name]) for name in map(str, arguments))
    if is_formula and not functional:
        return _certified(form, point)
    with mpmath.workdps(DIGITS + 15):
        try:
            if not functional:
                return mpmath.mpf(at_point(point)(form))
            compiled = _compiled(tuple(arguments), form.expr if is_formula else form)
            numbers = {name: mpmath.mpmathify(sympy.N(value, DIGITS + 15)) for name, value in point}
            return mpmath.mpf(functional(lambda **given: compiled(*{**numbers, **given}.values()), values))
        except NOT_A_NUMBER:
            if is_formula:
                raise
            return mpmath.nan


def _certified(form: Formula, point: tuple[tuple[str, Any], ...]) -> mpmath.mpf:
    """As ``form.mp`` has it, by parts that are shared with its mutants, which are not worth to be compiled."""
    given = [value for _, value in point]
    form.check(given)
    return certified(
        lambda *_: at_point(point, mpmath.mp.dps)(form.expr), given, DIGITS, lambda: form.vanishes(given)
    )  # fmt: skip


_compiled = cache(mpmath_function)


@cache
def at_point(point: tuple[tuple[str, Any], ...], digits: int = DIGITS + 15) -> Evaluator:
    """What evaluates variants of a formula at a point."""
    with mpmath.workdps(digits):
        return Evaluator({name: mpmath.mpmathify(sympy.N(value, digits)) for name, value in point}, digits)


def reference_of(claim: Any, values: Mapping[str, Any]) -> tuple[mpmath.mpf, bool]:
    """The claim's defining integral or exact form at a point, and whether it was computed in float64 only."""
    if not claim.integral:
        return value_of(claim, claim.reference, values), False
    key = (claim.integral, tuple(values.items()))
    with EVALUATING, mpmath.workdps(DIGITS + 15):
        if key not in REFERENCES:
            found = called(claim.integral, {k: number_of(v) for k, v in values.items()}, f"claim {claim.id}: integral=")
            REFERENCES[key] = _real(found, claim, "integral="), isinstance(found, float | np.floating)
        return REFERENCES[key]


def scale_of(claim: Any, values: Mapping[str, Any]) -> mpmath.mpf | None:
    """What the claim's resolution is relative to at a point, where it names something."""
    if claim.scale is None:
        return None
    with EVALUATING, mpmath.workdps(DIGITS + 15):
        found = called(claim.scale, values, f"claim {claim.id}: scale=")
        return _real(number_of(found), claim, "scale=")


def _real(value: Any, claim: Any, field: str) -> mpmath.mpf:
    try:
        return mpmath.mpf(value)
    except (TypeError, ValueError):
        raise ValueError(f"claim {claim.id}: {field} must give a real number, got {value!r}") from None


def number_of(value: Any) -> Any:
    """An exact number as an int or at mpmath's working precision."""
    if isinstance(value, sympy.Integer):
        return int(value)
    if isinstance(value, sympy.Expr) and (value.is_infinite or value is sympy.nan):
        return mpmath.mpf(float(value))
    return mpmath.mpmathify(sympy.N(value, mpmath.mp.dps)) if isinstance(value, sympy.Expr) else value
