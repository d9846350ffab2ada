r"""Moments of the neural multiplication unit, z_out = prod_h (W_h z_h + 1 - W_h).

All W_h and z_h are independent; W_h share their moments, and so do z_h. With d = E[z] - 1 a factor has

.. math:: m = E = 1 + E[W]\, d, \qquad
          v = \operatorname{Var} = \operatorname{Var}[W] \operatorname{Var}[z] + \operatorname{Var}[W]\, d^2
              + E[W]^2 \operatorname{Var}[z],

and the output has mean m^H and variance (m^2 + v)^H - m^(2H), without approximation. At E[W] = 1/2 and E[z] = 0
they are (1/2)^H and (Var[W] + 1/4)^H (Var[z] + 1)^H - (1/4)^H: the forms that the paper introduces with an
approximation sign are exact for independent inputs. Inputs that are merely uncorrelated do not suffice, neither
for the mean of a product of more than two nor for its variance.

**Misprint.** The expanded second moment of a factor in eq. (54) has -2 E[W] E[z] where the square of
W z + 1 - W has -2 E[W^2] E[z]. The term vanishes for E[z] = 0, so that eq. (55) is not affected. With W = 1/2 and
z = 1, both certain, the factor is 1; as published its second moment is 1/2.

Float64 evaluation carries the polynomials in about 32 digits, because a power with exponent H multiplies a relative
error by H: the relative error is below 1e-12 for every H, and for factors as close to zero as 1e-18 of their terms.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np
import sympy
from sympy import Expr, Integer, Rational, Symbol, binomial

from theory.arguments import made_once_for
from theory.domain import AnyLaw
from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair, difference_of_powers, power
from theory.symbols import count, nonnegative, power_mean, real

mean_w, mean_z = real("mean_w mean_z")
var_w, var_z = nonnegative("var_w var_z")
fan_in = count("fan_in")

MEAN = Interval(-1e6, 1e6)
VARIANCE = Interval(0, 1e12)
# Of any sign and size: wider, and arbitrary numbers cancel beyond 32 digits.
MOMENT = Interval(-1e4, 1e4)
FAN_IN = Interval(1, 10**6, integer=True)
DOMAIN = {mean_w: MEAN, mean_z: MEAN, var_w: VARIANCE, var_z: VARIANCE, fan_in: FAN_IN}
LAWS = {"w": AnyLaw(mean_w, var_w), "z": AnyLaw(mean_z, var_z)}

MAX_ORDER = 8
# Products of this size have full precision.
SMALLEST = 1e-280


def _in_pairs(arguments: Sequence[Symbol], *polynomials: Expr) -> Callable[..., list[Pair]]:
    """Polynomials as functions of arrays, evaluated with about 32 digits; compiled when first used."""
    compiled = cache(lambda: [sympy.lambdify(arguments, p, modules="math") for p in polynomials])
    return lambda *columns: [Pair.of(f(*map(Pair, columns))) for f in compiled()]


def _power_of(base: Expr, arguments: Sequence[Symbol]) -> Callable:
    """float64 base**fan_in, where ``arguments`` ends with fan_in."""
    pairs = _in_pairs(arguments[:-1], base)
    return lambda *columns: power(pairs(*columns[:-1])[0], columns[-1])


def _difference_of(first: Expr, second: Expr, difference: Expr, arguments: Sequence[Symbol]) -> Callable:
    """float64 first**fan_in - second**fan_in for an uncancelled difference = first - second."""
    pairs = _in_pairs(arguments[:-1], first, second, difference)
    variances = [i for i, a in enumerate(arguments) if a in (var_w, var_z)]

    def numeric(*columns):
        larger, smaller, gap = pairs(*columns[:-1])
        result = difference_of_powers(larger, smaller, gap, columns[-1])
        tiny = gap.high < SMALLEST
        if not tiny.any():
            return result
        # What vanishes only in float64 does not with larger variances; a power may bring it back.
        with np.errstate(over="ignore", invalid="ignore"):
            raised = pairs(*(c * 2.0**900 if i in variances else c for i, c in enumerate(columns[:-1])))[2]
        return result, tiny & (raised.high != 0)

    return numeric


_factor_mean = 1 + mean_w * (mean_z - 1)
_factor_variance = var_w * var_z + var_w * (mean_z - 1) ** 2 + mean_w**2 * var_z
_square_w = var_w + mean_w**2
_square_z = var_z + mean_z**2

_formula = partial(Formula, domain=DOMAIN, laws=LAWS)
_centred = partial(Formula, domain=DOMAIN, laws={"w": AnyLaw(Rational(1, 2), var_w), "z": AnyLaw(0, var_z)})

mean = _formula(
    "mean of an NMU",
    (mean_w * mean_z + 1 - mean_w) ** fan_in,
    [mean_w, mean_z, fan_in],
    lhs=r"E\left[z_{h_\ell}\right]",
    source=Source("nau", "eq. (52)"),
    numeric=_power_of(_factor_mean, [mean_w, mean_z, fan_in]),
)

half_mean = _centred(
    "mean of an NMU with E[W] = 1/2 and E[z] = 0",
    Rational(1, 2) ** fan_in,
    lhs=r"E\left[z_{h_\ell}\right]",
    source=Source("nau", "eq. (53)"),
)

_FOUR = [mean_w, var_w, mean_z, var_z]
# A sum of squares: the expansion cancels.
_sum = _factor_mean**2 + _factor_variance
_square = _in_pairs(_FOUR, _sum)
_ALL = [*_FOUR, fan_in]

variance = _formula(
    "variance of an NMU",
    _sum**fan_in - _factor_mean ** (2 * fan_in),
    _ALL,
    lhs=r"\mathrm{Var}\left[z_{h_\ell}\right]",
    source=Source("nau", "eq. (54), any means"),
    numeric=_difference_of(_sum, _factor_mean**2, _factor_variance, _ALL),
)

_VARIANCES = [var_w, var_z, fan_in]
_centred_square = (var_w + Rational(1, 4)) * (var_z + 1)
_by_variances = partial(_centred, arguments=_VARIANCES, source=Source("nau", "eq. (55)"))

centred_second_moment = _by_variances(
    "second moment of an NMU with E[W] = 1/2 and E[z] = 0",
    (var_w + Rational(1, 4)) ** fan_in * (var_z + 1) ** fan_in,
    lhs=r"E\left[z_{h_\ell}^2\right]",
    numeric=_power_of(_centred_square, _VARIANCES),
)

centred_variance = _by_variances(
    "variance of an NMU with E[W] = 1/2 and E[z] = 0",
    (var_w + Rational(1, 4)) ** fan_in * (var_z + 1) ** fan_in - Rational(1, 4) ** fan_in,
    lhs=r"\mathrm{Var}\left[z_{h_\ell}\right]",
    numeric=_difference_of(_centred_square, Rational(1, 4), var_w * (var_z + 1) + var_z / 4, _VARIANCES),
)

square_factor = _formula(
    "second moment of a factor W z + 1 - W of an NMU",
    _square_w * _square_z - 2 * _square_w * mean_z + _square_w + 2 * mean_w * mean_z - 2 * mean_w + 1,
    _FOUR,
    lhs=r"E\left[(W z + 1 - W)^2\right]",
    source=Source("nau", "eq. (54)"),
    numeric=lambda *columns: _square(*columns)[0].high,
)

second_moment = _formula(
    "second moment of an NMU",
    square_factor.expr**fan_in,
    _ALL,
    lhs=r"E\left[z_{h_\ell}^2\right]",
    source=Source("nau", "eq. (54)"),
    numeric=_power_of(_sum, _ALL),
)

_SHARED = [mean_w, mean_z, var_z, fan_in]
_shared_variance = mean_w**2 * var_z

covariance = _formula(
    "covariance of two NMUs with the same inputs and independent weights",
    (_factor_mean**2 + _shared_variance) ** fan_in - _factor_mean ** (2 * fan_in),
    _SHARED,
    lhs=r"\mathrm{Cov}\left[z_{\ell, 1}, z_{\ell, 2}\right]",
    source=Source("nau", "eq. (8), two outputs"),
    numeric=_difference_of(_factor_mean**2 + _shared_variance, _factor_mean**2, _shared_variance, _SHARED),
)


@made_once_for("order", MAX_ORDER)
def raw_moment(order: int) -> Formula:
    """E[z_out^order] as a formula in the raw moments of W and z.

    Parameters
    ----------
    order : int
        1 to 8.

    Returns
    -------
    Formula
        In ``w_1 ... w_order`` (E[W], E[W^2], ...), ``z_1 ... z_order`` and ``fan_in``.

    Raises
    ------
    ValueError
        For another order.

    Notes
    -----
    A factor is 1 + W (z - 1); its k-th power is expanded by the binomial theorem, and W and z - 1 are independent.
    Nothing checks that the numbers are the moments of some law.

    Examples
    --------
    Weights U[0, 1], inputs U[0, 1], three of them:

    >>> second = raw_moment(2)
    >>> second.names
    ('w_1', 'w_2', 'z_1', 'z_2', 'fan_in')
    >>> round(second(1 / 2, 1 / 3, 1 / 2, 1 / 3, 3), 15)
    0.228223593964335
    >>> first = raw_moment(1)(1 / 2, 1 / 2, 3)
    >>> abs(second(1/2, 1/3, 1/2, 1/3, 3) - first**2 - variance(1/2, 1/12, 1/2, 1/12, 3)) < 1e-15
    True
    """
    w = [Integer(1), *(real(f"w_{j}") for j in range(1, order + 1))]
    z = [Integer(1), *(real(f"z_{j}") for j in range(1, order + 1))]
    shifted = [sum(binomial(j, i) * (-1) ** (j - i) * z[i] for i in range(j + 1)) for j in range(order + 1)]
    base = sum(binomial(order, j) * w[j] * shifted[j] for j in range(order + 1))
    arguments = [*w[1:], *z[1:], fan_in]
    return Formula(
        f"raw moment of order {order} of an NMU",
        base**fan_in,
        arguments,
        lhs=power_mean(r"z_{h_\ell}", order),
        symbols={f"{x}_{j}": f"E[{name}^{j}]" for x, name in (("w", "W"), ("z", "z")) for j in range(1, order + 1)},
        source=Source("nau", f"eq. (8), moment of order {order}"),
        domain={**dict.fromkeys(arguments[:-1], MOMENT), fan_in: FAN_IN},
        numeric=_power_of(base, arguments),
    )
