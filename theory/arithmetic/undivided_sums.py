r"""What the product of two sums loses when it is known which inputs count, and not in which of both sums.

Of the inputs that are in one of A and B alone, k of each are in the other sum; or all have the weight 1/2 in both, so
that both sums are (A + B)/2. With v what goes over and u what stays of A - B:

.. math:: (A - v)(B + v) - A B = u v , \qquad \left(\frac{A + B}{2}\right)^2 - A B = \frac{(A - B)^2}{4} .

The mean of an input does not count, only the width of its range: on a narrow one both are small.
"""

from __future__ import annotations

from theory.arithmetic.moved_weight import alone
from theory.arithmetic.nearly_perfect import ORDERED, RANGE, lower, upper
from theory.formula import Formula, Interval, Source
from theory.symbols import nonnegative

__all__ = ["alone", "exchanged", "exchanged_inputs_error", "halved_weights_error"]

exchanged = nonnegative("exchanged")
_width = upper - lower
_DOMAIN = {alone: Interval(1, 10**6, integer=True), lower: RANGE, upper: RANGE}

exchanged_inputs_error = Formula(
    "mean squared error of a product of two sums, each with so many inputs that the other has not, when so many of "
    "these are exchanged between the sums; inputs uniform on [lower, upper]",
    exchanged * (alone - exchanged) * _width**4 / 36,
    [alone, lower, upper, exchanged],
    source=Source("nau", "beyond 3.1.5, Figure 7"),
    domain={**_DOMAIN, exchanged: Interval(0, 10**6, integer=True)},
    requires=[*ORDERED, exchanged <= alone],
)

halved_weights_error = Formula(
    "mean squared error of a product of two sums, each with so many inputs that the other has not, when all of these "
    "have the weight 1/2 in both sums; inputs uniform on [lower, upper]",
    alone * (5 * alone - 1) * _width**4 / 960,
    [alone, lower, upper],
    source=Source("nau", "beyond 3.1.5, Figure 7"),
    domain=_DOMAIN,
    requires=ORDERED,
)
