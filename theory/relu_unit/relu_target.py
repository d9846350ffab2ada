r"""The single ReLU fitted to the target that the paper means, max(0, Lambda.x), without its approximation.

u = w.x/s and v = Lambda.x/gamma are standard normal with correlation rho = w.Lambda/(s gamma). With r^2 = 1 - rho^2,
kappa = b/s, q = rho kappa/r and P_2 = P(u > -kappa, v > 0) (:mod:`theory.numerics.orthants`), Stein's identity gives

.. math:: J_R = \tfrac12 [(s^2 + b^2) \Phi + b s \varphi] - \gamma s K + \tfrac14 \gamma^2, \qquad
          K = E[(u + \kappa)_+ v_+] = \rho P_2 + \kappa \varphi(0) \Phi(\kappa / r)
              + \frac{r}{2 \pi} e^{-\kappa^2 / 2 r^2},

.. math:: \nabla_w J_R = \Phi w - P_2 \Lambda
              - \gamma \varphi [r \varphi(q) - \rho \kappa \Phi(-q)] \frac{w}{s}, \qquad
          \frac{\partial J_R}{\partial b} = b \Phi + s \varphi
              - \gamma [\varphi(0) \Phi(\kappa / r) + \rho \varphi \Phi(-q)].

**Where the linear target gives the same gradients.** When w points along Lambda and b <= 0, every input that
activates the ReLU has a positive target, and both gradients agree. Elsewhere they may even differ in sign:
at w = 0.1, b = 0.3, gamma = 1 the bias gradient is +0.296 for the linear target and -0.099 here, although each
sample's gradients agree in sign. For large b the linear target draws the parameters to (Lambda, 0), this one to the
best affine fit of a rectified target, (Lambda/2, gamma phi(0)).
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from sympy import exp, pi, sqrt

from theory.formula import Formula, Interval, Source
from theory.numerics.normal_tails import FARTHEST, Phi, Truncated, density, phi, special, truncated
from theory.numerics.orthants import SMALLEST_R, OwenT, scaled_orthant
from theory.numerics.pairs import refined
from theory.relu_unit import linear_target as relu_unit
from theory.relu_unit.frame import DOMAIN, Geometry, b, gamma, rho, s
from theory.relu_unit.linear_target import mean_ramp, mean_square

PHI0 = 1 / sqrt(2 * pi)
PHI0_FLOAT = float(density(0.0))
SOURCE = Source("relu", "additional to section 5, ReLU target")

kappa = b / s
r = sqrt(1 - rho**2)
q = rho * kappa / r
orthant = Phi(kappa) / 2 + OwenT(kappa, rho / r)
corner = r / (2 * pi) * exp(-(kappa**2) / (2 * r**2))  # r phi(kappa) phi(q)
overlap = rho * orthant + kappa * PHI0 * Phi(kappa / r) + corner


class _Moments(NamedTuple):
    """What the gradients and the loss need; all but ``overlap`` divided by ``tail.scale``."""

    tail: Truncated
    orthant: np.ndarray  # P_2
    edge: np.ndarray  # phi(kappa) E[v_+ | u = -kappa]
    shares: tuple[np.ndarray, np.ndarray]  # E[v_+; u > -kappa], its two terms
    overlap: np.ndarray  # s K


def _moments(b, s, rho, r) -> _Moments:
    """For arrays of one shape; r = 0 takes the limit of collinear vectors."""
    with np.errstate(over="ignore"):
        t = truncated(b / s)
    left = t.kappa < 0
    # Collinear vectors: infinitely far, however small kappa is.
    over_r = np.where(r > 0, t.kappa / np.maximum(r, SMALLEST_R), np.sign(t.kappa) * FARTHEST)
    q = rho * over_r
    given, over = truncated(-q), truncated(over_r)
    # v given u = -kappa is N(-rho kappa, r^2). A ramp times r would be infinity times zero for r -> 0.
    conditional = np.where(q <= 0, -rho * t.kappa * given.probability + r * given.density, r * given.scale * given.ramp)
    # phi(0) Phi(kappa/r), in the tail by way of phi(0) phi(kappa/r) = phi(kappa) phi(q).
    first = over.probability * np.where(left, density(q), PHI0_FLOAT)
    ramp = np.where(left, s * r * over.scale * over.ramp, b * over.probability + s * r * over.density)
    orthant = scaled_orthant(t, rho, r)
    return _Moments(
        t,
        orthant,
        t.density * conditional,
        (first, rho * t.density * special().ndtr(-q)),
        s * rho * t.scale * orthant + PHI0_FLOAT * ramp,
    )


def loss_terms(b, s, gamma, rho, r):
    m = _moments(b, s, rho, r)
    return [mean_square(m.tail, b, s) / 2, -gamma * m.overlap, gamma * gamma / 4]


def along_terms(b, s, gamma, rho, r):
    return _along(_moments(b, s, rho, r), s, gamma, rho)


def _along(m, s, gamma, rho):
    scale = m.tail.scale
    return [scale * m.tail.probability * s, -scale * gamma * rho * m.orthant, -scale * gamma * m.edge]


def bias_terms(b, s, gamma, rho, r):
    return _bias(_moments(b, s, rho, r), b, s, gamma)


def _across_share(m):
    """The gradient across w over the part of Lambda across w, whose size is gamma r: -P_2."""
    return -m.tail.scale * m.orthant


def _across(b, s, gamma, rho):
    r = np.sqrt((1 - rho) * (1 + rho))
    return gamma * r * _across_share(_moments(b, s, rho, r))


def _bias(m, b, s, gamma):
    return [mean_ramp(m.tail, b, s), *(-m.tail.scale * gamma * share for share in m.shares)]


def _numeric(terms, **options):
    return refined(lambda b, s, gamma, rho: terms(b, s, gamma, rho, np.sqrt((1 - rho) * (1 + rho))), **options)


_formula = partial(Formula, arguments=[b, s, gamma, rho], source=SOURCE, domain=DOMAIN)

loss_form = _formula(
    "expected loss of a ReLU on the ReLU target",
    ((s**2 + b**2) * Phi(kappa) + b * s * phi(kappa)) / 2 - gamma * s * overlap + gamma**2 / 4,
    numeric=_numeric(loss_terms),
    lhs=r"\mathcal{L}_{\mathrm{ReLU}}(w, b)",
)

weight_gradient_along = _formula(
    "component along w of the gradient with respect to w, ReLU target",
    s * Phi(kappa) - gamma * (rho * orthant + corner - rho * kappa * phi(kappa) * Phi(-q)),
    numeric=_numeric(along_terms),
    lhs=r"\frac{w}{\lVert w \rVert} \cdot \frac{\partial \mathcal{L}_{\mathrm{ReLU}}}{\partial w}",
)

weight_gradient_across = _formula(
    "component of the gradient with respect to w across w, towards Lambda, ReLU target",
    -gamma * r * orthant,
    # The digits that 50 digits of the orthant probability need grow like kappa^2/r^2.
    domain={**DOMAIN, b: Interval(-5, 5), s: Interval(0.25, 100), rho: Interval(-0.95, 0.95)},
    numeric=_across,
    lhs=r"\frac{\partial \mathcal{L}_{\mathrm{ReLU}}}{\partial w_{\perp}}",
)

bias_gradient_form = _formula(
    "gradient with respect to the bias, ReLU target",
    b * Phi(kappa) + s * phi(kappa) - gamma * (PHI0 * Phi(kappa / r) + rho * phi(kappa) * Phi(-q)),
    numeric=_numeric(bias_terms),
    lhs=r"\frac{\partial \mathcal{L}_{\mathrm{ReLU}}}{\partial b}",
)

bias_gradient_gap = _formula(
    "bias gradient on the ReLU target less that on the linear one: -E[(-Lambda.x)_+; active], never positive",
    -gamma * (PHI0 * Phi(kappa / r) - rho * phi(kappa) * Phi(q)),
    # -v takes the place of v: the opposite correlation.
    # Both terms are exponentials of up to -700.
    numeric=_numeric(lambda b, s, gamma, rho, r: bias_terms(b, s, gamma, -rho, r)[1:], cancelled=0.3),
    lhs=r"\frac{\partial \mathcal{L}_{\mathrm{ReLU}}}{\partial b} - \frac{\partial \mathcal{L}}{\partial b}",
)


def gradient(b, s, gamma, rho, r):
    """Gradients by weights along w, by those across w over the part of Lambda there, and by the bias."""
    m = _moments(b, s, rho, r)
    return sum(_along(m, s, gamma, rho)), _across_share(m), sum(_bias(m, b, s, gamma))


bias_gradient_product = _formula(
    "product of the bias gradients on both targets: negative where their signs differ",
    bias_gradient_form.expr * relu_unit.bias_gradient_form.expr.subs(relu_unit.p, rho * gamma),
    source=Source("relu", "section 3, after eq. (12)"),
    numeric=refined(
        # The other factor keeps its digits by itself.
        lambda *at: [part * bias_gradient_form(*at) for part in relu_unit.bias_terms(at[0], at[1], at[3] * at[2])]
    ),
    lhs=r"\frac{\partial \mathcal{L}}{\partial b} \frac{\partial \mathcal{L}_{\mathrm{ReLU}}}{\partial b}",
)


def columns(g: Geometry) -> list[np.ndarray]:
    """b, s, gamma, rho and r as flat arrays; r from the part across w, which is accurate where rho rounds to 1."""
    across = np.sqrt(np.sum((g.across / g.gamma[..., None]) ** 2, axis=-1))
    rho = np.clip(g.p / g.gamma, -1.0, 1.0)
    return [np.atleast_1d(v).ravel() for v in (g.b, g.s, g.gamma, rho, np.minimum(across, 1.0))]
