"""The entire exponential integral Ein, which SymPy and mpmath do not have."""

import math

import mpmath
from mpmath.libmp import MPZ
from sympy import Expr, Function, Integer, exp


class Ein(Function):
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

    def _eval_evalf(self, prec):
        with mpmath.workprec(prec):
            return Expr._from_mpmath(self._imp_(self.args[0]._to_mpmath(prec)), prec)


def ein(y: mpmath.mpf) -> mpmath.mpf:
    """Ein(y) at mpmath's working precision."""
    # mpmath's Ei sums its series term by term below, which takes 0.1 s at 1000 digits, and is fast above.
    if abs(y) > mpmath.mp.prec:
        return mpmath.euler + mpmath.log(abs(y)) - mpmath.ei(-y)
    if abs(y) > 1:
        return _by_blocks(y)
    term = total = y
    n = 1
    while abs(term) > mpmath.eps * abs(total):
        n += 1
        term = -term * y / n
        total += term / n
    return total


def _by_blocks(y: mpmath.mpf) -> mpmath.mpf:
    """-sum_n (-y)^n/(n n!) in integers: full multiplications only once per block of terms, small divisions within."""
    precision = mpmath.mp.prec
    size = abs(y)
    block = 2 * max(2, math.isqrt(precision) // 2)  # even, so that blocks have no sign
    # Room for the growth of rounding by the powers of one block.
    bits = precision + block * (2 + int(mpmath.log(size, 2))) + 30
    with mpmath.workprec(2 * bits):
        x = MPZ(int(mpmath.floor(mpmath.ldexp(size, bits))))
    powers = [MPZ(1) << bits]
    for _ in range(block):
        powers.append((powers[-1] * x) >> bits)
    sums = [0] * block
    n, leading = 0, powers[0]
    while leading:
        for s in range(block):
            if n:
                sums[s] += leading // n
            n += 1
            leading //= n
        leading = (leading * powers[block]) >> bits
    odd = sum(sums[s] * powers[s] for s in range(1, block, 2))
    even = sum(sums[s] * powers[s] for s in range(0, block, 2))
    total = odd - even if y > 0 else -(odd + even)
    return mpmath.ldexp(mpmath.mpf(total), -2 * bits)
