r"""Hessian of the loss of a single ReLU on the linear target, and the curvature at the optimum.

In a basis of w/s, the direction n across it towards Lambda (Lambda.n = t), and the rest, at kappa = b/s

.. math:: H_{ww} = \Phi I + \frac{\kappa \varphi}{s}
              \big[ \Lambda \hat w^T + \hat w \Lambda^T + p I - (s + (3 - \kappa^2) p) \hat w \hat w^T \big], \qquad
          H_{wb} = \frac{\varphi}{s} [w - \Lambda + (1 - \kappa^2) p \hat w], \qquad
          H_{bb} = \Phi + \frac{\kappa \varphi p}{s}.

At the optimum (Lambda, 0) the eigenvalues are 1/2 - phi(0), 1/2 (L - 1 times) and 1/2 + phi(0), whatever gamma: the
condition number is 8.895. Where w does not lie along Lambda, Phi + kappa phi p/s is also the curvature across both.

**The optimum is the only critical point** with w not 0. Across w the gradient is -Phi t, so t = 0. Along w and for b,
s (kappa Phi + phi) = p phi leaves 1 - kappa h - h^2 = 0 with h = phi/Phi unless kappa = 0; but that number is the
variance of a normal variable truncated at -kappa. A dead ReLU, w -> 0 with b < 0, is a limit at which J is flat. And it
is the global optimum: of all outputs of at least 0, max(0, Lambda.x) is nearest to Lambda.x, input by input.

**With a target Lambda.x + delta** the optimum is (Lambda, delta), where kappa = delta/gamma: then, and only then, does
gamma determine in which cone the optimum lies.
"""

from functools import partial
from typing import Any

import numpy as np
from sympy import sqrt

from theory.arguments import require
from theory.formula import Formula, Interval, Source
from theory.numerics.normal_tails import Phi, phi, special, truncated
from theory.numerics.pairs import refined
from theory.relu_unit.frame import DOMAIN, LARGEST, SIZE, b, gamma, geometry, p, s
from theory.symbols import real

t, delta, kappa_star = real("t delta kappa")

SOURCE = Source("relu", "additional to section 5, Hessian")
kappa = b / s


def _entry(says, expr, arguments, terms, *, lhs):
    """An entry of the Hessian; ``terms`` gets the truncated moments and s, p, t as far as they are arguments."""

    @refined
    def numeric(b, s, *rest):
        moments = truncated(b / s)
        return [moments.scale * part for part in terms(moments, s, *rest)]

    symbols = {"t": "component of Lambda across w"} if t in arguments else None
    return Formula(
        says, expr, arguments, source=SOURCE, domain={**DOMAIN, t: SIZE}, numeric=numeric, lhs=lhs, symbols=symbols
    )


def _steep(m):
    """kappa phi, also where kappa is large."""
    return np.where(m.density > 0, m.kappa * m.density, 0.0)


_flat = partial(
    _entry,
    expr=Phi(kappa) + kappa * phi(kappa) * p / s,
    arguments=[b, s, p],
    terms=lambda m, s, p: [m.probability, _steep(m) * p / s],
)
bias_bias = _flat("second derivative with respect to the bias", lhs=r"\frac{\partial^2 \mathcal{L}}{\partial b^2}")

along_bias = _entry(
    "mixed derivative, bias and weights along w",
    phi(kappa) * (s - kappa**2 * p) / s,
    [b, s, p],
    lambda m, s, p: [m.density, -_steep(m) * m.kappa * p / s],
    lhs=r"\frac{\partial^2 \mathcal{L}}{\partial w_{\parallel} \, \partial b}",
)

across_bias = _entry(
    "mixed derivative, bias and weights across w",
    -phi(kappa) * t / s,
    [b, s, t],
    lambda m, s, t: [-m.density * t / s],
    lhs=r"\frac{\partial^2 \mathcal{L}}{\partial w_{\perp} \, \partial b}",
)

along_along = _entry(
    "second derivative with respect to the weights along w",
    Phi(kappa) + kappa * phi(kappa) * (kappa**2 * p - s) / s,
    [b, s, p],
    lambda m, s, p: [m.second, _steep(m) * m.kappa**2 * p / s],
    lhs=r"\frac{\partial^2 \mathcal{L}}{\partial w_{\parallel}^2}",
)

along_across = _entry(
    "mixed derivative of the weights along and across w",
    kappa * phi(kappa) * t / s,
    [b, s, t],
    lambda m, s, t: [_steep(m) * t / s],
    lhs=r"\frac{\partial^2 \mathcal{L}}{\partial w_{\parallel} \, \partial w_{\perp}}",
)

across_across = _flat(
    "second derivative with respect to the weights across w, in any direction",
    lhs=r"\frac{\partial^2 \mathcal{L}}{\partial w_{\perp}^2}",
)

optimum_kappa = Formula(
    "b/||w|| at the optimum (Lambda, delta) of a target Lambda.x + delta",
    delta / gamma,
    [delta, gamma],
    source=Source("relu", "section 5, first key take-away"),
    domain={**DOMAIN, delta: SIZE},
    lhs=r"\frac{b}{\lVert w \rVert}",
)

truncated_variance = Formula(
    "variance of a standard normal variable given that it is above -kappa",
    1 - kappa_star * phi(kappa_star) / Phi(kappa_star) - (phi(kappa_star) / Phi(kappa_star)) ** 2,
    source=Source("relu", "section 5, critical points"),
    domain={kappa_star: Interval(-100, 37)},
    numeric=refined(lambda k: _variance_terms(truncated(k))),
    lhs=r"\mathrm{Var}\left[u \mid u > -\kappa\right]",
)


def _variance_terms(m):
    """In the tail E[y^2] - E[y]^2 of the distance y beyond the threshold, which loses a factor of two at most."""
    left = m.kappa < 0
    h = np.where(left, m.ramp, m.density) / m.probability
    return [np.where(left, m.square / m.probability, 1 - m.kappa * h), -h * h]


def _eigenvalue(sign):
    """Of [[Phi - kappa phi, phi], [phi, Phi]], the block of w/s and b at the optimum."""
    k = kappa_star
    return Phi(k) - k * phi(k) / 2 + sign * phi(k) * sqrt(1 + k**2 / 4)


def _eigenvalue_terms(sign):
    def numeric(kappa):
        m = truncated(kappa)
        root = sign * np.sqrt(1 + m.kappa**2 / 4)
        return [m.scale * m.probability, -m.scale * m.density * m.kappa / 2, m.scale * m.density * root]

    return numeric


_at_optimum = partial(
    Formula,
    arguments=[kappa_star],
    source=SOURCE,
    domain={kappa_star: Interval(-37, 37)},
    symbols={"kappa": "b/||w|| at the optimum: shift of the target over gamma"},
)

largest_eigenvalue = _at_optimum(
    "largest eigenvalue of the Hessian at the optimum, where kappa = delta/gamma; 1/2 + phi(0) for the paper's target",
    _eigenvalue(1),
    numeric=refined(_eigenvalue_terms(1)),
    lhs=r"\mu_{\max}",
)

smallest_eigenvalue = _at_optimum(
    "smallest eigenvalue of the Hessian at the optimum, where kappa = delta/gamma; 1/2 - phi(0) for the paper's target",
    _eigenvalue(-1),
    numeric=refined(_eigenvalue_terms(-1)),
    lhs=r"\mu_{\min}",
)


def hessian(w: Any, b: Any, gamma: Any = None, *, target_weights: Any = None) -> np.ndarray:
    """Second derivatives of :func:`theory.relu_unit.loss` with respect to (w, b).

    Parameters
    ----------
    w, b, gamma, target_weights
        As of :func:`theory.relu_unit.loss`; the target is Lambda.x.

    Returns
    -------
    array (..., L + 1, L + 1)
        Symmetric; the bias is last.

    Raises
    ------
    ValueError
        Where ||w|| or ||Lambda|| is not in [1e-70, 1e70], b is larger, or a value is not finite.

    Source: relu, additional to section 5.

    Examples
    --------
    >>> hessian([0.0, 2.0], 0.0, 2.0).round(6).tolist()
    [[0.5, 0.0, 0.0], [0.0, 0.5, 0.398942], [0.0, 0.398942, 0.5]]
    >>> np.linalg.eigvalsh(hessian([3.0, 4.0], 0.0, target_weights=[3.0, 4.0])).round(9).tolist()
    [0.10105772, 0.5, 0.89894228]
    """
    g = geometry("hessian", w, b, gamma, target_weights)
    require("hessian", "||w||", g.s, g.s >= 1 / LARGEST, f"be at least {1 / LARGEST:g}", "scale all by gamma")
    m = truncated(g.kappa)
    steep = m.scale * _steep(m)
    probability, density = special().ndtr(g.kappa), m.scale * m.density
    flat = probability + steep * g.p / g.s
    along = m.scale * m.second + steep * m.kappa**2 * g.p / g.s
    edge = g.vector(density - steep * m.kappa * g.p / g.s, -density / g.s)
    return g.symmetric(along, flat, steep / g.s, edge, flat)
