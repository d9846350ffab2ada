"""Activation functions and their derivatives, as formulas and as functions that are safe in floating point.

Formulas, of finite arguments: :data:`relu`, :data:`leaky_relu`, :data:`all_relu`, :data:`srelu`, :data:`sigmoid`,
:data:`tanh`, each with its ``_slope``; ``srelu_by_...`` are derivatives by SReLU's parameters. Functions of arrays in
float64 or float32: :func:`softplus`, :func:`log_sigmoid`, :func:`softmax`, :func:`log_softmax` and two cross-entropies.

>>> srelu([-1.0, 0.25, 3.0], a_l=0, t_l=0, a_r=0, t_r=1).tolist()
[0.0, 0.25, 1.0]
>>> round(sigmoid_slope(0.0), 12), leaky_relu_slope(0, alpha=2)
(0.25, 1.0)
"""

from theory.activations.entrywise import (
    all_relu,
    all_relu_slope,
    leaky_relu,
    leaky_relu_slope,
    relu,
    relu_slope,
    sigmoid,
    sigmoid_slope,
    srelu,
    srelu_by_a_l,
    srelu_by_a_r,
    srelu_by_t_l,
    srelu_by_t_r,
    srelu_slope,
    tanh,
    tanh_slope,
)
from theory.activations.stable import (
    log_sigmoid,
    log_softmax,
    logistic_cross_entropy,
    softmax,
    softmax_cross_entropy,
    softplus,
)

__all__ = ["all_relu", "all_relu_slope", "leaky_relu", "leaky_relu_slope", "relu", "relu_slope"]
__all__ += ["srelu", "srelu_by_a_l", "srelu_by_a_r", "srelu_by_t_l", "srelu_by_t_r", "srelu_slope"]
__all__ += ["sigmoid", "sigmoid_slope", "tanh", "tanh_slope"]
__all__ += ["log_sigmoid", "log_softmax", "logistic_cross_entropy", "softmax", "softmax_cross_entropy", "softplus"]
