"""Dropout and batch normalisation: variances, a correlation, a ratio of means."""

from sympy import Symbol, sqrt
from sympy.stats import Bernoulli, Normal

from montecarlo import correlation, kernel, mean, normal2, ratio, variance
from paper_checks import Kind, Simulated, claim, grid, paper
from theory import Formula

paper("reg", "Dropout and batch normalisation (an example)", "after Srivastava, Ioffe, Szegedy and others")

p, s = Symbol("p", positive=True), Symbol("s", positive=True)
x, kept = Normal("x", 1, s), Bernoulli("kept", p)

claim(
    "reg/inverted", at="section 4", says="kept values over p keep the mean", printed=Formula("mean", p**0, (p, s)),
    points=grid(p=["1/2", "9/10"], s=1), measured=mean(Simulated(x * kept / p)),
)  # fmt: skip
claim(
    "reg/variance", at="section 4", says="and have the variance s^2 / p", kind=Kind.ALTERNATIVE,
    printed=Formula("variance", s**2 / p, (p, s)), corrected=Formula("variance", (1 + s**2) / p - 1, (p, s)),
    points=grid(p=["1/2", "9/10"], s=[1, 2]), measured=variance(Simulated(x * kept / p)),
)  # fmt: skip
claim(
    "reg/correlation", at="section 4", says="a value and what is kept of it are correlated by less than sqrt(p)",
    printed=Formula("correlation", s * sqrt(p) / sqrt(s**2 + 1 - p), (p, s)), points=grid(p=["1/2", "9/10"], s=2),
    measured=correlation(Simulated(x, x * kept / p)),
)  # fmt: skip


@kernel(columns=2)
def batch(stream, first, n: int, out):
    """The variance of a batch of n normal values, divided by n, and that of all values."""
    for i in range(out.shape[0]):
        total, squares = 0.0, 0.0
        for k in range(n // 2):
            x, y = normal2(stream, first + i, k)
            total += x + y
            squares += x * x + y * y
        out[i, 0] = squares / n - (total / n) ** 2
        out[i, 1] = squares / n


n = Symbol("n", positive=True, integer=True)
claim(
    "reg/batch", at="algorithm 1", says="the variance of a batch is too small by a factor (n - 1) / n",
    printed=Formula("ratio", (n - 1) / n), points=grid(n=[4, 16]), measured=ratio(batch),
)  # fmt: skip
