r"""Loss of the product of two sums when a part of one weight moves from one sum to the other.

Of an input x that is in A alone the first sum has the weight 1 - delta, and the second delta where 0 is right:

.. math:: (a - \delta x)(b + \delta x) - a b = \delta x \, (a - b - \delta x) .

The difference of both sums, in which their common inputs cancel, is small beside a sum: with many inputs this direction
is nearly flat.
"""

from theory.arithmetic.nearly_perfect import ORDERED, RANGE, lower, upper
from theory.formula import Formula, Interval, Source
from theory.symbols import count, nonnegative

alone, delta = count("alone"), nonnegative("delta")


def _moved(alone, lower, upper, delta):
    width, mean = upper - lower, lower + (upper - lower) / 2
    return _form(alone, mean * mean, width * width / 12, delta)


def _form(alone, square, variance, delta):
    kept = 1 - delta
    fixed = (delta * square - kept * variance) ** 2 + (1 - 2 * delta) ** 2 * square * variance
    spread = 4 * (kept * variance) ** 2 / 5 + (2 * alone - 1) * variance * (square + variance)
    return delta**2 * (fixed + spread)


moved_weight_error = Formula(
    "mean squared error of a product of two sums, each with so many inputs that the other has not, when of the weight "
    "of one of these delta is moved to the other sum; inputs uniform on [lower, upper]",
    _form(alone, ((lower + upper) / 2) ** 2, (upper - lower) ** 2 / 12, delta),
    [alone, lower, upper, delta],
    lhs=r"\mathcal{L}_{\mathbf{W}_1, \mathbf{W}_2}",
    symbols={"delta": "part of the weight that is moved, in [0, 1]"},
    source=Source("nau", "additional to 3.1.1"),
    domain={alone: Interval(1, 10**6, integer=True), lower: RANGE, upper: RANGE, delta: Interval(0, 1)},
    requires=ORDERED,
    numeric=_moved,
)
