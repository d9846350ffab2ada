"""Products of small matrices with blocks of observations, and logarithms of blocks.

A room is one array (rows, BATCH): inputs, hidden units, outputs, slopes, each a row with the observations of a batch. A
matrix (fan_out, fan_in) is a piece of a vector, row by row, that begins at ``at``. The order of every sum is written
out, so that its bits do not depend on the width of the processor's vectors.
"""

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.streams.instructions import assume, fma, inlined, magnitude, select
from montecarlo.streams.vector_math import log
from montecarlo.training.arithmetic.task import BATCH

# Partial sums of a sum over a batch, room for those of four such sums, terms of a sum over inputs taken at a time.
_PARTS = BATCH // 8
LANES, TERMS = 4 * _PARTS, 4
# Bytes of a line of the processor's cache, and of its widest vectors.
_LINE = 64


@compiled_helper
def new_room(rows):
    """So many rows of zeros, from the beginning of a cache line on.

    Numba asks for half of that. Where each vector lies on two lines, networks of a hundred inputs take a fifth longer.
    """
    spare = _LINE // 8
    numbers = np.zeros(rows * BATCH + spare)
    first = -(numbers.ctypes.data // 8) % spare
    return numbers[first : first + rows * BATCH].reshape((rows, BATCH))


@inlined
def clear(room, row, count):
    """Set so many rows to 0."""
    for j in range(row, row + count):
        for i in range(BATCH):
            room[j, i] = 0.0


@inlined
def mix(w, at, fan_in, fan_out, room, x, z):
    """Row z + o is sum_h w[o, h] row x + h."""
    clear(room, z, fan_out)
    for h in range(0, fan_in, TERMS):
        add_terms(w, at, fan_in, fan_out, room, x, z, h)


@inlined
def add_terms(w, at, fan_in, fan_out, room, x, z, h):
    """Add four terms from h on to each sum, to two sums at a time; of less than four each for itself."""
    if h + TERMS <= fan_in:
        for o in range(0, fan_out - 1, 2):
            _add_four_to_two(w, at + o * fan_in + h, fan_in, room, x + h, z + o)
        if fan_out % 2:
            _add_four(w, at + (fan_out - 1) * fan_in + h, room, x + h, z + fan_out - 1)
    else:
        for k in range(h, fan_in):
            for o in range(fan_out):
                a = w[at + o * fan_in + k]
                for i in range(BATCH):
                    room[z + o, i] = fma(a, room[x + k, i], room[z + o, i])


@inlined
def _add_four(w, row, room, x, z):
    a, b, c, d = w[row], w[row + 1], w[row + 2], w[row + 3]
    for i in range(BATCH):
        room[z, i] += fma(a, room[x, i], b * room[x + 1, i]) + fma(c, room[x + 2, i], d * room[x + 3, i])


@inlined
def _add_four_to_two(w, row, fan_in, room, x, z):
    a, b, c, d = w[row], w[row + 1], w[row + 2], w[row + 3]
    row += fan_in
    e, f, g, h = w[row], w[row + 1], w[row + 2], w[row + 3]
    for i in range(BATCH):
        p, q, r, s = room[x, i], room[x + 1, i], room[x + 2, i], room[x + 3, i]
        room[z, i] += fma(a, p, b * q) + fma(c, r, d * s)
        room[z + 1, i] += fma(e, p, f * q) + fma(g, r, h * s)


@inlined
def add_back(w, at, fan_in, fan_out, room, slope, dx):
    """Add sum_o w[o, h] row slope + o to row dx + h."""
    for h in range(fan_in):
        for o in range(fan_out):
            a = w[at + o * fan_in + h]
            for i in range(BATCH):
                room[dx + h, i] = fma(a, room[slope + o, i], room[dx + h, i])


@inlined
def _folded(lanes, first):
    """The sum of sixteen lanes, as a tree."""
    for i in range(first, first + 8):
        lanes[i] += lanes[i + 8]
    for i in range(first, first + 4):
        lanes[i] += lanes[i + 4]
    return (lanes[first] + lanes[first + 2]) + (lanes[first + 1] + lanes[first + 3])


@inlined
def _two(room, j, k, i):
    return fma(room[j, i + _PARTS], room[k, i + _PARTS], room[j, i] * room[k, i])


@inlined
def _eight(room, j, k, i):
    p, q = _two(room, j, k, i), _two(room, j, k, i + 2 * _PARTS)
    r, s = _two(room, j, k, i + 4 * _PARTS), _two(room, j, k, i + 6 * _PARTS)
    return (p + q) + (r + s)


@inlined
def add_outer(room, slope, x, fan_in, fan_out, lanes, out, at):
    """Add sum_i row slope + o, times row x + h, to out[o, h]: sixteen sums of eight products, then a tree."""
    for h in range(0, fan_in, 2):
        add_outer_two(room, slope, x, fan_in, fan_out, lanes, out, at, h)


@inlined
def add_outer_two(room, slope, x, fan_in, fan_out, lanes, out, at, h):
    """Of h and the next, two by two where there are two."""
    even_out = fan_out // 2 * 2 if h + 1 < fan_in else 0
    for o in range(0, even_out, 2):
        _add_two_by_two(room, slope + o, x + h, lanes, out, at + o * fan_in + h, fan_in)
    for o in range(even_out, fan_out):
        for k in range(h, min(h + 2, fan_in)):
            for i in range(_PARTS):
                lanes[i] = _eight(room, slope + o, x + k, i)
            out[at + o * fan_in + k] += _folded(lanes, 0)


@inlined
def _add_two_by_two(room, j, k, lanes, out, first, fan_in):
    for i in range(_PARTS):
        lanes[i] = _eight(room, j, k, i)
        lanes[i + _PARTS] = _eight(room, j, k + 1, i)
        lanes[i + 2 * _PARTS] = _eight(room, j + 1, k, i)
        lanes[i + 3 * _PARTS] = _eight(room, j + 1, k + 1, i)
    out[first] += _folded(lanes, 0)
    out[first + 1] += _folded(lanes, _PARTS)
    out[first + fan_in] += _folded(lanes, 2 * _PARTS)
    out[first + fan_in + 1] += _folded(lanes, 3 * _PARTS)


@inlined
def total(room, j, lanes):
    """The sum of a row, likewise."""
    for i in range(_PARTS):
        p, q = room[j, i] + room[j, i + _PARTS], room[j, i + 2 * _PARTS] + room[j, i + 3 * _PARTS]
        r, s = room[j, i + 4 * _PARTS] + room[j, i + 5 * _PARTS], room[j, i + 6 * _PARTS] + room[j, i + 7 * _PARTS]
        lanes[i] = (p + q) + (r + s)
    return _folded(lanes, 0)


@inlined
def logarithms(room, x, logs, count, eps):
    """Row logs + h is log(|row x + h| + eps)."""
    for h in range(count):
        _logarithm(room, x + h, logs + h, eps)


@inlined
def _logarithm(room, x, logs, eps):
    """What is for zeros, infinities and the smallest numbers takes a third of the time: left out of rows that have none
    of them."""
    normal = True
    for i in range(BATCH):
        v = magnitude(room[x, i]) + eps
        normal &= _normal(v)
        room[logs, i] = v
    if normal:
        for i in range(BATCH):
            assume(_normal(room[logs, i]))
            room[logs, i] = log(room[logs, i])
    else:
        for i in range(BATCH):
            room[logs, i] = log(room[logs, i])


@inlined
def _normal(x):
    return (x >= 2.0**-1022) & (x < np.inf)


@inlined
def logarithms_back(room, x, dx, count, eps):
    """Row dx + h times the slope of log(|row x + h| + eps), which is 0 at 0."""
    for h in range(count):
        for i in range(BATCH):
            v = room[x + h, i]
            sign = select(v > 0.0, 1.0, select(v < 0.0, -1.0, 0.0))
            room[dx + h, i] *= sign / (magnitude(v) + eps)
