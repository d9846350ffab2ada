"""Where the two subsets of the arithmetic task lie, as shares of the input, and how much they overlap."""

from __future__ import annotations

from theory.arithmetic.nearly_perfect import COUNT, n
from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair
from theory.symbols import count, nonnegative, positive

__all__ = ["offset_range", "offset_range_input_share", "overlap_inputs", "second_start"]

i, k, s, o = count("i"), nonnegative("k"), positive("s"), nonnegative("o")

overlap_inputs = Formula(
    "number of inputs in both subsets, before it is rounded down",
    n * s * o,
    [n, s, o],
    source=Source("nau", "Table 1"),
    domain={n: COUNT, s: Interval(0, 0.5, open_low=True), o: Interval(0, 1)},
)

_SHARES = {s: Interval(0, 0.5, open_low=True), o: Interval(0, 1)}

offset_range = Formula(
    "largest offset, as a share of the input, for an overlap that is a share of the subset",
    1 - 2 * s + o * s,
    [s, o],
    source=Source("nau", "Algorithm 1, corrected"),
    domain=_SHARES,
    numeric=lambda s, o: (1 - 2 * Pair(s) + Pair(o) * s).high,
)

offset_range_input_share = Formula(
    "largest offset, as a share of the input, for an overlap that is a share of the input, at most s",
    1 - 2 * s + o,
    [s, o],
    source=Source("nau", "Algorithm 1, corrected for the other reading"),
    domain=_SHARES,
    numeric=lambda s, o: (1 - 2 * Pair(s) + o).high,
)

_START = {i: COUNT, k: Interval(0, 1), **_SHARES}

second_start = Formula(
    "first index of the second subset, for an overlap that is a share of the subset",
    i * (k + s - o * s),
    [i, k, s, o],
    source=Source("nau", "Algorithm 1, corrected"),
    domain=_START,
    numeric=lambda i, k, s, o: i * (k + s * (1 - o)),
)
