r"""A single ReLU max(0, w.x + b), x ~ N(0, I_L), fitted to the linear target Lambda.x: probability, loss, gradients.

With kappa = b/s, s = ||w||, p = w.Lambda/s, Phi and phi at kappa,

.. math:: P(w.x + b > 0) = \Phi, \qquad
          J = \tfrac12 E[(\max(0, w.x + b) - \Lambda.x)^2]
            = \tfrac12 \big[ (s^2 + b^2) \Phi + b s \varphi - 2 s p \Phi + \gamma^2 \big],

.. math:: \nabla_w J = \Phi (w - \Lambda) + \kappa \varphi p \frac{w}{s}, \qquad
          \frac{\partial J}{\partial b} = b \Phi + \varphi (s - p).

These hold for every w except 0 and need no rotation. The paper's forms in coordinates whose last axis is along w,
its equations (27)-(29), follow with w_tilde' = U (w - Lambda): its last component is s - p
(:mod:`theory.relu_unit.rotated`).

**Exactness.** The paper calls its gradients, E[1{w.x + b > 0} (w.x + b - Lambda.x) (x, 1)], approximate. They are the
exact gradients of J: the ReLU is continuous, so moving the edge of the active set contributes nothing. What is
approximate is the target alone; :mod:`theory.relu_unit.relu_target` has the other one.

**Float64.** In the dead cone everything is phi times a number of moderate size, found without cancellation
(:mod:`theory.numerics.normal_tails`), down to kappa = -37, below which phi underflows: a ReLU there is dead in
float64 as well.
"""

from functools import partial

import numpy as np
from sympy import erfinv, sqrt

from theory.formula import Formula, Interval, Source
from theory.numerics.normal_tails import Phi, phi, special, truncated
from theory.numerics.pairs import refined
from theory.relu_unit.frame import DOMAIN, SIZE, b, gamma, p, s
from theory.symbols import positive, real

w_i, lambda_i = real("w_i lambda_i")
eps = positive("eps")

kappa = b / s
_formula = partial(Formula, domain={**DOMAIN, w_i: SIZE, lambda_i: SIZE})


def probability(b, s):
    """Phi(b/s) for arrays, without checks."""
    with np.errstate(over="ignore"):
        return special().ndtr(b / s)


def mean_square(t, b, s):
    """E[max(0, w.x + b)^2]."""
    above = (s * s + b * b) * t.probability + b * s * t.density
    return np.where(t.kappa < 0, t.scale * t.square * (s * s), above)


def mean_ramp(t, b, s):
    """E[max(0, w.x + b)]."""
    return np.where(t.kappa < 0, t.scale * t.ramp * s, b * t.probability + s * t.density)


def loss_terms(b, s, p, gamma):
    """The terms of the loss; they only seem to cancel: J is at least 0.29 times the sum of their sizes."""
    with np.errstate(over="ignore"):
        t = truncated(b / s)
    return [mean_square(t, b, s) / 2, -t.scale * t.probability * s * p, gamma * gamma / 2]


def along_terms(b, s, p):
    """The terms of the gradient along w."""
    with np.errstate(over="ignore"):
        t = truncated(b / s)
    return [t.scale * t.probability * s, -t.scale * t.second * p]


def bias_terms(b, s, p):
    """The terms of the bias gradient."""
    with np.errstate(over="ignore"):
        t = truncated(b / s)
    return [mean_ramp(t, b, s), -t.scale * t.density * p]


activation_probability_form = _formula(
    "probability that the ReLU is active",
    Phi(kappa),
    [b, s],
    source=Source("relu", "eq. (23)"),
    lhs=r"P\left(w \cdot x + b > 0\right)",
)

dead_cone_edge = Formula(
    "the b/||w|| at which the ReLU is active with probability eps: the surface of the dead cone",
    sqrt(2) * erfinv(2 * eps - 1),
    source=Source("relu", "section 5, dead cone"),
    domain={eps: Interval(1e-16, 0.5, open_high=True)},
    numeric=lambda eps: special().ndtri(eps),
    lhs=r"\Phi^{-1}(\epsilon)",
)

loss_form = _formula(
    "expected loss of a ReLU on the linear target",
    ((s**2 + b**2) * Phi(kappa) + b * s * phi(kappa) - 2 * s * p * Phi(kappa) + gamma**2) / 2,
    [b, s, p, gamma],
    source=Source("relu", "eq. (24)"),
    requires=[abs(p) <= gamma],
    numeric=lambda b, s, p, gamma: sum(loss_terms(b, s, p, gamma)),
    lhs=r"\mathcal{L}(w, b)",
)

weight_gradient_along = _formula(
    "component along w of the gradient with respect to w",
    (s - p) * Phi(kappa) + kappa * phi(kappa) * p,
    [b, s, p],
    source=Source("relu", "eq. (25), in closed form"),
    numeric=refined(along_terms),
    lhs=r"\frac{w}{\lVert w \rVert} \cdot \frac{\partial \mathcal{L}}{\partial w}",
)


def _component_terms(w_i, lambda_i, b, s, p):
    t = truncated(b / s)
    kappa_phi = np.where(t.density > 0, t.kappa * t.density, 0.0)
    return [t.scale * part for part in (t.probability * w_i, -t.probability * lambda_i, kappa_phi * p * (w_i / s))]


weight_gradient_form = _formula(
    "component i of the gradient with respect to w, from w_i and Lambda_i; no rotation",
    Phi(kappa) * (w_i - lambda_i) + kappa * phi(kappa) * p * w_i / s,
    [w_i, lambda_i, b, s, p],
    source=Source("relu", "eq. (25), in closed form"),
    requires=[abs(w_i) <= s],
    numeric=refined(_component_terms),
    lhs=r"\frac{\partial \mathcal{L}}{\partial w_i}",
)

bias_gradient_form = _formula(
    "gradient with respect to the bias; no rotation",
    b * Phi(kappa) + phi(kappa) * (s - p),
    [b, s, p],
    source=Source("relu", "eq. (26), in closed form"),
    numeric=refined(bias_terms),
    lhs=r"\frac{\partial \mathcal{L}}{\partial b}",
)
