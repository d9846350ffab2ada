"""Depth: finite width, the edge of chaos, and what frameworks' defaults leave after fifty layers."""

from __future__ import annotations

import sympy
from sympy import Integer, Rational

from montecarlo import mean
from montecarlo.kernels.signal_propagation import networks
from paper_checks import AtPoints, claim, grid
from theory import Formula, Source
from theory.signal_propagation import edge_of_chaos, fixed_points, gain, pieces, propagate
from theory.symbols import count

AT = "beyond: deep networks"
SOURCE = Source("constants", "deep networks")
width, depth = count("width"), count("depth")
HE = {"weight_variance": lambda: 2, "bias_variance": lambda: 0, "variance": lambda: 1, "kind": lambda: 1}
LINEAR = {**HE, "weight_variance": lambda: 1, "kind": lambda: 0}


def squared_length_of_relu() -> sympy.Expr:
    """(2/n)^2 E[(sum_j max(g_j, 0)^2)^2] for standard normal g: n terms of 3/2 and n (n - 1) of 1/4."""
    n = width
    return sympy.factor((Integer(4) / n**2) * (n * Rational(3, 2) + n * (n - 1) * Rational(1, 4)))


claim(
    "constants/width.relu",
    at=AT,
    says="with He's weights the mean square of a layer keeps its mean at every width, and its square grows by 1 + 5/n "
    "in each layer behind ReLUs",
    printed=Formula("E[q^2], q the mean square of h after layers of ReLU with He's weights",
                    (1 + Integer(2) / width) * (1 + Integer(5) / width) ** depth, [width, depth], source=SOURCE),
    points=[{"width": 4, "depth": 1}, {"width": 10, "depth": 2}],
    derivation=lambda: (1 + Integer(2) / width) * squared_length_of_relu() ** depth,
    measured=mean(networks.relu_square),
    scale=lambda width, depth: 20 * (1 + Integer(5) / width) ** depth,
    scale_says="20 times the value without the first factor: products of random matrices have heavy tails",
    slips={"as of a linear network": (1 + Integer(2) / width) ** (depth + 1)},
    note="depth over width decides: of fifty layers of 64 units the mean square has a standard deviation of 6.7 times "
    "its mean, of 1024 units 0.53. The first factor is that of h_0",
    beyond=True,
)  # fmt: skip

claim(
    "constants/width.linear",
    at=AT,
    says="in a linear network with LeCun's weights it grows by 1 + 2/n",
    printed=Formula(
        "E[q^2] after linear layers", (1 + Integer(2) / width) ** (depth + 1), [width, depth], source=SOURCE
    ),
    points=[{"width": 4, "depth": 1}, {"width": 16, "depth": 2}],
    derived=LINEAR,
    measured=mean(networks.gains, 2),
    scale=lambda width, depth: 20 * (1 + Integer(2) / width) ** depth,
    scale_says="20 times the value without the first factor: products of random matrices have heavy tails",
    slips={"as of ReLU": (1 + Integer(2) / width) * (1 + Integer(5) / width) ** depth},
    beyond=True,
)

claim(
    "constants/he.backward",
    at=AT,
    says="with He's weights of variance 2/fan_in a gradient keeps its mean square in layers of one width behind ReLUs",
    printed=Formula("gain of a gradient", Integer(1), [depth], source=SOURCE),
    points=grid(depth=[1, 3], width=[6]),
    derived=HE,
    measured=mean(networks.gains, 1),
    scale=lambda: 10,
    scale_says="10 times the value: products of random matrices have heavy tails",
    slips={"Glorot's": Rational(1, 2) ** depth},
    assumptions="the gradient at the outputs does not depend on the network",
    beyond=True,
)


def edge_of_relu() -> bool:
    """chi = 1 and a kept variance ask for sigma_w^2 = 2, sigma_b^2 = 0, at every variance; SymPy."""
    q = pieces.variance
    second = pieces.leaky_relu_second_moment.expr.subs(pieces.slope, 0)
    steepness = pieces.leaky_relu_slope_second_moment.expr.subs(pieces.slope, 0)
    weight = 1 / steepness
    return weight == 2 and sympy.simplify(q - weight * second) == 0


claim(
    "constants/edge.relu",
    at=AT,
    says="ReLU networks are on the edge of chaos for He's weights without biases alone, at every variance",
    proof=edge_of_relu,
    beyond=True,
)


def tanh_edge_at_zero() -> bool:
    """As q falls the edge of tanh tends to (1, 0): E[tanh'(u)^2] = 1 - 2 q + O(q^2), E[tanh(u)^2] = q - 2 q^2."""
    edges = [edge_of_chaos("tanh", 10.0**-k) for k in (2, 4, 6)]
    return all(0 < e.weight_variance - 1 < 2.2 * e.variance and 0 <= e.bias_variance < e.variance**1.5 for e in edges)


claim(
    "constants/edge.tanh",
    at=AT,
    says="the edge of chaos of tanh ends in sigma_w = 1, sigma_b = 0, where the variance is 0: LeCun's weights "
    "without biases, not the gain 5/3",
    evidence=[
        AtPoints("variances 1e-2, 1e-4, 1e-6 of the edge, by a quadrature with a proved error", tanh_edge_at_zero)
    ],
    assumptions="wide layers",
    beyond=True,
)


def tanh_gradients_explode() -> bool:
    """With a gain of 5/3: one fixed point, stable, with chi above 1."""
    [point] = fixed_points("tanh", 25 / 9)
    growth = propagate("tanh", 50, 25 / 9, variance=point.variance).gradient[0]
    return bool(1.17 < point.variance < 1.19 and point.slope < 1 and 1.2 < point.chi < 1.22 and 1.3e4 < growth < 1.4e4)


claim(
    "constants/torch.gain.tanh-depth",
    at=AT,
    says="with a gain of 5/3 tanh networks keep a variance of 1.178, stably, and the mean square of a gradient grows "
    "by 1.21 in each layer: 13,600 times in fifty",
    evidence=[AtPoints("the variance map's fixed point and chi, by quadrature", tanh_gradients_explode)],
    assumptions="wide layers",
    beyond=True,
)


def gelu_is_unstable() -> bool:
    """The gain that keeps variance 1 behind GELU: the slope of the variance map is above 1."""
    [point] = fixed_points("gelu", gain("gelu") ** 2)
    return abs(point.variance - 1) < 1e-12 and 1.14 < point.slope < 1.15


claim(
    "constants/gelu.unstable",
    at=AT,
    says="no gain keeps a variance behind GELU stably: with 1.5335, which keeps 1, a variance of 1.01 is 1.011 after "
    "a layer and grows without end",
    evidence=[AtPoints("the slope of the variance map at 1, 1.144", gelu_is_unstable)],
    assumptions="wide layers without normalisation and biases",
    note="E[GELU(u)^2]/Var[u] grows with the variance, from 1/4 to 1/2: the same holds for SiLU and hard swish. "
    "Normalisation layers are what keeps such networks",
    beyond=True,
)
