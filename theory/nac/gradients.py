r"""Gradients of the NAC weight W = tanh(W_hat) sigmoid(M_hat) and of the addition layer z_out = W z that it feeds.

With g = dL/dW,

.. math:: \frac{\partial L}{\partial \hat W} = g\, (1 - \tanh^2 \hat W)\, \sigma(\hat M), \qquad
          \frac{\partial L}{\partial \hat M} = g \tanh(\hat W)\, \sigma(\hat M) (1 - \sigma(\hat M)).

**Their means at the start of training**, with W_hat, M_hat ~ U[-r, r] independent. For *any* loss, averaging a
derivative over a uniform parameter leaves the loss at the two ends of its range:

.. math:: E\left[\frac{\partial L}{\partial \hat M}\right]
          = \frac{E[L \mid \hat M = r] - E[L \mid \hat M = -r]}{2r},

and alike for W_hat. If g were independent of both parameters, the mean for M_hat would be zero, since tanh is odd, and
the one for W_hat E[g] tanh(r)/(2r). But g depends on the weight. Where the loss is convex in W, the mean for M_hat is
not negative: W = s T with T = tanh(W_hat) symmetric, and s -> E[L(s T)] increases. For an addition layer with loss
(sum_h W_h z_h - t)^2/2, g_h = z_h (sum_j W_j z_j - t), and with independent parameters, whatever the distribution of
inputs and target,

.. math:: E\left[\frac{\partial L}{\partial \hat M_h}\right]
          = E[z_h^2]\, E[\tanh^2 \hat W]\, E[\sigma^2 (1 - \sigma)] > 0, \qquad
          E\left[\frac{\partial L}{\partial \hat W_h}\right] = -E[z_h t]\, \frac{\tanh r}{2r}.

It is the gradient of M_hat that has a mean, and gradient descent on it shrinks |W|; that of W_hat has one as soon as
an input is correlated with the target.
"""

from functools import partial
from typing import Any

import numpy as np
from scipy.special import expit
from sympy import Expr, Integer, Rational, cosh, exp, log, tanh

from theory.arguments import in_float64, require
from theory.formula import Formula, Interval, Source
from theory.nac import moments
from theory.numerics.layers import checked_array, checked_layer
from theory.symbols import nonnegative, positive, real

g, w_hat, m_hat, mean_g, mean_zt, location = real("g w_hat m_hat mean_g mean_zt location")
r, high, low = positive("r high low")
square_z = nonnegative("square_z")

# cosh(w_hat)^2 and exp(-m_hat) stay in float64.
LARGEST_GRADIENT = 1e100
DOMAIN = {g: Interval(-LARGEST_GRADIENT, LARGEST_GRADIENT), w_hat: Interval(-350, 350), m_hat: Interval(-700, 700)}
VALUE = Interval(-1e100, 1e100)


def sigmoid(value: Expr) -> Expr:
    """The logistic function as an expression."""
    return 1 / (1 + exp(-value))


_parameter_gradient = partial(Formula, arguments=[g, w_hat, m_hat], source=Source("nau", "eq. (5)"), domain=DOMAIN)

w_hat_gradient = _parameter_gradient(
    "dL/dW_hat of a NAC weight, from g = dL/dW",
    g * (1 - tanh(w_hat) ** 2) * sigmoid(m_hat),
    lhs=r"\frac{\partial \mathcal{L}}{\partial \hat W_{h_\ell, h_{\ell-1}}}",
    # 1 - tanh^2 has lost all its digits from W_hat = 19 on.
    numeric=lambda g, w_hat, m_hat: g / np.cosh(w_hat) ** 2 * expit(m_hat),
)

m_hat_gradient = _parameter_gradient(
    "dL/dM_hat of a NAC weight, from g = dL/dW",
    g * tanh(w_hat) * sigmoid(m_hat) * (1 - sigmoid(m_hat)),
    lhs=r"\frac{\partial \mathcal{L}}{\partial \hat M_{h_\ell, h_{\ell-1}}}",
    numeric=lambda g, w_hat, m_hat: g * np.tanh(w_hat) * expit(m_hat) * expit(-m_hat),
)

tanh_slope_moment = Formula(
    "E[1 - tanh(W_hat)^2] for W_hat ~ U[-r, r]", tanh(r) / r, source=Source("nau", "eq. (5), its mean")
)

sigmoid_slope_moment = Formula(
    "E[sigmoid(M_hat)^2 (1 - sigmoid(M_hat))] for M_hat ~ U[-r, r]",
    tanh(r / 2) / (4 * r),
    source=Source("nau", "eq. (5), its mean"),
    # Half of the smallest numbers is zero.
    near_zero=(r, Rational(1, 100), 8),
)

m_hat_gradient_mean_independent = Formula(
    "E[dL/dM_hat] if dL/dW were independent of both parameters: zero, tanh is odd",
    Integer(0),
    [mean_g, r],
    lhs=r"E\left[\frac{\partial \mathcal{L}}{\partial \hat M}\right]",
    source=Source("nau", "section 2.1.1"),
)

_mean = partial(Formula, source=Source("nau", "additional to section 2.1.1"), domain={mean_g: VALUE, mean_zt: VALUE})

w_hat_gradient_mean_independent = _mean(
    "E[dL/dW_hat] if dL/dW were independent of both parameters",
    mean_g * tanh(r) / (2 * r),
    [mean_g, r],
    lhs=r"E\left[\frac{\partial \mathcal{L}}{\partial \hat W}\right]",
    numeric=lambda mean_g, r: mean_g * tanh_slope_moment(r) / 2,
)

m_hat_gradient_mean = _mean(
    "E[dL/dM_hat] of an addition layer with half the squared error as loss, any inputs and targets",
    square_z * (1 - tanh(r) / r) * tanh(r / 2) / (4 * r),
    [square_z, r],
    lhs=r"E\left[\frac{\partial \mathcal{L}}{\partial \hat M}\right]",
    domain={square_z: Interval(0, 1e100), r: Interval(1e-80, 1e80)},
    numeric=lambda square_z, r: square_z * moments.tanh_second_moment(r) * sigmoid_slope_moment(r),
)

w_hat_gradient_mean = _mean(
    "E[dL/dW_hat] of an addition layer with half the squared error as loss; mean_zt is E[z t] of input and target",
    -mean_zt * tanh(r) / (2 * r),
    [mean_zt, r],
    lhs=r"E\left[\frac{\partial \mathcal{L}}{\partial \hat W}\right]",
    numeric=lambda mean_zt, r: -mean_zt * tanh_slope_moment(r) / 2,
)


def _off_centre(location, r):
    """cosh(m + r)/cosh(m - r) = (1 + x)/(1 - x) with x = tanh(m) tanh(r): atanh for small x, exponentials for large."""
    t, slope = np.tanh(location), np.tanh(r) / r
    x = np.abs(t * np.tanh(r))
    m = np.abs(location)
    far, near = m + r, np.abs(m - r)
    large = 2 * np.minimum(m, r) + np.log1p(np.exp(-2 * far)) - np.log1p(np.exp(-2 * near))
    small = np.clip(x, 1e-100, 0.5)
    # tanh(m) tanh(r)/r and not x/r: the product of two small numbers may underflow.
    return np.where(x < 0.5, np.arctanh(small) / small * t * slope / 2, np.sign(location) * large / (4 * r))


off_centre_mean = _mean(
    "mean of a NAC weight whose W_hat is uniform around any centre, W_hat ~ U[location - r, location + r], "
    "M_hat ~ U[-r, r]",
    log(cosh(location + r) / cosh(location - r)) / (4 * r),
    [location, r],
    lhs="E[W]",
    symbols={"location": "centre of the uniform distribution of W_hat"},
    domain={location: Interval(-1e3, 1e3), r: Interval(1e-100, 1e3)},
    numeric=_off_centre,
)

two_point_mean = _mean(
    "E[W_hat] for W_hat on the two points high and -low, with the probabilities that give the weight mean zero",
    (high * tanh(low) - low * tanh(high)) / (tanh(high) + tanh(low)),
    [high, low],
    lhs=r"E[\hat W]",
    symbols={"high": "the positive value of W_hat", "low": "size of the negative value of W_hat"},
    domain={high: Interval(2, 20), low: Interval(0.1, 1)},
)


def parameter_gradients(weight_gradient: Any, w_hat: Any, m_hat: Any) -> tuple[np.ndarray, np.ndarray]:
    """Gradients with respect to both parameters of NAC weights, from the gradient with respect to the weights.

    Parameters
    ----------
    weight_gradient : array (..., fan_out, fan_in)
        dL/dW.
    w_hat, m_hat : array (fan_out, fan_in)

    Returns
    -------
    tuple of two arrays (..., fan_out, fan_in)
        dL/dW_hat and dL/dM_hat.

    Raises
    ------
    ValueError
        For values that are not finite, or beyond 1e100 (weight_gradient), 350 (w_hat) and 700 (m_hat) in size.

    Source: nau, eq. (5) and (16).

    Examples
    --------
    >>> import numpy as np
    >>> np.round(parameter_gradients([[1.0]], [[0.5]], [[0.0]]), 6).ravel()
    array([0.393224, 0.115529])
    """
    weight_gradient = checked_array("parameter_gradients", "weight_gradient", weight_gradient, 0)
    small = np.abs(weight_gradient) <= LARGEST_GRADIENT
    require(
        "parameter_gradients", "weight_gradient", weight_gradient, small, "be at most 1e100 in size", "scale the loss"
    )
    return w_hat_gradient(weight_gradient, w_hat, m_hat), m_hat_gradient(weight_gradient, w_hat, m_hat)


@in_float64
def weight_gradient(delta: Any, w: Any, z: Any) -> np.ndarray:
    """Gradient of a loss with respect to the weights of an addition layer z_out = W z, per observation.

    Arguments and errors as of all layers: :mod:`theory.numerics.layers`.

    Returns
    -------
    array (..., fan_out, fan_in)

    Source: nau, eq. (3).

    Examples
    --------
    >>> weight_gradient([2.0], [[0.5, 0.5]], [3.0, 4.0])
    array([[6., 8.]])
    """
    delta, _, z = checked_layer("weight_gradient", delta, w, z)
    return delta[..., :, None] * z[..., None, :]


@in_float64
def input_gradient(delta: Any, w: Any) -> np.ndarray:
    """Gradient of a loss with respect to the inputs of an addition layer z_out = W z.

    Arguments and errors as of all layers: :mod:`theory.numerics.layers`.

    Returns
    -------
    array (..., fan_in)

    Source: nau, eq. (3).

    Examples
    --------
    >>> input_gradient([1.0, 2.0], [[0.5, 0.25], [1.0, -1.0]])
    array([ 2.5 , -1.75])
    """
    w = checked_array("input_gradient", "w", w, 2)
    delta, w, _ = checked_layer("input_gradient", delta, w, np.zeros(w.shape[-1]))
    return delta @ w
