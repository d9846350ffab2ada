r"""Expected squared gradient E|grad f|^2 of a random network, and the moments of slopes behind it.

f(x) = sum_j v_j phi(w_j . x + b_j) with v_j of mean 0 and variance output_variance/H, independent of the units, and
independent entries of w_j of mean 0: E|grad f|^2 = output_variance sum_i E[w_i^2 phi'(u)^2] at every width H. At the
origin u is the bias and w is independent of it. Elsewhere, for normal weights, the part of w along x is not.
"""

from functools import partial

import numpy as np
from sympy import atan, pi, sqrt

from theory.formula import Formula, Interval, Source
from theory.symbols import count, nonnegative, positive

k, fan_in, weight_variance = positive("k"), count("fan_in"), positive("weight_variance")
bias_variance, distance_square = positive("bias_variance"), nonnegative("distance_square")
MODERATE = Interval(1e-100, 1e100)
SOURCE = Source("smooth", "3.3, with erf for tanh")
NETWORK = {weight_variance: MODERATE, bias_variance: MODERATE, distance_square: Interval(0, 1e100)}

_erf_moment = partial(Formula, arguments=[k], domain={k: MODERATE}, source=SOURCE)

erf_second_moment = _erf_moment(
    "E[erf(u)^2] for normal u with variance k",
    2 * atan(2 * k / sqrt(1 + 4 * k)) / pi,
    lhs=r"E[\operatorname{erf}(u)^2]",
)

erf_slope_moment = _erf_moment(
    "E[erf'(u)^2] for normal u with variance k",
    4 / (pi * sqrt(1 + 4 * k)),
    lhs=r"E[\operatorname{erf}'(u)^2]",
)

erf_curvature_moment = _erf_moment(
    "E[erf''(u)^2] for normal u with variance k",
    16 * k / (pi * sqrt(1 + 4 * k) * (1 + 4 * k)),
    lhs=r"E[\operatorname{erf}''(u)^2]",
)

spread = 1 + 4 * (weight_variance * distance_square + bias_variance)


def _erf_gradient_norm(fan_in, weight, bias, distance):
    spread = 1 + 4 * (weight * distance + bias)
    return 4 * weight / (np.pi * np.sqrt(spread)) * ((fan_in - 1) + (1 + 4 * bias) / spread)


erf_gradient_norm = Formula(
    "mean squared length of the gradient of a random erf network, output_variance 1, at a distance from the origin",
    4 * weight_variance / (pi * sqrt(spread)) * (fan_in - 1 + (1 + 4 * bias_variance) / spread),
    [fan_in, weight_variance, bias_variance, distance_square],
    domain=NETWORK,
    source=SOURCE,
    numeric=_erf_gradient_norm,
    lhs=r"E\left[\|\nabla f(x)\|^2\right]",
)

relu_gradient_norm = Formula(
    "mean squared length of the gradient of a random ReLU network, output_variance 1, at any place",
    fan_in * weight_variance / 2,
    [fan_in, weight_variance],
    domain={weight_variance: MODERATE},
    source=Source("smooth", "3.3, with ReLU for tanh"),
    lhs=r"E\left[\|\nabla f(x)\|^2\right]",
)
