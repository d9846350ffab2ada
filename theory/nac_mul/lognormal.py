r"""Exact moments of a NAC multiplication unit for lognormal inputs: log z_h ~ N(location, scale^2), eps = 0.

Products of many positive inputs are nearly lognormal, and the unit is linear in log z: its best case. With
W ~ U[-r_w, r_w] independent of z, a factor has the moment

.. math:: M_k = E[z^{kW}] = \frac{1}{r_w} \int_0^{r_w} \cosh(k \mu w)\, e^{k^2 s^2 w^2/2}\, dw,

which is finite for every k (uniform inputs that reach zero with eps = 0 have k r_w < 1 at best), and
E[z_out^k] = M_k^H. Completing the square gives the form with imaginary error functions below. Float64 integrates
the positive M_k - 1.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from sympy import Expr, erfi, exp, pi, sqrt

from theory.arguments import made_once_for
from theory.formula import Formula, Interval, Source
from theory.law import Uniform
from theory.nac_mul.exact import MAX_ORDER, fan_in, power_of_excess, r_w, variance_of_excesses
from theory.numerics.quadrature import panel_sums
from theory.symbols import positive, power_mean, real

location = real("location")
scale = positive("scale")

DOMAIN = {
    r_w: Interval(0, 1e3, open_low=True),
    location: Interval(-1e3, 1e3),
    scale: Interval(0, 1e3, open_low=True),
    fan_in: Interval(1, 10**6, integer=True),
}
_formula = partial(Formula, domain=DOMAIN, laws={"w": Uniform(-r_w, r_w)})


def _factor(order: int) -> Expr:
    spread = order * scale**2 * r_w
    return (
        sqrt(pi / 2)
        * exp(-(location**2) / (2 * scale**2))
        * (erfi((spread + location) / (sqrt(2) * scale)) + erfi((spread - location) / (sqrt(2) * scale)))
        / (2 * order * scale * r_w)
    )


def _excess(order: int) -> Callable[..., np.ndarray]:
    """float64 M_k - 1 as a function of r_w, location, scale."""

    def integrand(t, _, linear, square, shift):
        y, s = linear * t, square * t**2
        near = np.minimum(y + s, 1)
        small = np.exp(np.minimum(s, 1)) * 2 * np.sinh(np.minimum(y, 1) / 2) ** 2 + np.expm1(np.minimum(s, 1))
        large = (np.exp(s + y - shift) + np.exp(s - y - shift)) / 2 - np.exp(-shift)
        return np.where(near < 1, small * np.exp(-shift), large)

    def excess(r_w, location, scale):
        linear = order * np.abs(location) * r_w
        square = (order * scale * r_w) ** 2 / 2
        # Keeps values that are close to the end of float64 inside.
        shift = np.where(linear + square > 500, 300.0, 0.0)
        return panel_sums(linear + 2 * square, integrand, linear, square, shift) * np.exp(shift)

    return excess


@made_once_for("order", MAX_ORDER)
def lognormal_moment(order: int) -> Formula:
    """E[z_out^order] as a formula in r_w, location, scale, fan_in.

    Orders and errors as in :func:`theory.nac_mul.factor_moment`.

    Examples
    --------
    >>> lognormal_moment(1) is lognormal_mean
    True
    """
    excess = _excess(order)
    what = "mean" if order == 1 else f"raw moment of order {order}"
    return _formula(
        f"{what} of a NAC multiplication unit, W ~ U[-r_w, r_w], log z ~ N(location, scale^2), eps = 0",
        _factor(order) ** fan_in,
        [r_w, location, scale, fan_in],
        lhs=power_mean(r"z_{h_\ell}", order),
        source=Source("nau", "eq. (36), lognormal inputs"),
        numeric=lambda *columns: power_of_excess(excess(*columns[:-1]), columns[-1]),
    )


lognormal_mean = lognormal_moment(1)

lognormal_variance = _formula(
    "variance of a NAC multiplication unit, W ~ U[-r_w, r_w], log z ~ N(location, scale^2), eps = 0",
    _factor(2) ** fan_in - _factor(1) ** (2 * fan_in),
    [r_w, location, scale, fan_in],
    lhs=r"\mathrm{Var}\left[z_{h_\ell}\right]",
    source=Source("nau", "eq. (42), lognormal inputs"),
    numeric=lambda *columns: variance_of_excesses(_excess(1)(*columns[:-1]), _excess(2)(*columns[:-1]), columns[-1]),
)
