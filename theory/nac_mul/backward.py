r"""The backward pass of a NAC multiplication layer as the paper derives it: dz_out/dz = z_out W q.

The derivation takes z_out, W and q = sign(z)/(|z| + eps) for independent, although z_out contains both W and z. Then
E[W] = 0 makes the mean zero, the variance is E[z_out^2] Var[W] E[q^2], and the last factor is expanded around E[z],

.. math:: E[q^2] \approx \frac{1}{(|E[z]| + \epsilon)^2} + \frac{3 \operatorname{Var}[z]}{(|E[z]| + \epsilon)^4} .

What holds without the independence is in :mod:`theory.nac_mul.backward_exact`. For z ~ U[a, b] with 0 <= a,
E[q^2] = 1/((a + eps)(b + eps)), and the same for -z or a random sign: what counts is the mass near zero, not the mean.
For z ~ U[-b, b] it is 1/(eps (b + eps)), of order 1/eps; the expansion at E[z] = 0 says 1/eps^2 + b^2/eps^4, as |z| has
no derivative there. For a random sign and |z| ~ U[1, 2] it is 1/2 at eps = 0, whereas the expansion is infinite.

**Misprint.** The subtracted term of eq. (49) has E[q^2] where the square of a mean gives E[q]^2. It is multiplied by
E[W]^2 = 0.

**Tacit assumption.** Eq. (51) needs E[dL/dz_out] = 0: where dz_out/dz has mean zero, the variance of the product is
(variance + squared mean) of dL/dz_out times the variance of dz_out/dz.

**Second order.** Against the layer itself, eq. (51) misses part of the second order that it is meant to have: W is a
factor of dz_out/dz, so that its powers meet those in z_out. With W uniform, E[W^4] = 9 Var[W]^2/5, and

.. math:: E[W^2 (z + \epsilon)^{2W - 2}] \approx \operatorname{Var}[W] \left(1 + \tfrac{18}{5} \operatorname{Var}[W]
          \log(|E[z]| + \epsilon)^2\right) E[q^2],

where the derivation has 2 for 18/5.
"""

from functools import partial

import numpy as np
from sympy import Abs, Integer, Rational, log

from theory.domain import AnyLaw
from theory.formula import Formula, Interval, Source
from theory.nac_mul.backward_exact import DOMAIN as EXACT_DOMAIN
from theory.nac_mul.exact import LAWS, exact_moment
from theory.numerics.pairs import log_of_sum, scaled_product
from theory.symbols import count, nonnegative, positive, real

mean_out, mean_w, mean_q, mean_delta = real("mean_out mean_w mean_q mean_delta")
mean_jacobian, mean_z, low, high = real("mean_jacobian mean_z low high")
var_out, var_w, var_q, square_out, square_q = nonnegative("var_out var_w var_q square_out square_q")
var_delta, var_jacobian, var_z, a, eps = nonnegative("var_delta var_jacobian var_z a eps")
r_w, b, positive_eps = positive("r_w b eps")
fan_in, fan_out = count("fan_in fan_out")

VALUE, SQUARE = Interval(-1e40, 1e40), Interval(0, 1e40)
DOMAIN = {
    **dict.fromkeys((mean_out, mean_w, mean_q, mean_delta, mean_jacobian, mean_z, low, high), VALUE),
    **dict.fromkeys((var_out, var_w, var_q, square_out, square_q, var_delta, var_jacobian, var_z, a), SQUARE),
    **dict.fromkeys((fan_in, fan_out), Interval(1, 10**6, integer=True)),
    b: Interval(0, 1e40, open_low=True),
    positive_eps: Interval(1e-20, 1),
}

_formula = partial(Formula, domain=DOMAIN)
_inverse_square_form = partial(
    _formula, lhs=r"E\left[\left(\frac{\mathrm{abs}'(z)}{\left|z\right| + \epsilon}\right)^2\right]"
)
_variance_form = partial(_formula, lhs=r"\mathrm{Var}\left[\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}\right]")

chain_mean = _formula(
    "E[dL/dz] of an input with fan_out outputs, dL/dz_out uncorrelated with dz_out/dz",
    fan_out * mean_delta * mean_jacobian,
    [fan_out, mean_delta, mean_jacobian],
    lhs=r"E\left[\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}\right]",
    source=Source("nau", "eq. (46)"),
    numeric=scaled_product,
)

jacobian_mean_independent = _formula(
    "E[dz_out/dz] of a NAC multiplication unit if z_out, W and q = sign(z)/(|z| + eps) were independent",
    mean_out * mean_w * mean_q,
    [mean_out, mean_w, mean_q],
    lhs=r"E\left[\frac{\partial z_{h_\ell}}{\partial z_{h_{\ell-1}}}\right]",
    source=Source("nau", "eq. (47)"),
    numeric=scaled_product,
)

jacobian_mean_centred = Formula(
    "E[dz_out/dz] of a NAC multiplication unit if z_out, W and q were independent, with E[W] = 0",
    Integer(0),
    [mean_out, mean_q],
    lhs=r"E\left[\frac{\partial z_{h_\ell}}{\partial z_{h_{\ell-1}}}\right]",
    source=Source("nau", "eq. (47)"),
)


def _inverse_mean(low, high, eps):
    """The share of the interval that the two signs leave, times the mean of 1/(|z| + eps) over it.

    That mean is log(1 + t)/t over the smaller of |low| + eps and |high| + eps, t the relative difference of the two.
    """
    first, second = np.abs(low), np.abs(high)
    smaller = np.minimum(first, second) + eps
    share = (second - first) / (high - low)
    t = np.abs(second - first) / smaller
    with np.errstate(invalid="ignore"):
        return share * np.where(t > 0, np.log1p(t) / t, 1.0) / smaller


inverse_mean = _formula(
    "E[sign(z)/(|z| + eps)] for z ~ U[low, high], any signs",
    (log(Abs(high) + positive_eps) - log(Abs(low) + positive_eps)) / (high - low),
    [low, high, positive_eps],
    lhs=r"E\left[\frac{\mathrm{abs}'(z)}{\left|z\right| + \epsilon}\right]",
    source=Source("nau", "eq. (47), a factor of it"),
    requires=[low < high],
    numeric=_inverse_mean,
)


def _with_square_q(o, vo, w, vw, q, vq):
    """(Var[z_out] Var[W] + Var[z_out] E[W]^2 + E[z_out]^2 Var[W]) E[q^2], all terms positive."""
    square = vq + q**2
    return scaled_product(vo, vw, square) + scaled_product(vo, w, w, square) + scaled_product(o, o, vw, square)


product_variance = _formula(
    "variance of z_out W q for independent factors",
    (var_out + mean_out**2) * (var_w + mean_w**2) * (var_q + mean_q**2) - mean_out**2 * mean_w**2 * mean_q**2,
    [mean_out, var_out, mean_w, var_w, mean_q, var_q],
    lhs=r"\mathrm{Var}\left[z_{h_\ell} W q\right]",
    source=Source("nau", "eq. (49)"),
    numeric=lambda o, vo, w, vw, q, vq: _with_square_q(o, vo, w, vw, q, vq) + scaled_product(o, o, w, w, vq),
)

jacobian_variance_independent = _formula(
    "Var[dz_out/dz] of a NAC multiplication unit if z_out, W and q were independent, with E[W] = 0",
    square_out * var_w * square_q,
    [square_out, var_w, square_q],
    lhs=r"\mathrm{Var}\left[\frac{\partial z_{h_\ell}}{\partial z_{h_{\ell-1}}}\right]",
    source=Source("nau", "eq. (49), result"),
    numeric=scaled_product,
)

inverse_square = _inverse_square_form(
    "E[1/(|z| + eps)^2] for |z| ~ U[a, b]",
    1 / ((a + positive_eps) * (b + positive_eps)),
    [a, b, positive_eps],
    source=Source("nau", "eq. (50), exact"),
    requires=[a < b],
)

inverse_square_from_zero = _inverse_square_form(
    "E[1/(|z| + eps)^2] for z ~ U[-b, b]",
    1 / (positive_eps * (b + positive_eps)),
    [b, positive_eps],
    source=Source("nau", "eq. (50), exact at E[z] = 0"),
)

_distance = Abs(mean_z) + positive_eps

inverse_square_taylor = _inverse_square_form(
    "E[1/(|z| + eps)^2] by a second-order Taylor expansion around E[z]",
    1 / _distance**2 + 3 * var_z / _distance**4,
    [mean_z, var_z, positive_eps],
    source=Source("nau", "eq. (50)"),
)

_TAYLOR = [var_delta, fan_out, var_w, mean_z, var_z, positive_eps, fan_in]
_TAYLOR_LAWS = {"w": AnyLaw(mean=0, variance=var_w), "z": AnyLaw(mean_z, var_z)}
_log_square = log(_distance) ** 2
_square_factor = 1 + 2 * var_w * _log_square
_own_factor = var_delta * fan_out * var_w * inverse_square_taylor.expr


def _taylor(var_delta, fan_out, var_w, mean_z, var_z, eps, fan_in, own=0.0):
    """The product through its logarithm; ``own`` is the coefficient of the input's own factor."""
    distance = np.abs(mean_z) + eps
    second = var_w * log_of_sum(np.abs(mean_z), eps) ** 2
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        return np.exp(
            np.log(var_delta) + np.log(fan_out) + np.log(var_w) + np.log1p(own * second)
            + fan_in * np.log1p(2 * second) + np.log(distance**2 + 3 * var_z) - 4 * np.log(distance)
        )  # fmt: skip


input_gradient_variance_taylor = _variance_form(
    "Var[dL/dz] of a NAC multiplication layer by second-order Taylor expansions",
    _own_factor * _square_factor**fan_in,
    _TAYLOR,
    source=Source("nau", "eq. (51)"),
    laws=_TAYLOR_LAWS,
    numeric=_taylor,
)

input_gradient_variance_taylor_corrected = _variance_form(
    "Var[dL/dz] of a NAC multiplication layer with uniform weights, right to second order",
    _own_factor * _square_factor ** (fan_in - 1) * (1 + Rational(18, 5) * var_w * _log_square),
    _TAYLOR,
    source=Source("nau", "additional to eq. (51)"),
    laws=_TAYLOR_LAWS,
    numeric=lambda *columns: _taylor(*columns[:-1], columns[-1] - 1, own=3.6),
)


def _independent(var_delta, fan_out, r_w, a, b, eps, fan_in):
    square = exact_moment(2)(r_w, a, b, eps, fan_in)
    return scaled_product(var_delta, fan_out, square, r_w**2 / 3, 1 / (a + eps), 1 / (b + eps))


input_gradient_variance_independent = _variance_form(
    "Var[dL/dz] of a NAC multiplication layer if z_out, W and q were independent, dL/dz_out of mean zero",
    var_delta * fan_out * exact_moment(2).expr.subs(eps, positive_eps) * r_w**2 / 3 * inverse_square.expr,
    [var_delta, fan_out, r_w, a, b, positive_eps, fan_in],
    source=Source("nau", "eq. (51), exact under its assumptions"),
    domain={**EXACT_DOMAIN, fan_in: Interval(1, 100, integer=True)},
    requires=[a < b],
    laws=LAWS,
    numeric=_independent,
)

input_gradient_variance_with_mean = _variance_form(
    "Var[dL/dz] of a layer whose dz_out/dz has mean zero, for any mean of an independent dL/dz_out",
    fan_out * (var_delta + mean_delta**2) * var_jacobian,
    [fan_out, mean_delta, var_delta, var_jacobian],
    source=Source("nau", "additional to eq. (51)"),
    numeric=lambda fan_out, mean, var, jacobian: scaled_product(fan_out, var + mean**2, jacobian),
)
