r"""Regression of the target Lambda.x by the affine model w.x + b, for inputs x ~ N(0, I).

With the deviations d = w - Lambda and b, the loss E[(w.x + b - Lambda.x)^2]/2 is (|d|^2 + b^2)/2 and its gradient is
(d, b): the Hessian is the identity, and each parameter follows the linear system of :mod:`theory.momentum.spectrum`
with curvature 1. Rotations of the input space allow Lambda = (0, ..., 0, gamma).

**Into the dead cone.** Without momentum at the start all parameters share one factor c_t, so that
(w_t, b_t) = (Lambda + c_t d_0, c_t b_0). The path gets as far beyond its optimum as the overshoot o = -inf c_t.
From a start in the linear cone, b_0 >= z |w_0|, with w_L along the target and w_perp across, it enters the dead cone
b < -z |w| if and only if

.. math:: \gamma < \gamma_{crit} = \frac{o}{1 + o} \Bigl(w_L + \sqrt{b_0^2/z^2 - |w_\perp|^2}\Bigr), \qquad
          z = -\Phi^{-1}(\epsilon).

This needs a step that is stable: else o is infinite, and the path gets there more than once. Every oscillating pair of
step size and momentum has o > 0, hence kills for small enough targets. Outside the linear cone the condition is
necessary only: past w = 0 the path may leave the dead cone again, and may step over it.
"""

from typing import Any

import numpy as np
from scipy.special import ndtr
from sympy import Rational, erfc, pi, sqrt

from theory.arguments import number, reals, require
from theory.formula import Formula, Interval, Source
from theory.momentum.spectrum import MOMENTUM, STEP, beta, eta, value
from theory.momentum.trajectory import deviation
from theory.numerics.pairs import Pair
from theory.symbols import nonnegative, positive, real

norm_d = nonnegative("norm_d")
b, w, lam, m, e, y, mu, beta_0, level, ratio = real("b w Lambda m e y mu beta_0 level ratio")
gamma, sigma, o, w_0, b_0, z = positive("gamma sigma o w_0 b_0 z")

VALUE = Interval(-1e6, 1e6)
SCALE = Interval(1e-6, 1e6)
# Below -37 the normal distribution function leaves float64.
RATIO = Interval(-37, 37)


def _relu(place: str) -> Source:
    return Source("relu", place)


normalised_target = Formula(
    "a target value after normalisation to scale gamma and shift beta_0",
    gamma * (y - mu) / sigma + beta_0,
    [y, mu, sigma, gamma, beta_0],
    source=_relu("eq. (1)"),
    domain={y: VALUE, mu: VALUE, sigma: SCALE, gamma: SCALE, beta_0: VALUE},
    numeric=lambda y, mu, sigma, gamma, beta_0: (
        value((Pair(y) - mu) * gamma + Pair(beta_0) * sigma) / sigma
    ),
    lhs=r"\tilde y",
    symbols={
        "y": "target value", "mu": "mean of the target values", "sigma": "standard deviation of the target values",
        "gamma": "scale of the normalised target", "beta_0": "shift of the normalised target",
    },
)  # fmt: skip
linear_target_below = Formula(
    "P(Lambda.x <= level) for |Lambda| = gamma: that of gamma x_L",
    erfc(-level / (sqrt(2) * gamma)) / 2,
    [level, gamma],
    source=_relu("eq. (2)"),
    domain={level: Interval(-30, 30), gamma: Interval(1, 1e6)},
    numeric=lambda level, gamma: ndtr(level / gamma),
    lhs=r"P\left(\Lambda \cdot x \leq \mathrm{level}\right)",
    symbols={"level": "any real number"},
)
relu_target_mean = Formula(
    "E[max(0, Lambda.x)] for |Lambda| = gamma",
    gamma / sqrt(2 * pi),
    source=_relu("eq. (3)"),
    lhs=r"E\left[\max(0, \Lambda \cdot x)\right]",
)
relu_target_variance = Formula(
    "Var[max(0, Lambda.x)] for |Lambda| = gamma: the standard deviation of this target is not gamma",
    gamma**2 * (Rational(1, 2) - 1 / (2 * pi)),
    source=_relu("eq. (5), additional result"),
    domain={gamma: Interval(0, 1e140, open_low=True)},
    lhs=r"\mathrm{Var}\left[\max(0, \Lambda \cdot x)\right]",
)
positive_share = Formula(
    "P(w.x + b > 0) as a function of the ratio b/|w|",
    erfc(-ratio / sqrt(2)) / 2,
    source=_relu("section 4, Figure 2"),
    domain={ratio: RATIO},
    numeric=ndtr,
    lhs=r"P\left(w \cdot x + b > 0\right)",
    symbols={"ratio": "b/||w||"},
)
loss = Formula(
    "E[(w.x + b - Lambda.x)^2]/2 for |w - Lambda| = norm_d",
    (norm_d**2 + b**2) / 2,
    [norm_d, b],
    source=_relu("eq. (16)"),
    domain={norm_d: Interval(0, 1e140), b: Interval(-1e140, 1e140)},
    lhs=r"\mathcal{L}(w, b)",
)
gradient_w = Formula(
    "dL/dw of one weight",
    w - lam,
    [w, lam],
    source=_relu("eq. (17)"),
    domain={w: VALUE, lam: VALUE},
    lhs=r"\frac{\partial \mathcal{L}}{\partial w}",
    symbols={"w": "one weight", "Lambda": "the same component of Lambda"},
)
gradient_b = Formula("dL/db", b, [b], source=_relu("eq. (18)"), lhs=r"\frac{\partial \mathcal{L}}{\partial b}")
gradient_w_variance = Formula(
    "variance of dL/dw of one weight over single observations",
    b**2 + norm_d**2 + (w - lam) ** 2,
    [w, lam, norm_d, b],
    source=_relu("eq. (17), additional result"),
    domain={w: VALUE, lam: VALUE, norm_d: Interval(0, 1e6), b: VALUE},
    lhs=r"\mathrm{Var}\left[\varepsilon x_i\right]",
    symbols={"w": "weight i", "Lambda": "component i of Lambda"},
)
gradient_b_variance = Formula(
    "variance of dL/db over single observations",
    norm_d**2,
    source=_relu("eq. (18), additional result"),
    domain={norm_d: Interval(0, 1e140)},
    lhs=r"\mathrm{Var}\left[\varepsilon\right]",
)
next_momentum = Formula(
    "the momentum of a parameter after one step: first row of the matrix times (momentum, deviation)",
    beta * m + (1 - beta) * e,
    [m, e, beta],
    source=_relu("eq. (20), first row"),
    domain={m: VALUE, e: VALUE, beta: MOMENTUM},
    numeric=lambda m, e, beta: _kept(Pair(beta) * m + (1 - Pair(beta)) * e, m, e),
    lhs=r"m'",
)

next_deviation = Formula(
    "the deviation of a parameter after one step: second row of the matrix times (momentum, deviation)",
    -eta * beta * m + (1 - eta * (1 - beta)) * e,
    [m, e, eta, beta],
    source=_relu("eq. (20), second row"),
    domain={m: VALUE, e: VALUE, eta: STEP, beta: MOMENTUM},
    numeric=lambda m, e, eta, beta: _kept((1 - (1 - Pair(beta)) * eta) * e - Pair(eta) * beta * m, m, e),
    lhs=r"e'",
)


def _kept(pair, m, e):
    """A sum of terms in m and e, and where nearly all 32 digits of it cancel."""
    found = value(pair)
    return found, np.abs(found) < 1e-16 * np.maximum(np.abs(m), np.abs(e))


critical_target_scale_form = Formula(
    "the target scale below which an overshoot o carries a start in the linear cone into the dead cone",
    o / (1 + o) * (w_0 + b_0 / z),
    [o, w_0, b_0, z],
    source=_relu("additional to section 5"),
    domain={o: SCALE, w_0: SCALE, b_0: SCALE, z: SCALE},
    requires=[b_0 >= z * w_0],
    lhs=r"\gamma_{\mathrm{crit}}",
)


def path(
    w_0: Any, b_0: float, target_weights: Any, step_size: float, momentum: float, steps: Any, *, convention: str = "ema"
) -> tuple[np.ndarray, np.ndarray]:
    """Parameters of the affine model after some steps of gradient descent, started with momentum zero.

    Parameters
    ----------
    w_0, target_weights : array (inputs,)
        Weights at the start, and Lambda.
    b_0 : float
        Bias at the start.
    step_size, momentum, convention
        As in :func:`theory.momentum.matrix`, for a single setting; the curvature is 1.
    steps : int or integer array (...)
        In [0, 1000000].

    Returns
    -------
    (w, b) : array (..., inputs), array (...)

    Raises
    ------
    ValueError
        For an argument outside its domain.

    Source: relu, eq. (19).

    Examples
    --------
    >>> w, b = path([1.0], 3.0, [0.1], 0.1, 0.9, [0, 35])
    >>> (b / abs(w[:, 0])).round(2)
    array([  3.  , -12.14])
    """
    b_0 = number("path", "b_0", b_0)
    start, goal = reals("path", w_0=w_0, target_weights=target_weights)
    for name, given in (("w_0", start), ("b_0", b_0), ("target_weights", goal)):
        require("path", name, given, np.isfinite(given), "be finite", "start from numbers")
    if start.ndim != 1 or start.shape != goal.shape:
        raise ValueError(
            f"path: w_0 and target_weights must have one shape (inputs,), got {start.shape} and {goal.shape}; pass two "
            "vectors"
        )
    factor = np.asarray(deviation(step_size, momentum, steps, convention=convention))
    return goal + factor[..., None] * (start - goal), factor * b_0
