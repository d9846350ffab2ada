"""The logistic function, the hyperbolic tangent and their derivatives on the whole line."""

from functools import partial

import numpy as np
from scipy.special import expit
from sympy import exp

from theory.formula import Formula, Source
from theory.symbols import real

x = real("x")


_formula = partial(Formula, arguments=[x], source=Source("nerva", "section 5"))


def _both_tails(t, scale=1.0):
    """scale e^-|t| / (1 + e^-|t|)^2, which no sign of t overflows."""
    small = np.exp(-np.abs(t))
    return scale * small / (1 + small) ** 2


sigmoid = _formula("the logistic function", 1 / (1 + exp(-x)), numeric=expit, lhs=r"\sigma(x)")

sigmoid_slope = _formula(
    "derivative of the logistic function, sigma (1 - sigma), in a form that keeps both tails",
    exp(-x) / (1 + exp(-x)) ** 2,
    numeric=_both_tails,
    lhs=r"\sigma'(x)",
)

tanh = _formula(
    "the hyperbolic tangent",
    (exp(x) - exp(-x)) / (exp(x) + exp(-x)),
    numeric=np.tanh,
    lhs=r"\tanh(x)",
)

tanh_slope = _formula(
    "derivative of the hyperbolic tangent, 1 - tanh^2, in a form that keeps both tails",
    4 / (exp(x) + exp(-x)) ** 2,
    numeric=lambda x: _both_tails(2 * x, 4.0),
    lhs=r"\tanh'(x)",
)
