r"""Random networks with one hidden layer: covariances, squared gradients, deviation from the normal limit.

f(x) = sum_j v_j phi(u_j(x)) with output weights v_j of mean 0, variance output_variance/H and independent of the hidden
units, and u(x), u(x') jointly normal with variances k, k' and covariance c over the draw of the weights (u = w.x + b
with normal w and b, say). Then Cov[f(x), f(x')] = output_variance E[phi(u) phi(u')] at every width H, and f is a
Gaussian process as H grows. Here are the expectations E[phi(u) phi(u')].

**Gradients.** With independent entries of w_j of mean 0, E|grad f|^2 = output_variance sum_i E[w_i^2 phi'(u)^2] at
every width. At the origin u is the bias and w is independent of it. Elsewhere, for normal weights, the part of w along
x is not.

**Finite width.** For independent v_j ~ N(0, s/H) and independent units f is normal given the units, with a variance
that is s times their mean square.

Sources: C. K. I. Williams, "Computing with infinite networks" (1996), for erf; Y. Cho and L. K. Saul, "Kernel methods
for deep learning" (2009), for ReLU.
"""

from functools import partial

import numpy as np
from sympy import Integer, Rational, atan, cos, factorial, pi, sin, sqrt

from theory.formula import Branch, Formula, Interval, Source
from theory.symbols import count, nonnegative, positive, real

k, k_other, weight_variance, bias_variance, unit_kurtosis = positive(
    "k k_other weight_variance bias_variance unit_kurtosis"
)
covariance = real("covariance")
# Two inputs are seen under an angle of pi - bend: opposite ones, whose covariance is 0, have a bend of 0.
bend, distance_square = nonnegative("bend distance_square")
fan_in, width = count("fan_in width")
ONE_WAY = 3.141592653589793
SERIES_BELOW = Rational(3, 20)
MODERATE = Interval(1e-100, 1e100)

_relu = partial(Formula, source=Source("smooth", "3.3, with ReLU for tanh"))
_erf = partial(Formula, source=Source("smooth", "3.3, with erf for tanh"))

relu_covariance = _relu(
    "E[max(u, 0) max(u', 0)] for normal u, u' with variances k, k_other and correlation -cos(bend)",
    sqrt(k * k_other) * (sin(bend) - bend * cos(bend)) / (2 * pi),
    [k, k_other, bend],
    domain={bend: Interval(0, ONE_WAY), k: MODERATE, k_other: MODERATE},
    branches=[
        Branch(
            bend < SERIES_BELOW,
            sqrt(k * k_other) * bend**3 / (2 * pi)
            * sum((-1) ** j * 2 * (j + 1) * bend ** (2 * j) / factorial(2 * j + 3) for j in range(5)),
        )
    ],
    lhs=r"E[\max(0, u) \max(0, u')]",
)  # fmt: skip

relu_second_moment = _relu("E[max(u, 0)^2] for normal u with variance k", k / 2, lhs=r"E[\max(0, u)^2]")

relu_fourth_moment = _relu(
    "E[max(u, 0)^4] for normal u with variance k",
    Rational(3, 2) * k**2,
    domain={k: Interval(0, 1e150)},
    lhs=r"E[\max(0, u)^4]",
)

erf_covariance = _erf(
    "E[erf(u) erf(u')] for normal u, u' with variances k, k_other and a covariance",
    2 * atan(2 * covariance / sqrt(1 + 2 * k + 2 * k_other + 4 * (k * k_other - covariance**2))) / pi,
    [k, k_other, covariance],
    domain={k: Interval(1e-100, 1e4), k_other: Interval(1e-100, 1e4), covariance: Interval(-1e4, 1e4)},
    requires=[covariance**2 <= k * k_other],
    lhs=r"E[\operatorname{erf}(u) \operatorname{erf}(u')]",
)

_erf_moment = partial(_erf, domain={k: MODERATE})

erf_second_moment = _erf_moment(
    "E[erf(u)^2] for normal u with variance k",
    2 * atan(2 * k / sqrt(1 + 4 * k)) / pi,
    lhs=r"E[\operatorname{erf}(u)^2]",
)

erf_slope_moment = _erf_moment(
    "E[erf'(u)^2] for normal u with variance k", 4 / (pi * sqrt(1 + 4 * k)), lhs=r"E[\operatorname{erf}'(u)^2]"
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


erf_gradient_norm = _erf(
    "mean squared length of the gradient of a random erf network, output_variance 1, at a distance from the origin",
    4 * weight_variance / (pi * sqrt(spread)) * (fan_in - 1 + (1 + 4 * bias_variance) / spread),
    [fan_in, weight_variance, bias_variance, distance_square],
    domain={weight_variance: MODERATE, bias_variance: MODERATE, distance_square: Interval(0, 1e100)},
    numeric=_erf_gradient_norm,
    lhs=r"E\left[\|\nabla f(x)\|^2\right]",
)

relu_gradient_norm = _relu(
    "mean squared length of the gradient of a random ReLU network, output_variance 1, at any place",
    fan_in * weight_variance / 2,
    [fan_in, weight_variance],
    domain={weight_variance: MODERATE},
    lhs=r"E\left[\|\nabla f(x)\|^2\right]",
)

excess_kurtosis = Formula(
    "excess kurtosis of the output of a random network; unit_kurtosis is E[phi^4]/E[phi^2]^2 of a hidden unit",
    3 / width * (unit_kurtosis - 1),
    [unit_kurtosis, width],
    domain={unit_kurtosis: Interval(1, 1e300)},
    source=Source("smooth", "3.3"),
    lhs=r"E[f(x)^4]/E[f(x)^2]^2 - 3",
)

relu_excess_kurtosis = _relu(
    "excess kurtosis of the output of a random ReLU network without biases: 15/H whatever the input",
    Integer(15) / width,
    lhs=r"E[f(x)^4]/E[f(x)^2]^2 - 3",
)
