r"""The single ReLU with w on the axis of its target, w = w_L e_L: the two numbers w_L and b that are left to evolve.

With psi = b/|w_L| and alpha = sign(w_L), linear target,

.. math:: \frac{\partial J}{\partial w_L} = (w_L - \gamma) (\Phi - \psi \varphi) + \alpha b \varphi
              = (w_L - \gamma) \Phi + \gamma \psi \varphi, \qquad
          \frac{\partial J}{\partial b} = \alpha (w_L - \gamma) \varphi + b \Phi.

**The sign alpha.** It cancels in the first equation when written without b, and does not in the second. What the paper
reports of its figures for w_L < 0 (that the lower left quadrant moves towards the linear cone) holds for the second
equation without alpha, and for none of the exact gradients: for w_L < 0 and b < 0 descent lowers b and shrinks |w_L|,
so that psi falls. The forms without alpha are here under names of their own; they are no gradient of anything.

**Where the field vanishes in one component.** For w_L > 0 and h = phi/Phi at kappa = b/w_L, dL/dw_L = 0 at
w_L = gamma (1 - kappa h) and dL/db = 0 at w_L = gamma h/(h + kappa). For kappa < 0 descent is trapped between the two
curves; both behave like gamma (kappa^2 + 2): the line in the dead cone that attracts is b = -w_L sqrt(w_L/gamma - 2).
"""

from functools import partial

import numpy as np
from sympy import Abs, Integer, Piecewise, Rational, pi, sign, sqrt

from theory.formula import Formula, Interval, Source
from theory.numerics.normal_tails import Phi, phi, truncated
from theory.numerics.pairs import refined
from theory.relu_unit import linear_target as relu_unit, relu_target
from theory.relu_unit.frame import DOMAIN, W_SMALLEST, b, gamma, w_l
from theory.symbols import real

kappa = real("kappa")

AXIS = [w_l, b, gamma]
alpha = sign(w_l)
psi = b / Abs(w_l)
OFF_ZERO = [Abs(w_l) >= W_SMALLEST]
PHI0 = 1 / sqrt(2 * pi)


def _formula(says, expr, source, terms, *, lhs):
    return Formula(says, expr, AXIS, source=source, domain=DOMAIN, requires=OFF_ZERO, numeric=refined(terms), lhs=lhs)


def _linear(terms, *, signed=False):
    """Terms of the linear target in (b, s, p), where s = |w_L| and p = alpha gamma."""

    def numeric(w_l, b, gamma):
        side = np.sign(w_l)
        return [(side if signed else 1.0) * t for t in terms(b, np.abs(w_l), side * gamma)]

    return numeric


weight_gradient = _formula(
    "gradient with respect to w_L, for w on the axis",
    (w_l - gamma) * (Phi(psi) - psi * phi(psi)) + alpha * b * phi(psi),
    Source("relu", "eq. (31)"),
    _linear(relu_unit.along_terms, signed=True),
    lhs=r"\frac{\partial \mathcal{L}}{\partial w_L}",
)

weight_gradient_short = _formula(
    "gradient with respect to w_L, for w on the axis, without alpha",
    (w_l - gamma) * Phi(psi) + gamma * psi * phi(psi),
    Source("relu", "eq. (31), simplified"),
    _linear(relu_unit.along_terms, signed=True),
    lhs=r"\frac{\partial \mathcal{L}}{\partial w_L}",
)

bias_gradient = _formula(
    "gradient with respect to b, for w on the axis",
    alpha * (w_l - gamma) * phi(psi) + b * Phi(psi),
    Source("relu", "eq. (32)"),
    _linear(relu_unit.bias_terms),
    lhs=r"\frac{\partial \mathcal{L}}{\partial b}",
)

other_weight_gradient = Formula(
    "gradient with respect to a weight across the axis, for w on the axis: zero, so that w stays there",
    Integer(0),
    AXIS,
    source=Source("relu", "eq. (30)"),
    domain=DOMAIN,
    lhs=r"\left.\frac{\partial \mathcal{L}}{\partial w_i}\right|_{i < L}",
)


def _without_sign_terms(w_l, b, gamma):
    t = truncated(b / np.abs(w_l))
    return [t.scale * t.density * w_l, -t.scale * t.density * gamma, t.scale * t.probability * b]


bias_gradient_without_sign = _formula(
    "the gradient with respect to b without its sign alpha: wrong for w_L < 0",
    (w_l - gamma) * phi(psi) + b * Phi(psi),
    Source("relu", "eq. (32), as the figures seem to have it"),
    _without_sign_terms,
    lhs=r"\left.\frac{\partial \mathcal{L}}{\partial b}\right|_{\alpha = 1}",
)


def _velocity_terms(w_l, b, gamma):
    side, size = np.sign(w_l), np.abs(w_l)
    psi = b / size
    t = truncated(psi)
    pull = side * gamma / size * t.scale
    return [-t.scale * t.density, pull * (1 + t.kappa**2) * t.density, -pull * psi * t.probability]


psi_velocity = _formula(
    "d psi/dt of descent along the exact gradient: (psi alpha dL/dw_L - dL/db)/|w_L|",
    alpha * gamma / Abs(w_l) * ((1 + psi**2) * phi(psi) - psi * Phi(psi)) - phi(psi),
    Source("relu", "additional to section 5"),
    _velocity_terms,
    lhs=r"\frac{d}{d\tau} \frac{b}{|w_L|}",
)

saddle_excess = _formula(
    "loss above that of a dead ReLU, gamma^2/2, for w on the axis",
    ((w_l**2 + b**2) * Phi(psi) + b * Abs(w_l) * phi(psi)) / 2 - gamma * w_l * Phi(psi),
    Source("relu", "section 5, saddle points"),
    lambda w_l, b, gamma: relu_unit.loss_terms(b, np.abs(w_l), np.sign(w_l) * gamma, gamma)[:2],
    lhs=r"\mathcal{L} - \frac{\gamma^2}{2}",
)


def _weight_nullcline(kappa, gamma):
    t = truncated(kappa)
    return gamma * np.where(t.kappa < 0, 1 - t.kappa / t.probability, t.second / t.probability)


def _bias_nullcline(kappa, gamma):
    t = truncated(kappa)
    return gamma * np.where(t.density > 0, t.density / t.ramp, 0.0)


NULLCLINE = {kappa: Interval(-1e7, 37), gamma: DOMAIN[gamma]}
_nullcline = partial(
    Formula,
    arguments=[kappa, gamma],
    source=Source("relu", "section 5, attracting line"),
    domain=NULLCLINE,
    lhs=r"w_L",
    symbols={"kappa": "b/w_L"},
)

weight_nullcline = _nullcline(
    "w_L > 0 at which dL/dw_L = 0 on the ray b = kappa w_L",
    gamma * (1 - kappa * phi(kappa) / Phi(kappa)),
    numeric=_weight_nullcline,
)

bias_nullcline = _nullcline(
    "w_L > 0 at which dL/db = 0 on the ray b = kappa w_L",
    gamma * phi(kappa) / (phi(kappa) + kappa * Phi(kappa)),
    numeric=_bias_nullcline,
)

nullcline_far = _nullcline("the attracting line far out in the dead cone", gamma * (kappa**2 + 2))


def _on_axis(terms):
    """Terms for a w on the axis of the target, where rho is 1 or -1."""
    return lambda w_l, b, gamma: terms(b, np.abs(w_l), gamma, np.sign(w_l), np.zeros_like(b))


RELU_TARGET = Source("relu", "additional to section 5, ReLU target")
ALIGNED_BELOW = (w_l > 0) & (b <= 0)
ALIGNED = w_l > 0
OPPOSED_BELOW = b <= 0
mean_square_on_axis = ((w_l**2 + b**2) * Phi(psi) + b * Abs(w_l) * phi(psi)) / 2 + gamma**2 / 4

relu_target_loss = _formula(
    "expected loss for w on the axis of the ReLU target",
    Piecewise(
        (mean_square_on_axis - gamma * w_l * Phi(psi), ALIGNED_BELOW),
        (mean_square_on_axis - gamma * (w_l / 2 + b * PHI0), ALIGNED),
        (mean_square_on_axis, OPPOSED_BELOW),
        (mean_square_on_axis - gamma * (b * PHI0 - Abs(w_l) * (Phi(psi) - Rational(1, 2))), True),
    ),
    RELU_TARGET,
    _on_axis(relu_target.loss_terms),
    lhs=r"\mathcal{L}_{\mathrm{ReLU}}",
)

relu_target_weight_gradient = _formula(
    "gradient with respect to the weight for w on the axis of the ReLU target",
    Piecewise(
        (w_l * Phi(psi) - gamma * (Phi(psi) - psi * phi(psi)), ALIGNED_BELOW),
        (w_l * Phi(psi) - gamma / 2, ALIGNED),
        (w_l * Phi(psi), OPPOSED_BELOW),
        (w_l * Phi(psi) - gamma * (Phi(psi) - Rational(1, 2) - psi * phi(psi)), True),
    ),
    RELU_TARGET,
    lambda w_l, b, gamma: [np.sign(w_l) * t for t in _on_axis(relu_target.along_terms)(w_l, b, gamma)],
    lhs=r"\frac{\partial \mathcal{L}_{\mathrm{ReLU}}}{\partial w_L}",
)

relu_target_bias_gradient = _formula(
    "gradient with respect to the bias for w on the axis of the ReLU target",
    b * Phi(psi)
    + Abs(w_l) * phi(psi)
    - gamma * Piecewise((phi(psi), ALIGNED_BELOW), (PHI0, ALIGNED), (0, OPPOSED_BELOW), (PHI0 - phi(psi), True)),
    RELU_TARGET,
    _on_axis(relu_target.bias_terms),
    lhs=r"\frac{\partial \mathcal{L}_{\mathrm{ReLU}}}{\partial b}",
)
