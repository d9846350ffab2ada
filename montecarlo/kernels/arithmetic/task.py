"""The arithmetic task: its data, a nearly perfect solution of it, and the error of a network with given weights."""

import math

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.streams.draws import uniform2, uniform4
from montecarlo.streams.instructions import select


@compiled_helper
def _operate(out):
    """Both sums, in the first two columns, to their sum, difference and product."""
    for i in range(out.shape[0]):
        a, b = out[i, 0], out[i, 1]
        out[i, 0] = a + b
        out[i, 1] = a - b
        out[i, 2] = a * b


@kernel(columns=3)
def target(stream, first, n: int, a_start: int, a_end: int, b_start: int, b_end: int, lower, upper, out):
    """t = sum_{i=a_start}^{a_end} x_i o sum_{i=b_start}^{b_end} x_i, x_i on [lower, upper], i from 1, bounds included.

    Columns: o is +, -, x.
    """
    out[:, :2] = 0.0
    for j in range(1, n + 1):
        for i in range(out.shape[0]):
            u, _ = uniform2(stream, first + i, j)
            x = lower + (upper - lower) * u
            out[i, 0] += select(a_start <= j <= a_end, x, 0.0)
            out[i, 1] += select(b_start <= j <= b_end, x, 0.0)
    _operate(out)


@kernel(columns=4)
def dataset(stream, first, n: int, size: int, overlap: int, lower, upper, out):
    """Algorithm 1 with whole numbers: k uniform on {0, ..., n - (2 size - overlap)},
    a = sum x[k : k + size], b = sum x[k + size - overlap : k + 2 size - overlap], x on [lower, upper].

    Columns: a + b, a - b, a b, k. The offset is drawn anew for each observation.
    """
    places = n - (2 * size - overlap) + 1
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, n)
        out[i, 0] = 0.0
        out[i, 1] = 0.0
        out[i, 3] = math.floor(places * u)
    for j in range(0, n, 4):  # places from n on are in no subset
        for i in range(out.shape[0]):
            place = j - out[i, 3]
            for u in uniform4(stream, first + i, j):
                x = lower + (upper - lower) * u
                out[i, 0] += select(0 <= place < size, x, 0.0)
                out[i, 1] += select(size - overlap <= place < 2 * size - overlap, x, 0.0)
                place += 1
    _operate(out)


@kernel(columns=2)
def offset_fits(stream, first, s, o, out):
    """Whether two subsets of a share s of the input fit behind an offset uniform on [0, 1].

    Columns: the overlap is a share o of a subset; a share o of the input.
    """
    for i in range(out.shape[0]):
        k, _ = uniform2(stream, first + i, 0)
        out[i, 0] = select(k + s - o * s + s <= 1, 1.0, 0.0)
        out[i, 1] = select(k + s - o + s <= 1, 1.0, 0.0)


@kernel(columns=2)
def nearly_perfect_sums(stream, first, n: int, size_a: int, size_b: int, overlap: int, lower, upper, eps, out):
    """Both hidden sums W_1^eps x: weights 1 - eps in the subset, eps beside it; A is x[:size_a], B starts in it."""
    out[:, :2] = 0.0
    for j in range(n):
        in_a = j < size_a
        in_b = size_a - overlap <= j < size_a - overlap + size_b
        for i in range(out.shape[0]):
            u, _ = uniform2(stream, first + i, j)
            x = lower + (upper - lower) * u
            out[i, 0] += (1 - eps if in_a else eps) * x
            out[i, 1] += (1 - eps if in_b else eps) * x


@kernel(columns=5)
def nearly_perfect(
    stream, first, n: int, size_a: int, size_b: int, overlap: int, lower, upper, eps, two_sided: int, out
):
    """Errors of W_1^eps followed by a perfect second layer: squared for +, -, x; not squared for x; the target of x.

    A is x[:size_a], B starts in it at size_a - overlap; x on [lower, upper], or on its mirror image with probability
    1/2 when two_sided is 1.
    """
    out[:, :4] = 0.0
    for j in range(n):
        in_a = j < size_a
        in_b = size_a - overlap <= j < size_a - overlap + size_b
        for i in range(out.shape[0]):
            u, v = uniform2(stream, first + i, j)
            x = lower + (upper - lower) * u
            x = select(two_sided * v > 0.5, -x, x)
            out[i, 0] += x if in_a else 0.0
            out[i, 1] += x if in_b else 0.0
            out[i, 2] += (1 - eps if in_a else eps) * x
            out[i, 3] += (1 - eps if in_b else eps) * x
    for i in range(out.shape[0]):
        a, b, h1, h2 = out[i, 0], out[i, 1], out[i, 2], out[i, 3]
        out[i, 0] = ((h1 + h2) - (a + b)) ** 2
        out[i, 1] = ((h1 - h2) - (a - b)) ** 2
        out[i, 2] = (h1 * h2 - a * b) ** 2
        out[i, 3] = h1 * h2 - a * b
        out[i, 4] = a * b


@kernel
def nmu_error(stream, first, w11, w12, w13, w14, w21, w22, w23, w24, v1, v2, lower, upper, out):
    """y - t of an NAU (weights w) and an NMU (weights v) on t = (x_1 + x_2)(x_1 + x_2 + x_3 + x_4).

    Inputs are uniform on [lower, upper].
    """
    for i in range(out.shape[0]):
        p, q = uniform2(stream, first + i, 0)
        r, s = uniform2(stream, first + i, 1)
        width = upper - lower
        x1, x2, x3, x4 = lower + width * p, lower + width * q, lower + width * r, lower + width * s
        z1 = w11 * x1 + w12 * x2 + w13 * x3 + w14 * x4
        z2 = w21 * x1 + w22 * x2 + w23 * x3 + w24 * x4
        t = (x1 + x2) * (x1 + x2 + x3 + x4)
        out[i, 0] = (v1 * z1 + 1.0 - v1) * (v2 * z2 + 1.0 - v2) - t
