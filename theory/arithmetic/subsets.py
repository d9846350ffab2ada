"""Positions and overlap of the two subsets of the arithmetic task, as fractions of the input."""

from functools import partial

from theory.arithmetic.nearly_perfect import COUNT, n
from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair
from theory.symbols import count, nonnegative, positive

i, k, s, o = count("i"), nonnegative("k"), positive("s"), nonnegative("o")

DOMAIN = {n: COUNT, i: COUNT, k: Interval(0, 1), s: Interval(0, 0.5, open_low=True), o: Interval(0, 1)}

overlap_inputs = Formula(
    "number of inputs in both subsets, before it is rounded down",
    n * s * o,
    [n, s, o],
    lhs=r"|A \cap B|",
    source=Source("nau", "Table 1"),
    domain=DOMAIN,
)

_formula = partial(Formula, source=Source("nau", "Algorithm 1, corrected"), domain=DOMAIN)

offset_range = _formula(
    "largest offset, as a fraction of the input, for an overlap relative to the subset",
    1 - 2 * s + o * s,
    [s, o],
    lhs=r"\max k",
    numeric=lambda s, o: (1 - 2 * Pair(s) + Pair(o) * s).high,
)

offset_range_input_share = Formula(
    "largest offset, as a fraction of the input, for an overlap relative to the input, at most s",
    1 - 2 * s + o,
    [s, o],
    lhs=r"\max k",
    source=Source("nau", "Algorithm 1, corrected for the alternative interpretation"),
    domain=DOMAIN,
    numeric=lambda s, o: (1 - 2 * Pair(s) + o).high,
)

second_start = _formula(
    "first index of the second subset, for an overlap relative to the subset",
    i * (k + s - o * s),
    [i, k, s, o],
    lhs=r"\mathrm{start}(b)",
    numeric=lambda i, k, s, o: i * (k + s * (1 - o)),
)

second_end = _formula(
    "index behind the last of the second subset, for an overlap relative to the subset",
    i * (k + 2 * s - o * s),
    [i, k, s, o],
    lhs=r"\mathrm{end}(b)",
    numeric=lambda i, k, s, o: i * (k + s * (2 - o)),
)
