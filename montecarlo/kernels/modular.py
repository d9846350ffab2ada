"""Exact linear algebra in kernels: arithmetic and elimination modulo the prime 2^61 - 1.

A minor that is not zero modulo a prime is not zero, so a rank found here is never above the true one. It is below it
only where the prime divides all largest minors: for entries that are uniform modulo the prime, with a probability of
at most rank/2^61 (Schwartz and Zippel). No floating-point threshold decides anything.
"""

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from montecarlo.streams.instructions import inlined

PRIME = np.uint64(2**61 - 1)
_BITS = np.uint64(61)
_THREE = np.uint64(3)
_FEW = 24


@intrinsic
def _high(_typing, _a, _b):
    """The upper 64 bits of a product."""

    def build(_context, builder, _signature, arguments):
        wide = ir.IntType(128)
        a, b = (builder.zext(v, wide) for v in arguments)
        return builder.trunc(builder.lshr(builder.mul(a, b), ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), build


@inlined
def multiply(a, b):
    """a b modulo the prime, for residues below it."""
    low = a * b
    # 2^61 = 1: the product's bits from 61 on count as if they were its lowest.
    total = (low & PRIME) + ((low >> _BITS) | (_high(a, b) << _THREE))
    return total - PRIME if total >= PRIME else total


@inlined
def subtract(a, b):
    """a - b modulo the prime."""
    return a - b if a >= b else a + PRIME - b


@numba.njit(error_model="numpy", nogil=True)
def power(base, exponent):
    """base^exponent modulo the prime; a negative exponent is taken modulo p - 1, the order of the multiplication."""
    left = np.uint64(exponent) if exponent >= 0 else PRIME - np.uint64(1) - np.uint64(-exponent)
    result = np.uint64(1)
    while left:
        if left & np.uint64(1):
            result = multiply(result, base)
        base = multiply(base, base)
        left >>= np.uint64(1)
    return result


@inlined
def inverse(a):
    """1/a modulo the prime, for a other than 0."""
    return power(a, -1)


@numba.njit(error_model="numpy", nogil=True)
def rank_modular(work, rows, columns):
    """The rank modulo the prime of ``work[:rows, :columns]``, which is overwritten."""
    return pivot_columns(work, rows, columns, np.empty(min(rows, columns), dtype=np.int64))


@numba.njit(error_model="numpy", nogil=True)
def pivot_columns(work, rows, columns, pivots):
    """The rank of ``work[:rows, :columns]``, overwritten; ``pivots`` gets the first columns that are independent."""
    top = 0
    for j in range(columns):
        pivot = -1
        for i in range(top, rows):
            if work[i, j]:
                pivot = i
                break
        if pivot < 0:
            continue
        if pivot != top:
            for c in range(j, columns):
                work[pivot, c], work[top, c] = work[top, c], work[pivot, c]
        if columns - j > _FEW:
            scale = inverse(work[top, j])
            for i in range(top + 1, rows):
                if work[i, j]:
                    factor = multiply(work[i, j], scale)
                    for c in range(j + 1, columns):
                        work[i, c] = subtract(work[i, c], multiply(factor, work[top, c]))
        else:
            # An inverse costs a hundred products; two products instead of one are cheaper on short rows.
            for i in range(top + 1, rows):
                if work[i, j]:
                    for c in range(j + 1, columns):
                        work[i, c] = subtract(multiply(work[top, j], work[i, c]), multiply(work[i, j], work[top, c]))
        pivots[top] = j
        top += 1
        if top == rows:
            break
    return top
