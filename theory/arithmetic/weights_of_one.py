"""Outputs of a NAC multiplication unit with weights 1 and -1, which should be products and reciprocals."""

import numpy as np
import sympy

from theory.arithmetic.nearly_perfect import COUNT, ORDERED, RANGE, eps, lower, n, upper
from theory.formula import Formula, Interval, Source

_POSITIVE = {lower: Interval(1e-6, 1e6), upper: RANGE, eps: Interval(0, 1e6), n: COUNT}


product_error = Formula(
    "mean of the relative error of a NAC multiplication unit with n weights of 1, inputs uniform on [lower, upper]",
    (1 + eps * sympy.log(upper / lower) / (upper - lower)) ** n - 1,
    [n, lower, upper, eps],
    lhs=r"E\left[\frac{z_{h_\ell}}{\prod_{i=1}^{n} z_i} - 1\right]",
    source=Source("nau", "additional to section 2"),
    domain=_POSITIVE,
    requires=ORDERED,
    numeric=lambda n, low, high, eps: np.expm1(n * np.log1p(eps * np.log1p((high - low) / low) / (high - low))),
)

reciprocal_error = Formula(
    "mean of the relative error of a NAC multiplication unit with one weight of -1, input uniform on [lower, upper]",
    -eps * sympy.log((upper + eps) / (lower + eps)) / (upper - lower),
    [lower, upper, eps],
    lhs=r"E\left[z_{h_\ell} z_{h_{\ell-1}} - 1\right]",
    source=Source("nau", "additional to section 2"),
    domain={x: _POSITIVE[x] for x in (lower, upper, eps)},
    requires=ORDERED,
    numeric=lambda low, high, eps: -eps * np.log1p((high - low) / (low + eps)) / (high - low),
)

_SIGNED = {lower: Interval(-1e6, 0), upper: Interval(0, 1e6, open_low=True), eps: Interval(0, 1e6)}

signed_product_mean = Formula(
    "mean of the product of two inputs uniform on [lower, upper]",
    ((lower + upper) / 2) ** 2,
    [lower, upper],
    lhs=r"E\left[z_{h_\ell}\right]",
    source=Source("nau", "section 2, multiplication by weights of 1"),
    domain={x: _SIGNED[x] for x in (lower, upper)},
)

unsigned_product_mean = Formula(
    "mean of a NAC multiplication unit with two weights of 1, inputs uniform on [lower, upper], lower <= 0 < upper",
    ((lower**2 + upper**2) / (2 * (upper - lower)) + eps) ** 2,
    [lower, upper, eps],
    lhs=r"E\left[z_{h_\ell}\right]",
    source=Source("nau", "section 2, corrected"),
    domain=_SIGNED,
)
