"""Limits at infinity by SymPy, and values to 50 digits at growing arguments."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy
from sympy import Expr, Symbol, oo

from paper_checks.values.evaluation import Evaluator
from paper_checks.values.exact import NOT_A_NUMBER
from paper_checks.values.patience import within

DIGITS = 50
# The arguments 2^4, ..., 2^20.
POWERS = range(4, 21)
# Nearer to a limit than this is at it, to the digits that are left of those computed with.
AT_THE_LIMIT = mpmath.mpf(10) ** (8 - DIGITS)
FEWEST = 9
SECONDS = 60.0
"""Seconds for the limit of one way to write an expression."""


def limit_at_infinity(expr: Expr, symbol: Symbol) -> tuple[Expr | None, bool]:
    """The limit as a positive real symbol goes to infinity, and whether numbers show it; None where SymPy finds none.

    SymPy may be wrong: of its limits for several ways to write the expression, the first that numbers show is taken.
    It may also take very long: after ``SECONDS`` the next way is tried.

    Examples
    --------
    >>> n = Symbol("n", integer=True, positive=True)
    >>> limit_at_infinity((1 + 1 / n) ** n, n), limit_at_infinity(sympy.sin(n), n)
    ((E, True), (None, False))
    """
    x = sympy.Dummy("x", positive=True)
    written, numbers = expr.xreplace({symbol: x}), tail(expr, symbol)
    found = None
    for rewritten in WAYS:
        try:
            limit = within(SECONDS, lambda: sympy.limit(rewritten(written), x, oo))  # noqa: B023
        except (NotImplementedError, ValueError, TypeError, ArithmeticError, RecursionError, TimeoutError):
            continue
        if not limit.free_symbols and not limit.has(sympy.Limit, sympy.nan, sympy.AccumBounds, sympy.zoo):
            found = limit
            if numbers.shows(limit):
                return limit, True
    return found, False


WAYS = (
    lambda e: e,
    lambda e: sympy.gammasimp(e.rewrite(sympy.gamma)),
    lambda e: sympy.expand_log(e.rewrite(sympy.loggamma), force=True),
)


@dataclass(frozen=True)
class Tail:
    """Values of an expression at growing powers of 2."""

    powers: Sequence[int]
    values: Sequence[Any]

    @property
    def late(self) -> tuple[Any, Any, Any] | None:
        """The values at 2^12, 2^16 and 2^20; None where some of the last ones do not exist."""
        if list(self.powers[-FEWEST:]) != list(POWERS[-FEWEST:]):
            return None
        return self.values[-9], self.values[-5], self.values[-1]

    def shows(self, limit: Expr) -> bool:
        """Whether the values seem to approach a limit: from 2^12 to 2^20 the distance falls by a quarter.

        To an infinite one they grow, from 2^16 to 2^20 by half as much at least as from 2^12 to 2^16. What comes near
        as 1 / log n does both; what comes near to something else does not.
        """
        if self.late is None:
            return False
        early, middle, last = self.late
        if limit.is_infinite:
            sign = 1 if limit is oo else -1
            before, after = sign * (middle - early), sign * (last - middle)
            return before > 0 and after >= before / 2
        at = mpmath.mpmathify(sympy.N(limit, DIGITS))
        return abs(last - at) <= max(abs(early - at) * 3 / 4, AT_THE_LIMIT * max(1, abs(at)))

    @property
    def grows(self) -> bool:
        """Whether the values seem to grow without bound, or do not exist."""
        return len(self.values) < FEWEST or self.shows(oo) or self.shows(-oo)

    def shown(self, name: str) -> str:
        """Three of the values, with their arguments."""
        if not self.values:
            return f"no value at {name} = 2^{POWERS[0]}, ..., 2^{POWERS[-1]}"
        picked = sorted({0, len(self.values) // 2, len(self.values) - 1})
        values = ", ".join(mpmath.nstr(self.values[i], 6) for i in picked)
        return f"{values} at {name} = {', '.join(f'2^{self.powers[i]}' for i in picked)}"


def tail(expr: Expr, symbol: Symbol) -> Tail:
    """Values of an expression at 2^4, ..., 2^20, to 50 digits; those that exist.

    Examples
    --------
    >>> n = Symbol("n", positive=True)
    >>> tail(1 + 1 / n, n).shown("n")
    '1.0625, 1.00024, 1.0 at n = 2^4, 2^12, 2^20'
    """
    kept, values = [], []
    for k in POWERS:
        try:
            # What cancels has as many digits less as its terms are larger: twice as many are there to be lost.
            value = Evaluator({str(symbol): mpmath.mpf(2) ** k}, 3 * DIGITS)(expr)
        except (*NOT_A_NUMBER, KeyError):
            continue
        if isinstance(value, mpmath.mpf) and mpmath.isfinite(value):
            kept.append(k)
            values.append(value)
    return Tail(kept, values)
