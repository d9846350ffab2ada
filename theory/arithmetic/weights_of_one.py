"""Outputs of a NAC multiplication unit with weights 1 and -1, which should be products and reciprocals."""

from functools import partial

import numpy as np
import sympy

from theory.arithmetic.nearly_perfect import COUNT, ORDERED, RANGE, eps, lower, n, upper
from theory.formula import Formula, Interval, Source

_error = partial(
    Formula,
    source=Source("nau", "additional to section 2"),
    domain={lower: Interval(1e-6, 1e6), upper: RANGE, eps: Interval(0, 1e6), n: COUNT},
    requires=ORDERED,
)

product_error = _error(
    "mean of the relative error of a NAC multiplication unit with n weights of 1, inputs uniform on [lower, upper]",
    (1 + eps * sympy.log(upper / lower) / (upper - lower)) ** n - 1,
    [n, lower, upper, eps],
    lhs=r"E\left[\frac{z_{h_\ell}}{\prod_{i=1}^{n} z_i} - 1\right]",
    numeric=lambda n, low, high, eps: np.expm1(n * np.log1p(eps * np.log1p((high - low) / low) / (high - low))),
)

reciprocal_error = _error(
    "mean of the relative error of a NAC multiplication unit with one weight of -1, input uniform on [lower, upper]",
    -eps * sympy.log((upper + eps) / (lower + eps)) / (upper - lower),
    [lower, upper, eps],
    lhs=r"E\left[z_{h_\ell} z_{h_{\ell-1}} - 1\right]",
    numeric=lambda low, high, eps: -eps * np.log1p((high - low) / (low + eps)) / (high - low),
)

_mean = partial(
    Formula,
    lhs=r"E\left[z_{h_\ell}\right]",
    domain={lower: Interval(-1e6, 0), upper: Interval(0, 1e6, open_low=True), eps: Interval(0, 1e6)},
)

signed_product_mean = _mean(
    "mean of the product of two inputs uniform on [lower, upper]",
    ((lower + upper) / 2) ** 2,
    [lower, upper],
    source=Source("nau", "section 2, multiplication by weights of 1"),
)

unsigned_product_mean = _mean(
    "mean of a NAC multiplication unit with two weights of 1, inputs uniform on [lower, upper], lower <= 0 < upper",
    ((lower**2 + upper**2) / (2 * (upper - lower)) + eps) ** 2,
    [lower, upper, eps],
    source=Source("nau", "section 2, corrected"),
)
