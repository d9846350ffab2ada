r"""Gradients of a neural multiplication layer, z_out = prod_h (W_h z_h + 1 - W_h).

The output is affine in each weight and in each input, so that with P_h = prod_{j != h} (W_j z_j + 1 - W_j)

.. math:: \frac{\partial z_{out}}{\partial W_h} = P_h (z_h - 1), \qquad
          \frac{\partial z_{out}}{\partial z_h} = P_h W_h .

The paper writes P_h as z_out divided by the factor of h. That quotient is 0/0 where the factor vanishes, at
W_h = 1 and z_h = 0 for one, where the derivative is as regular as anywhere. The functions here multiply instead: the
product of the factors before h with that of the factors after it.

**Misprint.** The gradient with respect to an input, in eq. (9) and (24), ends in a sum without dL/dz_out, which its
middle member has. With one input, one output, W = 1 and dL/dz_out = 2 the gradient is 2; as published it is 1.
"""

from typing import Any

import numpy as np

from theory.arguments import in_float64
from theory.formula import Formula, Interval, Source
from theory.numerics.layers import checked_layer
from theory.numerics.pairs import refined, scaled_product
from theory.symbols import positive, real

delta, z_out = real("delta z_out")
w, z = positive("w z")
delta_1, delta_2, out_1, out_2 = real("delta_1 delta_2 out_1 out_2")
w_1, w_2 = positive("w_1 w_2")

VALUE = Interval(-1e70, 1e70)
# In these no factor vanishes, and none cancels: the quotient of the paper is then a number.
WEIGHT = Interval(0, 1, open_low=True)
INPUT = Interval(1e-290, 1e70)


def _factor(w, z):
    return w * z + 1 - w


def _one_output(delta, z_out, w, z):
    return scaled_product(delta, z_out, 1 / (w * z + (1 - w)), w)


weight_gradient_form = Formula(
    "dL/dW of a weight of an NMU, from dL/dz_out and z_out",
    delta * z_out / _factor(w, z) * (z - 1),
    [delta, z_out, w, z],
    lhs=r"\frac{\partial \mathcal{L}}{\partial W_{h_{\ell-1}, h_\ell}}",
    source=Source("nau", "eq. (9), first line"),
    domain={delta: VALUE, z_out: VALUE, w: WEIGHT, z: INPUT},
    numeric=lambda delta, z_out, w, z: scaled_product(delta, z_out, 1 / (w * z + (1 - w)), z - 1),
)

input_gradient_form = Formula(
    "dL/dz of an input of an NMU layer with two outputs",
    delta_1 * out_1 / _factor(w_1, z) * w_1 + delta_2 * out_2 / _factor(w_2, z) * w_2,
    [delta_1, delta_2, out_1, out_2, w_1, w_2, z],
    lhs=r"\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}",
    source=Source("nau", "eq. (9), second line corrected"),
    domain=dict.fromkeys((delta_1, delta_2, out_1, out_2), VALUE) | {w_1: WEIGHT, w_2: WEIGHT, z: INPUT},
    numeric=refined(lambda d1, d2, o1, o2, w1, w2, z: [_one_output(d1, o1, w1, z), _one_output(d2, o2, w2, z)]),
)


def _factors(w: np.ndarray, z: np.ndarray) -> np.ndarray:
    """W_oh z_h + 1 - W_oh, of shape (..., fan_out, fan_in)."""
    return w * z[..., None, :] + (1 - w)


def _products_of_others(factors: np.ndarray) -> np.ndarray:
    """For each factor the product of all others: prefix times suffix, no division."""
    ones = np.ones_like(factors[..., :1])
    before = np.cumprod(np.concatenate([ones, factors[..., :-1]], axis=-1), axis=-1)
    after = np.cumprod(np.concatenate([ones, factors[..., :0:-1]], axis=-1), axis=-1)[..., ::-1]
    return before * after


@in_float64
def forward(w: Any, z: Any) -> np.ndarray:
    """Outputs of an NMU layer.

    Arguments and errors as of all layers: :mod:`theory.numerics.layers`.

    Returns
    -------
    array (..., fan_out)

    Source: nau, eq. (8).

    Examples
    --------
    >>> forward([[1, 1], [1, 0]], [2.0, 3.0])
    array([6., 2.])
    """
    _, w, z = checked_layer("forward", np.zeros(np.shape(w)[:1]), w, z)
    return np.prod(_factors(w, z), axis=-1)


@in_float64
def weight_gradient(delta: Any, w: Any, z: Any) -> np.ndarray:
    """Gradient of a loss with respect to the weights of an NMU layer, per observation.

    Arguments and errors as of all layers: :mod:`theory.numerics.layers`. The weights are the clamped ones; a clamp
    passes the gradient on inside its range.

    Returns
    -------
    array (..., fan_out, fan_in)
        delta_o (z_h - 1) times the product of the factors of all inputs but h.

    Source: nau, eq. (9) and (23).

    Examples
    --------
    >>> weight_gradient([1.0], [[1, 1]], [0.0, 3.0])  # the first factor vanishes
    array([[-3.,  0.]])
    """
    delta, w, z = checked_layer("weight_gradient", delta, w, z)
    return delta[..., :, None] * _products_of_others(_factors(w, z)) * (z[..., None, :] - 1)


@in_float64
def input_gradient(delta: Any, w: Any, z: Any) -> np.ndarray:
    """Gradient of a loss with respect to the inputs of an NMU layer.

    Arguments and errors as of all layers: :mod:`theory.numerics.layers`.

    Returns
    -------
    array (..., fan_in)
        The sum over outputs of delta_o W_oh times the product of the factors of all inputs but h.

    Source: nau, eq. (9) and (24), corrected.

    Examples
    --------
    >>> input_gradient([2.0], [[1, 1]], [0.0, 3.0])  # the first factor vanishes
    array([6., 0.])
    """
    delta, w, z = checked_layer("input_gradient", delta, w, z)
    return np.sum(delta[..., :, None] * _products_of_others(_factors(w, z)) * w, axis=-2)
