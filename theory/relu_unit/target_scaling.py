r"""Parameters and step sizes of a ReLU network for a target that is scaled by gamma.

The network f(x) = W_N h_N + b_N with h_0 = x and h_(n+1) = max(0, W_n h_n + b_n) has N hidden layers. For positive
factors gamma_0, ..., gamma_N with product gamma,

.. math:: \gamma f(x | W_n, b_n) = f(x | \gamma_n W_n, \gamma_0 \cdots \gamma_n b_n),

because max(0, c z) = c max(0, z) for c > 0. One number for all parameters is a different matter:

.. math:: f(x | \alpha W_n, \alpha b_n) = \alpha^{N+1} f(x | W_n, \alpha^{-n} b_n), \qquad \alpha > 0 .

**The theorem of the paper** (D.1): no alpha gives gamma f for gamma != 1. That is right if one alpha is to serve all
parameters. For given parameters it is false

- where all biases but those of the first layer vanish: alpha = gamma^(1/(N+1));
- where the hidden part is constant: W_0 = 0, b_0 = W_1 = b_1 = 1 has f = 2, and for gamma = 3, alpha = 2 gives 6.

The second shows also that the step of its proof from "alpha exists" to "all gamma_n are alpha" does not follow: there
alpha^2 = 4, not 3. What holds with one hidden layer: unless W_1 h_1(x) is constant, a positive alpha exists if and only
if b_1 = 0. With more layers, along a ray on which f has a slope other than zero far out, alpha must be
gamma^(1/(N+1)), and then at most one value of b_N is left, given everything else. With two or more hidden layers the
networks without such a ray are a set of positive measure, to which neither argument speaks.

**Training.** One step size for all parameters is not needed either. With parameters scaled by s = gamma_n or
gamma_0 ... gamma_n as above, gradient descent with momentum follows the scaled path exactly if the step size of
each tensor is multiplied by s^2/gamma^2; Adam if it is multiplied by s, and its epsilon by gamma^2/s.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sympy import Abs, sqrt

from theory.arguments import in_float64, number, one_of, whole, whole_within
from theory.formula import Formula, Interval, Source
from theory.relu_unit.network import layers_of
from theory.symbols import count, positive, real

gamma, b_1, layers = positive("gamma"), real("b_1"), count("layers")

SCALE = Interval(0, 1e100, open_low=True)

required_scalar = Formula(
    "the only positive scalar that can scale a network with a slope far out by gamma",
    gamma ** (1 / layers),
    [gamma, layers],
    source=Source("relu", "theorem D.1, corrected"),
    domain={gamma: SCALE, layers: Interval(1, 1000, integer=True)},
    lhs=r"\alpha",
)
smallest_residual = Formula(
    "min over alpha > 0 of sup |f(x|alpha theta) - gamma f(x|theta)|: one hidden layer, of unbounded output",
    Abs(gamma - sqrt(gamma)) * Abs(b_1),
    [gamma, b_1],
    source=Source("relu", "theorem D.1"),
    domain={gamma: SCALE, b_1: Interval(-1e100, 1e100)},
    numeric=lambda gamma, b_1: np.sqrt(gamma) * np.abs(gamma - 1) / (np.sqrt(gamma) + 1) * np.abs(b_1),
    lhs=r"\min_{\alpha > 0} \sup_x \left|f(x \mid \alpha \theta) - \gamma f(x \mid \theta)\right|",
)
constant_network_scalar = Formula(
    "the alpha that scales the network W_0 = 0, b_0 = W_1 = b_1 = 1 by gamma: alpha^2 + alpha = 2 gamma",
    (sqrt(1 + 8 * gamma) - 1) / 2,
    source=Source("relu", "theorem D.1, counterexample"),
    domain={gamma: SCALE},
    numeric=lambda gamma: 4 * gamma / (np.sqrt(1 + 8 * gamma) + 1),
    lhs=r"\alpha",
)
proof_gap = Formula(
    "alpha^2 - gamma for that network: the product of the factors gamma_n, if all were alpha, minus gamma",
    constant_network_scalar.expr**2 - gamma,
    source=Source("relu", "theorem D.1, proof"),
    domain={gamma: SCALE},
    numeric=lambda gamma: 2 * gamma * (gamma - 1) / (1 + 2 * gamma + np.sqrt(1 + 8 * gamma)),
    lhs=r"\alpha^2 - \gamma",
)

MOST_LAYERS = 10**6


class Scales(NamedTuple):
    """Positive factors by layer, first to last, for weights and for biases: arrays (layers,)."""

    weights: np.ndarray
    biases: np.ndarray


def scales(gamma: Any, layers: int, factors: Sequence[Any] | None = None) -> Scales:
    """Factors for the parameters of each layer with which the output is scaled by gamma.

    Parameters
    ----------
    gamma : number
        Above 0, at most 1e100.
    layers : int
        N + 1, counting the output layer; 1 to 10^6.
    factors : sequence of numbers, optional
        gamma_n, above 0, with the product gamma. Default: all equal.

    Raises
    ------
    ValueError
        For a gamma outside its domain, or factors that are not positive, of another number than ``layers`` or of
        another product than gamma.

    Source: relu, eq. (39)-(44).

    Examples
    --------
    >>> scales(8.0, 3).weights.round(12).tolist(), scales(8.0, 3).biases.round(12).tolist()
    ([2.0, 2.0, 2.0], [2.0, 4.0, 8.0])
    """
    gamma, layers = number("scales", "gamma", gamma), whole("scales", "layers", layers)
    SCALE.require("scales", "gamma", gamma)
    whole_within("scales", "layers", layers, 1, MOST_LAYERS, "count the output layer too")
    if factors is None:
        exponents = np.arange(1, layers + 1) / layers
        return Scales(np.full(layers, float(gamma) ** (1 / layers)), float(gamma) ** exponents)
    given = np.asarray(factors)
    product = np.cumprod(given)
    if given.shape != (layers,) or not np.all(given > 0) or abs(product[-1] - gamma) > 1e-12 * abs(gamma):
        raise ValueError(f"scales: factors must be {layers} positive numbers of product {gamma}, got {factors}; "
                         "leave them out for equal ones")  # fmt: skip
    return Scales(given, product)


def scaled(weights: Sequence[Any], biases: Sequence[Any], by: Scales) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The parameters of each layer times its factors.

    Parameters
    ----------
    weights, biases
        As in :func:`theory.relu_unit.forward`.
    by : Scales

    Returns
    -------
    (weights, biases)

    Raises
    ------
    ValueError
        Where shapes do not fit.

    Source: relu, eq. (42) and (44).

    Examples
    --------
    >>> from theory.relu_unit import forward
    >>> w, b = scaled([[[1.0]], [[2.0]]], [[1.0], [1.0]], scales(4.0, 2))
    >>> forward(w, b, [3.0]).tolist(), forward([[[1.0]], [[2.0]]], [[1.0], [1.0]], [3.0]).tolist()
    ([36.0], [9.0])
    """
    network = layers_of("scaled", weights, biases)
    if len(by.weights) != len(network) or len(by.biases) != len(network):
        raise ValueError(f"scaled: by must have {len(network)} factors, got {len(by.weights)}; one for each layer")
    return [w * s for (w, _), s in zip(network, by.weights, strict=True)], [
        b * s for (_, b), s in zip(network, by.biases, strict=True)
    ]


@in_float64
def step_size_factors(gamma: float, by: Scales, optimiser: str = "gradient") -> Scales:
    """Factors for the step size of each tensor with which scaled parameters follow the scaled path.

    The loss is the mean square error, or any other that is multiplied by gamma^2 with targets and outputs.

    Parameters
    ----------
    gamma : float
        Scale of the target, above 0, at most 1e100.
    by : Scales
        Of the parameters at the start; see :func:`scales`.
    optimiser : {"gradient", "adam"}
        Gradient descent with or without momentum, or Adam; the latter's epsilon is to be multiplied by gamma^2/s.

    Raises
    ------
    ValueError
        For another optimiser, or a gamma outside its domain.
    OverflowError
        For a factor outside the range of float64.

    Examples
    --------
    >>> step_size_factors(4.0, scales(4.0, 2)).weights.tolist()
    [0.25, 0.25]
    """
    gamma = number("step_size_factors", "gamma", gamma)
    SCALE.require("step_size_factors", "gamma", gamma)
    if one_of("step_size_factors", "optimiser", optimiser, ("gradient", "adam")) == "adam":
        return by
    return Scales(*((np.asarray(s, dtype=np.float64) / gamma) ** 2 for s in by))
