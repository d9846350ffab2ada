"""Hoeffding's inequality: a bound on the probability of rare events, and a bound that is attained."""

from sympy import Symbol, exp

from montecarlo import kernel, mean, probability, uniform2
from paper_checks import Bounds, claim, grid, paper
from theory import Formula

paper("hoeffding", "Probability inequalities (an example)", "after Hoeffding")

n, t = Symbol("n", positive=True, integer=True), Symbol("t", positive=True)


@kernel
def exceeds(stream, first, n: int, t, out):
    """Whether the mean of n uniform values is above its expectation by t or more."""
    for i in range(out.shape[0]):
        total = 0.0
        for k in range(n // 2):
            u, v = uniform2(stream, first + i, k)
            total += u + v
        out[i, 0] = 1.0 if total / n - 0.5 >= t else 0.0


@kernel
def sums(stream, first, t, out):
    """t (U + V), whose mean is t."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        out[i, 0] = t * (u + v)


claim(
    "hoeffding/mean", at="theorem 1", says="a mean of n values in [0, 1] is t too large with probability exp(-2 n t^2)",
    printed=Formula("bound", exp(-2 * n * t**2), (n, t)), points=grid(n=[10, 40], t=["1/5", "3/10"]),
    relation=Bounds("above"), measured=probability(exceeds), slips={"exp(-16 n t^2)": exp(-16 * n * t**2)},
)  # fmt: skip
claim(
    "hoeffding/reached", at="section 2", says="the mean of t (U + V) is at most t, and reaches it",
    printed=Formula("bound", t), points=grid(t=[1, 2]), relation=Bounds("above", strict=False),
    measured=mean(sums), slips={"less than 0.9 t": 9 * t / 10},
)  # fmt: skip
