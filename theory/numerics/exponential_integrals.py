"""The entire exponential integral Ein, which SymPy and mpmath do not have."""

import mpmath
from sympy import Integer, exp

from theory.numerics.normal_tails import RealFunction


class Ein(RealFunction):
    """The integral of (1 - e^-t)/t from 0 to y: E_1(y) + log(y) + Euler's gamma for y > 0, entire in y.

    Differences of exponential integrals whose logarithms cancel are differences of Ein, without exception at zero.

    Examples
    --------
    >>> from sympy import Symbol
    >>> Ein(0), Ein(Symbol("y")).diff()
    (0, (1 - exp(-y))/y)
    >>> Ein(1).evalf(20)
    0.79659959929705313428
    """

    @classmethod
    def eval(cls, y):
        return Integer(0) if y.is_zero else None

    def fdiff(self, _argindex=1):
        y = self.args[0]
        return (1 - exp(-y)) / y

    @staticmethod
    def _imp_(y):
        """What lambdify calls with mpmath numbers."""
        return ein(mpmath.mpf(y))

    _mp = _imp_


def ein(y: mpmath.mpf) -> mpmath.mpf:
    """Ein(y) at mpmath's working precision."""
    if abs(y) > 1:
        return mpmath.euler + mpmath.log(abs(y)) - mpmath.ei(-y)
    # The logarithm and the integral cancel.
    term = total = y
    n = 1
    while abs(term) > mpmath.eps * abs(total):
        n += 1
        term = -term * y / n
        total += term / n
    return total
