r"""ELU and SELU: E[phi(u)], E[phi(u)^2] and E[phi'(u)^2] for u ~ N(0, variance).

ELU is u above 0 and alpha (e^u - 1) below; SELU is lambda times that, with the alpha and lambda for which mean 0 and
variance 1 are a fixed point (Klambauer et al., "Self-normalizing neural networks", 2017). Below 0 everything comes from

.. math:: E[e^{k u}; u < 0] = \tfrac12 e^{k^2 v / 2} \operatorname{erfc}(k \sqrt{v/2}),

which is half of the scaled complementary error function. The terms cancel for a small variance v, and few points with
many digits stand in there.
"""

from functools import partial

import numpy as np
from scipy.special import erfcx
from sympy import Rational, erfc, exp, pi, sqrt

from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import refined
from theory.symbols import positive

variance, alpha = positive("variance alpha")
SOURCE = Source("constants", "maps of moments")
DOMAIN = {variance: Interval(1e-12, 1e4), alpha: Interval(0.1, 10)}


def _below(k):
    """E[e^(k u); u < 0]."""
    return exp(k**2 * variance / 2) * erfc(k * sqrt(variance / 2)) / 2


def _half(k, v):
    return erfcx(k * np.sqrt(v / 2)) / 2


_elu = partial(Formula, arguments=[variance, alpha], source=SOURCE, domain=DOMAIN)

elu_mean = _elu(
    "mean of ELU",
    sqrt(variance / (2 * pi)) + alpha * (_below(1) - Rational(1, 2)),
    numeric=refined(lambda v, a: [np.sqrt(v / (2 * np.pi)), a * _half(1, v), np.broadcast_to(-a / 2, v.shape)]),
)

elu_second_moment = _elu(
    "second moment of ELU",
    variance / 2 + alpha**2 * (_below(2) - 2 * _below(1) + Rational(1, 2)),
    numeric=refined(lambda v, a: [v / 2, a**2 * _half(2, v), -2 * a**2 * _half(1, v), a**2 / 2 + 0 * v]),
)

elu_slope_second_moment = _elu(
    "mean square of the derivative of ELU",
    Rational(1, 2) + alpha**2 * _below(2),
    numeric=lambda v, a: 0.5 + a**2 * _half(2, v),
)

_ROOT_E = exp(Rational(1, 2))
# E[SELU] = 0 at variance 1 fixes alpha, E[SELU^2] = 1 then lambda.
_FIRST = _ROOT_E * erfc(1 / sqrt(2))
_SECOND = exp(2) * erfc(sqrt(2))

selu_alpha = Formula("the alpha of SELU", sqrt(2 / pi) / (1 - _FIRST), [], source=SOURCE)
selu_scale = Formula(
    "the lambda of SELU",
    1 / sqrt(Rational(1, 2) + selu_alpha.expr**2 * (_SECOND / 2 - _FIRST + Rational(1, 2))),
    source=SOURCE,
)
