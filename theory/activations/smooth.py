"""The logistic function, the hyperbolic tangent and their derivatives on the whole line."""

import numpy as np
from scipy.special import expit
from sympy import exp

from theory.formula import Formula, Source
from theory.symbols import real

x = real("x")
SOURCE = Source("nerva", "section 5")


def _both_tails(scale: float):
    """scale e^-|t| / (1 + e^-|t|)^2, which no sign of t overflows."""

    def numeric(t):
        small = np.exp(-np.abs(t))
        return scale * small / (1 + small) ** 2

    return numeric


sigmoid = Formula(
    "the logistic function", 1 / (1 + exp(-x)), [x], source=SOURCE, numeric=expit, lhs=r"\sigma(x)"
)  # fmt: skip

sigmoid_slope = Formula(
    "derivative of the logistic function, sigma (1 - sigma), in a form that keeps both tails",
    exp(-x) / (1 + exp(-x)) ** 2,
    [x],
    source=SOURCE,
    numeric=_both_tails(1.0),
    lhs=r"\sigma'(x)",
)

tanh = Formula(
    "the hyperbolic tangent",
    (exp(x) - exp(-x)) / (exp(x) + exp(-x)),
    [x],
    source=SOURCE,
    numeric=np.tanh,
    lhs=r"\tanh(x)",
)

tanh_slope = Formula(
    "derivative of the hyperbolic tangent, 1 - tanh^2, in a form that keeps both tails",
    4 / (exp(x) + exp(-x)) ** 2,
    [x],
    source=SOURCE,
    numeric=lambda x: _both_tails(4.0)(2 * x),
    lhs=r"\tanh'(x)",
)
