"""Elementary functions that LLVM vectorises inside Numba loops.

``math.log`` and its like are scalar library calls, and one call keeps a whole loop from being vectorised.
The functions here are straight-line code, so that a loop over samples computes several of them at once.

**The same bits everywhere.** They use only operations that IEEE 754 rounds correctly (+, -, *, / and an explicit `fma`)
in an order that is fixed because `fastmath` is off: nothing is reassociated or contracted. No result depends on the
vector width, the position in the loop or the machine; a processor without FMA is slower, not different.

**Accuracy.** An ulp is the distance between neighbouring float64 at the exact value. Every function is within 1 ulp
over its whole range. Its docstring gives the error budget in ulp, which comes on top of 1/2 for the last rounding, and
the largest error seen in 10**7 points against extended precision. Each polynomial is within 0.05 ulp of its function.
A subnormal result is rounded twice: at most 1/2 on the coarser grid plus half of the error before.
Tests make the coefficients again and measure the errors against mpmath.

`nan` gives `nan`, infinities and zeros give the limits (a zero result may have either sign), and nothing is raised:
kernels cannot.
"""

import numpy as np

from montecarlo.streams.coefficients import COS_COEFFICIENTS, EXP_COEFFICIENTS, LOG_COEFFICIENTS, SIN_COEFFICIENTS
from montecarlo.streams.instructions import bits, fma, from_bits, inlined, magnitude, select

_SIGN = np.uint64(1 << 63)
_MANTISSA = np.uint64((1 << 52) - 1)
_U1, _U2, _U52, _U62 = np.uint64(1), np.uint64(2), np.uint64(52), np.uint64(62)

# Adding 1.5 * 2**52 rounds to the nearest integer and leaves that integer in the low bits of the sum. (Conversions
# between float64 and int64 have no vector instruction before AVX-512.) A constant added on top biases the integer.
_ROUNDER = 1.5 * 2.0**52
_BIASED_ROUNDER = _ROUNDER + 2046.0
_TWICE_ONE_BITS = np.uint64(0x7FE << 52)

# ln 2 = HIGH + LOW to 2**-87; HIGH has 33 bits, so that its product with an exponent is exact.
_LN2_HIGH = float.fromhex("0x1.62e42feep-1")
_LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
_LOG2_E = float.fromhex("0x1.71547652b82fep+0")

# 2 pi = HIGH + LOW; -2 pi**2 = HIGH + LOW.
_TWO_PI_HIGH = float.fromhex("0x1.921fb54442d18p+2")
_TWO_PI_LOW = float.fromhex("0x1.1a62633145c07p-52")
_COS2_HIGH = float.fromhex("-0x1.3bd3cc9be45dep+4")
_COS2_LOW = float.fromhex("-0x1.692b71366cc04p-50")

_E0, _E1, _E2, _E3, _E4, _E5, _E6, _E7, _E8, _E9 = EXP_COEFFICIENTS
_L0, _L1, _L2, _L3, _L4, _L5, _L6 = LOG_COEFFICIENTS
_S0, _S1, _S2, _S3, _S4, _S5, _S6 = SIN_COEFFICIENTS
_C0, _C1, _C2, _C3, _C4, _C5 = COS_COEFFICIENTS


@inlined
def _reduced_exp(x):
    """``r, low, t, poly, s1, s2`` with ``exp(x) = (1 + t + t**2 poly) s1 s2`` and ``t = r - low``, ``|t| <= 0.3466``.

    `r` is exact, `t` is rounded. The power of two comes in two factors because it can lie outside float64.
    """
    # Beyond these limits exp rounds to 0 and to inf; written so that nan passes through.
    x = select(x > 710.0, 710.0, x)
    x = select(x < -746.0, -746.0, x)
    shifted = fma(x, _LOG2_E, _BIASED_ROUNDER)
    n = shifted - _BIASED_ROUNDER
    r = fma(n, -_LN2_HIGH, x)
    t = fma(n, -_LN2_LOW, r)
    poly = fma(t, fma(t, fma(t, fma(t, fma(t, fma(t, fma(t, fma(t, fma(t, _E9, _E8), _E7), _E6), _E5), _E4), _E3),
                                 _E2), _E1), _E0)  # fmt: skip
    # The low bits of `shifted` are n + 2046: halve them for two exponent fields. The shift drops the other bits.
    word = bits(shifted)
    half = word >> _U1
    return r, n * _LN2_LOW, t, fma(t, poly, 0.5), from_bits(half << _U52), from_bits((word - half) << _U52)


@inlined
def exp(x):
    """Exponential function; error below 0.95 ulp, subnormal results included (seen: 0.89).

    Budget, for the smallest significand: t 0.18, the last sum but one 0.18, the rest 0.05.

    Parameters
    ----------
    x : float64
        Any value; above 709.79 the result is inf, below -745.14 it is 0.

    Examples
    --------
    >>> exp(1.0)
    2.718281828459045
    """
    _r, _low, t, poly, s1, s2 = _reduced_exp(x)
    return fma(t, fma(t, poly, 1.0), 1.0) * s1 * s2


@inlined
def _expm1_parts(x):
    """``high, low, s2`` with ``exp(x) - 1 = (high + low) * s2`` and ``|low| <= |high| / 2``."""
    r, low, t, poly, s1, s2 = _reduced_exp(x)
    # exp(x) - 1 = ((s1 - 1 / s2) + s1 r + s1 tail) s2, where 1 / s2 is a power of two. Both sums keep their remainders;
    # the first needs the symmetric form, as either term can be the larger one. Its result is 0 or above the next term.
    # The rounding of t would weigh twice where exp(x) - 1 is a fraction of exp(x): (r - t) - low takes it out of tail.
    tail = fma(t * t, poly, fma(t, (r - t) - low, -low))
    unit = from_bits(_TWICE_ONE_BITS - bits(s2))
    constant = s1 - unit
    back = constant - s1
    lost = (s1 - (constant - back)) - (unit + back)
    linear = s1 * r
    high = constant + linear
    return high, fma(s1, tail, ((constant - high) + linear) + lost), s2


@inlined
def expm1(x):
    """exp(x) - 1 without cancellation near 0; error below 0.95 ulp (seen: 0.88).

    Budget: tail 0.45 where the power of two is 2 and r < 0 (x just above ln(2) / 2), 0.15 elsewhere.

    Parameters
    ----------
    x : float64
        Any value; above 709.79 the result is inf, below -37.5 it is -1.

    Examples
    --------
    >>> expm1(1e-9)
    1.0000000005000001e-09
    """
    high, low, s2 = _expm1_parts(x)
    return (high + low) * s2


@inlined
def _quotient(num, num_low, den, den_low):
    """``(num + num_low) / (den + den_low)`` with one division and one correction step."""
    inverse = 1.0 / den
    q = num * inverse
    rest = fma(-q, den, num) + fma(-q, den_low, num_low)
    return fma(rest, inverse, q)


@inlined
def tanh(x):
    """Hyperbolic tangent, odd to the last bit; error below 0.9 ulp, tiny values included (seen: 0.76).

    Budget: the tails of numerator and denominator 0.3, the correction of the quotient 0.05.

    Parameters
    ----------
    x : float64
        Any value; outside of +-19.1 the result is +-1.

    Examples
    --------
    >>> tanh(20.0)
    1.0
    """
    # tanh |x| = (1 - E) / (1 + E) with E = exp(-2 |x|) <= 1, which neither overflows nor cancels.
    high, low, scale = _expm1_parts(-2.0 * magnitude(x))
    num = -(high + low)
    num_low = -((high + num) + low)
    num *= scale
    num_low *= scale
    den = 2.0 - num
    den_low = ((2.0 - den) - num) - num_low
    q = _quotient(num, num_low, den, den_low)
    return from_bits(bits(magnitude(q)) | (bits(x) & _SIGN))


@inlined
def sigmoid(x):
    """Logistic function 1 / (1 + exp(-x)); error below 0.9 ulp, also where it is small (seen: 0.78).

    Budget: the tails of numerator and denominator 0.2, the correction of the quotient 0.05.

    Parameters
    ----------
    x : float64
        Any value; below -745.14 the result is 0.

    Examples
    --------
    >>> sigmoid(0.0)
    0.5
    """
    # With E = exp(-|x|) <= 1: 1 / (1 + E) on the right of 0, E / (1 + E) on the left; the power of two of a
    # small E stays outside the quotient, where it cannot underflow early.
    r, low, t, poly, s1, s2 = _reduced_exp(-magnitude(x))
    head = 1.0 + r
    rest = ((1.0 - head) + r) + fma(t * t, poly, -low)
    p = head + rest
    p_low = (head - p) + rest
    e = p * s1 * s2
    den = 1.0 + e
    den_low = fma(p_low * s1, s2, (1.0 - den) + e)
    left = x < 0.0
    q = _quotient(select(left, p, 1.0), select(left, p_low, 0.0), den, den_low)
    return q * select(left, s1, 1.0) * select(left, s2, 1.0)


_SQRT_HALF_BITS = np.uint64(0x3FE6A09E667F3BCD)
_LOG_BIAS = np.uint64(1100 << 52)
_TWO52 = 2.0**52
_TWO52_BITS = np.uint64(0x433 << 52)


@inlined
def log(x):
    """Natural logarithm; error below 1 ulp, near 1 and for subnormal arguments too (seen: 0.87).

    Budget, for x just below sqrt(1/2) where f is large and k is -1: half_square 0.13, the last sum but one 0.13,
    polynomial 0.08, s 0.07, the rest 0.05.

    Parameters
    ----------
    x : float64
        Positive; 0 gives -inf and negative values give nan.

    Examples
    --------
    >>> log(10.0)
    2.302585092994046
    """
    subnormal = x < 2.0**-1022
    # x = 2**k m with sqrt(1/2) <= m < sqrt(2), so that near x = 1 k is 0 and f = m - 1 is exact. The bias keeps the
    # word positive; k + 1100 in the low bits of 2**52 is a float64 without a conversion.
    word = bits(select(subnormal, x * 2.0**54, x)) - _SQRT_HALF_BITS + _LOG_BIAS
    k = from_bits((word >> _U52) | _TWO52_BITS) - select(subnormal, _TWO52 + 1154.0, _TWO52 + 1100.0)
    f = from_bits((word & _MANTISSA) + _SQRT_HALF_BITS) - 1.0
    # log m = 2 atanh(s) with s = f / (2 + f), rewritten as f - (f**2 / 2 - s (f**2 / 2 + z P(z))): f leads.
    s = f / (2.0 + f)
    z = s * s
    poly = fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, _L6, _L5), _L4), _L3), _L2), _L1), _L0)
    half_square = 0.5 * f * f
    # k ln 2 + f: the first term is 0 or the larger one, so that the remainder of their sum is found exactly.
    constant = k * _LN2_HIGH
    high = constant + f
    rest = fma(k, _LN2_LOW, (constant - high) + f)
    result = high + (fma(s, fma(z, poly, half_square), rest) - half_square)
    result = select(x < np.inf, result, x)
    return select(x > 0.0, result, select(x == 0.0, -np.inf, np.nan))


@inlined
def sincos_turns(v):
    """``(sin(2 pi v), cos(2 pi v))``; each error below 0.9 ulp, values next to the zeros included (seen: 0.84).

    The angle is counted in turns because its reduction is then exact: no digit of pi is lost for a large `v`.
    Budget: the squared argument 0.16, the correction terms 0.12; at a subnormal sine, underflow of f TWO_PI_LOW 0.34.

    Parameters
    ----------
    v : float64
        ``|v| <= 2**49``; nan above.

    Returns
    -------
    tuple of two float64

    Examples
    --------
    >>> sincos_turns(1e9)
    (0.0, 1.0)
    """
    shifted = fma(v, 4.0, _ROUNDER)
    f = fma(shifted - _ROUNDER, -0.25, v)
    f = select(magnitude(v) <= 2.0**49, f, np.nan)
    z = f * f
    sine = fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, _S6, _S5), _S4), _S3), _S2), _S1), _S0)
    sine = fma(f, _TWO_PI_HIGH, f * fma(z, sine, _TWO_PI_LOW))
    cosine = fma(z, fma(z, fma(z, fma(z, fma(z, _C5, _C4), _C3), _C2), _C1), _C0)
    head = fma(z, _COS2_HIGH, 1.0)
    cosine = head + fma(z, fma(z, cosine, _COS2_LOW), fma(z, _COS2_HIGH, 1.0 - head))
    # Quarter turns swap sine and cosine and change their signs.
    quarter = bits(shifted)
    odd = (quarter & _U1) != np.uint64(0)
    sine_sign = (quarter & _U2) << _U62
    cosine_sign = ((quarter + _U1) & _U2) << _U62
    return (
        from_bits(bits(select(odd, cosine, sine)) ^ sine_sign),
        from_bits(bits(select(odd, sine, cosine)) ^ cosine_sign),
    )
