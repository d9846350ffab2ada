"""Distributions of products and sums: two uniform values, a sum of dice, Poisson variables."""

from sympy import Symbol, factorial, log, uppergamma
from sympy.stats import Normal, Poisson, Uniform

from montecarlo import law, variance
from paper_checks import Distributed, Kind, Simulated, claim, grid, paper
from theory import Formula, Interval

paper("products", "Laws of products and sums (an example)", "after textbooks")

x, s = Symbol("x", positive=True), Symbol("s", positive=True)
k = Symbol("k", integer=True, nonnegative=True)
u, v = Uniform("u", 0, 1), Uniform("v", 0, 1)

claim(
    "products/uniform", at="p. 1", says="P(U V <= x) = x (1 - log x)", relation=Distributed(), points=[{}],
    printed=Formula("distribution function", x * (1 - log(x)), domain={x: Interval(0, 1, open_low=True)}),
    measured=law(Simulated(u * v)),
)  # fmt: skip
claim(
    "products/poisson", at="p. 2", says="a sum of Poisson variables of means 1 and 2 is a Poisson variable of mean 3",
    relation=Distributed("k"), points=[{}], measured=law(Simulated(Poisson("a", 1) + Poisson("b", 2))),
    printed=Formula("distribution function", uppergamma(k + 1, 3) / factorial(k)),
)  # fmt: skip
claim(
    "products/normal", at="p. 3", says="the variance of a product is the product of variances", kind=Kind.ALTERNATIVE,
    printed=Formula("variance", s**2), corrected=Formula("variance", 2 * s**2 + 1), points=grid(s=[1, 2]),
    measured=variance(Simulated(Normal("a", 1, s) * Normal("b", 1, 1))),
)  # fmt: skip
