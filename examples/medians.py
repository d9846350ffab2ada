"""Medians: of skewed distributions, of three values, of a distribution without a mean."""

from sympy import Max, Min, Symbol, exp, log
from sympy.stats import Cauchy, Exponential, LogNormal, Uniform

from montecarlo import law, quantile
from paper_checks import Distributed, Kind, Simulated, claim, grid, paper
from theory import Formula, Interval

paper("median", "Medians (an example)", "after textbooks")

r, m, p = (Symbol(name, positive=True) for name in "rmp")
u, v, w = (Uniform(name, 0, 1) for name in "uvw")
x = Symbol("x", real=True)

claim(
    "median/exponential", at="p. 1", says="the median of an exponential variable is its mean", kind=Kind.ALTERNATIVE,
    printed=Formula("median", 1 / r), corrected=Formula("median", log(2) / r), points=grid(r=[1, 3]),
    measured=quantile(Simulated(Exponential("t", r)), 0.5),
)  # fmt: skip
claim(
    "median/lognormal", at="p. 1", says="the median of a lognormal variable is e^m", printed=Formula("median", exp(m)),
    points=grid(m=["1/2", 1]), measured=quantile(Simulated(LogNormal("y", m, 1)), 0.5),
)  # fmt: skip
claim(
    "median/cauchy", at="p. 2", says="the median of a Cauchy variable is its centre", printed=Formula("median", m),
    points=grid(m=[1, 2]), measured=quantile(Simulated(Cauchy("c", m, 1)), 0.5),
)  # fmt: skip
claim(
    "median/three", at="p. 3", says="the distribution of the median of three uniform values",
    printed=Formula("distribution function", 3 * x**2 - 2 * x**3, domain={x: Interval(0, 1)}), points=[{}],
    relation=Distributed(), measured=law(Simulated(Max(Min(u, v), Min(Max(u, v), w)))),
)  # fmt: skip
