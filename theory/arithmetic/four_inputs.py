r"""The very simple problem: t = (x_1 + x_2)(x_1 + x_2 + x_3 + x_4), two weights w_1, w_2, and all that solves it.

An addition layer with weights w_1 hands on w_1 a and w_1 b, a = x_1 + x_2, b = x_1 + x_2 + x_3 + x_4, both positive; a
multiplication layer has the weights w_2 and w_2; the target is t = a b.

**NAC multiplication**, ((a |w_1| + eps)(b |w_1| + eps))^w_2. It is t exactly where

.. math:: w_2 = \frac{\log(a b)}{\log(a |w_1| + \epsilon) + \log(b |w_1| + \epsilon)},

one w_2 for every w_1 but those at which the product is 1. With eps = 0 and a b > 1 that is 1 at w_1 = +-1, above 1 for
smaller |w_1| while a b w_1^2 > 1, and **negative below**: from |w_1| = 1/(a b) down to 0 it lies between -1 and 0. All
of these are global minima, of loss 0; inside the open square |w_1|, |w_2| < 1 there is no other.

**NMU**, (w_2 w_1 a + 1 - w_2)(w_2 w_1 b + 1 - w_2), is a quadratic in w_1. For 0 < w_2 <= 1 its roots are

.. math:: w_1 = \frac{-(a + b)(1 - w_2) \pm \sqrt{(a - b)^2 (1 - w_2)^2 + 4 a^2 b^2}}{2 a b w_2},

1 and -1 at w_2 = 1. For w_2 < 1 and a, b >= 1 (one of them above) the first is above 1 and the second below -1: on
|w_1| <= 1, 0 <= w_2 <= 1 the solutions are two points, of which (-1, 1) is not wanted.
"""

from functools import partial

import numpy as np
from sympy import Abs, Ne, log, sqrt

from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair
from theory.symbols import nonnegative, positive, real

w_1, w_2 = real("w_1"), positive("w_2")
a, b, eps = positive("a"), positive("b"), nonnegative("eps")

_SUM = Interval(1e-3, 1e3)
_SOURCE = Source("nau", "Figure 2, exact")
_NMU_SYMBOLS = {"a": "the sum x_1 + x_2", "b": "the sum x_1 + x_2 + x_3 + x_4", "w_2": "weight w_2 of Figure 2"}


def _nac_mul_second_weight(w_1, a, b, eps):
    first, second = (Pair(size) * np.abs(w_1) + eps for size in (a, b))
    apart = first.log_abs() + second.log_abs()
    # Near a product of 1 the logarithms cancel; far from it the product may leave float64.
    near = np.abs(apart) < 1
    together = (first * second).log_abs()
    return (Pair(a) * b).log_abs() / np.where(near, together, apart)


nac_mul_second_weight = Formula(
    "the w_2 for which a NAC multiplication unit of w_1 a and w_1 b, both with weight w_2, is a b",
    log(a * b) / log((a * Abs(w_1) + eps) * (b * Abs(w_1) + eps)),
    [w_1, a, b, eps],
    lhs="w_2",
    symbols={"a": _NMU_SYMBOLS["a"], "b": _NMU_SYMBOLS["b"], "w_1": "weight w_1 of Figure 2"},
    source=_SOURCE,
    domain={w_1: Interval(-1e3, 1e3), a: _SUM, b: _SUM, eps: Interval(0, 10)},
    requires=[Abs(w_1) + eps > 0, Ne((a * Abs(w_1) + eps) * (b * Abs(w_1) + eps), 1)],
    numeric=_nac_mul_second_weight,
)

_rest = 1 - w_2
_root = sqrt((a - b) ** 2 * _rest**2 + 4 * a**2 * b**2)


def _terms(w_2, a, b):
    """The square root, and the term of the sum of a and b."""
    rest = 1 - w_2
    return np.sqrt(((a - b) * rest) ** 2 + 4 * (a * b) ** 2), (a + b) * rest


def _first_weight(w_2, a, b):
    """2 (a b - (1 - w_2)^2) over the sum of the two terms of one sign."""
    root, middle = _terms(w_2, a, b)
    gap = Pair(a) * b - (1 - Pair(w_2)) * (1 - Pair(w_2))
    return 2 * gap.high / (w_2 * (middle + root))


_nmu = partial(
    Formula,
    arguments=[w_2, a, b],
    lhs="w_1",
    symbols=_NMU_SYMBOLS,
    source=_SOURCE,
    domain={w_2: Interval(1e-6, 1), a: _SUM, b: _SUM},
)

nmu_first_weight = _nmu(
    "the larger w_1 for which an NMU of w_1 a and w_1 b, both with weight w_2, is a b",
    (_root - (a + b) * _rest) / (2 * a * b * w_2),
    numeric=_first_weight,
)

nmu_unwanted_first_weight = _nmu(
    "the smaller w_1 for which an NMU of w_1 a and w_1 b, both with weight w_2, is a b",
    -(_root + (a + b) * _rest) / (2 * a * b * w_2),
    numeric=lambda w_2, a, b: -sum(_terms(w_2, a, b)) / (2 * a * b * w_2),
)
