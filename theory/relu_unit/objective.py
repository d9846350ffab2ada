"""Activation probability, expected loss and gradient of a single ReLU, for any weights and either target."""

from typing import Any

import numpy as np

from theory.arguments import one_of
from theory.relu_unit import linear_target, relu_target
from theory.relu_unit.frame import TARGETS, geometry


def activation_probability(w: Any, b: Any) -> Any:
    """Probability that the ReLU max(0, w.x + b) is active, Phi(b/||w||), for x ~ N(0, I).

    Parameters
    ----------
    w : array (..., L)
        Weights, the inputs on the last axis; not the zero vector.
    b : float or array (...)
        Bias.

    Returns
    -------
    float or array (...)
        To a relative error of 1e-12 for b/||w|| >= -37. Below, where it leaves float64, digits are lost, then all.

    Raises
    ------
    ValueError
        Where w is zero, or a value is not finite.

    Source: relu, eq. (23).

    Examples
    --------
    >>> round(activation_probability([0.6, -0.8, 1.2], 0.7), 12)
    0.672969978894
    """
    g = geometry("activation_probability", w, b, 1.0, largest=np.finfo(np.float64).max)
    return _plain(linear_target.probability(g.b, g.s))


def loss(w: Any, b: Any, gamma: Any = None, *, target: str = "linear", target_weights: Any = None) -> Any:
    """Expected loss 1/2 E[(max(0, w.x + b) - y)^2] for x ~ N(0, I) and y = Lambda.x or max(0, Lambda.x).

    Parameters
    ----------
    w, b
        As of :func:`activation_probability`.
    gamma : float or array (...)
        Scale of the target; Lambda is gamma times the last axis.
    target : {"linear", "relu"}
        Lambda.x, as in the paper's analysis, or max(0, Lambda.x), which it stands for.
    target_weights : array (..., L), optional
        Lambda itself, instead of ``gamma``.

    Returns
    -------
    float or array (...)
        To a relative error of 1e-12; on the ReLU target to 1e-12 of its largest term, so that fewer digits remain close
        to the optimum, where the loss vanishes.

    Raises
    ------
    ValueError
        Where ||Lambda|| is not in [1e-70, 1e70], w or b is larger, w is zero, or a value is not finite.

    Source: relu, eq. (24); for max(0, Lambda.x) additional to section 5.

    Examples
    --------
    >>> round(loss([0.6, -0.8, 1.2], 0.7, 1.0), 12), round(loss([0.6, -0.8, 1.2], 0.7, 1.0, target="relu"), 12)
    (0.875609107095, 0.547206445769)
    """
    one_of("loss", "target", target, TARGETS)
    g = geometry("loss", w, b, gamma, target_weights)
    if target == "linear":
        return _plain(sum(linear_target.loss_terms(g.b, g.s, g.p, g.gamma)))
    return _plain(sum(relu_target.loss_terms(*relu_target.columns(g))).reshape(g.s.shape))


def expected_gradient(
    w: Any, b: Any, gamma: Any = None, *, target: str = "linear", target_weights: Any = None
) -> tuple[np.ndarray, Any]:
    """Gradient of :func:`loss` with respect to weights and bias; its arguments and errors.

    Returns
    -------
    grad_w : array (..., L)
    grad_b : float or array (...)
        Both to 1e-12 of the size of their terms for b/||w|| >= -37, below which they leave float64. In the dead cone
        the terms are as small as the gradient itself; where a component passes through zero, its error is relative to
        those that cancel there.

    Source: relu, eqs. (25) and (26); for max(0, Lambda.x) additional to section 5.

    Examples
    --------
    >>> grad_w, grad_b = expected_gradient([0.6, -0.8, 1.2], 0.7, 1.0)
    >>> grad_w.round(12).tolist(), round(grad_b, 12)
    ([0.451496272856, -0.601995030475, 0.230022566818], 0.757516172266)
    >>> round(expected_gradient([0.6, -0.8, 1.2], 0.7, 1.0, target="relu")[1], 12)
    0.650424071221
    """
    one_of("expected_gradient", "target", target, TARGETS)
    g = geometry("expected_gradient", w, b, gamma, target_weights)
    if target == "linear":
        along = sum(linear_target.along_terms(g.b, g.s, g.p))
        bias = sum(linear_target.bias_terms(g.b, g.s, g.p))
        return g.vector(along, -linear_target.probability(g.b, g.s)), _plain(bias)
    along, across, bias = relu_target.gradient(*relu_target.columns(g))
    shape = g.s.shape
    return g.vector(along.reshape(shape), across.reshape(shape)), _plain(bias.reshape(shape))


def _plain(value: np.ndarray) -> Any:
    return float(value) if np.ndim(value) == 0 else np.asarray(value)
