r"""Variances in a stack of layers of neural multiplication units, one after another, all of one width H.

The outputs of a layer share their inputs, so they are not independent, and the moments of the next layer do not follow
from (52)-(55). Two cases are exact: the second layer, and, at any depth, *weights 0 or 1 with probability 1/2 and
inputs +-1*, the layer that Var[W] = 1/4 at unit variance asks for. Write z_h = (-1)^{b_h}: a layer maps b to A b modulo
2 with A a uniformly random binary matrix, so A b is uniform for b != 0, and b = 0 stays. P(b_l != 0) =
(1 - 2^-H)^(l+1), hence after l layers

.. math:: E[z] = 1 - (1 - 2^{-H})^l, \qquad \operatorname{Var}[z] = 1 - E[z]^2.

The variance is kept for about 2^H layers, then all outputs are 1. Second moments are kept exactly. Even under
independence a small relative deviation of the input variance is multiplied by H V/(1 + V), which is H/2 at V = 1.

Two layers: given the inputs x, outputs of the first are independent with moments M = prod m(x_h), Q = prod q(x_h),
where m(x) = (1 + x)/2, q(x) = w x^2 + (1 - 2 w) x + w and w = E[W^2]; so the second moment of the second layer is
E_x[(w Q + (1 - 2 w) M + w)^H]. For inputs +-1 and binary weights it is 1. For *uniform* inputs of unit variance, where
(66) and (68) ask for the same weights, it is 1.11 at H = 2, 5.5 at H = 4 and 1.6e15 at H = 10.
"""

from functools import partial

import numpy as np
from sympy import Add, Expr, Integer, Rational, binomial, sqrt

from theory.arguments import made_once_for
from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair, difference_of_powers, power
from theory.symbols import count, nonnegative

width, layers = count("width layers")
var_w, input_variance = nonnegative("var_w input_variance")

HALF, QUARTER = Rational(1, 2), Rational(1, 4)
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

# --- two layers ---------------------------------------------------------------------------------------------------

MAX_WIDTH = 20
_DOMAIN = {var_w: Interval(0, 0.25), input_variance: Interval(1e-3, 100), width: Interval(1, MAX_WIDTH, integer=True)}
_second = partial(Formula, domain=_DOMAIN)
_exactly = partial(_second, source=Source("nau", "eq. (8), two layers"))
_w = var_w + QUARTER
_first_mean = HALF**width
_first_square = (_w * (1 + input_variance)) ** width

second_layer_mean_independent = _second(
    "mean of the second of two NMU layers, as if its inputs were independent; E[W] = 1/2, E[x] = 0",
    ((1 + _first_mean) / 2) ** width,
    lhs=r"E\left[z_{h_2}\right]",
    source=Source("nau", "eq. (52), second layer"),
)


def _second_layer_variance_independent(var_w, input_variance, width):
    square = (Pair(var_w) + 0.25) * (Pair(input_variance) + 1.0)
    spread = Pair(var_w) * (Pair(input_variance) + 1.0) + Pair(input_variance) * 0.25
    first = difference_of_powers(square, Pair(np.full_like(var_w, 0.25)), spread, width)
    half = Pair(0.5 + np.exp2(-width - 1))
    mean_square = half * half
    rest = (1 - np.exp2(-width)) ** 2
    factor = Pair(var_w * first + var_w * rest + first / 4)
    return difference_of_powers(mean_square + factor, mean_square, factor, width)


second_layer_variance_independent = _second(
    "variance of the second of two NMU layers, as if its inputs were independent; E[W] = 1/2, E[x] = 0",
    (_w * _first_square + (1 - 2 * _w) * _first_mean + _w) ** width - second_layer_mean_independent.expr**2,
    [var_w, input_variance, width],
    lhs=r"\mathrm{Var}\left[z_{h_2}\right]",
    source=Source("nau", "eqs. (54) and (55), second layer"),
    numeric=_second_layer_variance_independent,
)


def _over_signs(width: int, term) -> Expr:
    """E over inputs +-sd of a function of how many are positive and how many negative."""
    return Add(*(binomial(width, k) * term(width - k, k) for k in range(width + 1))) / 2**width


def _second_mean(width: int) -> Expr:
    sd = sqrt(input_variance)
    return _over_signs(width, lambda up, down: ((1 + ((1 + sd) / 2) ** up * ((1 - sd) / 2) ** down) / 2) ** width)


@made_once_for("width", MAX_WIDTH)
def second_layer_mean(width: int) -> Formula:
    """Mean of an output of the second of two NMU layers with E[W] = 1/2 and inputs +-sd, exactly.

    Parameters
    ----------
    width : int
        Inputs and units of both layers, 1 to 20.

    Returns
    -------
    Formula
        In ``input_variance``.

    Raises
    ------
    ValueError
        For another width.

    Source: nau, eq. (8), two layers.

    Examples
    --------
    >>> second_layer_mean(2)(1.0), second_layer_mean_independent(2)
    (0.4375, 0.390625)
    """
    return _exactly(
        f"mean of the second of two NMU layers of width {width}; E[W] = 1/2, inputs +-sd",
        _second_mean(width),
        [input_variance],
        lhs=r"E\left[z_{h_2}\right]",
    )


@made_once_for("width", MAX_WIDTH)
def second_layer_variance(width: int) -> Formula:
    """Variance of an output of the second of two NMU layers with E[W] = 1/2 and inputs +-sd, exactly.

    A formula in ``var_w`` and ``input_variance``; widths and errors as in :func:`second_layer_mean`.

    Source: nau, eq. (8), two layers.

    Examples
    --------
    >>> exact, independent = second_layer_variance(4)(0.2, 1.5), second_layer_variance_independent(0.2, 1.5, 4)
    >>> round(exact, 4), round(independent, 4)
    (2.181, 1.9132)
    """
    sd = sqrt(input_variance)
    up, down = (_w * input_variance + s * (1 - 2 * _w) * sd + _w for s in (1, -1))

    def term(ups, downs):
        first_square = up**ups * down**downs
        first_mean = ((1 + sd) / 2) ** ups * ((1 - sd) / 2) ** downs
        return (_w * first_square + (1 - 2 * _w) * first_mean + _w) ** width

    square, mean = _over_signs(width, term), _second_mean(width)
    second_moment = _second("second moment", square, [var_w, input_variance])

    def numeric(var_w, input_variance):
        second = second_moment(var_w, input_variance)
        with np.errstate(over="ignore", invalid="ignore"):
            result = second - second_layer_mean(width)(input_variance) ** 2
        return result, ~(result > 0.05 * second)

    return _exactly(
        f"variance of the second of two NMU layers of width {width}; E[W] = 1/2, inputs +-sd",
        square - mean**2,
        [var_w, input_variance],
        lhs=r"\mathrm{Var}\left[z_{h_2}\right]",
        numeric=numeric,
    )


binary_second_layer_square_independent = _second(
    "second moment of the second of two NMU layers, as if its inputs were independent; weights 0 or 1, E[x] = 0",
    ((1 + ((1 + input_variance) / 2) ** width) / 2) ** width,
    [input_variance, width],
    lhs=r"E\left[z_{h_2}^2\right]",
    source=Source("nau", "eq. (55), second layer"),
    numeric=lambda input_variance, width: power(
        Pair(0.5 * power((Pair(input_variance) + 1.0) * 0.5, width)) + 0.5, width
    ),
)


@made_once_for("width", MAX_WIDTH)
def binary_second_layer_square(width: int) -> Formula:
    """Second moment of the second of two NMU layers with weights 0 or 1 and uniform inputs of mean zero, exactly.

    A formula in ``input_variance``; widths and errors as in :func:`second_layer_mean`.

    Notes
    -----
    An output is a product of powers of the inputs. If a units of the first layer are selected, the power of each input
    is binomial, of a trials with probability 1/2, and independent of the others.

    Source: nau, eq. (8), two layers.

    Examples
    --------
    >>> [round(binary_second_layer_square(h)(1.0), 4) for h in (2, 4)]
    [1.11, 5.4731]
    """

    def one_input(selected: int) -> Expr:
        moments = ((3 * input_variance) ** j / Integer(2 * j + 1) for j in range(selected + 1))
        return Add(*(binomial(selected, j) * m for j, m in enumerate(moments))) / 2**selected

    return _exactly(
        f"second moment of the second of two NMU layers of width {width}; weights 0 or 1, uniform inputs of mean zero",
        Add(*(binomial(width, a) * one_input(a) ** width for a in range(width + 1))) / 2**width,
        [input_variance],
        lhs=r"E\left[z_{h_2}^2\right]",
    )
