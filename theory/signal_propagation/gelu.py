r"""GELU, u Phi(u): E[phi(u)], E[phi(u)^2] and E[phi'(u)^2] for u ~ N(0, variance).

Phi(u) is the probability that a further normal value lies below u, so that E[Phi(u)^2] is an orthant probability,
1/4 + arcsin(v/(1 + v))/(2 pi); Stein's lemma brings the powers of u down to it.
"""

from functools import partial

import numpy as np
from sympy import Rational, asin, pi, sqrt

from theory.formula import Formula, Interval, Source
from theory.symbols import positive

variance = positive("variance")
SOURCE = Source("constants", "maps of moments")


_formula = partial(Formula, arguments=[variance], source=SOURCE, domain={variance: Interval(1e-100, 1e4)})
_ARC = asin(variance / (1 + variance))
_ROOT = (1 + variance) * sqrt(1 + 2 * variance)


def _arc(v):
    return np.arctan2(v, np.sqrt(1 + 2 * v))


gelu_mean = _formula("mean of GELU", variance / sqrt(2 * pi * (1 + variance)))
gelu_second_moment = _formula(
    "second moment of GELU",
    variance / 4 + variance / (2 * pi) * (_ARC + 2 * variance / _ROOT),
    numeric=lambda v: v / 4 + v / (2 * np.pi) * (_arc(v) + 2 * v / ((1 + v) * np.sqrt(1 + 2 * v))),
)
gelu_slope_second_moment = _formula(
    "mean square of the derivative of GELU",
    Rational(1, 4) + _ARC / (2 * pi) + variance / (pi * _ROOT) + variance / (2 * pi * sqrt(1 + 2 * variance) ** 3),
    numeric=lambda v: (
        0.25
        + _arc(v) / (2 * np.pi)
        + v / (np.pi * (1 + v) * np.sqrt(1 + 2 * v))
        + v / (2 * np.pi * np.sqrt(1 + 2 * v) ** 3)
    ),
)
