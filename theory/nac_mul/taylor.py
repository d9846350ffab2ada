r"""Moments of a NAC multiplication unit, z_out = exp(sum_h W_h log(|z_h| + eps)): the paper's, and bounds.

**The Taylor forms** expand one factor (|z| + eps)^W to second order around (E[z], E[W]) and take the power H. With
q = Var[W] log(|E[z]| + eps)^2 and E[W] = 0 they are

.. math:: E \approx (1 + q/2)^H, \qquad \operatorname{Var} \approx (1 + 2q)^H - (1 + q/2)^{2H}.

* Var[z] has dropped out: at E[W] = 0 its coefficient is zero. To order Var[W] the mean of a factor really is
  1 + Var[W] E[log(|z| + eps)^2]/2, so that even for weights that tend to zero the excess over 1 is wrong by the
  factor E[log^2(|z| + eps)]/log^2(|E[z]| + eps). For z ~ U[0, 1], eps -> 0 that is 2/log(2)^2 = 4.16; for
  z ~ U[0, 2] the Taylor form has no excess at all, the truth is Var[W] (log(2)^2 - 2 log(2) + 2)/2 = 0.547 Var[W].
* The Taylor mean is 1, not above 1, where |E[z]| + eps = 1. The true mean is above 1, see below.
* **The Taylor variance is negative if and only if q > 4, for every H**, since (1 + q/2)^2 - (1 + 2q) = q (q - 4)/4
  does not depend on H: for |E[z]| + eps below exp(-2/sqrt(Var[W])), or above exp(2/sqrt(Var[W])). With W ~
  U[-1/2, 1/2] that is |E[z]| + eps < 0.00098; at E[z] = 0, eps = 1e-8 and H = 1 the form gives -171.6. The paper says
  that the variance explodes there; as published it falls below zero.

**Lower bounds**, for weights with E[W] = 0 that are independent of the inputs, *whatever the joint distribution of the
inputs*: by Jensen's inequality E[z_out | z] >= exp(sum_h E[W_h] log(|z_h| + eps)) = 1. For symmetric, independent
weights

.. math:: E[z_{out} \mid z] = \prod_h E[\cosh(W_h L_h)]
          \ge \prod_h \left(1 + \tfrac12 \operatorname{Var}[W] L_h^2\right)
          \ge 1 + \tfrac12 \operatorname{Var}[W] \sum_h L_h^2, \qquad L_h = \log(|z_h| + \epsilon),

because cosh(x) >= 1 + x^2/2. For independent inputs the expectation may be taken in the product.

Exact moments are in :mod:`theory.nac_mul.exact` (uniform inputs) and :mod:`theory.nac_mul.lognormal`, the error of
the Taylor mean in :mod:`theory.nac_mul.error`.
"""

from functools import partial

import numpy as np
import sympy
from sympy import Abs, Expr, Integer, Rational, cosh, exp, log, sinh, sqrt

from theory.domain import AnyLaw
from theory.formula import Formula, Interval, Source
from theory.nac_mul.exact import DOMAIN, INPUT, a, b, eps, fan_in, log_square_mean
from theory.numerics.pairs import Pair, difference_of_powers, log_of_sum
from theory.symbols import nonnegative, positive, real

mean_w, mean_z = real("mean_w mean_z")
var_w, var_z = nonnegative("var_w var_z")
some_var_w = positive("var_w")

_INPUT = {mean_z: Interval(-1e300, 1e300), eps: Interval(0, 1e300)}
_WEIGHT = {var_w: Interval(0, 1e12)}
_UNIT = {**_WEIGHT, **_INPUT, fan_in: DOMAIN[fan_in]}
# The expansions hold for any law of the weights with mean 0; of the inputs' law they see the mean.
_LAWS = {"w": AnyLaw(mean=0, variance=var_w), "z": AnyLaw(mean=mean_z)}
_LOG_EXISTS = [Abs(mean_z) + eps > 0]
# Where 4 - q has lost three digits.
CLOSE = 4e-3

_distance = Abs(mean_z) + eps


def _f(first: int, second: int) -> Expr:
    """The f(c_1, c_2) of eq. (27)."""
    return (1 + first * Rational(1, 2) * var_w * log(_distance) ** 2) ** (second * fan_in)


def _q(var_w, mean_z, eps) -> np.ndarray:
    return var_w * log_of_sum(np.abs(mean_z), eps) ** 2


def _taylor_variance(var_w, mean_z, eps, fan_in):
    q = Pair(_q(var_w, mean_z, eps))
    result = difference_of_powers(1 + 2 * q, (1 + q * 0.5) ** 2, q * (1 - q * 0.25), fan_in)
    return result, np.abs(q.high - 4) < CLOSE


_taylor = partial(Formula, domain=_UNIT, requires=_LOG_EXISTS, laws=_LAWS)

taylor_mean = _taylor(
    "mean of a NAC multiplication unit with E[W] = 0, by a second-order Taylor expansion",
    _f(1, 1),
    [var_w, mean_z, eps, fan_in],
    lhs=r"E\left[z_{h_\ell}\right]",
    source=Source("nau", "eq. (10)"),
    numeric=lambda var_w, mean_z, eps, fan_in: np.exp(fan_in * np.log1p(_q(var_w, mean_z, eps) / 2)),
)

taylor_variance = _taylor(
    "variance of a NAC multiplication unit with E[W] = 0, by a second-order Taylor expansion",
    _f(4, 1) - _f(1, 2),
    [var_w, mean_z, eps, fan_in],
    lhs=r"\mathrm{Var}\left[z_{h_\ell}\right]",
    source=Source("nau", "eq. (27)"),
    numeric=_taylor_variance,
)

_negative = partial(Formula, lhs=r"\left|E[z]\right| + \epsilon", source=Source("nau", "eq. (27), its sign"))

taylor_variance_negative_below = _negative(
    "the |E[z]| + eps below which the Taylor variance of a NAC multiplication unit is negative, for every fan_in",
    exp(-2 / sqrt(some_var_w)),
)

taylor_variance_negative_above = _negative(
    "the |E[z]| + eps above which the Taylor variance of a NAC multiplication unit is negative, for every fan_in",
    exp(2 / sqrt(some_var_w)),
)


def _taylor_factor(mean_w, var_w, mean_z, var_z, eps):
    """The three terms through their logarithms: the powers may leave float64 where the sum does not."""
    level = log_of_sum(np.abs(mean_z), eps)
    product = mean_w * (mean_w - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        of_inputs = (mean_w - 2) * level + np.log(var_z) - np.log(2) + np.log(np.abs(product))
        of_weights = mean_w * level + np.log(var_w) - np.log(2) + 2 * np.log(np.abs(level))
    top = np.maximum(mean_w * level, np.maximum(of_inputs, of_weights))
    first, last = np.exp(mean_w * level - top), np.exp(of_weights - top)
    middle = np.sign(product) * np.exp(of_inputs - top)
    total = first + middle + last
    with np.errstate(divide="ignore"):
        result = np.sign(total) * np.exp(top + np.log(np.abs(total)))
    return result, np.abs(total) < 0.3


taylor_factor = Formula(
    "mean of a factor (|z| + eps)^W, by a second-order Taylor expansion",
    _distance**mean_w
    + Rational(1, 2) * var_z * _distance ** (mean_w - 2) * mean_w * (mean_w - 1)
    + Rational(1, 2) * var_w * _distance**mean_w * log(_distance) ** 2,
    [mean_w, var_w, mean_z, var_z, eps],
    lhs=r"E\left[g(z, W)\right]",
    source=Source("nau", "eq. (40), first member"),
    domain={mean_w: Interval(-100, 100), var_z: Interval(0, 1e12), **_WEIGHT, **_INPUT},
    requires=_LOG_EXISTS,
    laws={"w": AnyLaw(mean_w, var_w), "z": AnyLaw(mean_z, var_z)},
    numeric=_taylor_factor,
)

taylor_factor_centred = _taylor(
    "mean of a factor (|z| + eps)^W with E[W] = 0, by a second-order Taylor expansion",
    1 + Rational(1, 2) * var_w * log(_distance) ** 2,
    [var_w, mean_z, eps],
    lhs=r"E\left[g(z, W)\right]",
    source=Source("nau", "eq. (40)"),
    numeric=lambda *columns: 1 + _q(*columns) / 2,
)

taylor_square_factor = _taylor(
    "mean of a squared factor (|z| + eps)^(2W) with E[W] = 0, by a second-order Taylor expansion",
    1 + 2 * var_w * log(_distance) ** 2,
    [var_w, mean_z, eps],
    lhs=r"E\left[g(z, 2 \cdot W)\right]",
    source=Source("nau", "eq. (44)"),
    numeric=lambda *columns: 1 + 2 * _q(*columns),
)

_lower_bound = partial(
    Formula,
    arguments=[var_w, a, b, eps, fan_in],
    lhs=r"E\left[z_{h_\ell}\right]",
    domain={**_WEIGHT, **DOMAIN},
    requires=[a < b],
    laws={"w": AnyLaw(mean=0, variance=var_w), **INPUT},
)

mean_lower_bound = _lower_bound(
    "lower bound of the mean of a NAC multiplication unit with E[W] = 0, for any joint distribution of its inputs",
    Integer(1),
    source=Source("nau", "eq. (10), consequence"),
)

symmetric_mean_lower_bound = _lower_bound(
    "lower bound of the mean of a NAC multiplication unit with symmetric weights and z ~ U[a, b], dependent or not",
    1 + fan_in * var_w * log_square_mean.expr / 2,
    source=Source("nau", "eq. (10), sharper consequence"),
    numeric=lambda var_w, a, b, eps, fan_in: 1 + fan_in * var_w * log_square_mean(a, b, eps) / 2,
)

independent_mean_lower_bound = _lower_bound(
    "lower bound of the mean of a NAC multiplication unit with symmetric weights and independent z ~ U[a, b]",
    (1 + var_w * log_square_mean.expr / 2) ** fan_in,
    source=Source("nau", "eq. (10), sharper consequence"),
    numeric=lambda var_w, a, b, eps, fan_in: np.exp(fan_in * np.log1p(var_w * log_square_mean(a, b, eps) / 2)),
)


def jensen_remainder_is_positive() -> bool:
    """Prove cosh(x) >= 1 + x^2/2, which the sharper lower bounds of the mean rest on.

    The difference vanishes at 0 with its first derivative, and its second is 2 sinh(x/2)^2 >= 0.

    Examples
    --------
    >>> jensen_remainder_is_positive()
    True
    """
    x = sympy.Symbol("x", real=True)
    remainder = cosh(x) - 1 - x**2 / 2
    flat = remainder.subs(x, 0) == 0 and remainder.diff(x).subs(x, 0) == 0
    convex = (remainder.diff(x, 2) - 2 * sinh(x / 2) ** 2).rewrite(exp).expand() == 0
    return bool(flat and convex)
