"""Single neurons: a linear unit behind a gate that is not trained, s(x.u) (x.w), and the ReLU neuron that it splits.

>>> from theory.galu import neuron, relu
>>> neuron(z_u=-1, z_w=2), neuron(z_u=2, z_w=2), relu(z_w=2)
(0.0, 2.0, 2.0)
"""

import math
from functools import partial
from typing import Any

import numpy as np
import sympy
from scipy.special import expit
from sympy import Piecewise, exp

from theory.arguments import number, require
from theory.formula import Formula, Interval, Source
from theory.symbols import real

LARGEST_VARIANCE = 1e6

z_u, z_w = real("z_u z_w")

relu = Formula(
    "a ReLU neuron with preactivation x.w", sympy.Max(z_w, 0), [z_w], source=Source("galu", "section 1"), lhs=r"f_w(x)"
)

neuron = Formula(
    "a 0-1 GaLU neuron with preactivations x.u of the gate and x.w of the linear unit",
    Piecewise((z_w, z_u > 0), (0, True)),
    [z_u, z_w],
    source=Source("galu", "eq. (1)"),
    lhs=r"g_{w,u}(x)",
)

_logistic = partial(
    Formula, arguments=[z_u, z_w], source=Source("galu", "section 2"), domain={z_u: Interval(-600, 600)}
)
logistic_neuron = _logistic("a GaLU neuron with the logistic gate", z_w / (1 + exp(-z_u)), lhs=r"g_{w,u,\sigma}(x)")
logistic_gate_slope = _logistic(
    "derivative of a logistic GaLU neuron with respect to x.u; times x its gradient in u",
    z_w / (4 * sympy.cosh(z_u / 2) ** 2),
    lhs=r"\frac{\partial g_{w,u,\sigma}(x)}{\partial (x^\top u)}",
)


def mean_square_gate(gate_variance: Any) -> float:
    r"""E[s(t)^2] of a logistic gate whose preactivation t = x.u is normal with mean zero.

    .. math:: \int \frac{\varphi(y)}{(1 + e^{-\sigma y})^2} dy

    between 1/4 for small filters, where all gates are half open, and 1/2 for large ones, which are 0-1 gates.

    Parameters
    ----------
    gate_variance : float
        sigma^2, the variance of x.u: |x|^2 times the variance of a filter's component. In [0, 1e6].

    Raises
    ------
    ValueError
        When the variance is outside its domain.

    By the trapezoidal rule, which converges geometrically: the integrand is analytic between its poles at
    y = +-i pi/sigma.

    Source: beyond galu, section 2.

    Examples
    --------
    >>> mean_square_gate(0), round(mean_square_gate(1), 12)
    (0.25, 0.293379035858)
    """
    variance = number("mean_square_gate", "gate_variance", gate_variance)
    inside = 0 <= variance <= LARGEST_VARIANCE
    require(
        "mean_square_gate", "gate_variance", variance, inside, "be a number in [0, 1e6]", "larger filters are 0-1 gates"
    )
    sigma = math.sqrt(variance)
    step = min(0.25, 0.5 / max(sigma, 1e-300))
    y = step * np.arange(-math.ceil(9.5 / step), math.ceil(9.5 / step) + 1)
    weights = np.exp(-(y**2) / 2)
    return float(weights @ expit(sigma * y) ** 2 / weights.sum())
