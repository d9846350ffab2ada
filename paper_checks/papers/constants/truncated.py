"""``trunc_normal_``: its cut-offs are absolute, and what they leave of a mean and of a variance."""

from __future__ import annotations

import mpmath
import sympy
from sympy import Integer, Rational, exp, pi, sqrt

from montecarlo import mean, variance
from montecarlo.kernels.initialisation.weights import cut_normal
from paper_checks import Kind, claim, grid
from theory import Formula, Source
from theory.numerics.normal_tails import Phi, phi
from theory.symbols import positive, real
from theory.truncated_normal import moments

TORCH = "torch.nn.init.trunc_normal_"
JAX = "jax.nn.initializers.truncated_normal"
SOURCE = Source("constants", TORCH)
m, s = real("m"), positive("s")
# Cut-offs of N(m, s^2) at -2 and 2, in units of s.
LOW, HIGH = (-2 - m) / s, (2 - m) / s
CUTS = {"location": lambda m: m, "spread": lambda s: s, "low": lambda: -2, "high": lambda: 2}


def between(form: Formula):
    """A moment of a standard normal value between alpha and beta, for the two cut-offs."""
    return form.expr.subs({moments.alpha: LOW, moments.beta: HIGH}, simultaneous=True)


def integrals(m, s):
    """Share, mean and second moment about it of N(m, s^2) on [-2, 2]."""
    density = lambda w: mpmath.npdf(w, m, s)  # noqa: E731
    ends = sorted({-2, max(mpmath.mpf(-2), min(m, mpmath.mpf(2))), 2})
    share = mpmath.quad(density, ends)
    centre = mpmath.quad(lambda w: w * density(w), ends) / share
    return share, centre, mpmath.quad(lambda w: (w - centre) ** 2 * density(w), ends) / share


claim(
    "constants/torch.trunc-normal.mean",
    at=TORCH,
    says="values have the mean ``mean``",
    printed=Formula("mean of a value", m, [m, s], source=SOURCE),
    corrected=Formula("mean of a value", m + s * between(moments.mean), [m, s], source=SOURCE),
    points=[{"m": 1, "s": 1}, {"m": "1/2", "s": 2}],
    derived=CUTS,
    integral=lambda m, s: integrals(m, s)[1],
    measured=mean(cut_normal),
    scale=lambda s: s,
    scale_says="the standard deviation before the cut",
    slips={"the other way": m - s * between(moments.mean), "not scaled": m + between(moments.mean)},
    kind=Kind.ALTERNATIVE,
    note="mean is said to be that of the normal distribution, before the cut: with mean = 1, std = 1 and the default "
    "a = -2, b = 2 values have 0.7172",
)

claim(
    "constants/torch.trunc-normal.variance",
    at=TORCH + ", beyond",
    says="with mean = 0 and the default a = -2, b = 2 values have the variance s^2 (1 - 2 t phi(t)/(2 Phi(t) - 1)), "
    "t = 2/s: all of s^2 for small s, at most 4/3 for large ones",
    printed=Formula("variance of a value", s**2 * (1 - 4 / s * phi(2 / s) / (2 * Phi(2 / s) - 1)), [s], source=SOURCE),
    points=grid(s=["1/2", 3]),
    derived={**CUTS, "location": lambda: 0, "m": lambda: 0},
    derivation=lambda: _even(s**2 * between(moments.variance).subs(m, 0)),
    integral=lambda s: integrals(mpmath.mpf(0), s)[2],
    measured=variance(cut_normal),
    slips={"nothing is cut": s**2, "cut at two deviations": s**2 * Rational("0.773741")},
    note="theory.truncated_normal.scale_for gives the std to pass for a deviation after the cut: 0.8542 for 0.8, and "
    "none for more than 1.1547, that of a uniform law",
    kind=Kind.ADDITIONAL,
)


def _even(expr: sympy.Expr) -> sympy.Expr:
    """phi(-t) is phi(t), and Phi(-t) is 1 - Phi(t)."""
    t = 2 / s
    return expr.subs({phi(-t): phi(t), Phi(-t): 1 - Phi(t)})


def flattens(high: int = 2) -> bool:
    """At each value between the cut-offs the density tends to 1/4, whatever the mean; so moments tend to the uniform
    law's.
    """
    u, value, inverse = real("u"), real("value"), positive("inverse")
    density = exp(-(((u - m) * inverse) ** 2) / 2)
    share = sympy.integrate(density, (u, -2, high))
    uniform = sympy.limit(density.subs(u, value) / share, inverse, 0)
    mean, square = (sympy.integrate(uniform * value**k, (value, -2, high)) for k in (1, 2))
    return uniform == Rational(1, 4) and square - mean**2 == Rational(4, 3)


claim(
    "constants/torch.trunc-normal.flat",
    at=TORCH + ", beyond",
    says="as std grows the law becomes uniform between the cut-offs -2 and 2, with the variance 4/3",
    proof=flattens,
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/jax.truncated-normal.cut",
    at=JAX,
    says="lower and upper are multiples of stddev: the same share is cut, 0.0455 with the default -2 and 2, and the "
    "same part of the variance is left, whatever stddev is",
    quote="Applied before the output is multiplied by the stddev",
    printed=Formula("share of a normal law that is cut", 1 - 2 * moments.share.expr.subs(
        {moments.alpha: 0, moments.beta: 2}), [], source=Source("constants", JAX)),
    points=[{}],
    integral=lambda: 2 * mpmath.quad(mpmath.npdf, [2, 4, 8, 16]),
    slips={"one side": 1 - Phi(Integer(2)), "by Chebyshev": Rational(1, 4), "1/(sqrt(2 pi) 2)": 1 / (2 * sqrt(2 * pi))},
    note="in torch.nn.init.trunc_normal_ a share of 1e-2000 is cut with std = 0.02, half of all values with 2.97",
)  # fmt: skip
