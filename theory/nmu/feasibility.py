r"""Feasibility of the criteria of :mod:`theory.nmu.criteria` with weights on [0, 1], and their distributions.

A weight on [0, 1] with mean 1/2 has W^2 <= W, hence a variance of at most 1/4, and equality only where it is 0 or 1
with probability 1/2 each. So a criterion can be met if and only if its variance is in [0, 1/4]:

- *forward*: not negative means ((1 + V)/4)^H <= V + 4^-H, which fails from some V_0(H) on; at most 1/4 means
  V + 4^-H <= ((1 + V)/2)^H, which fails between V_-(H) < 1 < V_+(H): right minus left is convex for H > 1,
  2^-H - 4^-H > 0 at V = 0 and -4^-H < 0 at V = 1. As H grows V_- ~ 2^-H, V_+ -> 1 and V_0 -> 3.
  **At V = 1, which the paper assumes, no layer can meet it**: it asks for about 4^-H/(2H) more than 1/4.
- *backward*: 2 (2/(1 + V))^(H-1) <= H_l <= 4 (4/(1 + V))^(H-1); at V = 1 for 2 <= H_l <= 2^(H+1).
"""

from functools import partial

import numpy as np
import scipy
from sympy import Rational

from theory.arguments import whole_within
from theory.formula import Formula, Interval, Source
from theory.nmu.criteria import DOMAIN, LOG_4, backward_weight_variance, fan_in, forward_weight_variance, input_variance
from theory.numerics.pairs import Pair, log_of_sum
from theory.symbols import positive

weight_variance = positive("weight_variance")

_fan_out = partial(
    Formula, arguments=[fan_in, input_variance], source=Source("nau", "eq. (67), weights on [0, 1]"), domain=DOMAIN
)
# The relative error of the limits as computed.
LIMIT_ERROR = 1e-12

backward_least_fan_out = _fan_out(
    "least number of outputs for which a weight on [0, 1] keeps the variance of the gradient",
    2 * (2 / (1 + input_variance)) ** (fan_in - 1),
    lhs=r"\min H_\ell",
    numeric=lambda fan_in, v: 2 * np.exp((1 - fan_in) * ((Pair(v) + 1.0) * 0.5).log_abs()),
)

backward_most_fan_out = _fan_out(
    "largest number of outputs for which a weight on [0, 1] keeps the variance of the gradient",
    4 * (4 / (1 + input_variance)) ** (fan_in - 1),
    lhs=r"\max H_\ell",
    numeric=lambda fan_in, v: 4 * np.exp((1 - fan_in) * ((Pair(v) + 1.0) * 0.25).log_abs()),
)

beta_shape = Formula(
    "a of the distribution Beta(a, a) on [0, 1] that has this variance",
    1 / (8 * weight_variance) - Rational(1, 2),
    source=Source("nau", "B.4.3, laws on [0, 1] with mean 1/2"),
    domain={weight_variance: Interval(1e-300, 0.25, open_high=True)},
    numeric=lambda v: (0.25 - v) / (2 * v),
)


def forward_feasible(fan_in, input_variance):
    """Whether a weight on [0, 1] with mean 1/2 can keep the variance of the inputs.

    That is 0 <= Var[W] <= 1/4 for the variance of :data:`forward_weight_variance`.

    Parameters
    ----------
    fan_in : int or integer array
        In [1, 10^6].
    input_variance : float or array
        In [0, 1e50].

    Returns
    -------
    bool or array of bool
        Of the broadcast shape. Within rounding of a limit the answer may be either.

    Raises
    ------
    ValueError
        For arguments outside these ranges.

    Source: nau, eq. (66) and the clamping of eq. (8).

    Examples
    --------
    >>> forward_feasible(10, [1e-4, 0.5, 1, 2, 4])
    array([ True, False, False,  True, False])
    """
    # The formula checks the arguments.
    not_negative = forward_weight_variance(fan_in, input_variance) >= 0
    fans, variances = (np.asarray(x, dtype=np.float64) for x in (fan_in, input_variance))
    # At V = 1 the two sides differ by 4^-H, which a logarithm that is not relatively exact would lose.
    log_left = log_of_sum(*np.broadcast_arrays(variances, np.exp2(-2 * fans)))
    log_right = fans * ((Pair(variances) + 1.0) * 0.5).log_abs()
    feasible = not_negative & (log_left <= log_right) & (variances != 1)
    return bool(feasible) if feasible.ndim == 0 else feasible


def backward_feasible(fan_in, fan_out, input_variance):
    """Whether a weight on [0, 1] with mean 1/2 can keep the variance of the gradient.

    That is 0 <= Var[W] <= 1/4 for the variance of :data:`backward_weight_variance`.

    Arguments and errors as of :func:`forward_feasible`; fan_out as fan_in.

    Returns
    -------
    bool or array of bool
        Of the broadcast shape. The limits are feasible, and what is within their own relative error, 1e-12, of them.

    Source: nau, eq. (67) and the clamping of eq. (8).

    Examples
    --------
    >>> backward_feasible(10, [1, 2, 100, 3000], 1)
    array([False,  True,  True, False])
    >>> backward_feasible(4, [2, 32, 33], 1)  # 2 to 2^(H_in + 1) outputs
    array([ True,  True, False])
    """
    backward_weight_variance(fan_in, fan_out, input_variance)  # checks the arguments
    fans, outputs = np.asarray(fan_in, dtype=np.float64), np.asarray(fan_out, dtype=np.float64)
    variances = np.asarray(input_variance, dtype=np.float64)
    least = backward_least_fan_out.extended(fans, variances)
    most = backward_most_fan_out.extended(fans, variances)
    feasible = np.asarray((least * (1 - LIMIT_ERROR) <= outputs) & (outputs <= most * (1 + LIMIT_ERROR)))
    return bool(feasible) if feasible.ndim == 0 else feasible


def forward_input_variances(fan_in: int) -> tuple[float, float, float]:
    """The input variances that weights on [0, 1] with mean 1/2 can keep: up to the first, and second to third.

    Parameters
    ----------
    fan_in : int
        In [1, 10^6].

    Returns
    -------
    tuple of three float
        V_-, V_+ and V_0: the variance is feasible on [0, V_-] and on [V_+, V_0]. For one input the second interval is
        empty, and both its ends are infinite. V_+ is above 1 by 4^-H/(H/2 - 1), which float64 does not show for H > 26.

    Raises
    ------
    ValueError
        For another number of inputs.

    Source: nau, eq. (66) and the clamping of eq. (8).

    Examples
    --------
    >>> forward_input_variances(2)
    (0.5, 1.5, 14.0)
    >>> [round(v, 6) for v in forward_input_variances(10)]
    [0.000985, 1.0, 3.538855]
    """
    fan_in = whole_within("forward_input_variances", "fan_in", fan_in, 1, 10**6)
    if fan_in == 1:
        return 0.5, np.inf, np.inf
    if fan_in == 2:  # (V - 1)^2 = 1/4, and V^2 = 14 V
        return 0.5, 1.5, 14.0
    log_tiny = -fan_in * LOG_4
    tiny = np.exp(log_tiny)

    def room(log_v):
        """log of ((1 + V)/2)^H / (V + 4^-H)."""
        return fan_in * (np.log1p(np.exp(log_v)) - np.log(2)) - np.logaddexp(log_v, log_tiny)

    def room_above_one(excess):
        return fan_in * np.log1p(excess / 2) - np.log1p(excess + tiny)

    def surplus(v):
        """log of ((1 + V)/4)^H / (V + 4^-H)."""
        return fan_in * np.log((1 + v) / 4) - np.log(v + tiny)

    below = np.exp(scipy.optimize.brentq(room, log_tiny, np.log(0.6), xtol=1e-14, rtol=1e-14))
    excess = scipy.optimize.brentq(room_above_one, tiny / fan_in, 1.0, xtol=1e-300, rtol=1e-14) if tiny > 1e-20 else 0.0
    return float(below), 1 + float(excess), float(scipy.optimize.brentq(surplus, 1, 16, xtol=1e-14, rtol=1e-14))
