r"""Covariances of random networks with one hidden layer, of any width.

f(x) = sum_j v_j phi(u_j(x)) with output weights v_j of mean 0, variance output_variance/H and independent of the hidden
units, and u(x), u(x') jointly normal with variances k, k' and covariance c over the draw of the weights (u = w.x + b
with normal w and b, say). Then Cov[f(x), f(x')] = output_variance E[phi(u) phi(u')] at every width H, and f is a
Gaussian process as H grows. Here are the expectations E[phi(u) phi(u')].

Sources: C. K. I. Williams, "Computing with infinite networks" (1996), for erf; Y. Cho and L. K. Saul, "Kernel methods
for deep learning" (2009), for ReLU.
"""

from sympy import Rational, atan, cos, factorial, pi, sin, sqrt

from theory.formula import Branch, Formula, Interval, Source
from theory.symbols import nonnegative, positive, real

k, k_other, covariance = positive("k"), positive("k_other"), real("covariance")
# Two inputs are seen under an angle of pi - bend: opposite ones, whose covariance is 0, have a bend of 0.
bend = nonnegative("bend")
ONE_WAY = 3.141592653589793
SERIES_BELOW = Rational(3, 20)

relu_covariance = Formula(
    "E[max(u, 0) max(u', 0)] for normal u, u' with variances k, k_other and correlation -cos(bend)",
    sqrt(k * k_other) * (sin(bend) - bend * cos(bend)) / (2 * pi),
    [k, k_other, bend],
    domain={bend: Interval(0, ONE_WAY), k: Interval(1e-100, 1e100), k_other: Interval(1e-100, 1e100)},
    source=Source("smooth", "3.3, with ReLU for tanh"),
    branches=[
        Branch(
            bend < SERIES_BELOW,
            sqrt(k * k_other) * bend**3 / (2 * pi)
            * sum((-1) ** j * 2 * (j + 1) * bend ** (2 * j) / factorial(2 * j + 3) for j in range(5)),
        )
    ],
    lhs=r"E[\max(0, u) \max(0, u')]",
)  # fmt: skip

relu_second_moment = Formula(
    "E[max(u, 0)^2] for normal u with variance k",
    k / 2,
    source=Source("smooth", "3.3, with ReLU for tanh"),
    lhs=r"E[\max(0, u)^2]",
)

relu_fourth_moment = Formula(
    "E[max(u, 0)^4] for normal u with variance k",
    Rational(3, 2) * k**2,
    domain={k: Interval(0, 1e150)},
    source=Source("smooth", "3.3, with ReLU for tanh"),
    lhs=r"E[\max(0, u)^4]",
)

erf_covariance = Formula(
    "E[erf(u) erf(u')] for normal u, u' with variances k, k_other and a covariance",
    2 * atan(2 * covariance / sqrt(1 + 2 * k + 2 * k_other + 4 * (k * k_other - covariance**2))) / pi,
    [k, k_other, covariance],
    domain={k: Interval(1e-100, 1e4), k_other: Interval(1e-100, 1e4), covariance: Interval(-1e4, 1e4)},
    requires=[covariance**2 <= k * k_other],
    source=Source("smooth", "3.3, with erf for tanh"),
    lhs=r"E[\operatorname{erf}(u) \operatorname{erf}(u')]",
)
