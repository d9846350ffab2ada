"""Instructions on one float64 that LLVM turns into those of a vector, and how a helper must be compiled for that."""

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

ONE_BITS = np.uint64(0x3FF << 52)
_MAGNITUDE = np.uint64((1 << 63) - 1)

# Python's division rule puts a branch (ZeroDivisionError) in the loop, and a helper that is called instead of inlined
# stops the vectoriser: both options are needed, for every helper. Kernels that inline these helpers carry the cache.
inlined = numba.njit(error_model="numpy", nogil=True, forceinline=True)


def _emit(build):
    return lambda _context, builder, _signature, arguments: build(builder, *arguments)


@intrinsic
def fma(_typing, _a, _b, _c):
    """``a * b + c`` rounded once (float64)."""
    return types.float64(types.float64, types.float64, types.float64), _emit(ir.IRBuilder.fma)


@intrinsic
def bits(_typing, _x):
    """The 64 bits of a float64 as uint64."""
    return types.uint64(types.float64), _emit(lambda builder, x: builder.bitcast(x, ir.IntType(64)))


@intrinsic
def from_bits(_typing, _word):
    """The float64 with the 64 bits of a uint64."""
    return types.float64(types.uint64), _emit(lambda builder, word: builder.bitcast(word, ir.DoubleType()))


@intrinsic
def select(_typing, _condition, _yes, _no):
    """`yes` where `condition` holds, else `no` (float64); without the branch that would stop the vectoriser."""
    return types.float64(types.boolean, types.float64, types.float64), _emit(ir.IRBuilder.select)


@intrinsic
def assume(_typing, _condition):
    """Say that ``condition`` holds: LLVM leaves out what is for other cases. Where it does not, anything may happen."""

    def emit(context, builder, _signature, arguments):
        builder.assume(arguments[0])
        return context.get_dummy_value()

    return types.none(types.boolean), emit


@inlined
def magnitude(x):
    """|x|, exact."""
    return from_bits(bits(x) & _MAGNITUDE)


@inlined
def clamp(x, low, high):
    """min(max(x, low), high) without the branches that keep a loop from being vectorised."""
    raised = select(x > low, x, low)
    return select(raised < high, raised, high)
