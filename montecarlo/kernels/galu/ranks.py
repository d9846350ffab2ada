"""X-bar played from its definition: normal inputs and filters, gates, and the exact rank of what comes out.

Inputs are rounded to multiples of 2^-40 and used as the integers x 2^40: gates and entries come from the same numbers.
"""

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.kernels.modular import PRIME, inverse, multiply, power, rank_modular
from montecarlo.streams.draws import normal2
from montecarlo.streams.instructions import inlined
from montecarlo.streams.philox import random_bits

_SCALE = 2.0**40
# Of the logistic gate, whose filters are rounded too: x.u is a whole multiple of the square of 2^-20.
_COARSE = 2.0**20
# Samples whose normal values are drawn together.
TILE = 256


@inlined
def _as_residue(x):
    """The integer x as a residue."""
    return np.uint64(x) if x >= 0.0 else PRIME - np.uint64(-x)


@inlined
def fill_normals(stream, sample, draw, rows, columns, scale, out):
    """Independent normals times a scale, rounded where that is not 1; the next free draw index."""
    for i in range(rows):
        for a in range(0, columns, 2):
            first, second = normal2(stream, sample, draw)
            draw += 1
            out[i, a] = first if scale == 1.0 else np.rint(scale * first)
            if a + 1 < columns:
                out[i, a + 1] = second if scale == 1.0 else np.rint(scale * second)
    return draw


@inlined
def inner(one, other):
    """The inner product of two vectors, added up in their order."""
    total = 0.0
    for a in range(one.shape[0]):
        total += one[a] * other[a]
    return total


@inlined
def fill_features(x, u, m, d, k, work):
    """Rows g_i (x) x_i as residues, columns ordered by filter; the number of rows without an open gate."""
    zero_rows = 0
    for i in range(m):
        any_open = False
        for j in range(k):
            open_gate = inner(x[i], u[j]) > 0.0
            any_open |= open_gate
            for a in range(d):
                work[i, j * d + a] = _as_residue(x[i, a]) if open_gate else np.uint64(0)
        zero_rows += 0 if any_open else 1
    return zero_rows


@kernel(columns=3, block=2**14)
def random_features(stream, first, m: int, d: int, k: int, out):
    """Whether the rank of X-bar is min{m, k d}; the rank; whether each input opens a gate. All variables N(0, 1)."""
    x, u = np.empty((m, d)), np.empty((k, d))
    work = np.empty((m, k * d), dtype=np.uint64)
    for begin in range(0, out.shape[0], TILE):
        tile = out[begin : begin + TILE]
        z = _normals(stream, first + begin, m + k, d, tile.shape[0])
        for i in range(tile.shape[0]):
            for a in range(d):
                for j in range(m):
                    x[j, a] = np.rint(_SCALE * z[j, a, i])
                for j in range(k):
                    u[j, a] = z[m + j, a, i]
            zero_rows = fill_features(x, u, m, d, k, work)
            rank = rank_modular(work, m, k * d)
            tile[i, 0] = 1.0 if rank == min(m, k * d) else 0.0
            tile[i, 1] = rank
            tile[i, 2] = 1.0 if zero_rows == 0 else 0.0


@compiled_helper
def _normals(stream, first, rows, columns, count):
    """The values of :func:`fill_normals` for many samples, which are the last axis: vectorised."""
    pairs = (columns + 1) // 2
    z = np.empty((rows, 2 * pairs, count))
    for draw in range(rows * pairs):
        one, other = z[draw // pairs, 2 * (draw % pairs)], z[draw // pairs, 2 * (draw % pairs) + 1]
        for i in range(count):
            one[i], other[i] = normal2(stream, first + i, draw)
    return z


@kernel(columns=2, block=2**10)
def rank_and_zero_rows(stream, first, m: int, d: int, k: int, out):
    """The rank of X-bar, and how many inputs open no gate. All variables N(0, 1)."""
    x, u = np.empty((m, d)), np.empty((k, d))
    work = np.empty((m, k * d), dtype=np.uint64)
    for i in range(out.shape[0]):
        draw = fill_normals(stream, first + i, 0, m, d, _SCALE, x)
        fill_normals(stream, first + i, draw, k, d, 1.0, u)
        out[i, 1] = fill_features(x, u, m, d, k, work)
        out[i, 0] = rank_modular(work, m, k * d)


@compiled_helper
def instance(stream, sample, m, d, k, crowded, gates):
    """One matrix of random 0-1 features: fills ``gates`` (m, k), returns the rank.

    ``crowded`` inputs lie close to few directions and filters have components -1, 0, 1, so that many gates are equal;
    else all are normal. Gates are those of the very numbers that are entries.
    """
    x, u = np.empty((m, d)), np.empty((k, d))
    draw = fill_normals(stream, sample, 0, m, d, _SCALE, x)
    fill_normals(stream, sample, draw, k, d, 1.0, u)
    if crowded:
        for i in range(m):
            for a in range(d):
                # Whole numbers below 2^53 throughout.
                x[i, a] = 2.0**40 * np.rint(x[i, a] / _SCALE) + np.rint(x[i, a] % 2.0**20)
        for j in range(k):
            for a in range(d):
                u[j, a] = min(1.0, max(-1.0, np.rint(u[j, a])))
    for i in range(m):
        for j in range(k):
            gates[i, j] = 1 if inner(x[i], u[j]) > 0.0 else 0
    work = np.empty((m, k * d), dtype=np.uint64)
    fill_features(x, u, m, d, k, work)
    return rank_modular(work, m, k * d)


@compiled_helper
def logistic_instance(stream, sample, m, d, k, opposite, u):
    """One matrix of logistic features of normal inputs: fills ``u`` (k, d), returns the rank or, by chance, less.

    With x and u rounded to multiples of 2^-20, gates are rational functions 1/(1 + t^-n) of t = exp(2^-40), n whole.
    As t is transcendental, the rank is that over the field of rational functions in t; any value of t modulo the prime
    gives a rank that is not above it. With ``opposite`` filters the second is minus the first and the last is zero.
    """
    x = np.empty((m, d))
    draw = fill_normals(stream, sample, 0, m, d, _COARSE, x)
    draw = fill_normals(stream, sample, draw, k, d, _COARSE, u)
    if opposite:
        for a in range(d):
            if k > 1:
                u[1, a] = -u[0, a]
            if k > 2:
                u[k - 1, a] = 0.0
    t = random_bits(stream, sample, draw)[0] >> np.uint64(4)
    one = np.uint64(1)
    work = np.empty((m, k * d), dtype=np.uint64)
    for i in range(m):
        for j in range(k):
            below = power(t, np.int64(-inner(x[i], u[j]))) + one
            gate = inverse(below if below < PRIME else below - PRIME)
            for a in range(d):
                work[i, j * d + a] = multiply(gate, _as_residue(x[i, a]))
    return rank_modular(work, m, k * d)
