r"""Loss of the product of two sums whose weights are not all where they belong: nearly flat directions.

**A moved weight.** Of an input x that is in A alone the first sum has the weight 1 - delta, and the second delta where
0 is right:

.. math:: (a - \delta x)(b + \delta x) - a b = \delta x \, (a - b - \delta x) .

The difference of both sums, in which their common inputs cancel, is small beside a sum: with many inputs this direction
is nearly flat.

**Undivided sums.** It is known which inputs count, but not in which sum: of the inputs that are in one of A and B
alone, k of each are in the other sum; or all have the weight 1/2 in both, so that both sums are (A + B)/2. With v what
goes over and u what stays of A - B:

.. math:: (A - v)(B + v) - A B = u v , \qquad \left(\frac{A + B}{2}\right)^2 - A B = \frac{(A - B)^2}{4} .

The mean of an input does not count, only the width of its range: on a narrow one both are small.
"""

from theory.arithmetic.nearly_perfect import ORDERED, RANGE, lower, upper
from theory.formula import Formula, Interval, Source
from theory.symbols import count, nonnegative

alone = count("alone")
delta, exchanged = nonnegative("delta exchanged")
_SIZE = {alone: Interval(1, 10**6, integer=True), exchanged: Interval(0, 10**6, integer=True)}
_width = upper - lower


def _loss(when, expr, arguments, place, *requires, **options) -> Formula:
    return Formula(
        "mean squared error of a product of two sums, each with so many inputs that the other has not, when "
        f"{when}; inputs uniform on [lower, upper]",
        expr,
        arguments,
        lhs=r"\mathcal{L}_{\mathbf{W}_1, \mathbf{W}_2}",
        source=Source("nau", place),
        domain={**_SIZE, lower: RANGE, upper: RANGE, delta: Interval(0, 1)},
        requires=[*ORDERED, *requires],
        **options,
    )


def _moved(alone, square, variance, delta):
    kept = 1 - delta
    fixed = (delta * square - kept * variance) ** 2 + (1 - 2 * delta) ** 2 * square * variance
    spread = 4 * (kept * variance) ** 2 / 5 + (2 * alone - 1) * variance * (square + variance)
    return delta**2 * (fixed + spread)


def _moved_in_float64(alone, lower, upper, delta):
    width, mean = upper - lower, lower + (upper - lower) / 2
    return _moved(alone, mean * mean, width * width / 12, delta)


moved_weight_error = _loss(
    "of the weight of one of these delta is moved to the other sum",
    _moved(alone, ((lower + upper) / 2) ** 2, _width**2 / 12, delta),
    [alone, lower, upper, delta],
    "additional to 3.1.1",
    symbols={"delta": "part of the weight that is moved, in [0, 1]"},
    numeric=_moved_in_float64,
)

exchanged_inputs_error = _loss(
    "so many of these are exchanged between the sums",
    exchanged * (alone - exchanged) * _width**4 / 36,
    [alone, lower, upper, exchanged],
    "additional to 3.1.5, Figure 7",
    exchanged <= alone,
)

halved_weights_error = _loss(
    "all of these have the weight 1/2 in both sums",
    alone * (5 * alone - 1) * _width**4 / 960,
    [alone, lower, upper],
    "additional to 3.1.5, Figure 7",
)
