"""The objective of a single ReLU in an alternative interpretation: the indicator multiplies the squared error.

Then 1/2 E[1{w.x + b > 0} (w.x + b - Lambda.x)^2] forgets what an inactive unit misses: a dead ReLU has loss 0 and is
optimal. The edge of the active set contributes to the derivative, since the error does not vanish there: the paper's
gradients (25) and (26) do not belong to this objective.
"""

from functools import partial

import numpy as np

from theory.formula import Formula, Interval, Source
from theory.numerics.normal_tails import Phi, phi, truncated
from theory.numerics.pairs import refined
from theory.relu_unit.frame import b, gamma, p, s
from theory.relu_unit.noise import error_moments, error_parts

kappa = b / s
d = s - p
_formula = partial(
    Formula,
    arguments=[b, s, p, gamma],
    source=Source("relu", "eq. (24), alternative interpretation"),
    domain={**dict.fromkeys((b, p), Interval(-1e4, 1e4)), **dict.fromkeys((s, gamma), Interval(1e-3, 1e4))},
    requires=[abs(p) <= gamma],
)


def _loss_terms(b, s, p, gamma):
    m = truncated(b / s)
    square = error_moments(m, *error_parts(b / s, s - p, b, p))[0]
    return [m.scale * sum(square) / 2, m.scale * m.probability * (gamma - p) * (gamma + p) / 2]


def _derivative_terms(b, s, p, gamma):
    m = truncated(b / s)
    mean = error_moments(m, *error_parts(b / s, s - p, b, p))[1]
    edge = (m.kappa * p) ** 2 + (gamma - p) * (gamma + p)
    return [*(m.scale * term for term in mean), m.scale * m.density * np.where(m.density > 0, edge, 0.0) / (2 * s)]


loss = _formula(
    "half the expected squared error of active samples alone",
    (d**2 * (Phi(kappa) - kappa * phi(kappa)) + 2 * d * b * phi(kappa) + (b**2 + gamma**2 - p**2) * Phi(kappa)) / 2,
    numeric=refined(_loss_terms),
    lhs=r"\frac{1}{2} E\left[1_{w \cdot x + b > 0} \, \varepsilon^2\right]",
)

bias_derivative = _formula(
    "its derivative with respect to the bias: eq. (26) and what the edge of the active set contributes",
    b * Phi(kappa) + phi(kappa) * (s - p) + phi(kappa) * ((p * kappa) ** 2 + gamma**2 - p**2) / (2 * s),
    numeric=refined(_derivative_terms),
    lhs=r"\frac{1}{2} \frac{\partial}{\partial b} E\left[1_{w \cdot x + b > 0} \, \varepsilon^2\right]",
)
