"""The arithmetic task as training sees it: batches of fresh inputs, one row per input, and their targets."""

from typing import NamedTuple

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.streams.draws import uniform2
from montecarlo.streams.instructions import fma, from_bits, inlined, select
from montecarlo.streams.philox import random_bits

BATCH = 128
OPERATIONS = ("addition", "subtraction", "multiplication")

_U32, _LOW_WORD = np.uint64(32), np.uint64(0xFFFFFFFF)
_TWO20_BITS = np.uint64(0x413 << 52)


class Range(NamedTuple):
    """Inputs are uniform on [lower, upper]; ``two_sided``: on its mirror image with probability 1/2."""

    lower: float
    upper: float
    two_sided: bool


class Task(NamedTuple):
    """t = sum x[a : a + size_a] o sum x[b : b + size_b] with a = offset, b = offset + size_a - overlap.

    Attributes
    ----------
    inputs, size_a, size_b, overlap : int
    places : int
        The offset is uniform on {0, ..., places - 1}, drawn once per run.
    operation : int
        Index in ``OPERATIONS``.
    interpolation, extrapolation : Range
        Of training and validation, and of the test.
    threshold : float
        A run is solved where its mean squared error on the test is below.

    Source: nau, eq. (12), Algorithm 1, 3.1.1.
    """

    inputs: int
    size_a: int
    size_b: int
    overlap: int
    places: int
    operation: int
    interpolation: Range
    extrapolation: Range
    threshold: float


@inlined
def _uniform(word):
    """(k + 1/2) 2**-32 of a number k below 2**32 in 64 bits, which are the last ones of 2**20 + k 2**-32."""
    return from_bits(word | _TWO20_BITS) - (2.0**20 - 2.0**-33)


@inlined
def _one_sided(word, lower, width):
    return fma(_uniform(word), width, lower)


@inlined
def _two_sided(word, lower, width):
    """The upper half of the uniforms is the positive side."""
    u = _uniform(word)
    negative = u < 0.5
    x = fma(select(negative, 2.0 * u, 2.0 * u - 1.0), width, lower)
    return select(negative, -x, x)


@compiled_helper
def draw_inputs(stream, sample, step, span, inputs, room):
    """Fill the first rows of the room, inputs rounded up to fours: one Philox call makes four of an observation.

    Draw indices: step 0 is left to the start of a run and to its offset.
    """
    lower, width = span.lower, span.upper - span.lower
    fours = (inputs + 3) // 4
    for q in range(fours):
        base = (step * fours + q) * BATCH
        if span.two_sided:
            _fill_four(_two_sided, stream, sample, base, lower, width, room, 4 * q)
        else:
            _fill_four(_one_sided, stream, sample, base, lower, width, room, 4 * q)


@inlined
def _fill_four(one_input, stream, sample, base, lower, width, room, row):
    for i in range(BATCH):
        one, other = random_bits(stream, sample, base + i)
        room[row, i] = one_input(one >> _U32, lower, width)
        room[row + 1, i] = one_input(one & _LOW_WORD, lower, width)
        room[row + 2, i] = one_input(other >> _U32, lower, width)
        room[row + 3, i] = one_input(other & _LOW_WORD, lower, width)


@compiled_helper
def offset(stream, sample, task):
    """Where the first subset of a run begins; the last draw of step 0."""
    u, _ = uniform2(stream, sample, (task.inputs + 3) // 4 * BATCH - 1)
    return int(task.places * u)


@inlined
def _add_rows(room, start, stop, row):
    for i in range(BATCH):
        room[row, i] = 0.0
    for j in range(start, stop - 1, 2):
        for i in range(BATCH):
            room[row, i] += room[j, i] + room[j + 1, i]
    if (stop - start) % 2:
        for i in range(BATCH):
            room[row, i] += room[stop - 1, i]


@compiled_helper
def set_targets(task, begin, room, t):
    """Fill row t from the inputs in the first rows; the row after it takes the second sum."""
    second = begin + task.size_a - task.overlap
    _add_rows(room, begin, begin + task.size_a, t)
    _add_rows(room, second, second + task.size_b, t + 1)
    if task.operation == 0:
        for i in range(BATCH):
            room[t, i] += room[t + 1, i]
    elif task.operation == 1:
        for i in range(BATCH):
            room[t, i] -= room[t + 1, i]
    else:
        for i in range(BATCH):
            room[t, i] *= room[t + 1, i]
