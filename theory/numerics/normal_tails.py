r"""The standard normal distribution: Phi, density phi, and moments that are accurate far out in its tails.

Everything about a rectified normal variable comes from the moments of what passes a threshold k,

.. math:: I_n(k) = \frac{1}{\varphi(k)} E\Big[\frac{(u - k)_+^n}{n!}\Big]
                 = \int_0^\infty \frac{y^n}{n!} e^{-k y - y^2/2} \, dy, \qquad u \sim N(0, 1),

with I_0 the Mills ratio. They obey (n + 1) I_{n+1} = I_{n-1} - k I_n with I_{-1} = 1. Used upwards the recursion loses
1/k^2 of the digits in each step: k Phi(-k) - phi(k) has three digits less than its terms at k = 37. Used downwards it
is the continued fraction I_n / I_{n-1} = 1/(k + (n + 1) I_{n+1}/I_n) of positive terms, which loses nothing.
"""

from typing import Any, NamedTuple

import mpmath
import numpy as np
import sympy
from sympy import Expr, Function, Integer, Rational
from sympy.core.logic import fuzzy_and

# Below, the recursion upwards loses at most a factor of 20; from here on this many levels leave 1e-17.
UPWARDS_BELOW = 2.5
LEVELS = 50
# Far beyond the threshold at which the density underflows; keeps 0 * inf out.
FARTHEST = 1e8


def in_float64(value: Any) -> bool:
    """Whether a compiled formula calls with NumPy arrays rather than with mpmath numbers."""
    return isinstance(value, np.ndarray | np.generic)


def special() -> Any:
    """SciPy's special functions, imported when first needed."""
    from scipy import special

    return special


class RealFunction(Function):
    """A function that is real for real arguments; ``_mp`` is its value for numbers of mpmath, complex ones too."""

    def _eval_is_extended_real(self):
        return fuzzy_and(x.is_extended_real for x in self.args)

    def _eval_evalf(self, prec):
        with mpmath.workprec(prec):
            # An Integer comes as int.
            return Expr._from_mpmath(self._mp(*(mpmath.mpmathify(x._to_mpmath(prec)) for x in self.args)), prec)


class _OfNormal(RealFunction):
    nargs = 1

    def _eval_is_positive(self):
        return self.args[0].is_real


class phi(_OfNormal):
    """Density of the standard normal distribution, exp(-x^2/2)/sqrt(2 pi).

    Examples
    --------
    >>> from sympy import Symbol
    >>> x = Symbol("x", real=True)
    >>> phi(x).diff(x), phi(-x)
    (-x*phi(x), phi(x))
    """

    @classmethod
    def eval(cls, x):
        if x in (sympy.zoo, sympy.nan):
            return sympy.nan
        if x.is_infinite:
            return Integer(0)
        if x.is_zero:
            return 1 / sympy.sqrt(2 * sympy.pi)
        return cls(-x) if x.could_extract_minus_sign() else None

    def fdiff(self, _argindex=1):
        x = self.args[0]
        return -x * phi(x)

    def _eval_rewrite_as_exp(self, x, **_):
        return sympy.exp(-(x**2) / 2) / sympy.sqrt(2 * sympy.pi)

    @staticmethod
    def _imp_(x):
        """What a compiled formula calls."""
        return density(x) if in_float64(x) else mpmath.npdf(x)

    @staticmethod
    def _mp(x):
        return mpmath.exp(-x * x / 2) / mpmath.sqrt(2 * mpmath.pi)


class Phi(_OfNormal):
    """Distribution function of the standard normal distribution.

    Examples
    --------
    >>> from sympy import Symbol, oo
    >>> x = Symbol("x", real=True)
    >>> Phi(x).diff(x), Phi(0), Phi(oo)
    (phi(x), 1/2, 1)
    """

    @classmethod
    def eval(cls, x):
        if x in (sympy.zoo, sympy.nan):
            return sympy.nan
        if x is sympy.oo:
            return Integer(1)
        if x is -sympy.oo:
            return Integer(0)
        return Rational(1, 2) if x.is_zero else None

    def fdiff(self, _argindex=1):
        return phi(self.args[0])

    # SymPy's own search for zeros rewrites to exponentials; that is where it meets integrals of the density.
    def _eval_rewrite_as_exp(self, x, **_):
        return (1 + sympy.erf(x / sympy.sqrt(2))) / 2

    @staticmethod
    def _imp_(x):
        """What a compiled formula calls."""
        return special().ndtr(x) if in_float64(x) else mpmath.ncdf(x)

    @staticmethod
    def _mp(x):
        # By erfc, which takes complex numbers as well: SymPy evaluates where an argument leaves the reals.
        return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def density(x: Any) -> np.ndarray:
    """float64 phi(x); zero above about 38.6, where it underflows.

    >>> float(density(0.0))
    0.3989422804014327
    """
    with np.errstate(under="ignore"):
        return np.exp(-0.5 * np.square(np.clip(x, -FARTHEST, FARTHEST))) / np.sqrt(2 * np.pi)


def scaled_tail_moments(k: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """I_0, I_1, I_2 of the tail beyond ``k``, each to a few units of rounding for every k >= 0.

    Parameters
    ----------
    k : float or array
        At least 0.

    Returns
    -------
    tuple of three arrays
        Phi(-k)/phi(k), E[(u - k)_+]/phi(k), E[(u - k)_+^2]/(2 phi(k)).

    Examples
    --------
    >>> [float(f"{v:.12g}") for v in scaled_tail_moments(10.0)]
    [0.0990285964717, 0.00971403528268, 0.000944121822462]
    """
    k = np.asarray(k, dtype=np.float64)
    mills = np.sqrt(np.pi / 2) * special().erfcx(k / np.sqrt(2))
    first = 1 - k * mills
    second = (mills - k * first) / 2
    far = k > UPWARDS_BELOW
    if np.any(far):
        # Arrays of one number take five times as long as the number.
        at = k[far] if k[far].size > 1 else float(k[far][0])
        # The ratios change slowly with n: the fixed point of one level starts the fraction well.
        ratio = 2 / (at + np.sqrt(at * at + 4 * (LEVELS + 2)))
        ratios = []
        for n in range(LEVELS, -1, -1):
            ratio = 1 / (at + (n + 1) * ratio)
            ratios.append(ratio)
        tail = np.cumprod(ratios[:-4:-1], axis=0)
        mills, first, second = np.array(mills), np.array(first), np.array(second)
        mills[far], first[far], second[far] = tail
    return mills, first, second


class Truncated(NamedTuple):
    """Moments of a normal variable u where u > -kappa, all divided by ``scale``, which carries the tail's smallness.

    Attributes
    ----------
    scale : array
        phi(kappa) for negative kappa, else 1.
    probability, density : array
        Phi(kappa) and phi(kappa).
    ramp : array
        E[(u + kappa)_+] = kappa Phi + phi.
    square : array
        E[(u + kappa)_+^2] = (1 + kappa^2) Phi + kappa phi.
    second : array
        E[u^2; u > -kappa] = Phi - kappa phi.
    kappa : array
        Limited to 1e8 in size: beyond, the density is zero.
    """

    scale: np.ndarray
    probability: np.ndarray
    density: np.ndarray
    ramp: np.ndarray
    square: np.ndarray
    second: np.ndarray
    kappa: np.ndarray


def truncated(kappa: Any) -> Truncated:
    """The moments of :class:`Truncated`, each to a few units of rounding on either side of zero.

    Examples
    --------
    >>> t = truncated(-37.0)
    >>> float(f"{t.ramp:.12g}"), bool(t.scale < 1e-297)
    (0.000728865290252, True)
    """
    kappa = np.clip(np.asarray(kappa, dtype=np.float64), -FARTHEST, FARTHEST)
    left = kappa < 0
    mills, first, second = scaled_tail_moments(np.abs(kappa))
    f = density(kappa)
    probability = special().ndtr(np.abs(kappa))
    return Truncated(
        np.where(left, f, 1.0),
        np.where(left, mills, probability),
        np.where(left, 1.0, f),
        np.where(left, first, kappa * probability + f),
        np.where(left, 2 * second, (1 + kappa**2) * probability + kappa * f),
        np.where(left, mills - kappa, probability - kappa * f),
        kappa,
    )
