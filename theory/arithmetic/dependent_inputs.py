"""Two distributions of inputs that are uncorrelated but not independent.

The inputs of a unit have independent random signs and *one* magnitude for all. Their signs make them
uncorrelated; their magnitudes are equal. Against them stand independent inputs with the same distribution each.
"""

from functools import partial

import numpy as np
from sympy import Rational, log, sinh

from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair, difference_of_powers
from theory.symbols import count, nonnegative, positive

r_w, c = positive("r_w c")
var_w, half_z = nonnegative("var_w half_z")
fan_in = count("fan_in")

DOMAIN = {r_w: Interval(1e-3, 4), c: Interval(1.1, 1e3), fan_in: Interval(1, 100, integer=True)}
# Where a variance is a difference of powers that keeps its digits.
SPREAD = {r_w: Interval(0.1, 2), c: Interval(2, 10), fan_in: Interval(1, 10, integer=True)}
_weight_mean = sinh(r_w * log(c)) / (r_w * log(c))  # E[c^W] for W ~ U[-r_w, r_w]

_nac_mul = partial(Formula, arguments=(r_w, c, fan_in), symbols={"c": "the value of |z| that is not 1"})
_nac_mul_mean = partial(_nac_mul, lhs=r"E\left[z_{h_\ell}\right]", domain=DOMAIN)
_nac_mul_variance = partial(_nac_mul, lhs=r"\mathrm{Var}\left[z_{h_\ell}\right]", domain=SPREAD)

nac_mul_mean_independent = _nac_mul_mean(
    "mean of a NAC multiplication unit, W ~ U[-r_w, r_w], |z| independently 1 or c with probability 1/2, eps = 0",
    ((1 + _weight_mean) / 2) ** fan_in,
    source=Source("nau", "eq. (36)"),
)

nac_mul_mean_shared = _nac_mul_mean(
    "mean of a NAC multiplication unit, W ~ U[-r_w, r_w], all |z| together 1 or c with probability 1/2, eps = 0",
    (1 + _weight_mean**fan_in) / 2,
    source=Source("nau", "additional to eq. (36)"),
)

_square_mean = _weight_mean.subs(r_w, 2 * r_w)  # E[c^(2 W)]

nac_mul_variance_independent = _nac_mul_variance(
    "variance of a NAC multiplication unit, W ~ U[-r_w, r_w], |z| independently 1 or c with probability 1/2, eps = 0",
    ((1 + _square_mean) / 2) ** fan_in - ((1 + _weight_mean) / 2) ** (2 * fan_in),
    source=Source("nau", "eq. (42)"),
)

nac_mul_variance_shared = _nac_mul_variance(
    "variance of a NAC multiplication unit, W ~ U[-r_w, r_w], all |z| together 1 or c with probability 1/2, eps = 0",
    (1 + _square_mean**fan_in) / 2 - ((1 + _weight_mean**fan_in) / 2) ** 2,
    source=Source("nau", "additional to eq. (42)"),
)

_square = var_w + Rational(1, 4)  # E[W^2] at E[W] = 1/2
_nmu = partial(
    Formula,
    arguments=(var_w, half_z, fan_in),
    lhs=r"\mathrm{Var}\left[z_{h_\ell}\right]",
    symbols={"half_z": "scale of the inputs: |z| is 1/2 or 3/2 of it"},
    domain={var_w: Interval(0, 0.25), half_z: Interval(1e-3, 10), fan_in: DOMAIN[fan_in]},
)


def _excess_of_power(var_w, size, fan_in):
    """((var_w + 1/4) (1 + size))^H - (1/4)^H without cancellation."""
    square = (Pair(var_w) + 0.25) * (Pair(size) + 1.0)
    difference = Pair(var_w) * (Pair(size) + 1.0) + Pair(size) * 0.25
    return difference_of_powers(square, Pair(np.full_like(size, 0.25)), difference, fan_in)


nmu_variance_independent = _nmu(
    "variance of an NMU with E[W] = 1/2, z = half_z m with random sign, m independently 1/2 or 3/2",
    (_square * (1 + 5 * half_z**2 / 4)) ** fan_in - Rational(1, 4) ** fan_in,
    source=Source("nau", "eq. (55)"),
    numeric=lambda var_w, half_z, fan_in: _excess_of_power(var_w, 5 * half_z**2 / 4, fan_in),
)

nmu_variance_shared = _nmu(
    "variance of an NMU with E[W] = 1/2, z = half_z m with random signs, m = 1/2 or 3/2 for all inputs together",
    ((_square * (1 + half_z**2 / 4)) ** fan_in + (_square * (1 + 9 * half_z**2 / 4)) ** fan_in) / 2
    - Rational(1, 4) ** fan_in,
    source=Source("nau", "additional to eq. (55)"),
    numeric=lambda var_w, half_z, fan_in: (
        (_excess_of_power(var_w, half_z**2 / 4, fan_in) + _excess_of_power(var_w, 9 * half_z**2 / 4, fan_in)) / 2
    ),
)
