r"""Loss of the product of two sums when it is known which inputs count, but not in which sum.

Of the inputs that are in one of A and B alone, k of each are in the other sum; or all have the weight 1/2 in both, so
that both sums are (A + B)/2. With v what goes over and u what stays of A - B:

.. math:: (A - v)(B + v) - A B = u v , \qquad \left(\frac{A + B}{2}\right)^2 - A B = \frac{(A - B)^2}{4} .

The mean of an input does not count, only the width of its range: on a narrow one both are small.
"""

from theory.arithmetic.moved_weight import alone
from theory.arithmetic.nearly_perfect import ORDERED, RANGE, lower, upper
from theory.formula import Formula, Interval, Source
from theory.symbols import nonnegative

exchanged = nonnegative("exchanged")
_width = upper - lower
_DOMAIN = {alone: Interval(1, 10**6, integer=True), lower: RANGE, upper: RANGE}

exchanged_inputs_error = Formula(
    "mean squared error of a product of two sums, each with so many inputs that the other has not, when so many of "
    "these are exchanged between the sums; inputs uniform on [lower, upper]",
    exchanged * (alone - exchanged) * _width**4 / 36,
    [alone, lower, upper, exchanged],
    lhs=r"\mathcal{L}_{\mathbf{W}_1, \mathbf{W}_2}",
    source=Source("nau", "additional to 3.1.5, Figure 7"),
    domain={**_DOMAIN, exchanged: Interval(0, 10**6, integer=True)},
    requires=[*ORDERED, exchanged <= alone],
)

halved_weights_error = Formula(
    "mean squared error of a product of two sums, each with so many inputs that the other has not, when all of these "
    "have the weight 1/2 in both sums; inputs uniform on [lower, upper]",
    alone * (5 * alone - 1) * _width**4 / 960,
    [alone, lower, upper],
    lhs=r"\mathcal{L}_{\mathbf{W}_1, \mathbf{W}_2}",
    source=Source("nau", "additional to 3.1.5, Figure 7"),
    domain=_DOMAIN,
    requires=ORDERED,
)
