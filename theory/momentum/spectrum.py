r"""Gradient descent with momentum on a quadratic loss: one linear system per direction of curvature.

A deviation e from the optimum and its momentum m evolve, with step size eta, momentum rate beta and curvature mu, as

.. math:: m' = \beta m + (1 - \beta) \mu e \ \text{("ema")} \quad\text{or}\quad m' = \beta m + \mu e
          \ \text{("heavy-ball")}, \qquad e' = e - \eta m' .

Only the *effective step* h enters the eigenvalues: h = eta (1 - beta) mu or h = eta mu. Both conventions have

.. math:: \lambda^2 - (1 + \beta - h) \lambda + \beta = 0 .

- They oscillate (a complex pair, of modulus sqrt(beta)) if and only if (1 - sqrt(beta))^2 < h < (1 + sqrt(beta))^2.
- They converge if and only if 0 < h < 2 (1 + beta), for 0 <= beta < 1 (Jury's criterion).

The affine model with inputs from N(0, I) and the loss E[eps^2]/2 has the identity for its Hessian: mu = 1 for every
weight and for the bias, whatever the scale of the target. A loss without the 1/2 has mu = 2.

**Accuracy.** The discriminant is formed from (1 - beta - h)^2 - 4 beta h in about 32 digits, so that eigenvalues,
thresholds and the choice between real and complex are right to the last digits of float64 beside a double root too,
where the textbook form loses half of them.
"""

from functools import partial
from typing import Any

import numpy as np
from sympy import Abs, Piecewise, sqrt

from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair
from theory.symbols import nonnegative, positive, real

eta, h, lam = positive("eta"), positive("h"), real("lambda")
beta = nonnegative("beta")

STEP = Interval(0, 1e6, open_low=True)
MOMENTUM = Interval(0, 1, open_high=True)


def trace_pair(h: Pair, beta: Any) -> Pair:
    """The sum of the eigenvalues, 1 + beta - h, in about 32 digits."""
    return (1 + Pair.of(beta)) - h


def discriminant_pair(h: Pair, beta: Any) -> Pair:
    """The discriminant in about 32 digits of its larger term, which is itself small for beta near 1 and small h."""
    gap = (1 - Pair.of(beta)) - h
    return gap * gap - 4 * h * beta


def value(pair: Pair) -> np.ndarray:
    """A pair in float64."""
    return pair.high + pair.low


def larger_modulus(h: Pair, beta: np.ndarray) -> np.ndarray:
    t, d = value(trace_pair(h, beta)), value(discriminant_pair(h, beta))
    return np.where(d < 0, np.sqrt(beta), (np.abs(t) + np.sqrt(np.maximum(d, 0))) / 2)


def _least_real_part(h: Pair, beta: np.ndarray) -> np.ndarray:
    t, d = value(trace_pair(h, beta)), value(discriminant_pair(h, beta))
    root = np.sqrt(np.maximum(d, 0))
    # The smaller of two positive roots by their product: their sum minus the root cancels.
    with np.errstate(divide="ignore", invalid="ignore"):
        smaller = np.where(t > 0, 2 * beta / (t + root), (t - root) / 2)
    return np.where(d < 0, t / 2, smaller)


_T = 1 + beta - h
_D = _T**2 - 4 * beta
_DOMAIN = {eta: STEP, h: STEP, beta: MOMENTUM, lam: Interval(-1e3, 1e3)}
_formula = partial(Formula, source=Source("relu", "section 4, eigenvalues"), domain=_DOMAIN)
_of_step = partial(_formula, arguments=[h, beta])
_threshold = partial(_formula, lhs=r"\beta_{\mathrm{crit}}")
_discriminant = partial(
    _of_step, numeric=lambda h, beta: value(discriminant_pair(Pair(h), beta)), lhs=r"(\lambda_1 - \lambda_2)^2"
)

trace = _of_step(
    "the sum of the two eigenvalues of the matrix (20), for the effective step h",
    _T,
    numeric=lambda h, beta: value(trace_pair(Pair(h), beta)),
    lhs=r"\lambda_1 + \lambda_2",
)
characteristic_polynomial = _formula(
    "the polynomial whose zeros are the eigenvalues of the matrix (20), for the effective step h",
    lam**2 - _T * lam + beta,
    [lam, h, beta],
    # Grouped by the zeros 1 and beta that it has for h = 0.
    numeric=lambda lam, h, beta: value((Pair(lam) - 1) * (Pair(lam) - beta) + Pair(h) * lam),
    lhs=r"\det(\lambda I - A)",
)
discriminant = _discriminant("the discriminant of the characteristic polynomial: negative for a complex pair", _D)
discriminant_factored = _discriminant(
    "the same discriminant by its zeros in h", ((1 - sqrt(beta)) ** 2 - h) * ((1 + sqrt(beta)) ** 2 - h)
)
radius = _of_step(
    "the larger modulus of the eigenvalues, for the effective step h",
    Piecewise((sqrt(beta), _D < 0), ((Abs(_T) + sqrt(_D)) / 2, True)),
    numeric=lambda h, beta: larger_modulus(Pair(h), beta),
    lhs=r"\max(|\lambda_1|, |\lambda_2|)",
)
least_real_part = _of_step(
    "the smaller real part of the eigenvalues, for the effective step h",
    Piecewise((_T / 2, _D < 0), ((_T - sqrt(_D)) / 2, True)),
    numeric=lambda h, beta: _least_real_part(Pair(h), beta),
    lhs=r"\min(\mathrm{Re}\, \lambda_1, \mathrm{Re}\, \lambda_2)",
)
ema_threshold = _threshold(
    "the momentum above which the eigenvalues are complex, momentum as an average (6)", ((1 - eta) / (1 + eta)) ** 2
)
heavy_ball_threshold = _threshold(
    "the momentum above which the eigenvalues are complex, momentum as a sum (heavy ball)",
    (1 - sqrt(eta)) ** 2,
    numeric=lambda eta: ((1 - eta) / (1 + np.sqrt(eta))) ** 2,
)
ema_stability_limit = _formula(
    "the step size below which all eigenvalues are inside the unit circle, momentum as an average (6)",
    2 * (1 + beta) / (1 - beta),
    lhs=r"\eta_{\max}",
)
heavy_ball_stability_limit = _formula(
    "the step size below which all eigenvalues are inside the unit circle, momentum as a sum (heavy ball)",
    2 * (1 + beta),
    lhs=r"\eta_{\max}",
)
nesterov_threshold = _threshold(
    "the momentum above which Nesterov's method has complex eigenvalues, for h < 1",
    (1 - sqrt(h)) / (1 + sqrt(h)),
    source=Source("relu", "additional to section 4"),
    domain={h: Interval(0, 1, open_low=True, open_high=True)},
    numeric=lambda h: (1 - h) / (1 + np.sqrt(h)) ** 2,
)
nesterov_stability_limit = Formula(
    "the effective step below which Nesterov's method has all eigenvalues inside the unit circle",
    2 * (1 + beta) / (1 + 2 * beta),
    source=Source("relu", "additional to section 4"),
    domain={beta: MOMENTUM},
    lhs=r"h_{\max}",
)
