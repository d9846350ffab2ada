"""Gains of variances by one layer, forwards and backwards, and by several layers.

Forward is Var[z_out] / Var[z] of independent inputs with the given mean and variance; backward is Var[dL/dz] over the
variance of dL/dz_out, which has mean zero and is independent of the layer. All are exact for weights of mean zero. A
layer of rectified linear units is z_out = sum_h W_h max(z_h, 0) with normal z; its gains are those of z, before the
rectification.

After several layers of one width the factors multiply, and although the units of a layer share their inputs this is
exact as well: weights of mean zero leave the second moments of the outputs H Var[W] times those of the inputs, however
these depend on each other. Rectification halves a second moment for symmetric z, which z_out is, as its weights are.

A layer of 0-1 GaLU neurons is y_o = s(x.u_o) (x.w_o) with w_o of mean zero. The filter u_o has a distribution that is
symmetric about zero and independent of w_o, so that each gate is open with probability 1/2 for every input other than
zero: gates take away half of the variance, whatever the distribution of the inputs. A ReLU layer does so only for
outputs whose law is symmetric.
"""

from functools import partial

import numpy as np
from scipy.special import ndtr
from sympy import Piecewise, Rational, erfc, exp, pi, sqrt

from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair
from theory.symbols import count, nonnegative, positive, real

fan_in, fan_out, width, layers = count("fan_in fan_out width layers")
var_w, input_variance = nonnegative("var_w"), positive("input_variance")
input_mean, standard_mean = real("input_mean standard_mean")

FAN = Interval(1, 10**6, integer=True)
DOMAIN = {
    **dict.fromkeys((fan_in, fan_out, width), FAN),
    layers: Interval(1, 1000, integer=True),
    var_w: Interval(0, 1e50),
    input_variance: Interval(1e-50, 1e50),
    input_mean: Interval(-1e50, 1e50),
    # Farther left next to nothing passes the rectification.
    standard_mean: Interval(-5, 50),
}
_formula = partial(Formula, source=Source("nau", "additional, on initialisation"), domain=DOMAIN)
_forward = partial(_formula, lhs=r"\frac{\mathrm{Var}\left[z_{h_\ell}\right]}{\mathrm{Var}\left[z_{h_{\ell-1}}\right]}")
_backward = partial(_formula, lhs=r"\frac{\mathrm{Var}[\delta_{h_{\ell-1}}]}{\mathrm{Var}[\delta_{h_\ell}]}")

linear_forward_gain = _forward(
    "by how much a linear layer with weights of mean zero multiplies the variance of its inputs",
    fan_in * var_w * (1 + input_mean**2 / input_variance),
    [var_w, input_mean, input_variance, fan_in],
)

linear_backward_gain = _backward(
    "by how much a linear layer with weights of mean zero multiplies the variance of the gradient",
    fan_out * var_w,
    [var_w, fan_out],
)


def _relu_forward_gain(var_w, t, fan_in):
    share = (1 + t**2) * ndtr(t) + t * np.exp(-(t**2) / 2) / np.sqrt(2 * np.pi)
    # The two terms nearly cancel on the left.
    return fan_in * var_w * share, t < -2


_twice_open, _density = erfc(-standard_mean / sqrt(2)), exp(-(standard_mean**2) / 2) / sqrt(2 * pi)

relu_forward_gain = _forward(
    "by how much rectified linear units and a layer after them multiply the variance of normal inputs; standard_mean "
    "is E[z] over the standard deviation of z",
    fan_in * var_w * ((1 + standard_mean**2) * _twice_open / 2 + standard_mean * _density),
    [var_w, standard_mean, fan_in],
    numeric=_relu_forward_gain,
)

relu_backward_gain = _backward(
    "by how much rectified linear units and a layer after them multiply the variance of the gradient; standard_mean is "
    "E[z] over the standard deviation of z",
    fan_out * var_w * _twice_open / 2,
    [var_w, standard_mean, fan_out],
    numeric=lambda var_w, t, fan_out: fan_out * var_w * ndtr(t),
)


def _chain(factor):
    """V (H v factor)^l through logarithms: the power alone may leave float64."""

    def numeric(var_w, input_variance, width, layers):
        growth = (Pair(var_w) * width * factor).log_abs()
        return input_variance * np.exp(layers * growth)

    return numeric


_chain_variance = partial(
    _formula,
    arguments=[var_w, input_variance, width, layers],
    lhs=r"\mathrm{Var}\left[z_{h_\ell}\right]",
    domain={**DOMAIN, var_w: Interval(0, 1e6), layers: Interval(1, 100, integer=True)},
)

linear_chain_variance = _chain_variance(
    "variance after several linear layers of one width, from that of inputs with mean zero",
    input_variance * (width * var_w) ** layers,
    numeric=_chain(1.0),
)

relu_chain_variance = _chain_variance(
    "variance after several layers of rectified linear units of one width, from that of symmetric inputs",
    input_variance * (width * var_w / 2) ** layers,
    numeric=_chain(0.5),
)

nau_published_variance = _formula(
    "weight variance of a NAU with the authors' range, which is Glorot's but at most 1/2",
    # Not Min: SymPy takes 6/(fan_in + fan_out) for the larger one whatever the fans are.
    Piecewise((Rational(1, 12), fan_in + fan_out <= 24), (2 / (fan_in + fan_out), True)),
    [fan_in, fan_out],
    lhs=r"\mathrm{Var}\left[W\right]",
    source=Source("nau", "the authors' code"),
)

_galu = partial(Formula, source=Source("galu", "beyond: initialisation"), domain=DOMAIN)

galu_forward_gain = _galu(
    "by how much a layer of 0-1 GaLU neurons multiplies the variance of its inputs",
    fan_in * var_w * (1 + input_mean**2 / input_variance) / 2,
    [var_w, input_mean, input_variance, fan_in],
    lhs=r"\frac{\operatorname{Var}[y]}{\operatorname{Var}[z]}",
)

galu_backward_gain = _galu(
    "by how much a layer of 0-1 GaLU neurons multiplies the variance of the gradient",
    fan_out * var_w / 2,
    [var_w, fan_out],
    lhs=r"\frac{\operatorname{Var}[\partial L/\partial z]}{\operatorname{Var}[\partial L/\partial y]}",
)
