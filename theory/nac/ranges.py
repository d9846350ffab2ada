r"""The range r of the two parameters of a NAC weight that gives the weight a wanted variance.

Var[W] = T_2(r) (1 + T_2(r/2))/4 with T_2(r) = (1/r) int_0^r tanh(x)^2 dx *increases strictly from 0 to 1/2*: the
average of the increasing function tanh^2 over [0, r] increases in r, hence so do both positive factors; for r -> oo
they tend to 1 and 1/2. Every variance below 1/2 is reached by exactly one r, and 1/2 by none. A layer that wants
Var[W] = 2/(fan_in + fan_out) can have it if and only if fan_in + fan_out > 4.
"""

import numpy as np
from sympy import sqrt

from theory.arguments import real_array, refuse_masked, require
from theory.formula import Formula, Interval, Source
from theory.nac.moments import tanh_second_moment
from theory.symbols import positive

var_w = positive("var_w")

# (1 - 1/60)^2/2: from r = 60 on, what weight_range_large leaves out is below 1e-24.
LARGE_ABOVE = 0.4834722222222222

weight_range_small = Formula(
    "leading order of the range for a small weight variance: Var[W] = r^2/12 - 19 r^4/720 + ...",
    sqrt(12 * var_w),
    source=Source("nau", "eq. (26), small r"),
    domain={var_w: Interval(0, 0.5, open_low=True, open_high=True)},
)

weight_range_large = Formula(
    "the range for a weight variance close to 1/2: Var[W] = (1 - 1/r)^2/2 up to terms of order exp(-r)/r",
    (1 + sqrt(2 * var_w)) / (1 - 2 * var_w),
    source=Source("nau", "eq. (26), large r"),
    domain={var_w: Interval(0, 0.5, open_low=True, open_high=True)},
)


def weight_range_for_variance(variance):
    """The range r with Var[W] = variance, where W = tanh(W_hat) sigmoid(M_hat), W_hat, M_hat ~ U[-r, r].

    Newton's iteration for log Var[W] as a function of log r. The slope there is
    tanh(r)^2/T_2(r) - 1 + (tanh(r/2)^2 - T_2(r/2))/(1 + T_2(r/2)), which has no cancellation that matters and falls
    from 2 to 0: the function is concave, so after at most one step the iterates approach from the left.

    Parameters
    ----------
    variance : float or array
        In (0, 1/2).

    Returns
    -------
    float or array
        r, to a relative error of 1e-12 (float64 rounding of the variance itself moves r by more above r = 1e4).

    Raises
    ------
    ValueError
        For a variance that no range attains.

    Source: nau, eq. (26) and the sentence after it.

    Examples
    --------
    >>> round(weight_range_for_variance(0.1), 12)
    1.355347365245
    >>> from theory.nac import moments as nac
    >>> round(nac.weight_variance(weight_range_for_variance(0.1)), 14)
    0.1
    """
    target = real_array("weight_range_for_variance", "variance", variance)
    advice = "the variance of tanh(W_hat) sigmoid(M_hat) tends to 1/2 from below as r grows and never reaches it"
    require("weight_range_for_variance", "variance", target, (target > 0) & (target < 0.5), "be in (0, 1/2)", advice)
    # Above 0.45 the start on the right is already good; below, sqrt(12 Var) lies left of the root.
    log_range = np.log(np.where(target > 0.45, weight_range_large(target), weight_range_small(target)))
    for _ in range(60):
        x = np.exp(log_range)
        whole, half = tanh_second_moment(x), tanh_second_moment(x / 2)
        slope = np.tanh(x) ** 2 / whole - 1 + (np.tanh(x / 2) ** 2 - half) / (1 + half)
        step = np.log(target / (whole * (1 + half) / 4)) / slope
        log_range = log_range + step
        if np.all(np.abs(step) < 1e-15):
            break
    # exp(log) amplifies rounding for extreme r; there the leading terms are the result.
    result = np.where(target < 1e-30, weight_range_small(target), np.exp(log_range))
    result = np.where(target > LARGE_ABOVE, weight_range_large(target), result)
    return float(result) if target.ndim == 0 else result


def weight_range(fan_in, fan_out):
    """The range r with Var[W] = 2/(fan_in + fan_out), Glorot's variance, for W_hat, M_hat ~ U[-r, r].

    Parameters
    ----------
    fan_in, fan_out : int or integer array
        At least 1, with a sum of at least 5: the variance stays below 1/2 for every r.

    Returns
    -------
    float or array
        r, to a relative error of 1e-12.

    Raises
    ------
    ValueError
        For fans that are no positive integers, or whose variance no range attains.

    Source: nau, eq. (26) and the sentence after it.

    Examples
    --------
    >>> round(weight_range(100, 100), 10)
    0.353132049
    >>> weight_range(2, 2)
    Traceback (most recent call last):
    ...
    ValueError: weight_range: fan_in + fan_out must be at least 5, got 2 + 2; Var[W] = 2/(fan_in + fan_out) = 0.5 is \
not attainable, the variance of tanh(W_hat) sigmoid(M_hat) stays below 1/2 for every r
    """
    inputs, outputs = _fan("fan_in", fan_in), _fan("fan_out", fan_out)
    total = inputs + outputs
    if (total < 5).any():
        first, second = (int(f[total < 5].flat[0]) for f in np.broadcast_arrays(inputs, outputs))
        raise ValueError(
            f"weight_range: fan_in + fan_out must be at least 5, got {first} + {second}; Var[W] = 2/(fan_in + fan_out)"
            f" = {2 / (first + second):g} is not attainable, the variance of tanh(W_hat) sigmoid(M_hat) stays below"
            " 1/2 for every r"
        )
    return weight_range_for_variance(2 / total)


def _fan(name: str, value) -> np.ndarray:
    refuse_masked("weight_range", name, value)
    fan = np.asarray(value)
    if fan.dtype.kind not in "iu":
        raise ValueError(f"weight_range: {name} must be a positive integer, got {value!r}; pass the number of units")
    if (fan < 1).any():
        raise ValueError(
            f"weight_range: {name} must be a positive integer, got {fan[fan < 1].flat[0]}; pass the number of units"
        )
    return fan.astype(np.float64)
