r"""Regularisers that pull weights towards -1, 0 and 1, and the sparsity error.

**Bias.** w^2 (1 - |w|)^2 vanishes exactly at -1, 0 and 1. Between two zeros it rises to 1/16 halfway, outside it grows
without end. Its slope 2 w (1 - |w|)(1 - 2 |w|) leads down to 0 from |w| < 1/2 and to the sign of w from |w| > 1/2; on
[-1, 1] it is steepest, :math:`\sqrt3/9`, at |w| = (1 -+ 1/sqrt(3))/2. A weight of a neural addition unit starts on
[-r, r] with r <= 1/2, where every slope leads to 0; one of a multiplication unit starts on [1/4, 3/4], half of it on
each side.

**Out of bounds.** max(|w| - 1, 0)^2, or max(|w - 1/2| - 1/2, 0)^2 for weights on [0, 1], vanishes exactly on the
allowed interval. Outside, where clamping stops the gradient of the loss, its slope leads back.

**Normalisation.** The paper divides the sum over the entries of a layer by H_l + H_{l-1}, its published code by their
number H_l H_{l-1}. The first is the second times H_l H_{l-1}/(H_l + H_{l-1}): 1.96 for the 2 x 100 layer of the default
task and 2/3 for its 1 x 2 layer, so that one factor before both weighs the first layer 2.94 times as much.
"""

from functools import partial
from typing import Any

import numpy as np
from sympy import Abs, Max, Min, Piecewise, Rational, exp, sign

from theory.arguments import one_of
from theory.formula import Formula, Interval, Source
from theory.numerics.layers import checked_array
from theory.symbols import count, nonnegative, positive, real

w = real("w")
r = positive("r")
half_w, c, step = nonnegative("half_w c step")
fan_in, fan_out, entries = count("fan_in fan_out entries")

half = Rational(1, 2)
_NAU, _NMU = Source("nau", "eq. (6)"), Source("nau", "eq. (8)")

# --- one weight -------------------------------------------------------------------------------------------------

nau_clamp = Formula("weight of a neural addition unit", Min(Max(w, -1), 1), [w], source=_NAU)
nmu_clamp = Formula("weight of a neural multiplication unit", Min(Max(w, 0), 1), [w], source=_NMU)

nau_bias = Formula("pull of one weight towards -1, 0 and 1", w**2 * (1 - Abs(w)) ** 2, source=_NAU)
nmu_bias = Formula("pull of one weight towards 0 and 1", w**2 * (1 - w) ** 2, source=_NMU)

nau_oob = Formula("penalty of one weight outside [-1, 1]", Max(Abs(w) - 1, 0) ** 2, source=_NAU)
nmu_oob = Formula(
    "penalty of one weight outside [0, 1]",
    Max(Abs(w - half) - half, 0) ** 2,
    source=_NMU,
    numeric=lambda w: np.maximum(np.maximum(-w, w - 1), 0) ** 2,  # |w - 1/2| rounds what is just below 0
)

_slope = partial(Formula, source=Source("nau", "eqs. (6) and (8), derivatives"))

nau_bias_slope = _slope("derivative of the pull towards -1, 0 and 1", 2 * w * (1 - Abs(w)) * (1 - 2 * Abs(w)))
nmu_bias_slope = _slope("derivative of the pull towards 0 and 1", 2 * w * (1 - w) * (1 - 2 * w))
nau_oob_slope = _slope("derivative of the penalty outside [-1, 1]", 2 * Max(Abs(w) - 1, 0) * sign(w))
nmu_oob_slope = _slope("derivative of the penalty outside [0, 1]", 2 * (Max(w - 1, 0) - Max(-w, 0)))

weight_sparsity_error = Formula(
    "distance of the magnitude of one weight from the nearer one of 0 and 1",
    Min(Abs(w), Abs(1 - Abs(w))),
    source=Source("nau", "eq. (14)"),
)

# --- a layer at its start ---------------------------------------------------------------------------------------

_SPARSITY = Source("nau", "additional to eq. (14)")
_WIDE = Interval(0, 1e6, open_low=True)
_FAN = Interval(1, 10**6, integer=True)

_WEIGHTS = {r: _WIDE, half_w: Interval(0, 1e6), fan_in: _FAN, fan_out: _FAN, entries: _FAN}
_start = partial(Formula, source=Source("nau", "additional to eqs. (6) and (8)"), domain=_WEIGHTS)

nau_bias_mean = _start(
    "mean pull towards -1, 0 and 1 of a weight uniform on [-r, r]",
    r**2 * (Rational(1, 3) - r / 2 + r**2 / 5),
    lhs=r"E\left[\hat W^2 (1 - |\hat W|)^2\right]",
)
nau_oob_mean = _start(
    "mean penalty outside [-1, 1] of a weight uniform on [-r, r], r >= 1",
    (r - 1) ** 3 / (3 * r),
    lhs=r"E\left[\max(|\hat W| - 1, 0)^2\right]",
    domain={r: Interval(1, 1e6)},
)
nmu_bias_mean = _start(
    "mean pull towards 0 and 1 of a weight uniform on 1/2 -+ half_w",
    Rational(1, 16) - half_w**2 / 6 + half_w**4 / 5,
    lhs=r"E\left[\hat W^2 (1 - \hat W)^2\right]",
)
nmu_oob_mean = _start(
    "mean penalty outside [0, 1] of a weight uniform on 1/2 -+ half_w, half_w >= 1/2",
    (half_w - half) ** 3 / (3 * half_w),
    lhs=r"E\left[\max\left(\left|\hat W - \frac{1}{2}\right| - \frac{1}{2}, 0\right)^2\right]",
    domain={half_w: Interval(0.5, 1e6)},
)
entries_over_fans = _start(
    "what a mean over the entries of a layer is multiplied by when the sum is divided by H_l + H_{l-1} instead",
    fan_in * fan_out / (fan_in + fan_out),
    [fan_in, fan_out],
    lhs=r"\frac{\mathcal{R}_{\ell, \mathrm{bias}}}{\mathrm{mean}\left(\hat W^2 (1 - |\hat W|)^2\right)}",
)

_REACH = Min(1, r)
nau_weight_variance = Formula(
    "variance of a weight of a neural addition unit whose parameter is uniform on [-r, r]",
    _REACH**2 - 2 * _REACH**3 / (3 * r),
    lhs=r"\mathrm{Var}[W]",
    source=Source("nau", "section 2.1.3"),
    domain={r: _WIDE},
    numeric=lambda r: np.minimum(1, r) ** 2 * (1 - 2 * np.minimum(1, r) / (3 * r)),
)

nau_sparsity_mean = Formula(
    "mean sparsity error of independent weights uniform on [-r, r], r <= 1",
    Piecewise(
        (r * entries / (entries + 1), r <= half),
        (half - (r + (1 - r) * ((1 - r) / r) ** entries) / (2 * (entries + 1)), True),
    ),
    [r, entries],
    lhs=r"E\left[E_{\mathrm{sparsity}}\right]",
    source=_SPARSITY,
    domain={r: Interval(0, 1, open_low=True), entries: _FAN},
)
nmu_sparsity_mean = Formula(
    "mean sparsity error of independent weights uniform on 1/2 -+ half_w, half_w <= 1/2",
    half - half_w / (entries + 1),
    [half_w, entries],
    lhs=r"E\left[E_{\mathrm{sparsity}}\right]",
    source=_SPARSITY,
    domain={half_w: Interval(0, 0.5), entries: _FAN},
)

# --- the factor before the bias ---------------------------------------------------------------------------------

ramp = Formula(
    "factor of the bias regulariser after a number of steps",
    c * (1 - exp(-step / 10**5)),
    [c, step],
    lhs=r"\lambda_{\mathrm{bias}}",
    source=Source("nau", "eq. (70), corrected"),
    domain={c: Interval(0, 1e6), step: Interval(0, 1e12)},
    numeric=lambda c, step: -c * np.expm1(-step / 1e5),
)

# --- for users --------------------------------------------------------------------------------------------------

PENALTIES = {("nau", "bias"): nau_bias, ("nau", "oob"): nau_oob, ("nmu", "bias"): nmu_bias, ("nmu", "oob"): nmu_oob}


def layer_regulariser(unit: str, kind: str, w: Any, *, normalisation: str = "entries") -> float:
    """The regulariser of one layer, a function of its weights before clamping.

    Parameters
    ----------
    unit : {"nau", "nmu"}
    kind : {"bias", "oob"}
        Pull towards the discrete values, or penalty out of bounds.
    w : array (fan_out, fan_in)
        Not clamped.
    normalisation : {"entries", "fans"}
        Divide the sum by fan_in fan_out, as the authors' code does, or by fan_in + fan_out, as published.

    Raises
    ------
    ValueError
        For another unit, kind or normalisation, or what is no finite array of two axes.

    Source: nau, eqs. (6) and (8).

    Examples
    --------
    >>> layer_regulariser("nau", "bias", [[0.5, -0.5, 1.0]])  # (1/16 + 1/16 + 0)/3
    0.041666666666666664
    >>> layer_regulariser("nau", "bias", [[0.5, -0.5, 1.0]], normalisation="fans")
    0.03125
    >>> layer_regulariser("nmu", "oob", [[-1.0, 0.5]])
    0.5
    """
    one_of("layer_regulariser", "unit", unit, ("nau", "nmu"))
    one_of("layer_regulariser", "kind", kind, ("bias", "oob"))
    one_of("layer_regulariser", "normalisation", normalisation, ("entries", "fans"))
    weights = checked_array("layer_regulariser", "w", w, 2)
    if weights.ndim != 2 or not weights.size:
        raise ValueError(
            f"layer_regulariser: w must have shape (fan_out, fan_in), got {weights.shape}; pass one layer's weights"
        )
    parts = weights.size if normalisation == "entries" else sum(weights.shape)
    return float(np.sum(PENALTIES[unit, kind](weights)) / parts)


def sparsity_error(*weights: Any) -> float:
    """The largest distance of any |w| from the nearer one of 0 and 1, over all weight matrices of a model.

    Parameters
    ----------
    *weights : arrays of any shape
        After clamping.

    Returns
    -------
    float
        At most 1/2 for weights on [-1, 1]; above 1/2 exactly where some |w| exceeds 3/2.

    Raises
    ------
    ValueError
        Without weights, or for one that is not finite.

    Source: nau, eq. (14).

    Examples
    --------
    >>> sparsity_error([[1.0, -0.75], [0.0, 0.125]], [[1.0, 1.0]])
    0.25
    """
    arrays = [checked_array("sparsity_error", "weights", a, 0).ravel() for a in weights]
    if not sum(a.size for a in arrays):
        raise ValueError("sparsity_error: weights must name at least one weight, got none; pass the weight matrices")
    return float(np.max(weight_sparsity_error(np.concatenate(arrays))))
