r"""Gradients of a NAC multiplication layer, z_out = exp(sum_h W_h log(|z_h| + eps)).

.. math:: \frac{\partial z_{out}}{\partial W_h} = z_{out} \log(|z_h| + \epsilon), \qquad
          \frac{\partial z_{out}}{\partial z_h}
          = z_{out} W_h \frac{\operatorname{sign}(z_h)}{|z_h| + \epsilon} .

**Size.** z_out contains (|z_h| + eps)^W_h, which leaves P W (|z| + eps)^(W - 1), P from the other inputs: an odd
function of z that jumps from -P W eps^(W - 1) to +P W eps^(W - 1) at zero. As eps -> 0 it stays bounded if and only if
W >= 1 or W = 0. For negative W the two powers add up; for 0 < W < 1 they cancel in part, and the derivative
still grows without bound.

**Tail.** For one input z ~ U[0, b], eps = 0 and a fixed W < 1, P(|dz_out/dz| > x) = (|W|/x)^(1/(1 - W))/b: the
derivative has a mean if and only if W > 0, and a variance if and only if W > 1/2.
"""

from typing import Any

import numpy as np
from sympy import Abs, exp, log, sign

from theory.arguments import in_float64
from theory.formula import Formula, Interval, Source
from theory.numerics.layers import checked_array, checked_layer
from theory.numerics.pairs import log_of_sum, refined
from theory.symbols import positive, real

z_out, rest, eps, b, x = positive("z_out rest eps b x")
w, z = real("w z")
delta_1, delta_2, w_1, w_2 = real("delta_1 delta_2 w_1 w_2")
out_1, out_2 = positive("out_1 out_2")

VALUE = Interval(-1e60, 1e60)
OUTPUT = Interval(0, 1e60, open_low=True)
# Up to here the difference of logarithms of up to 500 in size has lost digits that matter.
CLOSE = 0.3
EPS = Interval(1e-60, 1e60)

weight_derivative = Formula(
    "dz_out/dW of a NAC multiplication unit",
    z_out * log(Abs(z) + eps),
    [z_out, z, eps],
    lhs=r"\frac{\partial z_{h_\ell}}{\partial W_{h_\ell, h_{\ell-1}}}",
    source=Source("nau", "eq. (18)"),
    domain={z_out: OUTPUT, z: VALUE, eps: EPS},
    numeric=lambda z_out, z, eps: z_out * log_of_sum(np.abs(z), eps),
)

input_derivative = Formula(
    "dz_out/dz of a NAC multiplication unit",
    z_out * w * sign(z) / (Abs(z) + eps),
    [z_out, w, z, eps],
    lhs=r"\frac{\partial z_{h_\ell}}{\partial z_{h_{\ell-1}}}",
    source=Source("nau", "eq. (21)"),
    domain={z_out: OUTPUT, w: VALUE, z: VALUE, eps: EPS},
)

input_gradient_form = Formula(
    "dL/dz of an input of a NAC multiplication layer with two outputs",
    delta_1 * out_1 * w_1 * sign(z) / (Abs(z) + eps) + delta_2 * out_2 * w_2 * sign(z) / (Abs(z) + eps),
    [delta_1, delta_2, out_1, out_2, w_1, w_2, z, eps],
    lhs=r"\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}",
    source=Source("nau", "eq. (7)"),
    domain={**dict.fromkeys((delta_1, delta_2, w_1, w_2), VALUE), out_1: OUTPUT, out_2: OUTPUT, z: VALUE, eps: EPS},
    numeric=refined(
        lambda d1, d2, o1, o2, w1, w2, z, eps: [
            d * o * w * np.sign(z) / (np.abs(z) + eps) for d, o, w in ((d1, o1, w1), (d2, o2, w2))
        ]
    ),
)

single_input_derivative = Formula(
    "dz_out/dz of a NAC multiplication unit; the other inputs contribute the factor rest",
    rest * exp(w * log(Abs(z) + eps)) * w * sign(z) / (Abs(z) + eps),
    [rest, w, z, eps],
    lhs=r"\frac{\partial z_{h_\ell}}{\partial z_{h_{\ell-1}}}",
    source=Source("nau", "eq. (21), second member"),
    domain={rest: OUTPUT, w: Interval(-2, 2), z: VALUE, eps: EPS},
    numeric=lambda rest, w, z, eps: rest * w * np.sign(z) * np.exp((w - 1) * log_of_sum(np.abs(z), eps)),
)


def _tail_probability(w, x, b, eps):
    exponent = np.log(np.abs(w) / x) / (1 - w) - np.log(eps)
    return eps * np.expm1(exponent) / b, np.abs(exponent) < CLOSE


tail_probability = Formula(
    "P(|dz_out/dz| > x) for one input z ~ U[0, b] and a fixed weight below 1",
    ((Abs(w) / x) ** (1 / (1 - w)) - eps) / b,
    [w, x, b, eps],
    lhs=r"P\left(\left|\frac{\partial z_{h_\ell}}{\partial z_{h_{\ell-1}}}\right| > x\right)",
    source=Source("nau", "additional to eq. (7)"),
    domain={w: Interval(-2, 0.9), x: Interval(1e-3, 1e20), b: Interval(1e-3, 1e3), eps: Interval(1e-20, 1)},
    # The level is exceeded somewhere inside the interval, and not everywhere.
    requires=[(Abs(w) / x) ** (1 / (1 - w)) > eps, (Abs(w) / x) ** (1 / (1 - w)) < b + eps],
    numeric=_tail_probability,
)


def _logarithms(function: str, z: np.ndarray, eps: Any) -> np.ndarray:
    eps = checked_array(function, "eps", eps, 0)
    if eps.ndim or eps < 0:
        raise ValueError(f"{function}: eps must be a number of at least 0, got {eps}; the paper has 1e-7")
    if eps == 0 and (z == 0).any():
        raise ValueError(f"{function}: eps must be positive where an input is 0, got 0; log(0) does not exist")
    return log_of_sum(np.abs(z), eps)


@in_float64
def forward(w: Any, z: Any, eps: float) -> np.ndarray:
    """Outputs of a NAC multiplication layer.

    Arguments and errors as of all layers, :mod:`theory.numerics.layers`. eps is at least 0, and positive where an input
    is 0.

    Returns
    -------
    array (..., fan_out)

    Source: nau, eq. (4).

    Examples
    --------
    >>> forward([[1, -1], [2, 0]], [6.0, -3.0], 0.0).round(12)
    array([ 2., 36.])
    """
    _, w, z = checked_layer("forward", np.zeros(np.shape(w)[:1]), w, z)
    return np.exp(_logarithms("forward", z, eps) @ w.T)


@in_float64
def weight_gradient(delta: Any, w: Any, z: Any, eps: float) -> np.ndarray:
    """Gradient of a loss with respect to the weights of a NAC multiplication layer, per observation.

    Arguments and errors as of all layers, :mod:`theory.numerics.layers`. eps is at least 0, and positive where an input
    is 0.

    Returns
    -------
    array (..., fan_out, fan_in)
        delta_o z_o log(|z_h| + eps).

    Source: nau, eq. (18).

    Examples
    --------
    >>> weight_gradient([1.0], [[1, 1]], [1.0, -2.0], 0.0).round(6)
    array([[0.      , 1.386294]])
    """
    delta, w, z = checked_layer("weight_gradient", delta, w, z)
    logs = _logarithms("weight_gradient", z, eps)
    return (delta * np.exp(logs @ w.T))[..., :, None] * logs[..., None, :]


@in_float64
def input_gradient(delta: Any, w: Any, z: Any, eps: float) -> np.ndarray:
    """Gradient of a loss with respect to the inputs of a NAC multiplication layer.

    Arguments and errors as of all layers, :mod:`theory.numerics.layers`. eps is at least 0, and positive where an input
    is 0.

    Returns
    -------
    array (..., fan_in)
        The sum over outputs of delta_o z_o W_oh sign(z_h)/(|z_h| + eps), with sign(0) = 0.

    Notes
    -----
    The quotient z_o/(|z_h| + eps) is formed as one exponential: neither part needs to be in the range of float64.

    Source: nau, eq. (7) and (21).

    Examples
    --------
    >>> input_gradient([1.0], [[1, -1]], [6.0, -3.0], 0.0).round(6)
    array([0.333333, 0.666667])
    """
    delta, w, z = checked_layer("input_gradient", delta, w, z)
    logs = _logarithms("input_gradient", z, eps)
    quotients = np.exp((logs @ w.T)[..., :, None] - logs[..., None, :])
    return np.sum(delta[..., :, None] * quotients * w, axis=-2) * np.sign(z)
