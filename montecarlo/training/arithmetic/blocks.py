"""Products of small matrices with blocks of observations.

A room is one array (rows, BATCH): inputs, hidden units, outputs, slopes, each a row with the observations of a batch. A
matrix (fan_out, fan_in) is a piece of a vector, row by row, that begins at ``at``. The order of every sum is written
out, so that its bits do not depend on the width of the processor's vectors.
"""

from __future__ import annotations

from montecarlo.streams.instructions import fma, inlined
from montecarlo.training.arithmetic.task import BATCH

__all__ = ["LANES", "add_back", "add_outer", "clear", "mix", "total"]

LANES = BATCH // 8


@inlined
def clear(room, row, count):
    """Set so many rows to 0."""
    for j in range(row, row + count):
        for i in range(BATCH):
            room[j, i] = 0.0


@inlined
def mix(w, at, fan_in, fan_out, room, x, z):
    """Row z + o is sum_h w[o, h] row x + h; four terms at a time."""
    clear(room, z, fan_out)
    for h in range(0, fan_in - 3, 4):
        one, two, three, four = x + h, x + h + 1, x + h + 2, x + h + 3
        for o in range(fan_out):
            row = at + o * fan_in + h
            a, b, c, d = w[row], w[row + 1], w[row + 2], w[row + 3]
            for i in range(BATCH):
                room[z + o, i] += fma(a, room[one, i], b * room[two, i]) + fma(c, room[three, i], d * room[four, i])
    for h in range(fan_in // 4 * 4, fan_in):
        for o in range(fan_out):
            a = w[at + o * fan_in + h]
            for i in range(BATCH):
                room[z + o, i] = fma(a, room[x + h, i], room[z + o, i])


@inlined
def add_back(w, at, fan_in, fan_out, room, slope, dx):
    """Add sum_o w[o, h] row slope + o to row dx + h."""
    for h in range(fan_in):
        for o in range(fan_out):
            a = w[at + o * fan_in + h]
            for i in range(BATCH):
                room[dx + h, i] = fma(a, room[slope + o, i], room[dx + h, i])


@inlined
def _folded(lanes):
    for i in range(8):
        lanes[i] += lanes[i + 8]
    for i in range(4):
        lanes[i] += lanes[i + 4]
    return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])


@inlined
def _two(room, j, k, i):
    return fma(room[j, i + LANES], room[k, i + LANES], room[j, i] * room[k, i])


@inlined
def add_outer(room, slope, x, fan_in, fan_out, lanes, out, at):
    """Add sum_i row slope + o, times row x + h, to out[o, h]: sixteen sums of eight products, then a tree."""
    for h in range(fan_in):
        k = x + h
        for o in range(fan_out):
            j = slope + o
            for i in range(LANES):
                p, q = _two(room, j, k, i), _two(room, j, k, i + 2 * LANES)
                r, s = _two(room, j, k, i + 4 * LANES), _two(room, j, k, i + 6 * LANES)
                lanes[i] = (p + q) + (r + s)
            out[at + o * fan_in + h] += _folded(lanes)


@inlined
def total(room, j, lanes):
    """The sum of a row, likewise."""
    for i in range(LANES):
        p, q = room[j, i] + room[j, i + LANES], room[j, i + 2 * LANES] + room[j, i + 3 * LANES]
        r, s = room[j, i + 4 * LANES] + room[j, i + 5 * LANES], room[j, i + 6 * LANES] + room[j, i + 7 * LANES]
        lanes[i] = (p + q) + (r + s)
    return _folded(lanes)
