r"""P(u > -kappa, v > 0) for two standard normal variables of correlation rho, and Owen's T function behind it.

.. math:: P_2 = \tfrac12 \Phi(\kappa) + T(\kappa, \rho / r), \qquad
          T(h, a) = \frac{1}{2\pi} \int_0^a \frac{e^{-h^2 (1 + t^2) / 2}}{1 + t^2} \, dt, \qquad r = \sqrt{1 - \rho^2}.

For rho < 0 both terms of P_2 may be larger than it by any factor. Float64 therefore goes by
P_2 = max(Phi(kappa) - 1/2, 0) + C for rho <= 0 and by P_2(rho) = Phi(kappa) - P_2(-rho) above, where C is the same
integral from |rho|/r to infinity: nowhere is anything small made of anything large.
"""

from typing import Any

import mpmath
import numpy as np
from sympy import Expr, Function, Integer, atan, exp, nan, pi, sqrt, zoo

from theory.arguments import require
from theory.formula import Formula, Interval, Source
from theory.numerics.normal_tails import Phi, Truncated, density, in_float64, phi, special, truncated
from theory.symbols import real

kappa, rho = real("kappa rho")

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
# Owen's T is subtracted from what it nearly equals beyond; e^-40 is below rounding.
QUADRATURE_FROM = 3.0
EXPONENT = 40.0
# Stands for zero in quotients: collinear vectors take their limits there.
SMALLEST_R = 1e-16
# How closely r must go with rho.
CIRCLE = 1e-12


class OwenT(Function):
    """Owen's T function.

    Examples
    --------
    >>> from sympy import Symbol
    >>> h, a = Symbol("h", real=True), Symbol("a", real=True)
    >>> OwenT(h, 0), OwenT(0, 1)
    (0, 1/8)
    >>> OwenT(h, a).diff(h)
    -(2*Phi(a*h) - 1)*phi(h)/2
    """

    nargs = 2

    @classmethod
    def eval(cls, h, a):
        if {h, a} & {zoo, nan}:
            return nan
        if a.is_zero:
            return Integer(0)
        if h.is_zero:
            return atan(a) / (2 * pi)
        return None

    def fdiff(self, argindex=1):
        h, a = self.args
        if argindex == 1:
            return -phi(h) * (2 * Phi(a * h) - 1) / 2
        return exp(-(h**2) * (1 + a**2) / 2) / (2 * pi * (1 + a**2))

    def _eval_is_extended_real(self):
        return all(v.is_extended_real for v in self.args)

    @staticmethod
    def _imp_(h, a):
        """What a compiled formula calls."""
        if in_float64(h) or in_float64(a):
            return special().owens_t(h, a)
        return _owen_t(mpmath.mpf(h), mpmath.mpf(a))

    def _eval_evalf(self, prec):
        with mpmath.workprec(prec):
            h, a = (mpmath.mpmathify(v._to_mpmath(prec)) for v in self.args)  # an Integer comes as int
            complex_plane = isinstance(h, mpmath.mpc) or isinstance(a, mpmath.mpc)
            return Expr._from_mpmath((_by_integral if complex_plane else _owen_t)(h, a), prec)


def _by_integral(h: mpmath.mpc, a: mpmath.mpc) -> mpmath.mpc:
    """T(h, a) from its definition, for complex arguments off the poles at a = +-i."""

    def integrand(t):
        return mpmath.exp(-h * h * (1 + (a * t) ** 2) / 2) / (1 + (a * t) ** 2)

    return a * mpmath.quad(integrand, [0, 0.5, 1]) / (2 * mpmath.pi)


def _owen_t(h: mpmath.mpf, a: mpmath.mpf) -> mpmath.mpf:
    """T(h, a) at the working precision of mpmath."""
    sign = -1 if a < 0 else 1
    h, a = abs(h), abs(a)
    if a > 1:
        p = mpmath.ncdf(-h)
        if (a * a - 1) * h * h / 2 > 5 * mpmath.mp.dps:
            return sign * p / 2  # The rest is below the last digit of this.
        q = mpmath.ncdf(-a * h)
        return sign * ((p + q) / 2 - p * q - _owen_t(a * h, 1 / a))
    x = h * h / 2
    if a * a < 0.5 and x * a * a < mpmath.mp.dps:
        return sign * _owen_near_axis(x, a)
    if x > 4 * mpmath.mp.dps:
        # A peak of width 1/h at t = 0, its height taken out.
        ends = [v / h for v in range(0, 2 + int(mpmath.sqrt(5 * mpmath.mp.dps)), 2)]
        ends = [t for t in ends if t < a] + [a]
        rest = mpmath.quad(lambda t: mpmath.exp(-x * t * t) / (1 + t * t), ends)
        return sign * mpmath.exp(-x) * rest / (2 * mpmath.pi)
    return sign * _owen_series(x, a)


def _owen_near_axis(x: mpmath.mpf, a: mpmath.mpf) -> mpmath.mpf:
    """(e^-x/2 pi) sum_j (-1)^j (sum_{i <= j} x^i/i!) a^(2j+1)/(2j+1): relatively exact where x a^2 is not large."""
    with mpmath.extradps(10 + int(x * a * a / 2)):
        # Weighted with their powers of a, so that neither factor leaves the range in which digits are cheap.
        square = a * a
        term = weighted = mpmath.mpf(1)
        total, j = mpmath.mpf(1), 0
        small = mpmath.power(10, -mpmath.mp.dps)
        while abs(weighted) > small or j < x * square:
            j += 1
            term *= -x * square / j
            weighted = -square * weighted + term
            total += weighted / (2 * j + 1)
        return mpmath.exp(-x) * a * total / (2 * mpmath.pi)


def _owen_series(x: mpmath.mpf, a: mpmath.mpf) -> mpmath.mpf:
    """(1/2 pi) sum_j (-1)^j e^-x (sum_{i <= j} x^i/i!) a^(2j+1)/(2j+1), by the complements of the inner sums.

    The complements, tails of a Poisson law, make it converge at a = 1 too. T is of the order of e^-x.
    """
    with mpmath.extradps(10 + int(x / 2)):
        term = mpmath.exp(-x)
        tail = 1 - term
        total, power, square, j = mpmath.mpf(0), a, a * a, 0
        small = mpmath.power(10, -mpmath.mp.dps)
        while tail * power > small:
            total += (-power if j % 2 else power) * tail / (2 * j + 1)
            j += 1
            term *= x / j
            tail -= term
            power *= square
        return (mpmath.atan(a) - total) / (2 * mpmath.pi)


def _opposed(h: np.ndarray, rho: np.ndarray, r: np.ndarray) -> np.ndarray:
    """e^(x^2/2), x = h/r, times the integral of T from rho/r to infinity; for h, rho >= 0 and r > 0."""
    x = h / r
    q = rho * x
    with np.errstate(divide="ignore"):
        near = special().ndtr(-h) / 2 - special().owens_t(h, rho / r)
        flat = special().owens_t(q, r / rho) - special().ndtr(-q) * special().erf(h / np.sqrt(2)) / 2
    result = np.where(rho < r, near, flat) * np.exp(np.minimum(x, QUADRATURE_FROM) ** 2 / 2)
    far = x > QUADRATURE_FROM
    if np.any(far):
        result[far] = _by_quadrature(x[far], rho[far], r[far])
    return result


def _by_quadrature(x: np.ndarray, rho: np.ndarray, r: np.ndarray) -> np.ndarray:
    """(r x/2 pi) times the integral over y > 0 of e^(-q y - y^2/2) / (h^2 + (q + y)^2), with q = rho x, h = r x.

    The poles at -q +- i h are at distance x from where the integrand counts: two panels of 16 nodes suffice.
    """
    q, h = rho * x, r * x
    length = 2 * EXPONENT / (q + np.sqrt(q * q + 2 * EXPONENT))
    t = np.concatenate([(1 + NODES) / 4, (3 + NODES) / 4])
    y = length[..., None] * t
    above = q[..., None] + y
    values = np.exp(-(q[..., None] + y / 2) * y) / (h[..., None] ** 2 + above**2)
    return h / (2 * np.pi) * length * (values @ np.concatenate([WEIGHTS, WEIGHTS]) / 4)


def orthant_probability(kappa: Any, rho: Any, r: Any = None) -> Any:
    """P(u > -kappa, v > 0) for standard normal u, v with correlation rho; also far out in the tails.

    Parameters
    ----------
    kappa : float or array
    rho : float or array
        In [-1, 1].
    r : float or array, optional
        sqrt(1 - rho^2), where it is more accurate than from ``rho``: close to -1 and 1.

    Returns
    -------
    float or array
        Of the broadcast shape, to a relative error of 1e-12 for the kappa and r given.

    Raises
    ------
    ValueError
        When rho is outside [-1, 1], r is not sqrt(1 - rho^2) to 1e-12 in the squares, or a value is not finite.

    Examples
    --------
    >>> orthant_probability(0.0, 0.5)  # doctest: +ELLIPSIS
    0.333333333333333...
    >>> float(f"{orthant_probability(-10.0, -0.5):.12g}")
    2.20848911578e-32
    """
    given = [np.asarray(v, dtype=np.float64) for v in (kappa, rho)]
    r = np.sqrt(np.maximum((1 - given[1]) * (1 + given[1]), 0)) if r is None else np.asarray(r, dtype=np.float64)
    for name, value, good, rule in (
        ("kappa", given[0], np.isfinite(given[0]), "be finite"),
        ("rho", given[1], np.abs(given[1]) <= 1, "be in [-1, 1]"),
        # Where rho is rounded, r is only about as close to the circle.
        ("r", r, np.abs(r * r + given[1] ** 2 - 1) <= CIRCLE, "be sqrt(1 - rho^2)"),
        ("r", r, r >= 0, "not be negative"),
    ):
        require("orthant_probability", name, np.broadcast_to(value, good.shape), good, rule, "choose a value inside")
    columns = np.broadcast_arrays(*given, r)
    flat = [np.atleast_1d(c).astype(np.float64) for c in columns]
    result = np.where(flat[0] < 0, density(flat[0]), 1.0) * scaled_orthant(truncated(flat[0]), *flat[1:])
    return float(result[0]) if columns[0].ndim == 0 else result


def scaled_orthant(t: Truncated, rho: np.ndarray, r: np.ndarray) -> np.ndarray:
    """The orthant probability divided by ``t.scale``, for arrays of one shape (not scalars), without checks."""
    h = np.abs(t.kappa)
    quotient = np.maximum(r, SMALLEST_R)
    q = np.abs(rho) * h / quotient
    opposed = np.where(r > 0, _opposed(h, np.abs(rho), quotient), 0.0)
    with np.errstate(under="ignore", over="ignore"):
        # exp(-x^2/2) = phi(kappa) exp(-q^2/2) sqrt(2 pi), as x^2 = kappa^2 + q^2.
        in_tail = opposed * np.sqrt(2 * np.pi) * np.exp(-q * q / 2)
        beyond_half = special().erf(h / np.sqrt(2)) / 2 + in_tail * density(h)
    against = np.where(t.kappa < 0, in_tail, beyond_half)
    return np.where(rho > 0, t.probability - against, against)


orthant_probability_form = Formula(
    "P(w.x + b > 0, Lambda.x > 0): the ReLU is active and its target is not zero",
    Phi(kappa) / 2 + OwenT(kappa, rho / sqrt(1 - rho**2)),
    [kappa, rho],
    source=Source("relu", "additional to section 5"),
    domain={kappa: Interval(-20, 20), rho: Interval(-0.95, 0.95)},
    numeric=orthant_probability,
    lhs=r"P\left(w \cdot x + b > 0, \; \Lambda \cdot x > 0\right)",
)
