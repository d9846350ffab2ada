r"""Variances in a stack of layers of neural multiplication units, one after another, all of one width H.

The outputs of a layer share their inputs, so they are not independent, and the moments of the next layer do not follow
from (52)-(55). Two cases are exact: the second layer (:mod:`theory.nmu.second_layer`), and, at any depth, *weights 0 or
1 with probability 1/2 and inputs +-1*, the layer that Var[W] = 1/4 at unit variance asks for. Write z_h = (-1)^{b_h}: a
layer maps b to A b modulo 2 with A a uniformly random binary matrix, so A b is uniform for b != 0, and b = 0 stays.
P(b_l != 0) = (1 - 2^-H)^(l+1), hence after l layers

.. math:: E[z] = 1 - (1 - 2^{-H})^l, \qquad \operatorname{Var}[z] = 1 - E[z]^2.

The variance is kept for about 2^H layers, then all outputs are 1. Second moments are kept exactly. Even under
independence a small relative deviation of the input variance is multiplied by H V/(1 + V), which is H/2 at V = 1.
"""

from functools import partial

import numpy as np
from sympy import Rational

from theory.formula import Formula, Interval, Source
from theory.symbols import count, nonnegative

width, layers = count("width layers")
input_variance = nonnegative("input_variance")

HALF = Rational(1, 2)
LAYERS = Interval(1, 10**6, integer=True)
WIDTH = Interval(1, 500, integer=True)  # 2^-width stays a normal float64
_SIGNS = {width: WIDTH, layers: LAYERS}


def _kept(width, layers):
    """log of P(b != 0) = (1 - 2^-H)^l."""
    return layers * np.log1p(-np.exp2(-width))


_signs = partial(Formula, arguments=[width, layers], source=Source("nau", "eq. (8), in depth"), domain=_SIGNS)

signs_mean = _signs(
    "mean of an output of the last of several NMU layers; weights 0 or 1, inputs +-1",
    1 - (1 - HALF**width) ** layers,
    lhs=r"E\left[z_{h_\ell}\right]",
    numeric=lambda width, layers: -np.expm1(_kept(width, layers)),
)

signs_variance = _signs(
    "variance of an output of the last of several NMU layers; weights 0 or 1, inputs +-1",
    1 - (1 - (1 - HALF**width) ** layers) ** 2,
    lhs=r"\mathrm{Var}\left[z_{h_\ell}\right]",
    numeric=lambda width, layers: np.exp(_kept(width, layers)) * (1 - np.expm1(_kept(width, layers))),
)

signs_covariance = _signs(
    "covariance of two outputs of the last of several NMU layers; weights 0 or 1, inputs +-1",
    (1 - HALF**width) ** layers * (1 - (1 - HALF**width) ** layers),
    lhs=r"\mathrm{Cov}\left[z_{\ell, 1}, z_{\ell, 2}\right]",
    numeric=lambda width, layers: -np.exp(_kept(width, layers)) * np.expm1(_kept(width, layers)),
)

second_moment_elasticity = Formula(
    "relative change of the second moment of an NMU for a relative change of its input variance; E[W] = 1/2, E[z] = 0",
    width * input_variance / (1 + input_variance),
    [width, input_variance],
    lhs=r"\frac{\partial \log E\left[z_{h_\ell}^2\right]}{\partial \log \mathrm{Var}\left[z_{h_{\ell-1}}\right]}",
    source=Source("nau", "eq. (55), derivative"),
    domain={width: Interval(1, 10**6, integer=True), input_variance: Interval(0, 1e50)},
)
