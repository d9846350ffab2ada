"""``trunc_normal_``: its cut-offs are absolute, and what they leave of a mean and of a variance."""

import mpmath
import sympy
from sympy import Integer, Rational, exp, pi, sqrt

from montecarlo import mean, variance
from montecarlo.kernels.initialisation.weights import cut_normal
from paper_checks import Form, Kind, alternative, claim, common, grid
from paper_checks.papers.constants.formulas import VARIANCE, on
from theory import Formula
from theory.numerics.normal_tails import Phi, phi
from theory.symbols import positive, real
from theory.truncated_normal import moments

TORCH = "torch.nn.init.trunc_normal_"
JAX = "jax.nn.initializers.truncated_normal"
formula = on(TORCH)
m, s = real("m"), positive("s")
NORMAL = {"m": "mean of the normal distribution, before the cut", "s": "its standard deviation, above 0"}
# Cut-offs of N(m, s^2) at -2 and 2, in units of s.
LOW, HIGH = (-2 - m) / s, (2 - m) / s
CUTS = {"location": lambda m: m, "spread": lambda s: s, "low": lambda: -2, "high": lambda: 2}


def between(form: Formula):
    """A moment of a standard normal value between alpha and beta, for the two cut-offs."""
    return form.expr.subs({moments.alpha: LOW, moments.beta: HIGH}, simultaneous=True)


def integrals(m, s):
    """Probability, mean and second moment about it of N(m, s^2) on [-2, 2]."""
    density = lambda w: mpmath.npdf(w, m, s)  # noqa: E731
    ends = sorted({-2, max(mpmath.mpf(-2), min(m, mpmath.mpf(2))), 2})
    share = mpmath.quad(density, ends)
    centre = mpmath.quad(lambda w: w * density(w), ends) / share
    return share, centre, mpmath.quad(lambda w: (w - centre) ** 2 * density(w), ends) / share


alternative(
    "constants/torch.trunc-normal.mean",
    at=TORCH,
    says="the values have the mean ``mean``",
    printed=formula("mean of a value", "E[w]", m, m, s, symbols=NORMAL),
    corrected=formula("mean of a value", "E[w]", m + s * between(moments.mean), m, s, symbols=NORMAL),
    points=[{"m": 1, "s": 1}, {"m": "1/2", "s": 2}],
    derived=CUTS,
    integral=lambda m, s: integrals(m, s)[1],
    measured=mean(cut_normal),
    scale=(lambda s: s, "the standard deviation before the cut"),
    slips={"the other way": m - s * between(moments.mean), "not scaled": m + between(moments.mean)},
    note="the documentation says that mean is the mean of the normal distribution, which is the one before the cut. "
    "With mean = 1, std = 1 and the default a = -2, b = 2 the values have the mean 0.7172",
)

beyond = common(at=TORCH + ", additional result", kind=Kind.ADDITIONAL)

beyond(
    "constants/torch.trunc-normal.variance",
    says="with mean = 0, the default a = -2, b = 2 and t = 2/s the values have the variance "
    "s^2 (1 - 2 t phi(t)/(2 Phi(t) - 1)). This is close to s^2 for small s and tends to 4/3 as s grows",
    printed=formula(
        "variance of a value",
        VARIANCE,
        s**2 * (1 - 4 / s * phi(2 / s) / (2 * Phi(2 / s) - 1)),
        s,
        symbols={"s": NORMAL["s"]},
    ),
    points=grid(s=["1/2", 3]),
    derived={**CUTS, "location": lambda: 0, "m": lambda: 0},
    derivation=lambda: (s**2 * between(moments.variance).subs(m, 0)).subs(
        {phi(-2 / s): phi(2 / s), Phi(-2 / s): 1 - Phi(2 / s)}
    ),
    integral=lambda s: integrals(mpmath.mpf(0), s)[2],
    measured=variance(cut_normal),
    slips={"nothing is cut": s**2, "cut at two deviations": s**2 * Rational("0.773741")},
    note="`theory.truncated_normal.scale_for` returns the std that gives a standard deviation after the cut: 0.8542 "
    "for 0.8. No std gives more than 1.1547, the standard deviation of the uniform distribution",
)


def flattens(high: int = 2) -> bool:
    """At each value between the cut-offs the density tends to 1/4, whatever the mean; so moments tend to those of
    the uniform distribution.
    """
    u, value, inverse = real("u"), real("value"), positive("inverse")
    density = exp(-(((u - m) * inverse) ** 2) / 2)
    share = sympy.integrate(density, (u, -2, high))
    uniform = sympy.limit(density.subs(u, value) / share, inverse, 0)
    mean, square = (sympy.integrate(uniform * value**k, (value, -2, high)) for k in (1, 2))
    return uniform == Rational(1, 4) and square - mean**2 == Rational(4, 3)


beyond(
    "constants/torch.trunc-normal.flat",
    says="as std grows the distribution becomes uniform between the cut-offs -2 and 2 and has the variance 4/3",
    proof=flattens,
)

claim(
    "constants/jax.truncated-normal.cut",
    form=Form.OURS,
    at=JAX,
    says="lower and upper are multiples of stddev. The default -2 and 2 cut the fraction 0.0455 of the values for "
    "every stddev",
    quote="Applied before the output is multiplied by the stddev",
    printed=on(JAX)("fraction of a normal distribution that is cut", r"P(|u| > 2)",
        1 - 2 * moments.share.expr.subs( {moments.alpha: 0, moments.beta: 2})),
    points=[{}],
    integral=lambda: 2 * mpmath.quad(mpmath.npdf, [2, 4, 8, 16]),
    slips={"one side": 1 - Phi(Integer(2)), "by Chebyshev": Rational(1, 4), "1/(sqrt(2 pi) 2)": 1 / (2 * sqrt(2 * pi))},
    note="torch.nn.init.trunc_normal_ has absolute cut-offs. It cuts almost nothing with std = 0.02 "
    "(constants/torch.trunc-normal.absolute) and half of all values with std = 2.97",
)  # fmt: skip
