"""Networks of great width by the definition alone: 20 digits of what their maps keep, apart from ``theory``."""

from collections.abc import Callable
from functools import cache, wraps

import mpmath

from paper_checks.values.integrals import normal_mean
from theory.signal_propagation import closed

DIGITS = 20
WIDE = "wide layers; variances are those of preactivations"
Function = Callable[[mpmath.mpf], mpmath.mpf]


def _to_digits(function):
    """Remembered, and at this module's precision."""

    @cache
    @wraps(function)
    def at(*arguments):
        with mpmath.workdps(DIGITS):
            return function(*arguments)

    return at


@cache
def _selu_constants(digits: int) -> tuple[mpmath.mpf, mpmath.mpf]:
    return closed.selu_alpha.mp(dps=digits), closed.selu_scale.mp(dps=digits)


def selu(u):
    alpha, scale = _selu_constants(mpmath.mp.dps)
    return scale * (u if u > 0 else alpha * mpmath.expm1(u))


def selu_slope(u):
    alpha, scale = _selu_constants(mpmath.mp.dps)
    return scale * (1 if u > 0 else alpha * mpmath.exp(u))


def tanh_slope(u):
    return 1 / mpmath.cosh(u) ** 2


def gelu(u):
    return u * mpmath.ncdf(u)


def logistic(u):
    return 1 / (1 + mpmath.exp(-u))


def logistic_slope(u):
    return logistic(u) * logistic(-u)


@_to_digits
def kept(phi: Function, weight_variance, bias_variance, near) -> mpmath.mpf:
    """The variance that a layer keeps."""
    excess = lambda q: weight_variance * normal_mean(lambda u: phi(u) ** 2, q) + bias_variance - q  # noqa: E731
    return mpmath.findroot(excess, (mpmath.mpf(near), mpmath.mpf(near) * 1.01), tol=mpmath.mpf(10) ** -15)


@_to_digits
def variance_slope(phi: Function, weight_variance, q) -> mpmath.mpf:
    """Of the variance map: the derivative of a normal density by q is (u^2/q - 1)/(2 q) times it."""
    return weight_variance * normal_mean(lambda u: phi(u) ** 2 * (u * u / q - 1), q) / (2 * q)


@_to_digits
def chi(derivative: Function, weight_variance, q) -> mpmath.mpf:
    """sigma_w^2 E[phi'(u)^2]."""
    return weight_variance * normal_mean(lambda u: derivative(u) ** 2, q)


@_to_digits
def correlation_slope(phi: Function, weight_variance, q) -> mpmath.mpf:
    """Of the map of correlations at 0, sigma_w^2 E[phi'(u)]^2, where E[phi'(u)] is E[u phi(u)]/q by parts."""
    return weight_variance * (normal_mean(lambda u: u * phi(u), q) / q) ** 2
