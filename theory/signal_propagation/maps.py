r"""Signals and gradients in wide random deep networks, layer by layer.

h_(l+1) = W phi(h_l) + b with W_ij ~ N(0, sigma_w^2/fan_in), b_i ~ N(0, sigma_b^2). As widths grow the entries of h_l
are normal with the variance q_l,

.. math:: q_{l+1} = \sigma_w^2 E[\phi(u)^2] + \sigma_b^2, \qquad
          \chi = \sigma_w^2 E[\phi'(u)^2], \qquad u \sim N(0, q_l),

and the mean square of a gradient is multiplied by chi in each layer, as is the squared distance of two inputs that are
close together. Where chi = 1 at a fixed point q, on the edge of chaos, neither dies out nor grows.

Sources: B. Poole et al., "Exponential expressivity in deep neural networks through transient chaos" (2016);
S. S. Schoenholz et al., "Deep information propagation" (2017).
"""

import math
from typing import NamedTuple

import numpy as np
import scipy

from theory.arguments import numbers, require, whole_within
from theory.signal_propagation.activations import SMALLEST_MOMENT, SMALLEST_VARIANCE, Activation, Pair, named

# Fixed points are looked for between neighbours of this grid, a factor of 1.2 apart.
STEPS = 200
# Variances of weights and biases beyond are refused.
LARGEST = 1e6
# Of the fourth-order difference by which a slope is taken.
RELATIVE = 1e-3


class FixedPoint(NamedTuple):
    """A variance that a layer keeps, the slope of the variance map there (stable below 1), and chi."""

    variance: float
    slope: float
    chi: float


class Edge(NamedTuple):
    """The edge of chaos: weight and bias variances with chi = 1 at the fixed point ``variance``."""

    weight_variance: float
    bias_variance: float
    variance: float


class Trace(NamedTuple):
    """By layer: variance of h, and mean square of the gradient by h in units of that at the last layer."""

    variance: np.ndarray
    gradient: np.ndarray


def _positive(function: str, **values: float) -> list[float]:
    found = list(numbers(function, **values))
    for name, value in zip(values, found, strict=True):
        require(function, name, value, 0 <= value <= LARGEST, f"be in [0, {LARGEST:g}]", "pass a variance")
    return found


def gain(phi: str | Activation, variance: float = 1.0) -> float:
    """The gain g with which g^2 E[phi(u)^2] is the variance of u, a factor for initialisers.

    Parameters
    ----------
    phi : str, Activation or callable
        A name; ``swiglu`` or ``geglu`` for phi(a) b; or a function of arrays (of tensors, if it is PyTorch's).
    variance : float
        Of u, in the activation's domain.

    Raises
    ------
    ValueError
        For an unknown activation, a variance outside of its domain, and where E[phi(u)^2] is 0.

    Examples
    --------
    >>> round(gain("relu"), 12), round(gain("tanh"), 6)
    (1.414213562373, 1.592537)
    >>> round(gain(lambda u: u**3), 6)
    0.258199
    """
    chosen = named(phi)
    second = chosen.second_moment(variance)
    _above_zero("gain", f"E[phi(u)^2] of {chosen.name}", second)
    return math.sqrt(variance / second)


def _above_zero(function: str, moment: str, value: float) -> None:
    require(function, moment, value, value >= SMALLEST_MOMENT, "be above 0", "choose another variance or function")


def propagate(
    phi: str | Activation, depth: int, weight_variance: float, bias_variance: float = 0.0, variance: float = 1.0
) -> Trace:
    """Variances forwards and mean squares of gradients backwards, layer by layer.

    Parameters
    ----------
    phi : str or Activation
    depth : int
        Number of layers, 1 to 10,000.
    weight_variance, bias_variance : float
        sigma_w^2, which is fan_in Var[W], and sigma_b^2.
    variance : float
        Of h_0.

    Returns
    -------
    Trace of arrays of depth + 1 numbers

    Raises
    ------
    ValueError
        For negative variances, and where a variance leaves the domain of the activation: it explodes, or dies out.

    Examples
    --------
    >>> trace = propagate("relu", 50, 1 / 3)
    >>> f"{trace.variance[-1]:.3g} {trace.gradient[0]:.3g}"
    '1.24e-39 1.24e-39'
    """
    chosen = named(phi)
    depth = whole_within("propagate", "depth", depth, 1, 10_000)
    weight_variance, bias_variance, q = _positive(
        "propagate", weight_variance=weight_variance, bias_variance=bias_variance, variance=variance
    )
    variances, chis = [q], []
    for _ in range(depth):
        second, steepness = _moments(chosen, q)
        q = weight_variance * second + bias_variance
        if q > chosen.largest_variance:
            raise ValueError(
                f"propagate: the variance must stay below {chosen.largest_variance:g}, got {q:g} after layer "
                f"{len(variances)} with weight_variance = {weight_variance:g}, bias_variance = {bias_variance:g}; take "
                "less of them"
            )
        variances.append(q)
        chis.append(weight_variance * steepness)
    gradient = np.cumprod([1.0, *chis[::-1]])[::-1]
    return Trace(np.array(variances), gradient)


def _moments(phi: Activation, q: float) -> tuple[float, float]:
    """E[phi^2] and E[phi'^2]; below the domain by the first power of q, which smooth and leaky functions approach."""
    at = max(q, SMALLEST_VARIANCE)
    second = phi.second_moment(at)
    vanishes = isinstance(phi, Pair) or phi.value(np.zeros(1))[0] == 0
    return second * q / at if vanishes else second, phi.slope_second_moment(at)


def fixed_points(phi: str | Activation, weight_variance: float, bias_variance: float = 0.0) -> list[FixedPoint]:
    """The variances above 1e-12 that a layer keeps, in order.

    Arguments and errors as of :func:`propagate`.

    Examples
    --------
    >>> [point] = fixed_points("tanh", 25 / 9)
    >>> round(point.variance, 6), round(point.slope, 6), round(point.chi, 6)
    (1.17848, 0.430899, 1.209831)
    """
    chosen = named(phi)
    weight, bias = _positive("fixed_points", weight_variance=weight_variance, bias_variance=bias_variance)

    def excess(q: float) -> float:
        return (weight * chosen.second_moment(q) + bias) / q - 1

    grid = np.geomspace(SMALLEST_VARIANCE, chosen.largest_variance, STEPS)
    values = [excess(q) for q in grid]
    found = []
    for low, high, left, right in zip(grid, grid[1:], values, values[1:], strict=False):
        if left * right < 0:
            q = scipy.optimize.brentq(excess, low, high, xtol=1e-300, rtol=1e-14)
            slope = weight * _slope(chosen, q)
            found.append(FixedPoint(q, slope, weight * chosen.slope_second_moment(q)))
    return found


def _slope(phi: Activation, q: float) -> float:
    """d E[phi(u)^2]/dq, by a difference of fourth order."""
    at = {k: phi.second_moment(min(q * (1 + k * RELATIVE), phi.largest_variance)) for k in (-2, -1, 1, 2)}
    return (8 * (at[1] - at[-1]) - (at[2] - at[-2])) / (12 * RELATIVE * q)


def edge_of_chaos(phi: str | Activation, variance: float) -> Edge:
    """The weight and bias variances for which ``variance`` is kept and chi is 1.

    Raises
    ------
    ValueError
        Where that needs a negative bias variance, and where E[phi'(u)^2] is 0.

    Examples
    --------
    >>> edge_of_chaos("relu", 1.0)
    Edge(weight_variance=2.0, bias_variance=0.0, variance=1.0)
    >>> round(edge_of_chaos("tanh", 0.5).weight_variance, 6)
    1.687975
    """
    chosen = named(phi)
    steepness = chosen.slope_second_moment(variance)
    _above_zero("edge_of_chaos", f"E[phi'(u)^2] of {chosen.name}", steepness)
    weight = 1 / steepness
    bias = variance - weight * chosen.second_moment(variance)
    if bias < -1e-12 * variance:
        raise ValueError(
            f"edge_of_chaos: {chosen.name} at variance = {variance:g} needs a bias variance of at least 0 for "
            f"chi = 1, got {bias:.4g}; choose another variance"
        )
    return Edge(weight, max(bias, 0.0), variance)


def depth_scale(chi: float) -> float:
    """The number of layers over which a gradient changes by a factor e; infinite for chi = 1.

    Examples
    --------
    >>> round(depth_scale(1 / 6), 6), depth_scale(1.0)
    (0.558111, inf)
    """
    (chi,) = numbers("depth_scale", chi=chi)
    require("depth_scale", "chi", chi, 0 < chi < math.inf, "be positive", "pass sigma_w^2 E[phi'(u)^2]")
    return 1 / abs(math.log(chi)) if chi != 1 else math.inf
