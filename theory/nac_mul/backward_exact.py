r"""Exact moments of the derivative of a NAC multiplication unit with respect to an input.

z_out = exp(sum_h W_h log(|z_h| + eps)), W_h ~ U[-r_w, r_w], z_h ~ U[a, b], 0 <= a < b, all independent, and
J = dz_out/dz_h. For H inputs the other factors contribute M_1^(H - 1) to E[J] and M_2^(H - 1) to E[J^2], where
M_k = E[(z + eps)^(kW)]. What remains belongs to one input, with x = log(z + eps) between x_a and x_b.

**Mean.** A derivative averaged over a uniform variable is a difference quotient, so that

.. math:: E[J] = M_1^{H-1} \frac{S(r_w x_b) - S(r_w x_a)}{b - a}, \qquad
          S(r_w x) = \frac{\sinh r_w x}{r_w x} = E[e^{W x}] .

S is even and increases with |y|: E[J] has the sign of log((a + eps)(b + eps)) and is zero if and only if
(a + eps)(b + eps) = 1. Inputs near zero make it large: for a = 0 it tends to -oo like
-eps^(-r_w)/(2 r_w b log(1/eps)). For z ~ U[-b, b] it is zero, by symmetry.

**Second moment.**

.. math:: Q = E[W^2 (z + \epsilon)^{2W - 2}]
          = \frac{r_w^2}{b - a} \int_{x_a}^{x_b} e^{-x} S''(2 r_w x)\, dx .

With u = 2W - 1 it is the integral of e^(ux) (u/4 + 1/2 + 1/(4u)) between u = -2 r_w - 1 and 2 r_w - 1: exponential
integrals. For weights U[0, 1] the same integral runs from u = -1 to 1.

**Existence.** For a = eps = 0 it is infinite for every r_w, since every weight below 1/2 makes z^(2W - 2) too large to
be integrated; so it is for U[0, 1]. For a = 0 and eps -> 0, Q eps^(1 + 2 r_w) log(1/eps) -> r_w/(4 b (1 + 2 r_w)), and
for weights U[0, 1] the second moment times eps log(1/eps)^3 tends to 1/(4 b).

**Loss.** With half the squared error as loss, dL/dz_out = z_out - t, and dL/dz_h is the derivative of
(z_out - t)^2/2. Its mean is again a difference quotient, of M_2^(H-1) S(2 r_w x)/2 - t M_1^(H-1) S(r_w x).
"""

from functools import partial
from math import factorial

import numpy as np
from numpy.polynomial.polynomial import polyval
from sympy import Expr, Ne, Piecewise, Rational, exp, log, sinh

from theory.formula import Formula, Interval, Source
from theory.nac_mul.exact import INPUT, LAWS, exact_moment, factor_moment
from theory.numerics.exponential_integrals import Ein
from theory.numerics.pairs import Pair, log_of_gap, log_of_sum
from theory.numerics.quadrature import panel_sums
from theory.symbols import count, nonnegative, positive, real

r_w, b, eps = positive("r_w b eps")
a, var_delta = nonnegative("a var_delta")
fan_in, fan_out = count("fan_in fan_out")
target = real("target")

FAN = Interval(1, 10**6, integer=True)
# Wide enough for every use; the check against 50 digits takes seconds per point far beyond.
DOMAIN = {
    r_w: Interval(1e-12, 4),
    a: Interval(0, 1e6),
    b: Interval(1e-20, 1e6),
    eps: Interval(1e-20, 1),
    fan_in: FAN,
    fan_out: FAN,
    var_delta: Interval(1e-20, 1e20),
    target: Interval(-1e6, 1e6),
}
LAW = [r_w, a, b, eps]


def _others(order: int) -> Expr:
    """The mean of the order-th power of the product of the other factors."""
    return factor_moment(order).expr.xreplace({nonnegative("eps"): eps}) ** (fan_in - 1)


def _sinhc(order: int, x: Expr) -> Expr:
    """E[e^(order W x)]."""
    y = order * r_w * x
    return Piecewise((sinh(y) / y, Ne(x, 0)), (1, True))


def _mean_form(order: int) -> Expr:
    """E[d/dz of (z + eps)^(order W)] times the mean of the other factors."""
    quotient = (_sinhc(order, log(b + eps)) - _sinhc(order, log(a + eps))) / (b - a)
    return _others(order) * quotient


def _square_form(lowest: Expr, highest: Expr) -> Expr:
    """E[W^2 (z + eps)^(2W - 2)] for W ~ U[lowest, highest]."""
    low, high = 2 * lowest - 1, 2 * highest - 1

    def antiderivative(x: Expr) -> Expr:
        def elementary(u):
            return exp(u * x) * ((u + 2) / (4 * x) - 1 / (4 * x**2))

        smooth = Piecewise(
            (elementary(high) - elementary(low), Ne(x, 0)), ((high**2 - low**2) / 8 + (high - low) / 2, True)
        )
        return smooth / 2 + (Ein(-low * x) - Ein(-high * x)) / 8

    return (antiderivative(log(b + eps)) - antiderivative(log(a + eps))) / ((highest - lowest) * (b - a))


def _ends(a, b, eps):
    """log(a + eps), log(b + eps), their difference, and log of the mean density: difference/(b - a)."""
    low, high = log_of_sum(a, eps), log_of_sum(b, eps)
    length = np.log1p((b - a) / (a + eps))
    return low, high, length, np.log(length) - np.log(b - a)


def _log_of_others(order, r_w, a, b, eps, fan_in):
    """log of M_order^(fan_in - 1)."""
    result = np.zeros_like(r_w)
    more = fan_in > 1
    if more.any():
        law = [v[more] for v in (r_w, a, b, eps)]
        # A power may leave float64 where its logarithm does not: from one factor, whose excess over 1 may be tiny.
        excess = exact_moment(order)(*law, 1) - 1
        powered = exact_moment(order)(*law, fan_in[more] - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            result[more] = np.where(np.isfinite(powered), np.log(powered), (fan_in[more] - 1) * np.log1p(excess))
    return result


def _difference_quotient(order, r_w, a, b, eps):
    """Sign and logarithm of (S(c x_b) - S(c x_a))/(b - a), c = order r_w."""
    c = order * r_w
    low, high, length, _ = _ends(a, b, eps)
    # |x_b| - |x_a|: the sum of two logarithms of different sign is that of a product, with 32 digits.
    product = ((Pair(a) + eps) * (Pair(b) + eps)).log_abs()
    distance = np.where(low >= 0, length, np.where(high <= 0, -length, product))
    start, end = c * np.minimum(np.abs(low), np.abs(high)), c * np.maximum(np.abs(low), np.abs(high))

    def integrand(t, rest, start, end):
        y = start * rest + end * t
        return np.exp(y - end) * scaled_slope(y)

    with np.errstate(divide="ignore", under="ignore"):
        mean = panel_sums(end - start, integrand, start, end)
        size = np.log(np.abs(distance)) + np.log(c) - np.log(b - a) + end + np.log(mean)
    return np.sign(distance), size


def _log_jacobian_mean(order, r_w, a, b, eps, fan_in):
    """Sign and logarithm of M_order^(fan_in - 1) times the difference quotient."""
    sign, size = _difference_quotient(order, r_w, a, b, eps)
    return sign, size + _log_of_others(order, r_w, a, b, eps, fan_in)


def _jacobian_mean(*law):
    sign, size = _log_jacobian_mean(1, *law)
    return sign * np.exp(size)


def _log_square(r_w, a, b, eps):
    """log of Q."""
    low, high, length, log_density = _ends(a, b, eps)
    # e^(-x) S''(2 r x) is largest at an end, as its logarithm is convex.
    top = np.maximum(-low + 2 * r_w * np.abs(low), -high + 2 * r_w * np.abs(high))

    def integrand(t, rest, low, high, r_w, top):
        x = low * rest + high * t
        y = 2 * r_w * np.abs(x)
        return np.exp(y - x - top) * scaled_curvature(y)

    with np.errstate(divide="ignore", under="ignore"):
        mean = panel_sums((1 + 2 * r_w) * length, integrand, low, high, r_w, top)
        return 2 * np.log(r_w) + log_density + top + np.log(mean)


def _positive_weight_square(a, b, eps):
    """W = (1 + U)/2 leaves the mean over x of E[(1 + U)^2 e^(U x)]/4."""
    low, high, length, log_density = _ends(a, b, eps)
    top = np.maximum(np.abs(low), np.abs(high))

    def integrand(t, rest, low, high, top):
        x = low * rest + high * t
        return np.exp(np.abs(x) - top) * scaled_positive(x)

    return np.exp(log_density + top + np.log(panel_sums(2 * length, integrand, low, high, top) / 4))


def _log_jacobian_square(r_w, a, b, eps, fan_in):
    return _log_square(r_w, a, b, eps) + _log_of_others(2, r_w, a, b, eps, fan_in)


def _jacobian_variance(r_w, a, b, eps, fan_in):
    """E[J]^2 stays well below E[J^2], as the weights are symmetric: nothing cancels."""
    log_square = _log_jacobian_square(r_w, a, b, eps, fan_in)
    gap = log_square - 2 * _log_jacobian_mean(1, r_w, a, b, eps, fan_in)[1]
    return np.exp(log_square + log_of_gap(gap))


def _input_gradient_variance(var_delta, fan_out, *law):
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        return np.exp(np.log(var_delta) + np.log(fan_out) + _log_jacobian_square(*law))


def _input_gradient_mean(target, fan_out, *law):
    """M_2^(H-1) S(2 r_w x)/2 and t M_1^(H-1) S(r_w x) change in the same direction; both may overflow."""
    with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
        sign, first = _log_jacobian_mean(1, *law)
        first += np.log(np.abs(target))
        second = _log_jacobian_mean(2, *law)[1] - np.log(2)
        top = np.maximum(first, second)
        difference = np.exp(second - top) - np.sign(target) * np.exp(first - top)
        result = np.where(sign == 0, 0.0, sign * difference * np.exp(top + np.log(fan_out)))
    return result, np.abs(difference) < 1e-2


_formula = partial(Formula, domain=DOMAIN, requires=[a < b, a + eps > 0], laws=LAWS)

jacobian_mean = _formula(
    "E[dz_out/dz] of a NAC multiplication unit, W ~ U[-r_w, r_w], z ~ U[a, b]",
    _mean_form(1),
    [*LAW, fan_in],
    lhs=r"E\left[\frac{\partial z_{h_\ell}}{\partial z_{h_{\ell-1}}}\right]",
    source=Source("nau", "eq. (47), exact"),
    numeric=_jacobian_mean,
)

_jacobian_square = _others(2) * _square_form(-r_w, r_w)

jacobian_variance = _formula(
    "Var[dz_out/dz] of a NAC multiplication unit, W ~ U[-r_w, r_w], z ~ U[a, b]",
    _jacobian_square - jacobian_mean.expr**2,
    [*LAW, fan_in],
    lhs=r"\mathrm{Var}\left[\frac{\partial z_{h_\ell}}{\partial z_{h_{\ell-1}}}\right]",
    source=Source("nau", "eq. (48), exact"),
    numeric=_jacobian_variance,
)

input_gradient_variance = _formula(
    "Var[dL/dz] of a NAC multiplication layer, dL/dz_out of mean zero and independent of it; with var_delta = 1 and "
    "fan_out = 1 it is E[(dz_out/dz)^2]",
    var_delta * fan_out * _jacobian_square,
    [var_delta, fan_out, *LAW, fan_in],
    lhs=r"\mathrm{Var}\left[\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}\right]",
    source=Source("nau", "eq. (51), exact"),
    numeric=_input_gradient_variance,
)

input_gradient_mean = _formula(
    "E[dL/dz] of a NAC multiplication layer with half the squared error against a fixed target as loss",
    fan_out * (_mean_form(2) / 2 - target * _mean_form(1)),
    [target, fan_out, *LAW, fan_in],
    lhs=r"E\left[\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}\right]",
    source=Source("nau", "eq. (46), exact"),
    numeric=_input_gradient_mean,
)

positive_weight_second_moment = _formula(
    "E[W^2 (z + eps)^(2W - 2)] for W ~ U[0, 1], z ~ U[a, b]: one input, positive weights",
    _square_form(Rational(0), Rational(1)),
    [a, b, eps],
    lhs=r"E\left[\left(\frac{\partial z_{h_\ell}}{\partial z_{h_{\ell-1}}}\right)^2\right]",
    source=Source("nau", "additional to eq. (7)"),
    laws=INPUT,
    numeric=_positive_weight_square,
)

# --- S(y) = sinh(y)/y, the mean of e^(y U) for U ~ U[-1, 1]: derivatives in float64, without cancellation, scaled ---

# Series for y <= 2 in powers of y^2: what is left out is below 4^15/30! = 4e-24.
TERMS = range(15)
SLOPE_SERIES = [(2 * k + 2) / factorial(2 * k + 3) for k in TERMS]
CURVATURE_SERIES = [1 / (factorial(2 * k) * (2 * k + 3)) for k in TERMS]

POSITIVE_SERIES = [(2 / (k + 2) if k % 2 else 1 / (k + 1) + 1 / (k + 3)) / factorial(k) for k in range(2 * len(TERMS))]


def scaled_slope(y):
    """S'(y) e^-y for y >= 0, S = sinh(y)/y."""
    small, large = np.minimum(y, 2), np.maximum(y, 2)
    decay = np.exp(-2 * large)
    series = small * polyval(small**2, SLOPE_SERIES) * np.exp(-small)
    return np.where(y < 2, series, (large * (1 + decay) - (1 - decay)) / (2 * large**2))


def scaled_curvature(y):
    """S''(y) e^-y for y >= 0."""
    small, large = np.minimum(y, 2), np.maximum(y, 2)
    decay = np.exp(-2 * large)
    series = polyval(small**2, CURVATURE_SERIES) * np.exp(-small)
    closed = (1 - decay) / (2 * large) - (1 + decay) / large**2 + (1 - decay) / large**3
    return np.where(y < 2, series, closed)


def scaled_positive(x):
    """E[(1 + U)^2 e^(U x)] e^-|x| for U ~ U[-1, 1]."""
    y = np.maximum(np.abs(x), 2)
    decay = np.exp(-2 * y)
    right = 2 / y - 2 / y**2 + (1 - decay) / y**3
    left = (1 - decay) / y**3 - decay * (2 / y + 2 / y**2)
    series = polyval(np.clip(x, -2, 2), POSITIVE_SERIES) * np.exp(-np.minimum(np.abs(x), 2))
    return np.where(np.abs(x) < 2, series, np.where(x > 0, right, left))
