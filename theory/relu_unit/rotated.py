"""The single ReLU in the paper's rotated coordinates: U maps w to ||w|| e_L, so that only x_L decides about activity.

U is an orthogonal matrix that depends on w; its last row is w/||w||, the others are any basis across w. ``dw`` is a
component of the rotated deviation U (w - Lambda): along w it is s - p, and across w what Lambda has there, negative.
"""

from __future__ import annotations

import numpy as np
from sympy import Integer

from theory.formula import Formula, Interval, Source
from theory.numerics.normal_tails import Phi, phi, truncated
from theory.numerics.pairs import refined
from theory.relu_unit.frame import b, domain, s
from theory.symbols import real

__all__ = ["bias_gradient", "covariance", "cross_term", "last_gradient", "law", "linear_term", "other_gradient",
           "square_term"]  # fmt: skip

dw, x = real("dw"), real("x")

kappa = b / s


law = Formula(
    "P((U x)_L <= x) for the last component of the rotated input",
    Phi(x),
    source=Source("relu", "section 5, after eq. (22)"),
    domain={x: Interval(-1e9, 1e9)},
)

covariance = Formula(
    "covariance of two components of the rotated input U x",
    Integer(0),
    source=Source("relu", "eq. (14)"),
)


def _truncated_terms(chosen):
    def terms(b, s):
        with np.errstate(over="ignore"):
            t = truncated(b / s)
        return [t.scale * chosen(t, b)]

    return terms


cross_term = Formula(
    "E[x_i x_L; active] for rotated inputs, i across w: zero",
    Integer(0),
    source=Source("relu", "eq. (34), first term"),
)

square_term = Formula(
    "E[x_L^2; active] for the rotated input along w",
    Phi(kappa) - kappa * phi(kappa),
    [b, s],
    source=Source("relu", "eq. (34), second term"),
    domain=domain([b, s]),
    numeric=refined(_truncated_terms(lambda t, _b: t.second), lambda: square_term),
)

linear_term = Formula(
    "b E[x_L; active] for the rotated input along w",
    b * phi(kappa),
    [b, s],
    source=Source("relu", "eq. (34), third term"),
    domain=domain([b, s]),
    numeric=refined(_truncated_terms(lambda t, b: b * t.density), lambda: linear_term),
)


other_gradient = Formula(
    "gradient in the rotated coordinates across w, from the rotated deviation dw = (U (w - Lambda))_i",
    dw * Phi(kappa),
    [dw, b, s],
    source=Source("relu", "eq. (27)"),
    domain=domain([dw, b, s]),
)


def _scaled(dw_terms):
    """Float64 forms in terms of dw = s - p: what multiplies dw and what multiplies the bias."""

    def terms(dw, b, s):
        with np.errstate(over="ignore"):
            t = truncated(b / s)
        return [t.scale * part for part in dw_terms(t, dw, b)]

    return terms


last_gradient = Formula(
    "gradient in the rotated coordinate along w, from the rotated deviation dw = (U (w - Lambda))_L",
    dw * (Phi(kappa) - kappa * phi(kappa)) + b * phi(kappa),
    [dw, b, s],
    source=Source("relu", "eq. (28)"),
    domain=domain([dw, b, s]),
    numeric=refined(_scaled(lambda t, dw, b: [dw * t.second, b * t.density]), lambda: last_gradient),
)

bias_gradient = Formula(
    "gradient with respect to the bias, from the rotated deviation dw = (U (w - Lambda))_L",
    dw * phi(kappa) + b * Phi(kappa),
    [dw, b, s],
    source=Source("relu", "eq. (29)"),
    domain=domain([dw, b, s]),
    numeric=refined(_scaled(lambda t, dw, b: [dw * t.density, b * t.probability]), lambda: bias_gradient),
)
