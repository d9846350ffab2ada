r"""How fast a Gaussian process varies: expected zeros along a line, by Rice's formula.

A smooth stationary process with variance K(0) and Var[f'] = -K''(0) has on average sqrt(-K''(0)/K(0))/pi zeros in a
unit of length (S. O. Rice, 1945).
"""

from __future__ import annotations

from sympy import acos, pi, sqrt

from theory.formula import Formula, Interval, Source
from theory.symbols import nonnegative, positive, real

__all__ = ["rbf_zeros", "sign_change_probability", "zeros_per_length"]

variance, slope_variance, length_scale = positive("variance"), nonnegative("slope_variance"), positive("length_scale")
MODERATE = Interval(1e-150, 1e150)

correlation = real("correlation")

sign_change_probability = Formula(
    "probability that two normal values of mean 0 have different signs",
    acos(correlation) / pi,
    [correlation],
    domain={correlation: Interval(-1, 1)},
    source=Source("smooth", "3.3"),
)

zeros_per_length = Formula(
    "expected zeros of a stationary Gaussian process in a unit of length",
    sqrt(slope_variance / variance) / pi,
    [variance, slope_variance],
    domain={variance: MODERATE, slope_variance: Interval(0, 1e150)},
    source=Source("smooth", "3.3"),
)

rbf_zeros = Formula(
    "expected zeros in a unit of length of a Gaussian process with the kernel exp(-d^2/(2 length_scale^2))",
    1 / (pi * length_scale),
    [length_scale],
    source=Source("smooth", "3.3"),
)
