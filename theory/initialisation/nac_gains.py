r"""Gains of a NAC multiplication layer, z_out = prod_h z_h^W_h, with weights tanh(W_hat) sigmoid(M_hat).

With z ~ U[a, b], 0 < a, all independent, and M_k = E[z^(k W)],

.. math:: \operatorname{Var}[z_{out}] = M_2^H - M_1^{2H}, \qquad
          E[(dz_{out}/dz)^2] = M_2^{H-1} E[W^2 z^{2 W - 2}] .

There is no closed form for these weights; the means are by Gauss-Legendre quadrature over W_hat, M_hat and log(z),
which converges geometrically for these analytic integrands: to 1e-11 for ranges r up to 20, at any inputs above zero.
"""

import math
from functools import cache

import numpy as np

from theory.arguments import numbers, whole, wholes
from theory.initialisation.laws import NacWeight

# tanh and sigmoid have their nearest poles at i times these; in log(z) nothing has any.
TANH_POLE, SIGMOID_POLE = math.pi / 2, math.pi
MOST_NODES = 384


def _enough(r: float, pole: float) -> int:
    """Nodes on [-r, r]: n of them leave an error of about exp(-2 n asinh(pole / r))."""
    return min(6 + math.ceil(22 / math.asinh(pole / r)), MOST_NODES)


@cache
def _nodes(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Points in [-1, 1] and weights that sum to 1."""
    points, weights = np.polynomial.legendre.leggauss(n)
    return points, weights / 2


def _grid(law: NacWeight, mean: float, variance: float):
    """Weights (n, 1), their probabilities, logarithms of inputs (m,) and theirs."""
    u, p = _nodes(_enough(law.r, TANH_POLE))
    t, s = _nodes(_enough(law.r, SIGMOID_POLE))
    w = law.of(law.r * u[:, None], law.r * t[None, :]).reshape(-1, 1)
    half = math.sqrt(3 * variance)
    low, high = math.log(mean - half), math.log(mean + half)
    v, q = _nodes(16 + math.ceil(1.5 * (high - low)))
    x = (low + high) / 2 + (high - low) / 2 * v
    return w, np.outer(p, s).ravel(), x, q * np.exp(x) * (high - low) / (2 * half)


def forward_gain(law: NacWeight, input_mean: float, input_variance: float, fan_in: int) -> float:
    """Forward gain: variance of an output over that of the inputs.

    Parameters
    ----------
    law : NacWeight
    input_mean, input_variance : float
        Of uniform inputs above zero.
    fan_in : int

    Returns
    -------
    float
        Infinite above the range of float64.

    Source: nau, eq. (42), exact.

    Examples
    --------
    >>> round(forward_gain(NacWeight(1.0), 1.5, 1 / 12, 2), 6)
    0.301069
    """
    input_mean, input_variance = numbers("forward_gain", input_mean=input_mean, input_variance=input_variance)
    fan_in = whole("forward_gain", "fan_in", fan_in)
    w, p_w, x, p_x = _grid(law, input_mean, input_variance)
    excess = np.expm1(w * x)
    first = float(p_w @ excess @ p_x)
    spread = float(p_w @ (excess - first) ** 2 @ p_x)
    # Var = M_1^(2H) (exp(gap) - 1), with M_2 = M_1^2 + the spread of a factor
    with np.errstate(over="ignore"):
        gap = fan_in * np.log1p(spread / (1 + first) ** 2)
        return float(np.exp(2 * fan_in * np.log1p(first)) * np.expm1(gap) / input_variance)


def backward_gain(law: NacWeight, input_mean: float, input_variance: float, fan_in: int, fan_out: int) -> float:
    """Backward gain: variance of the gradient by an input over that by an output; arguments as of :func:`forward_gain`.

    Source: nau, eqs. (48) and (49), exact.

    Examples
    --------
    >>> round(backward_gain(NacWeight(1.0), 1.5, 1 / 12, 2, 3), 6)
    0.102
    """
    input_mean, input_variance = numbers("backward_gain", input_mean=input_mean, input_variance=input_variance)
    fan_in, fan_out = wholes("backward_gain", fan_in=fan_in, fan_out=fan_out)
    w, p_w, x, p_x = _grid(law, input_mean, input_variance)
    own = float(p_w @ (w**2 * np.exp((2 * w - 2) * x)) @ p_x)
    with np.errstate(over="ignore"):
        return float(fan_out * own * np.exp((fan_in - 1) * np.log1p(float(p_w @ np.expm1(2 * w * x) @ p_x))))


def nalu_forward_gain(law: NacWeight, input_mean: float, input_variance: float, fan_in: int) -> float:
    """Forward gain of a NALU whose gate is 1/2; arguments as of :func:`forward_gain`.

    That is a NALU whose gate is 1/2: (Var[add] + Var[mul] + 2 H E[W z z^W] E[z^W]^(H - 1))/4.

    Source: nau, section 2 after eq. (4).

    Examples
    --------
    >>> round(nalu_forward_gain(NacWeight(1.0), 1.5, 1 / 12, 2), 6)
    1.468459
    """
    input_mean, input_variance = numbers("nalu_forward_gain", input_mean=input_mean, input_variance=input_variance)
    fan_in = whole("nalu_forward_gain", "fan_in", fan_in)
    w, p_w, x, p_x = _grid(law, input_mean, input_variance)
    both = float(p_w @ (w * np.exp((w + 1) * x)) @ p_x)
    add = fan_in * law.variance * (input_mean**2 + input_variance)
    with np.errstate(over="ignore"):
        mixed = fan_in * both * np.exp((fan_in - 1) * np.log1p(float(p_w @ np.expm1(w * x) @ p_x)))
        return float((add + 2 * mixed) / input_variance + forward_gain(law, input_mean, input_variance, fan_in)) / 4


def nalu_backward_gain(law: NacWeight, input_mean: float, input_variance: float, fan_in: int, fan_out: int) -> float:
    """Backward gain of a NALU whose gate is 1/2; arguments as of :func:`forward_gain`.

    Source: nau, section 2 after eq. (4).

    Examples
    --------
    >>> round(nalu_backward_gain(NacWeight(1.0), 1.5, 1 / 12, 2, 3), 6)
    0.141357
    """
    input_mean, input_variance = numbers("nalu_backward_gain", input_mean=input_mean, input_variance=input_variance)
    fan_in, fan_out = wholes("nalu_backward_gain", fan_in=fan_in, fan_out=fan_out)
    w, p_w, x, p_x = _grid(law, input_mean, input_variance)
    both = float(p_w @ (w**2 * np.exp((w - 1) * x)) @ p_x)
    with np.errstate(over="ignore"):
        mixed = fan_out * both * np.exp((fan_in - 1) * np.log1p(float(p_w @ np.expm1(w * x) @ p_x)))
        own = backward_gain(law, input_mean, input_variance, fan_in, fan_out)
        return float(fan_out * law.variance + 2 * mixed + own) / 4
