"""The single ReLU in the paper's rotated coordinates: U maps w to ||w|| e_L, so that activity depends on x_L only.

U is an orthogonal matrix that depends on w; its last row is w/||w||, the others are any basis across w. ``dw`` is a
component of the rotated deviation U (w - Lambda): along w it is s - p, and across w what Lambda has there, negative.
"""

from functools import partial

from sympy import Integer

from theory.formula import Formula, Interval, Source
from theory.numerics.normal_tails import Phi, phi, truncated
from theory.numerics.pairs import refined
from theory.relu_unit.frame import DOMAIN, SIZE, b, s
from theory.symbols import real

dw, x = real("dw x")

kappa = b / s
_formula = partial(Formula, domain={**DOMAIN, dw: SIZE})


def _terms(chosen):
    """A float64 form from the truncated moments and the arguments before s."""

    def terms(*columns):
        *given, s = columns
        t = truncated(given[-1] / s)
        return [t.scale * part for part in chosen(t, *given)]

    return refined(terms)


law = Formula(
    "P((U x)_L <= x) for the last component of the rotated input",
    Phi(x),
    source=Source("relu", "section 5, after eq. (22)"),
    domain={x: Interval(-1e9, 1e9)},
    lhs=r"P\left(\tilde x_L \leq x\right)",
    symbols={"x": "any real number"},
)

covariance = Formula(
    "covariance of two components of the rotated input U x",
    Integer(0),
    source=Source("relu", "eq. (14)"),
    lhs=r"\mathrm{Cov}\left[\tilde x_i, \tilde x_j\right]",
)

cross_term = Formula(
    "E[x_i x_L; active] for rotated inputs, i across w: zero",
    Integer(0),
    source=Source("relu", "eq. (34), first term"),
    lhs=r"E\left[1_{\tilde x_L > -\kappa} \, \tilde x_i \tilde x_L\right]",
)

square_term = _formula(
    "E[x_L^2; active] for the rotated input along w",
    Phi(kappa) - kappa * phi(kappa),
    [b, s],
    source=Source("relu", "eq. (34), second term"),
    numeric=_terms(lambda t, _b: [t.second]),
    lhs=r"E\left[1_{\tilde x_L > -\kappa} \, \tilde x_L^2\right]",
)

linear_term = _formula(
    "b E[x_L; active] for the rotated input along w",
    b * phi(kappa),
    [b, s],
    source=Source("relu", "eq. (34), third term"),
    numeric=_terms(lambda t, b: [b * t.density]),
    lhs=r"b \, E\left[1_{\tilde x_L > -\kappa} \, \tilde x_L\right]",
)

other_gradient = _formula(
    "gradient in the rotated coordinates across w, from the rotated deviation dw = (U (w - Lambda))_i",
    dw * Phi(kappa),
    [dw, b, s],
    source=Source("relu", "eq. (27)"),
    lhs=r"\frac{\partial \mathcal{L}}{\partial \tilde w_i}",
    symbols={"dw": "component i of the rotated deviation U (w - Lambda), i < L"},
)

last_gradient = _formula(
    "gradient in the rotated coordinate along w, from the rotated deviation dw = (U (w - Lambda))_L",
    dw * (Phi(kappa) - kappa * phi(kappa)) + b * phi(kappa),
    [dw, b, s],
    source=Source("relu", "eq. (28)"),
    numeric=_terms(lambda t, dw, b: [dw * t.second, b * t.density]),
    lhs=r"\frac{\partial \mathcal{L}}{\partial \tilde w_L}",
    symbols={"dw": "last component of the rotated deviation U (w - Lambda)"},
)

bias_gradient = _formula(
    "gradient with respect to the bias, from the rotated deviation dw = (U (w - Lambda))_L",
    dw * phi(kappa) + b * Phi(kappa),
    [dw, b, s],
    source=Source("relu", "eq. (29)"),
    numeric=_terms(lambda t, dw, b: [dw * t.density, b * t.probability]),
    lhs=r"\frac{\partial \mathcal{L}}{\partial b}",
    symbols={"dw": "last component of the rotated deviation U (w - Lambda)"},
)
