"""Evaluation of expressions to any number of digits, at growing precision until two results agree."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import mpmath
import sympy
from sympy import Expr, Float, Symbol

MAX_DIGITS = 6000
# That an expression vanishes is asked of SymPy after so many digits: for roots it may take minutes to say no.
BEFORE_ASKING = 1000
DIGITS_OF_A_BIT = math.log10(2)


def mpmath_function(arguments: Sequence[Symbol], expr: Expr) -> Callable:
    """A function of mpmath numbers for an expression, at the working precision of the caller."""
    return sympy.lambdify(arguments, expr, modules="mpmath")


def refuse_floats(says: str, place: str, expr: Expr) -> None:
    """Refuse a Python float in an exact expression, and say which exact number was probably meant."""
    for number in sorted(expr.atoms(Float), key=str):
        meant = sympy.nsimplify(number, [sympy.pi, sympy.E], tolerance=1e-14, rational=None)
        around = min((a for a in sympy.preorder_traversal(expr) if number in a.args), key=sympy.count_ops, default=expr)
        raise ValueError(
            f"Formula: {place} of {says!r} must be exact, got the float {number} in {around}; "
            f"write {sympy.srepr(meant) if isinstance(meant, sympy.Rational) else meant}"
        )


def certified(
    function: Callable, values: Sequence[Any], dps: int, vanishes: Callable[[], bool] = lambda: False
) -> mpmath.mpf:
    """Call an mpmath function at growing precision until two results agree to ``dps`` digits.

    Two zeros do not count as agreement: below the precision at which a cancellation is resolved they are what
    it leaves. A result that stays zero up to ``MAX_DIGITS`` is zero, or one of which ``vanishes`` knows it.
    """

    def at(digits: int) -> mpmath.mpf:
        with mpmath.workdps(digits):
            return mpmath.mpmathify(function(*(_to_mp(v) for v in values)))

    # The first terms of a series lose digits at an argument that is small or large.
    sizes = [abs(mpmath.mag(v)) for v in map(_to_mp, values) if v]
    digits = dps + 15 + int(2 * DIGITS_OF_A_BIT * max(sizes, default=0))
    last, asked = at(digits), False
    while digits < MAX_DIGITS:
        digits *= 2
        value = at(digits)
        with mpmath.workdps(digits):
            if value and abs(value - last) <= abs(value) * mpmath.mpf(10) ** (-dps):
                return value
        if digits > BEFORE_ASKING and not asked:
            asked = True
            if vanishes():
                return mpmath.mpf(0)
        last = value
    if abs(last) < mpmath.mpf(10) ** (-MAX_DIGITS // 2):
        return mpmath.mpf(0)
    raise ArithmeticError(f"no {dps} digits at {values} with up to {MAX_DIGITS} digits of working precision")


def _to_mp(value: Any) -> mpmath.mpf:
    if isinstance(value, sympy.Rational):
        return mpmath.mpf(value.p) / value.q
    return mpmath.mpmathify(sympy.N(value, mpmath.mp.dps) if isinstance(value, sympy.Expr) else value)
