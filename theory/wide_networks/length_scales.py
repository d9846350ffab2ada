r"""Length scales of Gaussian processes: expected zeros and extrema along a line, by Rice's formula.

A smooth stationary process with variance K(0) and Var[f'] = -K''(0) has on average sqrt(-K''(0)/K(0))/pi zeros in a
unit of length (S. O. Rice, 1945), and as its extrema are zeros of f', sqrt(Var[f'']/Var[f'])/pi extrema. Both numbers
make a length scale: that of the kernel exp(-d^2/(2 length_scale^2)) with as many of them. Where a process is not
stationary, values and slopes are dependent and the density of zeros is sqrt(C C'' - C'^2)/(pi C) with the variance C of
values, C'' of slopes, and their covariance C'.

A random network f(t) = sum_j v_j phi(w_j t + b_j) is such a process for many units. With w ~ N(0, weight_scale^2) and
b ~ N(0, bias_scale^2) it has two length scales at the origin, t = 0, that are as different as their dependence on the
weights: by zeros sqrt(E[phi^2]/E[phi'^2])/weight_scale, by extrema sqrt(E[phi'^2]/E[phi''^2])/weight_scale.
"""

from functools import partial

import numpy as np
from sympy import acos, atan, pi, sqrt

from theory.formula import Formula, Interval, Source
from theory.symbols import nonnegative, positive, real

variance, length_scale, known_slope_variance = positive("variance length_scale slope_variance")
weight_scale, bias_scale, sigma = positive("weight_scale bias_scale sigma")
slope_variance, curvature_variance = nonnegative("slope_variance curvature_variance")
correlation, place = real("correlation place")
MODERATE = Interval(1e-150, 1e150)

_process = partial(Formula, source=Source("smooth", "3.3"))
_zeros = partial(_process, lhs=r"E[\text{zeros per unit of length}]")
_extrema = partial(_process, lhs=r"E[\text{extrema per unit of length}]")
_erf = partial(
    Formula,
    domain=dict.fromkeys((weight_scale, bias_scale, sigma), Interval(1e-50, 1e50)),
    source=Source("smooth", "3.3, with erf for tanh"),
)

sign_change_probability = _process(
    "probability that two normal values of mean 0 have different signs",
    acos(correlation) / pi,
    domain={correlation: Interval(-1, 1)},
    lhs=r"P(f(x) f(x') < 0)",
)

zeros_per_length = _zeros(
    "expected zeros of a stationary Gaussian process in a unit of length",
    sqrt(slope_variance / variance) / pi,
    [variance, slope_variance],
    domain={variance: MODERATE, slope_variance: Interval(0, 1e150)},
)

extrema_per_length = _extrema(
    "expected extrema of a stationary Gaussian process in a unit of length",
    sqrt(curvature_variance / known_slope_variance) / pi,
    [known_slope_variance, curvature_variance],
    domain={known_slope_variance: MODERATE, curvature_variance: Interval(0, 1e150)},
)

rbf_zeros = _zeros(
    "expected zeros in a unit of length of a Gaussian process with the kernel exp(-d^2/(2 length_scale^2))",
    1 / (pi * length_scale),
)

rbf_extrema = _extrema(
    "expected extrema in a unit of length of a Gaussian process with the kernel exp(-d^2/(2 length_scale^2))",
    sqrt(3) / (pi * length_scale),
)


def _many(bias, sqrt=sqrt, atan=atan):
    """Twice E[erf^2]/E[erf'^2], for a bias of this standard deviation."""
    root = sqrt(1 + 4 * bias**2)
    return root * atan(2 * bias**2 / root)


erf_zeros_length = _erf(
    "length scale by zeros at the origin of a wide erf network",
    sqrt(_many(bias_scale) / 2) / weight_scale,
    [weight_scale, bias_scale],
    lhs=r"\lambda_0",
)

erf_extrema_length = _erf(
    "length scale by extrema at the origin of a wide erf network",
    sqrt(1 + 4 * bias_scale**2) / (2 * bias_scale * weight_scale),
    [weight_scale, bias_scale],
    lhs=r"\lambda_1",
)


def _zeros_exponent(sigma):
    square = sigma**2
    found = 2 * square / (1 + 4 * square) + 2 * square / ((1 + 2 * square) * _many(sigma, np.sqrt, np.arctan)) - 1
    # What is left of 1 - 1 is of the order of sigma^4.
    return found, sigma < 0.2


erf_zeros_exponent = _erf(
    "d log(length)/d log(sigma) of the length scale by zeros of a wide erf network with weights and biases of the "
    "standard deviation sigma",
    2 * sigma**2 / (1 + 4 * sigma**2) + 2 * sigma**2 / ((1 + 2 * sigma**2) * _many(sigma)) - 1,
    domain={sigma: Interval(1e-10, 1e10)},
    numeric=_zeros_exponent,
    lhs=r"\frac{d \log \lambda_0}{d \log \sigma}",
)

erf_extrema_exponent = _erf(
    "d log(length)/d log(sigma) of the length scale by extrema of a wide erf network with weights and biases of the "
    "standard deviation sigma",
    -1 - 1 / (1 + 4 * sigma**2),
    lhs=r"\frac{d \log \lambda_1}{d \log \sigma}",
)

seen = weight_scale**2 * place**2 + bias_scale**2
values = 2 * atan(2 * seen / sqrt(1 + 4 * seen)) / pi
slopes = 4 * weight_scale**2 * (1 + 4 * bias_scale**2) / (pi * (1 + 4 * seen) * sqrt(1 + 4 * seen))
crossed = 4 * weight_scale**2 * place / (pi * (1 + 2 * seen) * sqrt(1 + 4 * seen))


def _zeros_at(weight, bias, place):
    seen = (weight * place) ** 2 + bias**2
    root = np.sqrt(1 + 4 * seen)
    values = 2 * np.arctan(2 * seen / root) / np.pi
    product = values * 4 * weight**2 * (1 + 4 * bias**2) / (np.pi * root**3)
    rest = product - (4 * weight**2 * place / (np.pi * (1 + 2 * seen) * root)) ** 2
    # A network that is nearly linear in t has few zeros away from -b/w.
    return np.sqrt(np.maximum(rest, 0)) / (np.pi * values), rest < product / 100


erf_zeros_at = _erf(
    "expected zeros in a unit of length of a wide erf network on a line, at a place",
    sqrt(values * slopes - crossed**2) / (pi * values),
    [weight_scale, bias_scale, place],
    domain={weight_scale: Interval(1e-20, 1e20), bias_scale: Interval(1e-20, 1e20), place: Interval(-1e20, 1e20)},
    numeric=_zeros_at,
    lhs=r"E[\text{zeros per unit of length at } x]",
)
