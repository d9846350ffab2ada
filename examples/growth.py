"""Growth: powers of a parameter between points and in the limit, and asymptotic equalities."""

import math

from sympy import EulerGamma, Rational, Symbol, exp, harmonic, log

from montecarlo import kernel, mean, uniform2
from paper_checks import WRONG, Asymptotic, Kind, Scales, claim, grid, paper
from theory import Formula

paper("growth", "How things grow (an example)", "after textbooks")

n, k = Symbol("n", positive=True, integer=True), Symbol("k", positive=True, integer=True)


@kernel(columns=2, block=2**16)
def extremes(stream, first, n: int, out):
    """The least and the largest of 2 n exponential times."""
    for i in range(out.shape[0]):
        least, largest = 1.0, 0.0
        for j in range(n):
            u, v = uniform2(stream, first + i, j)
            least, largest = min(least, u, v), max(largest, u, v)
        out[i, 0] = -math.log(largest)
        out[i, 1] = -math.log(least)


POINTS = grid(n=[1, 4, 16])
claim(
    "growth/least", at="p. 1", says="the mean of the smallest of n waiting times is proportional to 1 / n",
    relation=Scales("n"), printed=Formula("exponent", Rational(-1)), points=POINTS, measured=mean(extremes, 0),
)  # fmt: skip
claim(
    "growth/largest", at="p. 1", says="the mean of the largest grows as the fourth root of n",
    relation=Scales("n"), printed=Formula("exponent", Rational(1, 4)), points=POINTS, measured=mean(extremes, 1),
    kind=Kind.ALTERNATIVE, expects=WRONG, )  # fmt: skip
claim(
    "growth/edges", at="p. 2", says="the edges of a complete graph grow as the square of its vertices",
    relation=Scales("n", of=Formula("edges", n * (n - 1) / 2)), printed=Formula("exponent", Rational(2)),
)  # fmt: skip
OUT = Formula("share", (1 - 1 / k) ** k)
claim(
    "growth/bootstrap", at="p. 2", says="k draws with replacement leave out a fraction that tends to 1 / e",
    relation=Asymptotic("k"), printed=Formula("share", exp(-1), (k,)), exact=OUT, slips={"a third": k**0 / 3},
)  # fmt: skip
claim(
    "growth/bootstrap.rate", at="p. 2", says="the difference is O(1/k^2)", relation=Asymptotic("k", rate=1 / k**2),
    printed=Formula("share", exp(-1), (k,)), exact=OUT, kind=Kind.ALTERNATIVE, expects=WRONG, )  # fmt: skip
claim(
    "growth/harmonic", at="p. 3", says="the harmonic numbers are log k and Euler's constant to O(1/k)",
    relation=Asymptotic("k", rate=1 / k), printed=Formula("harmonic number", log(k) + EulerGamma),
    exact=Formula("harmonic number", harmonic(k)),
)  # fmt: skip
