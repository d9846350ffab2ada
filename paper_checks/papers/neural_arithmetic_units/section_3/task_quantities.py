"""Exact expectations of polynomials in sums of inputs: moments of targets and of squared errors of the task.

The squared error is multiplied out in the sums over the four groups of inputs (in both subsets, in one, in the other,
in neither), whose moments are exact.
"""

import operator

import mpmath
import numpy as np
import sympy

from theory.arithmetic.nearly_perfect import lower, upper

# E[x^k], k = 0, ..., 4, of an input uniform on [lower, upper]: (u^(k+1) - l^(k+1))/((k+1)(u - l)) without the division.
MOMENTS = [sum(upper**j * lower ** (k - j) for j in range(k + 1)) / sympy.Integer(k + 1) for k in range(5)]


def both_subsets(inputs: int, size: int, shared: int) -> tuple[np.ndarray, np.ndarray]:
    """Indicators of two subsets of one size that share so many inputs, the first ones of all."""
    place = np.arange(inputs)
    return 1.0 * (place < size), 1.0 * ((place >= size - shared) & (place < 2 * size - shared))


def raw_moments(lower, upper, two_sided):
    """E[x^k], k = 0, ..., 4, of an input uniform on [lower, upper], or with a random sign."""
    moments = [(upper ** (k + 1) - lower ** (k + 1)) / ((k + 1) * (upper - lower)) for k in range(5)]
    return [m if not two_sided or k % 2 == 0 else 0 * m for k, m in enumerate(moments)]


def moments_of_sum(single, number):
    """E[s^k] of the sum of so many independent inputs, added one by one."""
    total = [mpmath.mpf(1), *[mpmath.mpf(0)] * 4]
    for _ in range(int(number)):
        total = [sum(mpmath.binomial(k, j) * total[j] * single[k - j] for j in range(k + 1)) for k in range(5)]
    return total


SUMS = sympy.symbols("s:4")  # of the inputs in both subsets, only in A, only in B, in neither
A, B = SUMS[0] + SUMS[1], SUMS[0] + SUMS[2]
OPERATIONS = {"addition": operator.add, "subtraction": operator.sub, "multiplication": operator.mul}


def expectation(polynomial, moments):
    """E of a polynomial in the four sums, which are independent, from their moments."""
    return sum(
        mpmath.mpmathify(c) * mpmath.fprod(m[e] for m, e in zip(moments, powers, strict=True))
        for powers, c in sympy.Poly(polynomial, *SUMS).terms()
    )


def group_moments(n, size_a, size_b, overlap, lower, upper, two_sided=0):
    """Of the sums over the four groups, of inputs uniform on [lower, upper] or with a random sign."""
    single = raw_moments(mpmath.mpf(lower), mpmath.mpf(upper), two_sided)
    sizes = (overlap, size_a - overlap, size_b - overlap, n - size_a - size_b + overlap)
    return [moments_of_sum(single, size) for size in sizes]


def error_square(operation, n, size_a, size_b, overlap, lower, upper, eps, two_sided):
    """E[(h1 o h2 - a o b)^2], multiplied out, from the moments of the four group sums."""
    hidden = [(1 - eps) * inside + eps * (sum(SUMS) - inside) for inside in (A, B)]
    error = OPERATIONS[operation](*hidden) - OPERATIONS[operation](A, B)
    return expectation(error**2, group_moments(n, size_a, size_b, overlap, lower, upper, two_sided))


def target_mean(operation, size_a, size_b, overlap, lower, upper, power=1):
    """E[target^power], likewise, for a power of 1 or 2."""
    groups = group_moments(size_a + size_b - overlap, size_a, size_b, overlap, lower, upper)
    return expectation(OPERATIONS[operation](A, B) ** power, groups)


def target_variance(operation, size_a, size_b, overlap, lower, upper):
    layout = (operation, size_a, size_b, overlap, lower, upper)
    return target_mean(*layout, power=2) - target_mean(*layout) ** 2
