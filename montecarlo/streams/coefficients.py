"""Polynomials of the elementary functions: Chebyshev fits by mpmath.chebyfit at 50 digits, rounded to float64.

The constant term comes first. tests/montecarlo/streams/test_polynomials.py has the functions and intervals, makes the
coefficients again and compares them.
"""

# exp: T(r) = (exp(r) - 1 - r - r**2 / 2) / r**3 for |r| <= ln(2) / 2.
EXP_COEFFICIENTS = tuple(map(float.fromhex, (
    "0x1.5555555555556p-3", "0x1.5555555555555p-5", "0x1.11111111109b5p-7", "0x1.6c16c16c167e2p-10",
    "0x1.a01a01a7c2f2cp-13", "0x1.a01a01a47a5abp-16", "0x1.71de0db2eb873p-19", "0x1.27e4e1f71bcbbp-22",
    "0x1.af389eea54156p-26", "0x1.1f66d957d0ef0p-29",
)))  # fmt: skip
# log: P(z) = (2 atanh(s) / s - 2) / z with z = s**2, for |s| <= 3 - 2 sqrt(2).
LOG_COEFFICIENTS = tuple(map(float.fromhex, (
    "0x1.5555555555558p-1", "0x1.99999999952e2p-2", "0x1.2492492df14bcp-2", "0x1.c71c62e57c3c4p-3",
    "0x1.7462b4ac441afp-3", "0x1.39fe604146b74p-3", "0x1.2b584c6b42d60p-3",
)))  # fmt: skip
# sin: S(z) = (sin(2 pi f) / f - 2 pi) / z with z = f**2, for |f| <= 1/8.
SIN_COEFFICIENTS = tuple(map(float.fromhex, (
    "-0x1.4abbce625be53p+5", "0x1.466bc6775aae1p+6", "-0x1.32d2cce62b872p+6", "0x1.50783486facaap+5",
    "-0x1.e3074d2614b2dp+3", "0x1.e8f036bcd3237p+1", "-0x1.6cc577dadd922p-1",
)))  # fmt: skip
# cos: C(z) = (cos(2 pi f) - 1 + 2 pi**2 z) / z**2 with z = f**2, for |f| <= 1/8.
COS_COEFFICIENTS = tuple(map(float.fromhex, (
    "0x1.03c1f081b5ac4p+6", "-0x1.55d3c7e3cbd74p+6", "0x1.e1f50688302c5p+5", "-0x1.a6d1f0ab7905cp+4",
    "0x1.f9cfc07738157p+2", "-0x1.b38340f56931fp+0",
)))  # fmt: skip
