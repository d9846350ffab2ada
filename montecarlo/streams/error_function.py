"""The error function in lanes: what a network with such units needs, the same small error at every argument."""

from montecarlo.streams.instructions import fma, inlined, magnitude, select
from montecarlo.streams.vector_math import exp

# exp(x^2) erfc(x) for 0 <= x <= 6 as a polynomial in s = (x - 3)/(x + 3) + 1/3, |s| <= 2/3: a Chebyshev fit by
# mpmath.chebyfit at 50 digits, the constant term first. test_polynomials.py makes it again.
COEFFICIENTS = tuple(map(float.fromhex, (
    "0x1.494daffa2ad67p-2", "-0x1.1abd8af9a0b40p-1", "0x1.d01d78e7a3df4p-2", "-0x1.1a1a355d67f2ap-2",
    "0x1.e351f2654e81ep-4", "-0x1.ec35645171890p-6", "0x1.a2c9409bfa22ep-11", "0x1.1cc85eb819045p-9",
    "-0x1.973dcbb4fe018p-12", "-0x1.6d6cf0d528593p-13", "0x1.88b6c09d81dd7p-15", "0x1.4a31f4d78ce21p-16",
    "-0x1.2fab5dfe5fe96p-18", "-0x1.79599efb5484fp-19", "0x1.1a88e7753a124p-22", "0x1.b517c93270676p-22",
    "0x1.c1ca90ea58464p-27", "-0x1.7561a3522cccfp-25",
)))  # fmt: skip
(_C0, _C1, _C2, _C3, _C4, _C5, _C6, _C7, _C8, _C9, _C10, _C11, _C12, _C13, _C14, _C15, _C16, _C17) = COEFFICIENTS


@inlined
def erf(x):
    """The error function within 1e-15: an absolute error, that next to 0 is not small against erf(x) itself.

    Examples
    --------
    >>> erf(-9.0)
    -1.0
    """
    size = magnitude(x)
    size = select(size < 6.0, size, 6.0)  # 1 - erf(6) is 2e-17
    s = (size - 3.0) / (size + 3.0) + 1.0 / 3.0
    high = fma(s, fma(s, fma(s, fma(s, fma(s, fma(s, fma(s, fma(s, _C17, _C16), _C15), _C14), _C13), _C12), _C11),
                      _C10), _C9)  # fmt: skip
    poly = fma(s, fma(s, fma(s, fma(s, fma(s, fma(s, fma(s, fma(s, fma(s, high, _C8), _C7), _C6), _C5), _C4), _C3),
                             _C2), _C1), _C0)  # fmt: skip
    value = 1.0 - exp(-size * size) * poly
    return select(x < 0.0, -value, value)
