r"""Variances in a stack of layers of NAC multiplication, one after another, all of one width H; eps = 0.

Layers act linearly on logarithms: log|z_out| = sum_h W_h log|z_h|. With E[W] = 0, whatever the inputs are and however
they depend on each other, E[log^2] is multiplied by H Var[W] in each layer. It is kept exactly by Var[W] = 1/H, for
*any* inputs. Glorot's 2/(fan_in + fan_out) at equal widths is this marginal case; the variance of the logarithm
explodes if and only if H Var[W] > 1. Typical sizes do worse: with normal weights log of the squared length of the
logarithms gains log(2 Var[W]) + psi(H/2) on average, which is below log(H Var[W]).

The variance of z itself has three regimes, for weights with largest magnitude w. If H w < 1, then
|log z| <= (H w)^l max|log x| surely, and the variance vanishes. If H w > 1, then E[z^2] grows without limit however
small H Var[W] is, by events of probability p^(H^2 l) on which |log z| grows like (H w')^l. If also H Var[W] < 1, log z
vanishes in mean square all the while: the explosion is there, and no simulation of moderate size will see it. (The
variance grows with E[z^2]: log z is symmetric, so that E[z] = E[cosh], E[z^2] = E[2 cosh^2 - 1] and, by Jensen's
inequality, Var[z] >= (E[z^2] - 1)/2.)
"""

from functools import partial

import numpy as np
from scipy.special import digamma as digamma_float
from sympy import Rational, digamma, exp, log

from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair, power
from theory.symbols import count, nonnegative, positive

width, layers = count("width layers")
var_w, log_square = nonnegative("var_w log_square")
max_w, max_log, share, log_input, log_mean = positive("max_w max_log share log_input log_mean")

DOMAIN = {
    width: Interval(1, 10**6, integer=True),
    layers: Interval(1, 1000, integer=True),
    var_w: Interval(0, 1e6),
    log_square: Interval(0, 1e6),
    log_mean: Interval(1e-6, 1e6),
}
_logarithms = partial(Formula, source=Source("nau", "eq. (4), logarithms"), domain=DOMAIN)

log_growth = _logarithms(
    "factor by which a NAC multiplication layer with E[W] = 0 and eps = 0 multiplies the second moment of log|z|",
    width * var_w,
    [var_w, width],
    lhs=r"\frac{E\left[\log^2 \left|z_{h_\ell}\right|\right]}{E\left[\log^2 \left|z_{h_{\ell-1}}\right|\right]}",
    domain={**DOMAIN, var_w: Interval(0, 1e50)},
)

log_second_moment = _logarithms(
    "second moment of log|z| after several NAC multiplication layers, E[W] = 0, eps = 0, from its mean over the inputs",
    log_square * (width * var_w) ** layers,
    [var_w, log_square, width, layers],
    lhs=r"E\left[\log^2 \left|z_{h_\ell}\right|\right]",
    numeric=lambda var_w, log_square, width, layers: np.exp(
        Pair(log_square).log_abs() + layers * (Pair(width) * var_w).log_abs()
    ),
)


def _gaussian_log_length(var_w, width, layers):
    first, second = np.log(2 * var_w), digamma_float(width / 2)
    near = np.abs(first + second) < 0.05 * np.maximum(np.abs(first), np.abs(second))
    return layers * (first + second), near


gaussian_log_length = _logarithms(
    "mean of what log of the mean square of log|z| gains over NAC multiplication layers with normal weights",
    layers * (log(2 * var_w) + digamma(Rational(1, 2) * width)),
    [var_w, width, layers],
    lhs=r"E\left[\log \frac{\sum \log^2 \left|z_{h_\ell}\right|}{\sum \log^2 \left|z_{h_0}\right|}\right]",
    domain={**DOMAIN, var_w: Interval(1e-50, 1e50)},
    numeric=_gaussian_log_length,
)

_BOUNDED = {
    max_w: Interval(1e-6, 1),
    max_log: Interval(1e-3, 10),
    width: Interval(1, 10**4, integer=True),
    layers: Interval(1, 100, integer=True),
}
_in_depth = partial(Formula, source=Source("nau", "eq. (4), in depth"), domain=_BOUNDED)

variance_bound = _in_depth(
    "bound of the variance of z after NAC multiplication layers with |W| <= max_w, from inputs with |log x| <= max_log",
    (exp((width * max_w) ** layers * max_log) - 1) ** 2,
    [max_w, max_log, width, layers],
    lhs=r"\sup\, (z_{h_\ell} - 1)^2",
    # By logarithms of the exact product H w.
    numeric=lambda max_w, max_log, width, layers: (
        np.expm1(np.exp(layers * (Pair(width) * max_w).log_abs() + np.log(max_log))) ** 2
    ),
)


def _rare_log_bound(max_w, share, log_input, width, layers):
    gain = 2 * power(Pair(width) * max_w * share, layers) * log_input
    cost = (width**2 * (layers - 1) + width) * np.log(2 / (1 - share))
    return gain - cost, np.abs(gain - cost) < 0.1 * np.maximum(gain, cost)


rare_log_bound = _in_depth(
    "lower bound of log E[z^2] after NAC multiplication layers with W ~ U[-max_w, max_w] and log x >= log_input: what "
    "the event contributes that all weights are above share max_w",
    2 * (width * max_w * share) ** layers * log_input
    - (width**2 * (layers - 1) + width) * log(2 / (1 - share)),
    [max_w, share, log_input, width, layers],
    domain={
        **_BOUNDED,
        max_w: Interval(1e-3, 10),
        share: Interval(0.01, 0.99),
        log_input: Interval(1e-3, 10),
    },
    numeric=_rare_log_bound,
)  # fmt: skip

taylor_log_growth = Formula(
    "factor by which the Taylor form of a NAC multiplication layer multiplies the logarithm of the mean",
    width * log(1 + var_w * log_mean**2 / 2) / log_mean,
    [var_w, log_mean, width],
    lhs=r"\frac{\log E[z_{h_\ell}]}{\log E[z_{h_{\ell-1}}]}",
    source=Source("nau", "eq. (41), in depth"),
    domain=DOMAIN,
    numeric=lambda var_w, log_mean, width: width * np.log1p(var_w * log_mean**2 / 2) / log_mean,
)
